/** Readings of one person in a center, each with the situation before it and its verdict. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Call,
  type DesiredCenter,
  type DesiredItem,
  type DesiredState,
  usualLimits,
} from '../../../src/core/consent/desired-state.ts';
import { type Observed, observe } from '../../../src/core/consent/observe.ts';
import type { Subject } from '../../../src/core/model/person/subject.ts';
import { aCenter, anElement, aPurpose, recordsOf, topics } from '../center-builder.ts';
import { aSubject } from '../page-builder.ts';
import { nothing } from './nothing.ts';

export const { lag } = usualLimits;
export const now = 10_000_000;
export const schema = aCenter([
  aPurpose('a', { topics: topics('t') }),
  ...[aPurpose('b'), aPurpose('d', { onByDefault: true }), anElement('e')],
]);

/** A word about a purpose, or about a full key. */
export function word(about: string, change: Partial<DesiredItem> = {}): DesiredItem {
  const key = about.includes(' ') ? about : `purpose ${about}`;
  return { key, want: 'off', by: 'r', at: now, order: 5, phase: 'open', ...change };
}
export const grant = (about: string, change: Partial<DesiredItem> = {}) =>
  word(about, { want: 'on', ...change });
export const typed = (element: string, change: Partial<DesiredItem> = {}) =>
  word(`element ${element}`, { want: { value: '1', label: element }, ...change });

function put(text: string): NonNullable<Call['update']> {
  const purposes = recordsOf(text).map(({ purpose, topics: chosen, preferences }) => {
    return { id: purpose, topics: chosen, preferences };
  });
  return { purposes, dataElements: {}, language: undefined };
}
export const answer = { at: now, refused: [], receipt: undefined };
/** A call that was just answered; `''` sends no purpose, undefined is a DELETE. */
export function call(text: string | undefined, change: Partial<Call> = {}): Call {
  const update = text === undefined ? undefined : put(text);
  return { order: 3, at: now - 10, update, refusals: [], off: [], keys: [], by: 'r', answer, ...change };
}
export const lost = (order: number): Call => ({ ...call(''), order, answer: undefined });

/** A record in the form `a[t] b:off`, with values in the form `=e:1`. */
export function shows(text: string): Subject {
  const values = [...text.matchAll(/=(\w+):(\w+)/g)].map(([, label, value]) => [label, value]);
  const purposes = recordsOf(text.replaceAll(/=\w+:\w+/g, ''));
  return aSubject({ purposes, dataElements: Object.fromEntries(values) });
}

interface Before extends Partial<DesiredCenter> {
  readonly other?: Partial<DesiredCenter>;
  /** The previous reading. */
  readonly was?: string;
  /** The time since the last call, in milliseconds. */
  readonly after?: number;
  readonly isUnknown?: boolean;
}

function seen(text: string, { other, was, after = 10, isUnknown = false, ...own }: Before): Observed {
  const centers = [
    { ...nothing, ...own },
    { ...nothing, center: 'other', ...other },
  ];
  const desired: DesiredState = { order: 9, centers };
  const reading = { subject: shows(text), at: now + after };
  const previous = was === undefined ? undefined : shows(was);
  return observe(desired, { center: 'center', schema: isUnknown ? undefined : schema, reading, previous });
}

type Is = 'believed' | 'a surprise' | 'perhaps older' | 'nothing' | 'a fault';
const rows: Readonly<Record<string, Is>> = {
  surprise: 'a surprise',
  'perhaps-older': 'perhaps older',
  'nothing-on-record': 'nothing',
  'nothing-of-somebody-known': 'a fault',
};
type Case = readonly [name: string, is: Is, shows: string, before: Before];

export function readings(cases: readonly Case[]): void {
  for (const [name, is, text, before] of cases) {
    test(`${name} is ${is}`, () => {
      const observed = seen(text, before);
      assert.equal(observed.kind === 'believed' ? 'believed' : rows[observed.row], is);
    });
  }
}
