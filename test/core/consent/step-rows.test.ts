import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Facts, grantRows } from '../../../src/core/consent/step-rows.ts';
import type { FormFacts } from '../../../src/core/model/submission/submission-request.ts';
import { record } from '../center-builder.ts';
import { asking, doubt, grantLife, lag, now } from './drafts.ts';
import {
  answered,
  type Change,
  call,
  doneWord,
  form,
  playRows,
  type Row,
  sentWord,
  typed,
  word,
} from './rows.ts';

const withForm = (shown: FormFacts | undefined): Facts['asked'] => asking({ form: shown });
const withdrawnElsewhere = { ...record('a', 'off'), rawStatus: 'WITHDRAWN' };
const unknown = { purpose: 'a', status: undefined, isOn: false };
const offMeanwhile = { item: { ...sentWord, before: null } };
/** A sent grant whose other facts would all end it if it were not sent. */
const sentLongAgo: Change = {
  item: { ...sentWord, at: now - grantLife, renews: true },
  call: answered,
  record: withdrawnElsewhere,
  isHeldUp: true,
  isPurposeOff: true,
  isTakingOut: true,
  grantedAt: Number.POSITIVE_INFINITY,
  isGrantSure: true,
  doubted: 7,
};

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
  ['locked', 'locked over', { stands: 'locked-on' }],
  ['locked', 'locked over', { stands: 'locked-off' }],
  ['perhaps-older', 'wait for the lag', { stands: 'on', item: typed }],
  ['perhaps-older', 'wait for the lag', { stands: 'on', item: typed, readAt: word.at + lag - 1 }],
  ['on-already', 'unchanged', { stands: 'on', item: typed, readAt: word.at + lag }],
  ['on-already', 'unchanged', { stands: 'on', item: { at: now - grantLife }, schema: 'reworded' }],
  ['asked', 'send', { stands: 'on', item: { renews: true }, grantedAt: 5, isGrantSure: true }],
  ['minute-over', 'not-saved', { stands: 'on', item: { renews: true, at: now - grantLife } }],
  ['reworded', 'reworded', { stands: 'on', item: { renews: true }, schema: 'reworded' }],
  ['own-withdrawal-in-doubt', 'wait', { stands: 'on', item: { renews: true }, isTakingOut: true }],
  ['not-on-any-more', 'not-saved', { item: { renews: true }, record: record('a', 'expired') }],
  ['not-on-any-more', 'not-saved', { stands: 'on-by-default', item: { renews: true }, record: undefined }],
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
  ['granted-in-doubt', 'join 7', { grantedAt: Number.POSITIVE_INFINITY, doubted: 7 }],
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
  ['in-doubt', 'in-doubt in-doubt', { item: sentWord, call: { ...call, at: now - lag } }],
  ['looked-for', 'rest', { item: { phase: 'in-doubt', call: 7 }, call: { ...call, at: now - lag } }],
  ['asked', 'send', { isSaidSince: true }],
  ['asked', 'send', { isDoubtful: true }],
  ['asked', 'send', { readAt: word.at }],
  ['on-already', 'unchanged', { stands: 'on' }],
  ['still-on', 'rest', { item: doneWord, stands: 'locked-on' }],
  ['came-undone', 'switched-off', { item: doneWord, isDoubtful: true, isHeldUp: true }],
  ['asked', 'send', { grantedAt: 5, stands: 'on-by-default' }],
  ['asked', 'send', { asked: undefined, grantedAt: 5 }],
  ['asked', 'send', { asked: withForm(undefined), grantedAt: 5 }],
  ['perhaps-granted-since', 'not-saved', { asked: undefined, grantedAt: 6 }],
  ['perhaps-granted-since', 'not-saved', { asked: withForm(undefined), grantedAt: 6 }],
  // The form, and withdrawals since it was shown.
  ['asked', 'send', { record: withdrawnElsewhere, item: { key: 'topic a t' } }],
  ['asked', 'send', { record: withdrawnElsewhere, asked: undefined }],
  ['asked', 'send', { record: withdrawnElsewhere, asked: withForm(undefined) }],
  ['asked', 'send', { record: withdrawnElsewhere, asked: withForm({ ...form, drawn: undefined }) }],
  ['asked', 'send', { record: withdrawnElsewhere, asked: withForm({ ...form, drawn: [unknown] }) }],
  ['asked', 'send', { record: undefined, stands: 'absent' }],
  ['asked', 'send', { record: record('a', 'expired') }],
  [
    'withdrawn-since',
    'withdrawn-elsewhere',
    { asked: withForm({ ...form, drawn: [{ ...unknown, status: 'active' }] }) },
  ],
  [
    'withdrawn-since',
    'withdrawn-elsewhere',
    { asked: withForm({ ...form, drawn: [{ purpose: 'b', status: 'off', isOn: false }] }) },
  ],
  // A sent word is judged by its call, not by the schema.
  ...(['gone', 'absent', 'stale', 'reworded'] as const).map((schema): Row => {
    return ['accepted-and-not-on-record', 'not-saved', { ...sentLongAgo, schema }];
  }),
  ['accepted-and-not-on-record', 'not-saved', { ...sentLongAgo, isHeldUp: false }],
  ['accepted-and-not-on-record', 'not-saved', { ...sentLongAgo, doubted: undefined }],
  ['accepted-and-not-on-record', 'not-saved', { ...sentLongAgo, grantedAt: 9 }],
  ['accepted-and-not-on-record', 'not-saved', { ...sentLongAgo, grantedAt: 9, isGrantSure: false }],
  ['accepted-and-not-on-record', 'not-saved', { item: sentWord, call: answered, isHeldUp: true }],
  ['accepted-and-not-on-record', 'not-saved', { item: sentWord, call: answered, readAt: word.at - 1 }],
  ['accepted-and-not-on-record', 'not-saved', { item: sentWord, call: answered, stands: 'locked-off' }],
  ['accepted-and-not-on-record', 'not-saved', { item: sentWord, call: undefined }],
  ['on', 'saved', { item: { ...sentWord, ...typed }, call: answered, stands: 'on' }],
  ['accepted-and-not-on-record', 'not-saved', { ...offMeanwhile, call: answered, isLeftOutSince: true }],
  ['accepted-and-not-on-record', 'not-saved', { ...offMeanwhile, call: answered }],
  ['accepted-and-not-on-record', 'not-saved', { item: sentWord, call: answered, readAt: now + lag }],
  ['answer-lost', 'look', { item: { ...sentWord, renews: true }, call }],
  ['on-after-a-lost-answer', 'saved', { item: { phase: 'in-doubt', call: 7 }, call, stands: 'on' }],
  [
    'perhaps-renewed',
    'unconfirmed',
    { item: { phase: 'in-doubt', call: 7, renews: true }, call, stands: 'on' },
  ],
  ['answer-lost', 'look', { item: sentWord, call, isLeftOutSince: true }],
  ['answer-lost', 'look', { ...offMeanwhile, call, record: undefined }],
  ['answer-lost', 'look', { ...offMeanwhile, call, record: record('a', 'expired') }],
  ['answer-lost', 'look', { item: sentWord, call }],
  [
    'answer-lost',
    'look',
    { item: { ...sentWord, before: null, key: 'topic a t' }, call, readAt: call.at + lag - 1 },
  ],
  [
    'withdrawn-meanwhile',
    'withdrawn-elsewhere',
    { item: { ...sentWord, before: null, key: 'topic a t' }, call, readAt: call.at + lag },
  ],
  ['answer-lost', 'look', { item: sentWord, call: { ...call, at: now - lag + 1 } }],
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

describe('a grant', () => {
  playRows('on', grants);

  test('has a case for each row', () => {
    const names = grantRows.map(({ name }) => name);
    assert.deepEqual(new Set(grants.map(([row]) => row)), new Set([...names, 'accepted-and-not-on-record']));
  });
});
