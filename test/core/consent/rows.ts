/** One word and the facts about it; each row of a table names only the facts that differ. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Call, type DesiredItem, usualLimits } from '../../../src/core/consent/desired-state.ts';
import { decide, type Facts, type Verdict } from '../../../src/core/consent/step-rows.ts';
import type { FormFacts } from '../../../src/core/model/submission/submission-request.ts';
import { record } from '../center-builder.ts';
import { asking, lag, now } from './drafts.ts';

export const word: DesiredItem = {
  key: 'purpose a',
  want: 'on',
  by: 'r1',
  at: now - 100,
  order: 5,
  phase: 'open',
};
export const call: Call = {
  order: 7,
  at: now - 50,
  update: { purposes: [], dataElements: {}, language: undefined },
  refusals: [],
  off: [],
  keys: ['purpose a'],
  by: 'r1',
};
export const answered: Call = { ...call, answer: { at: now - 40, refused: [], receipt: undefined } };
export const form: FormFacts = {
  at: now - 1_000,
  order: 4,
  revision: '1',
  drawn: [{ purpose: 'a', status: 'off', isOn: false }],
};

export const base: Facts = {
  item: word,
  stands: 'off',
  record: record('a', 'off'),
  whole: 'off',
  isInCenter: true,
  readAt: now - 10,
  now,
  limits: usualLimits,
  asked: asking({ form }),
  call: undefined,
  isRefused: false,
  isCarried: false,
  isDoubtful: false,
  grantedAt: 0,
  isGrantSure: false,
  doubted: undefined,
  takenOut: 0,
  isTakingOut: false,
  isLeftOutSince: false,
  isSaidSince: false,
  isFloorOpen: false,
  isHeldUp: false,
  isPurposeOff: false,
  isPurposeAsked: false,
  isSwapped: false,
  schema: 'fresh',
};

export type Change = Omit<Partial<Facts>, 'item'> & { readonly item?: Partial<DesiredItem> };
export type Row = readonly [row: string, does: string, change: Change];

export const assumed = {
  item: { key: 'topic a t' },
  stands: 'on-by-default',
  whole: 'on-by-default',
} as const;
export const objection = asking({ form, isObjection: true });
export const typed = { want: { value: '1', label: 'E' }, key: 'element e' };
export const sentWord = { phase: 'sent', call: 7 } as const;
export const doneWord = { phase: 'verified', seen: now - lag } as const;

function shown(verdict: Verdict, at: number): string {
  if (verdict.kind === 'end' || verdict.kind === 'tell')
    return verdict.phase === 'verified' ? verdict.outcome : `${verdict.outcome} ${verdict.phase}`;
  if (verdict.kind === 'join') return `join ${verdict.call}`;
  if (verdict.kind !== 'wait' || verdict.until === undefined) return verdict.kind;
  const until = verdict.until === at + lag ? 'wait for the lag' : `wait until ${verdict.until}`;
  return verdict.seenAs === undefined ? until : `${until} as ${verdict.seenAs}`;
}

export function playRows(want: 'on' | 'off', table: readonly Row[]): void {
  for (const [row, does, { item, ...change }] of table) {
    test(`${row}: ${does}, by ${JSON.stringify({ ...change, item }).slice(0, 160)}`, () => {
      const about = { ...word, want, ...item };
      const decided = decide({ ...base, ...change, item: about });
      assert.deepEqual([decided.row, shown(decided.verdict, about.at)], [row, does]);
    });
  }
}
