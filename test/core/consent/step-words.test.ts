import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DesiredItem } from '../../../src/core/consent/desired-state.ts';
import { record } from '../center-builder.ts';
import {
  aCall,
  aForm,
  answer,
  asking,
  aWord,
  grantLife,
  lag,
  linesOf,
  now,
  type Parts,
  read,
  stepBy,
} from './drafts.ts';
import { wordAt } from './said.ts';

const off = aWord('purpose a');
const on = aWord('purpose a', { want: 'on' });
const value = aWord('element e', { want: { value: '1', label: 'E' } });
const sent = { phase: 'sent', call: 7 } as const;
const readAt = now - 10;
const seen = readAt - 1_000;
const done = { phase: 'verified', seen } as const;
const granted = { order: 3, at: 9, isSure: true };
const accepted = [aCall('a', { answer, keys: ['purpose a'] })];

type Case = { readonly word: DesiredItem; readonly reads?: string; readonly parts?: Parts };
type Row = readonly [what: string, is: Partial<DesiredItem>, ended: string | undefined, by: Case];

const calls = (...all: readonly ReturnType<typeof aCall>[]): Parts => ({ here: { calls: all } });
const replacing = { ...on, replacesWithdrawal: true } as const;
const young = { at: now - 100, order: 4 };
const d = aWord('purpose d', { want: 'on' });
const absent = { known: { schema: 'absent' } } as const;
const reworded = { here: { asked: [asking({ form: { ...aForm, revision: '2' } })] } };
const late = { ...replacing, at: now - grantLife };
const notSaved = 'r1 purpose a not-saved';

const becomes: readonly Row[] = [
  [
    'a grant on record is seen',
    { phase: 'verified', seen: readAt, seenAs: undefined, replacesWithdrawal: undefined },
    'r1 purpose a saved on',
    { word: { ...replacing, ...sent }, reads: 'a', parts: calls(...accepted) },
  ],
  [
    'a grant that waits is seen as waiting',
    { phase: 'verified', seen: readAt, seenAs: 'waiting' },
    'r1 purpose a waiting waiting-for-confirmation',
    { word: { ...on, ...sent }, reads: 'a:pending', parts: calls(...accepted) },
  ],
  [
    'a value on record is seen',
    { phase: 'verified', seen: readAt },
    'r1 language unchanged on-already',
    {
      word: { ...value, key: 'language', want: { value: 'fr', label: '' }, at: now - lag - 10 },
      parts: { known: { observed: { ...read('a'), subject: { ...read('a').subject, language: 'fr' } } } },
    },
  ],
  [
    'a value that was not kept is over',
    { phase: 'over', want: value.want },
    'r1 element e not-saved accepted-and-not-on-record',
    { word: { ...value, ...sent }, parts: calls(...accepted) },
  ],
  [
    'a grant that failed is watched',
    { want: 'off', phase: 'verified' },
    `${notSaved} accepted-and-not-on-record`,
    { word: { ...on, ...sent }, reads: 'a:off', parts: calls(...accepted) },
  ],
  [
    'a withdrawal is seen, and keeps what is known',
    { phase: 'verified', seen: readAt, granted },
    'r1 purpose a saved accepted-and-off',
    { word: { ...off, ...sent, granted }, reads: 'a:off', parts: calls(aCall('', { answer })) },
  ],
  [
    'a withdrawal that may show too early is noted',
    { phase: 'open', seen: readAt, seenAs: 'unchanged' },
    undefined,
    { word: off, reads: 'a:off' },
  ],
  [
    'a grant behind a withdrawal is left',
    on,
    undefined,
    { word: on, reads: 'a:off', parts: { there: { items: [aWord('purpose a', { order: 4 })] } } },
  ],
  [
    'a grant in doubt is told, and looked for',
    { phase: 'in-doubt' },
    'r1 purpose a in-doubt in-doubt',
    {
      word: { ...on, ...sent, before: record('a', 'off') },
      reads: 'a:off',
      parts: calls(aCall('a', { at: now - lag })),
    },
  ],
  [
    'a grant joins the call that carries it',
    { phase: 'sent', call: 7 },
    undefined,
    { word: on, reads: 'a:off', parts: calls(aCall('a', { keys: ['purpose a'] })) },
  ],
  [
    'a withdrawal of what others granted since is over',
    { phase: 'over' },
    undefined,
    { word: { ...off, ...done }, reads: 'a' },
  ],
  [
    'a withdrawal that is off still is seen again',
    { phase: 'verified', seen: readAt },
    undefined,
    { word: { ...off, ...done }, reads: 'a:off' },
  ],
  [
    'a grant that is on still is seen again',
    { phase: 'verified', seen: readAt },
    undefined,
    { word: { ...on, ...done }, reads: 'a' },
  ],
  [
    'a newer sight of it counts',
    { seen: readAt + 1 },
    undefined,
    { word: { ...on, ...done, seen: readAt + 1 }, reads: 'a' },
  ],
  [
    'a word that was never seen stays so',
    { seen: undefined },
    undefined,
    { word: { ...off, phase: 'verified' }, reads: 'a:off' },
  ],
  [
    'a word that is over is seen no more',
    { phase: 'over', seen },
    undefined,
    { word: { ...off, phase: 'over', seen }, reads: 'a:off' },
  ],
  [
    'a withdrawal that was taken back elsewhere is not seen',
    { phase: 'verified', seen },
    undefined,
    {
      word: { ...off, ...done },
      reads: 'a',
      parts: { there: { items: [aWord('purpose a', { want: 'on', order: 6 })] } },
    },
  ],
  [
    'a withdrawal that came undone is open again',
    { phase: 'sent', seen },
    'r1 purpose a being-carried-out came-back',
    { word: { ...off, ...done }, reads: 'a', parts: calls(aCall('a', { order: 3 })) },
  ],
  ...(['purpose a', 'topic a t'] as const).map(
    (key): Row => [
      `an objection that came undone is open again: ${key}`,
      { phase: 'sent' },
      `r1 ${key} being-carried-out came-back`,
      {
        word: { ...off, ...done, key },
        reads: 'a[t]',
        parts: { here: { calls: [aCall('a[t]', { order: 3 })], asked: [asking({ isObjection: true })] } },
      },
    ],
  ),
  [
    'an objection to what was agreed to is over',
    { phase: 'over', seen: undefined },
    'r1 purpose a agreed agreed-to',
    { word: off, reads: 'a', parts: { here: { asked: [asking({ isObjection: true })] } } },
  ],

  [
    'a grant that fails on what is on by default ends',
    { want: 'off', phase: 'verified' },
    'r1 purpose d reworded reworded',
    { word: d, parts: reworded },
  ],
  [
    'a withdrawal of what is on by default goes on if a grant since fails',
    { want: 'off', phase: 'sent' },
    'r1 purpose d reworded reworded',
    { word: { ...d, withdrawn: 3 }, parts: reworded },
  ],
  [
    'so does one that the grant replaced',
    { want: 'off', phase: 'sent' },
    'r1 purpose d reworded reworded',
    { word: { ...d, replacesWithdrawal: true }, parts: reworded },
  ],
  [
    'but not if the grant waits',
    { want: 'on', phase: 'open' },
    undefined,
    { word: { ...d, withdrawn: 3 }, parts: { there: { items: [aWord('purpose d', young)] } } },
  ],
  [
    'nor if the grant is in doubt',
    { want: 'on', phase: 'in-doubt' },
    'r1 purpose d in-doubt in-doubt',
    { word: { ...d, ...sent, withdrawn: 3 }, parts: calls(aCall('d', { at: now - lag })) },
  ],
  [
    'nor for a choice that would agree to it',
    { want: 'off', phase: 'over' },
    'r1 topic d t not-saved would-agree',
    { word: aWord('topic d t', { withdrawn: 5 }), reads: 'd:implicit[t]' },
  ],
  [
    'a withdrawal goes on if the grant over it fails while the center is not known',
    { want: 'off', phase: 'open' },
    `${notSaved} minute-over`,
    { word: late, parts: absent },
  ],
  [
    'a withdrawal goes on if the grant over it fails in a center that is gone',
    { want: 'off', phase: 'open' },
    `${notSaved} center-gone`,
    { word: replacing, parts: { known: { schema: 'gone' } } },
  ],
  [
    'what is on no record needs none',
    { want: 'off', phase: 'verified' },
    `${notSaved} minute-over`,
    { word: late },
  ],
  [
    'a purpose that is off needs none, with or without a known center',
    { want: 'off', phase: 'verified' },
    `${notSaved} minute-over`,
    { word: late, reads: 'a:off', parts: absent },
  ],
  [
    'a grant that replaced nothing leaves none',
    { want: 'off', phase: 'verified' },
    `${notSaved} minute-over`,
    { word: { ...late, replacesWithdrawal: undefined }, parts: absent },
  ],
  [
    'a withdrawal goes on if the grant over it fails while it waits',
    { want: 'off', phase: 'sent' },
    `${notSaved} minute-over`,
    { word: late, reads: 'a:pending' },
  ],
  [
    'a withdrawal goes on if the grant over it fails while it is on',
    { want: 'off', phase: 'sent' },
    `${notSaved} minute-over-behind-a-withdrawal`,
    { word: late, reads: 'a', parts: { there: { items: [aWord('purpose a', { order: 4 })] } } },
  ],
  [
    'a withdrawal ends with a grant that finds it on',
    { want: 'on', phase: 'verified' },
    'r1 purpose a unchanged on-already',
    { word: replacing, reads: 'a' },
  ],
];

describe('by a reading', () => {
  for (const [what, is, ended, { word, reads = '', parts = {} }] of becomes) {
    test(what, () => {
      const here = { ...parts.here, items: [word] };
      const stepped = stepBy({ ...parts, here }, reads);
      const found = wordAt(stepped.desired, word.key, 'here');
      assert.deepEqual(
        Object.fromEntries(Object.keys(is).map((key) => [key, found?.[key as keyof DesiredItem]])),
        is,
      );
      assert.deepEqual(linesOf(stepped.ended), ended === undefined ? [] : [ended]);
      assert.ok(stepped.ended.every(({ at }) => at === now));
    });
  }

  test('a verified grant is noted as certain, after all earlier events', () => {
    const { desired } = stepBy({ here: { items: [{ ...on, ...sent }], calls: accepted } }, 'a');
    const { order = 0, ...rest } = wordAt(desired, 'purpose a', 'here')?.granted ?? {};
    assert.deepEqual(rest, { at: readAt, isSure: true });
    assert.ok(order > 50 && order < desired.order);
  });

  test('a line has the receipt of its call', () => {
    const receipts = [aCall('a', { answer: { ...answer, receipt: 'receipt' } })];
    const { ended } = stepBy({ here: { items: [{ ...on, ...sent }], calls: receipts } }, 'a');
    assert.deepEqual(
      ended.map(({ receipt }) => receipt),
      ['receipt'],
    );
  });
});
