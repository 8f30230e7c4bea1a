import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Call, type DesiredItem, usualLimits } from '../../../src/core/consent/desired-state.ts';
import { decide, type Facts, grantRows, withdrawalRows } from '../../../src/core/consent/step-rows.ts';
import type { FormFacts } from '../../../src/core/model/submission/submission-request.ts';
import { record } from '../center-builder.ts';

const { lag, grantLife, doubt } = usualLimits;
const now = 10_000_000;

const word: DesiredItem = { key: 'purpose a', want: 'on', by: 'r1', at: now - 100, order: 5, phase: 'open' };
const call: Call = {
  order: 7,
  at: now - 50,
  update: { purposes: [], dataElements: {}, language: undefined },
  refusals: [],
  off: [],
  keys: ['purpose a'],
  by: 'r1',
};
const answered: Call = { ...call, answer: { at: now - 40, refused: [], receipt: undefined } };
const form: FormFacts = {
  at: now - 1_000,
  order: 4,
  revision: '1',
  drawn: [{ purpose: 'a', status: 'off', isOn: false }],
};

const base: Facts = {
  item: word,
  stands: 'off',
  record: record('a', 'off'),
  whole: 'off',
  isInCenter: true,
  readAt: now - 10,
  now,
  limits: usualLimits,
  asked: { reference: 'r1', form, confirms: [], isObjection: false, isOneClick: false },
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

type Change = Omit<Partial<Facts>, 'item'> & { readonly item?: Partial<DesiredItem> };
type Row = readonly [row: string, does: string, change: Change];

const assumed = { item: { key: 'topic a t' }, stands: 'assumed', whole: 'assumed' } as const;
const objection = { ...base.asked, isObjection: true } as Facts['asked'];
const typed = { want: { value: '1', label: 'E' }, key: 'element e' };
const sentWord = { phase: 'sent', call: 7 } as const;
const doneWord = { phase: 'verified', seen: now - lag } as const;

const grants: readonly Row[] = [
  ['over', 'rest', { item: { phase: 'over' } }],
  ['still-on', 'rest', { item: doneWord, stands: 'on' }],
  ['still-on', 'rest', { item: doneWord, stands: 'waiting', isDoubtful: true }],
  ['withdrawn-since-elsewhere', 'over', { item: doneWord, isSaidSince: true, isDoubtful: true }],
  ['came-undone', 'switched-off', { item: doneWord, isDoubtful: true }],
  ['changed-elsewhere', 'over', { item: doneWord }],
  [
    'minute-over-behind-a-withdrawal',
    'not-saved',
    { item: { at: now - grantLife }, isHeldUp: true, stands: 'on' },
  ],
  ['withdrawal-first', 'wait', { isHeldUp: true, stands: 'on' }],
  ['read-before-it-was-said', 'read', { readAt: word.at - 1, stands: 'on' }],
  ['locked', 'locked', { stands: 'locked-on' }],
  ['locked', 'locked', { stands: 'locked-off' }],
  ['perhaps-older', 'wait', { stands: 'on', item: typed }],
  ['perhaps-older', 'wait', { stands: 'on', item: typed, readAt: word.at + lag - 1 }],
  ['on-already', 'unchanged', { stands: 'on', item: typed, readAt: word.at + lag }],
  ['on-already', 'unchanged', { stands: 'on', item: { at: now - grantLife }, schema: 'reworded' }],
  ['asked', 'send', { stands: 'on', item: { renews: true }, grantedAt: 5, isGrantSure: true }],
  ['minute-over', 'not-saved', { stands: 'on', item: { renews: true, at: now - grantLife } }],
  ['reworded', 'reworded', { stands: 'on', item: { renews: true }, schema: 'reworded' }],
  ['own-withdrawal-in-doubt', 'wait', { stands: 'on', item: { renews: true }, isTakingOut: true }],
  ['not-on-any-more', 'not-saved', { item: { renews: true }, record: record('a', 'expired') }],
  ['not-on-any-more', 'not-saved', { stands: 'assumed', item: { renews: true }, record: undefined }],
  ['minute-over', 'not-saved', { item: { at: now - grantLife } }],
  ['minute-over', 'not-saved', { item: { at: now + 1_001 }, readAt: now + 2_000 }],
  ['asked', 'send', { item: { at: now - grantLife + 1 } }],
  ['asked', 'send', { item: { at: now + 1_000 }, readAt: now + 1_000 }],
  ['purpose-off', 'withdrawn-elsewhere', { item: { key: 'topic a t' }, isPurposeOff: true }],
  ['own-withdrawal-in-doubt', 'wait', { isTakingOut: true, takenOut: 9 }],
  ['withdrawn-since', 'withdrawn-elsewhere', { record: { ...record('a', 'off'), rawStatus: 'WITHDRAWN' } }],
  ['withdrawn-since', 'withdrawn-elsewhere', { record: record('b', 'off') }],
  ['asked', 'send', { record: { ...record('a', 'off'), rawStatus: 'WITHDRAWN' }, takenOut: 5 }],
  [
    'withdrawn-since',
    'withdrawn-elsewhere',
    { record: { ...record('a', 'off'), rawStatus: 'WITHDRAWN' }, takenOut: 4 },
  ],
  ['granted-in-doubt', 'join', { grantedAt: Number.POSITIVE_INFINITY, doubted: 7 }],
  ['granted-in-doubt-elsewhere', 'wait', { grantedAt: Number.POSITIVE_INFINITY }],
  ['granted-since', 'withdrawn-elsewhere', { grantedAt: 5, isGrantSure: true }],
  ['perhaps-granted-since', 'not-saved', { grantedAt: 5 }],
  ['asked', 'send', { grantedAt: 4, isGrantSure: true }],
  ['asked', 'send', { grantedAt: 5, stands: 'waiting' }],
  ['asked', 'send', { grantedAt: 5, item: typed }],
  ['center-gone', 'not-saved', { schema: 'gone' }],
  ['schema-absent', 'later', { schema: 'absent' }],
  ['schema-stale', 'schema', { schema: 'stale' }],
  ['reworded', 'reworded', { schema: 'reworded' }],
  ['asked', 'send', {}],
  ['perhaps-renewed', 'unconfirmed', { item: { ...sentWord, renews: true }, call, stands: 'on' }],
  ['on', 'saved', { item: { ...sentWord, renews: true }, call: answered, stands: 'on' }],
  ['on-after-a-lost-answer', 'saved', { item: sentWord, call, stands: 'on' }],
  ['on-though-refused', 'unconfirmed', { item: sentWord, call: answered, stands: 'on', isRefused: true }],
  ['on', 'saved', { item: sentWord, call: answered, stands: 'on' }],
  ['on', 'saved', { item: sentWord, call: undefined, stands: 'on' }],
  ['waiting-for-confirmation', 'waiting', { item: sentWord, call: answered, stands: 'waiting' }],
  ['waiting-for-confirmation', 'waiting', { item: sentWord, call, stands: 'waiting' }],
  ['refused', 'not-saved', { item: sentWord, call: answered, isRefused: true }],
  ['accepted-and-not-on-record', 'not-saved', { item: sentWord, call: answered }],
  ['left-out-since', 'not-saved', { item: { ...sentWord, before: null }, call, isLeftOutSince: true }],
  ['withdrawn-meanwhile', 'withdrawn-elsewhere', { item: { ...sentWord, before: null }, call }],
  [
    'withdrawn-meanwhile',
    'withdrawn-elsewhere',
    { item: { ...sentWord, before: record('a', 'expired') }, call },
  ],
  [
    'never-arrived',
    'not-saved',
    { item: { phase: 'in-doubt', call: 7 }, call, readAt: call.at + doubt + lag },
  ],
  ['answer-lost', 'look', { item: { ...sentWord, before: record('a', 'off') }, call }],
  ['in-doubt', 'in-doubt', { item: sentWord, call: { ...call, at: now - lag } }],
  ['looked-for', 'rest', { item: { phase: 'in-doubt', call: 7 }, call: { ...call, at: now - lag } }],
  [
    'looked-for',
    'rest',
    {
      item: { phase: 'in-doubt', call: 7 },
      call: { ...call, at: now - lag },
      readAt: now - lag - 1 + doubt + lag,
    },
  ],
];

const withdrawals: readonly Row[] = [
  ['over', 'rest', { item: { phase: 'over' }, stands: 'on', isCarried: true }],
  ['bound', 'rest', { item: { phase: 'bound' }, stands: 'on' }],
  ['asked-since-elsewhere', 'rest', { item: doneWord, stands: 'on', isCarried: true, isSaidSince: true }],
  ['came-back', 'send', { item: doneWord, stands: 'on', isCarried: true }],
  ['granted-elsewhere', 'over', { item: doneWord, stands: 'on' }],
  ['seen-off', 'rest', { item: doneWord, isCarried: true }],
  ['read-before-it-was-said', 'read', { readAt: word.at - 1, stands: 'on' }],
  ['everything-first', 'send', { isFloorOpen: true, stands: 'locked-on' }],
  ['always-active', 'locked', { stands: 'locked-on' }],
  ['agreed-to', 'agreed', { stands: 'on', asked: objection }],
  ['agreed-to', 'agreed', { stands: 'waiting', asked: objection }],
  [
    'on',
    'send',
    {
      item: sentWord,
      call,
      takenOut: call.order,
      stands: 'on',
      asked: objection,
    },
  ],
  ['schema-absent', 'later', { stands: 'absent', schema: 'absent' }],
  ['would-agree', 'not-saved', { ...assumed, record: record('a', 'implicit') }],
  ['goes-with-its-grant', 'wait', { ...assumed, isPurposeAsked: true }],
  ['granted-lately', 'wait', { ...assumed, grantedAt: 3, takenOut: 2 }],
  ['would-agree', 'not-saved', { ...assumed, grantedAt: 2, takenOut: 3 }],
  [
    'would-agree',
    'not-saved',
    {
      item: { key: 'topic a t' },
      stands: 'assumed',
      whole: 'assumed',
      grantedAt: 3,
      readAt: word.at + lag,
    },
  ],
  ['on', 'send', { stands: 'on' }],
  ['on', 'send', { stands: 'on', item: sentWord, call }],
  ['still-waiting-for-confirmation', 'waiting', { stands: 'waiting', item: sentWord, call: answered }],
  ['waiting-for-confirmation', 'send', { stands: 'waiting' }],
  ['on-by-default', 'send', { stands: 'assumed' }],
  ['refusal-missing', 'refuse', { stands: 'assumed', item: sentWord, call: answered }],
  ['accepted-and-off', 'saved', { item: sentWord, call: answered }],
  ['accepted-and-off', 'saved', { item: sentWord, call: undefined }],
  [
    'perhaps-older',
    'wait',
    { item: sentWord, call: { ...answered, answer: { at: now, refused: [], receipt: undefined } } },
  ],
  ['perhaps-older', 'wait', { item: sentWord, call: answered, isRefused: true }],
  ['perhaps-older', 'wait', {}],
  ['perhaps-older', 'wait', { readAt: word.at + lag - 1 }],
  ['off-after-a-call', 'saved', { item: sentWord, call, readAt: word.at + lag }],
  ['off-already', 'no-such-purpose', { stands: 'absent', isInCenter: false, readAt: word.at + lag }],
  ['off-already', 'withdrawn-elsewhere', { item: { key: 'topic a t' }, readAt: word.at + lag }],
  ['off-already', 'unchanged', { item: { key: 'topic a t' }, whole: 'on', readAt: word.at + lag }],
  ['off-already', 'unchanged', { item: { key: 'topic a t' }, isPurposeAsked: true, readAt: word.at + lag }],
  ['off-already', 'unchanged', { stands: 'absent', readAt: word.at + lag }],
  ['off-already', 'unchanged', { readAt: word.at + lag }],
];

function rows(want: DesiredItem['want'], table: readonly Row[]): void {
  for (const [row, does, { item, ...change }] of table) {
    test(`${row}: ${does}, by ${JSON.stringify({ ...change, item }).slice(0, 120)}`, () => {
      const decided = decide({ ...base, ...change, item: { ...word, want, ...item } });
      const { verdict } = decided;
      const outcome = verdict.kind === 'end' || verdict.kind === 'tell' ? verdict.outcome : verdict.kind;
      assert.deepEqual([decided.row, outcome], [row, does]);
    });
  }
}

describe('a grant', () => rows('on', grants));
describe('a withdrawal', () => rows('off', withdrawals));

test('every row has a case', () => {
  assert.deepEqual(new Set(grants.map(([row]) => row)), new Set(grantRows.map(({ name }) => name)));
  assert.deepEqual(new Set(withdrawals.map(([row]) => row)), new Set(withdrawalRows.map(({ name }) => name)));
});

test('a withdrawal that may have been read too early is read again once the lag is over', () => {
  const { verdict } = decide({ ...base, item: { ...word, want: 'off' } });
  assert.deepEqual(verdict, { kind: 'wait', until: word.at + lag, seenAs: 'unchanged' });
});

test('a grant that joins one in doubt takes its call', () => {
  const { verdict } = decide({ ...base, grantedAt: Number.POSITIVE_INFINITY, doubted: 7 });
  assert.deepEqual(verdict, { kind: 'join', call: 7 });
});
