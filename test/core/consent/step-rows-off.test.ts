import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withdrawalRows } from '../../../src/core/consent/step-rows.ts';
import { record } from '../center-builder.ts';
import { lag, now } from './drafts.ts';
import { answered, assumed, call, doneWord, objection, playRows, type Row, sentWord, word } from './rows.ts';

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
  ['agreed-to', 'agreed over', { stands: 'on', asked: objection }],
  ['agreed-to', 'agreed over', { stands: 'waiting', asked: objection }],
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
  ['would-agree', 'not-saved over', { ...assumed, record: record('a', 'implicit') }],
  ['goes-with-its-grant', 'wait', { ...assumed, isPurposeAsked: true }],
  ['granted-lately', 'wait for the lag', { ...assumed, grantedAt: 3, takenOut: 2 }],
  ['would-agree', 'not-saved over', { ...assumed, grantedAt: 2, takenOut: 3 }],
  [
    'would-agree',
    'not-saved over',
    {
      item: { key: 'topic a t' },
      stands: 'on-by-default',
      whole: 'on-by-default',
      grantedAt: 3,
      readAt: word.at + lag,
    },
  ],
  ['on', 'send', { stands: 'on' }],
  ['on', 'send', { stands: 'on', item: sentWord, call }],
  ['still-waiting-for-confirmation', 'waiting', { stands: 'waiting', item: sentWord, call: answered }],
  ['waiting-for-confirmation', 'send', { stands: 'waiting' }],
  ['on-by-default', 'send', { stands: 'on-by-default' }],
  ['refusal-missing', 'refuse', { stands: 'on-by-default', item: sentWord, call: answered }],
  ['accepted-and-off', 'saved', { item: sentWord, call: answered }],
  ['accepted-and-off', 'saved', { item: sentWord, call: undefined }],
  ['accepted-and-off', 'saved', { item: { call: 7 }, call: answered }],
  [
    'perhaps-older',
    'wait for the lag as saved',
    { item: sentWord, call: { ...answered, answer: { at: now, refused: [], receipt: undefined } } },
  ],
  ['perhaps-older', 'wait for the lag as saved', { item: sentWord, call: answered, isRefused: true }],
  ['perhaps-older', 'wait for the lag as unchanged', {}],
  ['perhaps-older', 'wait for the lag as unchanged', { readAt: word.at + lag - 1 }],
  ['off-after-a-call', 'saved', { item: sentWord, call, readAt: word.at + lag }],
  ['off-already', 'no-such-purpose', { stands: 'absent', isInCenter: false, readAt: word.at + lag }],
  ['off-already', 'withdrawn-elsewhere', { item: { key: 'topic a t' }, readAt: word.at + lag }],
  ['off-already', 'unchanged', { item: { key: 'topic a t' }, whole: 'on', readAt: word.at + lag }],
  ['off-already', 'unchanged', { item: { key: 'topic a t' }, isPurposeAsked: true, readAt: word.at + lag }],
  ['off-already', 'unchanged', { stands: 'absent', readAt: word.at + lag }],
  ['off-already', 'unchanged', { readAt: word.at + lag }],
  ['on', 'send', { stands: 'on', isSaidSince: true }],
  ['on', 'send', { stands: 'on', isCarried: true }],
  ['granted-elsewhere', 'over', { item: doneWord, stands: 'on', isCarried: true, isSwapped: true }],
  ['on', 'send', { stands: 'on', readAt: word.at }],
  // An objection spares a purpose that was agreed to since it was last taken out.
  ['on', 'send', { stands: 'on', asked: undefined }],
  ['on', 'send', { stands: 'on', asked: objection, isHeldUp: true }],
  [
    'agreed-to',
    'agreed over',
    { stands: 'on', asked: objection, takenOut: 7, grantedAt: 8, isGrantSure: true },
  ],
  ['on', 'send', { stands: 'on', asked: objection, takenOut: 7, grantedAt: 8 }],
  ['on', 'send', { stands: 'on', asked: objection, takenOut: 7, grantedAt: 7, isGrantSure: true }],
  ['on-by-default', 'send', { stands: 'on-by-default', whole: 'on-by-default', asked: objection }],
  ['schema-absent', 'later', { stands: 'absent', schema: 'gone' }],
  ['perhaps-older', 'wait for the lag as unchanged', { schema: 'absent' }],
  [
    'on',
    'send',
    { item: { key: 'topic a t' }, stands: 'on', whole: 'on', isPurposeAsked: true, grantedAt: 3 },
  ],
  ['would-agree', 'not-saved', { ...assumed, isCarried: true }],
  // A choice of a waiting purpose is off.
  [
    'accepted-and-off',
    'saved',
    { item: { ...sentWord, key: 'topic a t' }, stands: 'waiting', call: answered },
  ],
  [
    'off-already',
    'unchanged',
    { item: { key: 'topic a t' }, whole: 'waiting', stands: 'waiting', readAt: word.at + lag },
  ],
  ['waiting-for-confirmation', 'send', { stands: 'waiting', item: sentWord, call }],
  ['accepted-and-off', 'saved', { item: sentWord, call: answered, readAt: now - 40 }],
  ['perhaps-older', 'wait for the lag as saved', { item: sentWord, call }],
  // A call for everything also covers a purpose that was off before it.
  ['off-after-a-call', 'saved', { item: { phase: 'sent' }, readAt: word.at + lag }],
  ...(['off', 'expired', 'hard-opt-out'] as const).map((status): Row => {
    return [
      'accepted-and-off',
      'unchanged',
      { item: { ...sentWord, before: record('a', status) }, call: answered },
    ];
  }),
  ['accepted-and-off', 'saved', { item: { ...sentWord, before: record('a', 'active') }, call: answered }],
  ['accepted-and-off', 'saved', { item: { ...sentWord, before: null }, call: answered }],
  [
    'accepted-and-off',
    'saved',
    { item: { ...sentWord, key: 'topic a t', before: record('a', 'off') }, call: answered },
  ],
  ['off-already', 'unchanged', { isInCenter: false, readAt: word.at + lag }],
  [
    'off-already',
    'withdrawn-elsewhere',
    { item: { key: 'topic a t' }, whole: 'absent', readAt: word.at + lag },
  ],
];

describe('a withdrawal', () => {
  playRows('off', withdrawals);

  test('has a case for each row', () => {
    const names = withdrawalRows.map(({ name }) => name);
    assert.deepEqual(new Set(withdrawals.map(([row]) => row)), new Set([...names, 'off-already']));
  });
});
