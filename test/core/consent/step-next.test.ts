import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type DesiredItem, usualLimits } from '../../../src/core/consent/desired-state.ts';
import { type Next, nextMinute, step } from '../../../src/core/consent/step.ts';
import {
  aCall,
  aFloor,
  answer,
  asking,
  aWord,
  desiredOf,
  doubt,
  grantLife,
  knownOf,
  lag,
  linesOf,
  now,
  type Parts,
  read,
} from './drafts.ts';
import { words } from './said.ts';

const off = aWord('purpose a');
const on = aWord('purpose a', { want: 'on' });
const value = aWord('element e', { want: { value: '1', label: 'E' } });
const sent = { phase: 'sent', call: 7 } as const;
const here = (...items: readonly DesiredItem[]): Parts => ({ here: { items } });
const by = (parts: Parts) => step(desiredOf(parts), knownOf(parts), now);

type Row = readonly [what: string, next: Next, parts: Parts];

const reads: Next = { kind: 'read', afterMs: 0 };
const done: Next = { kind: 'done' };
const later: Next = { kind: 'later' };
const until = (time: number): Next => ({ kind: 'wait', until: time });

const [first = 0, second = 0] = usualLimits.looks;
const inDoubt = (at: number, lookedAt = 0): Parts => {
  return {
    here: {
      items: [aWord('purpose a', { want: 'on', phase: 'in-doubt', call: 7 })],
      calls: [aCall('a', { at })],
      lookedAt,
    },
  };
};
const elsewhere = (parts: Parts['here']): Parts => ({ here: parts ?? {}, there: { calls: [aCall('a')] } });
const look = until(now - 50 + first);

const withoutReading: readonly Row[] = [
  ['if nothing was said, is done', done, {}],
  ['reads for a withdrawal', reads, here(off)],
  ['reads for a grant', reads, here(on)],
  ['reads for what was sent', reads, here({ ...on, ...sent })],
  ['does nothing for what is verified', done, here({ ...off, phase: 'verified' })],
  ['waits for the next look at what is in doubt', look, inDoubt(now - 50)],
  ['looks when it is time', reads, inDoubt(now - first)],
  ['does not look before', until(now + 1), inDoubt(now - first + 1)],
  ['looks once each time', until(now - first + second), inDoubt(now - first, now)],
  ['looks a last time after the doubt', until(now - second + doubt + lag), inDoubt(now - second, now)],
  ['looks no more then', done, inDoubt(now - doubt - lag, now)],
  [
    'waits for the lag after a withdrawal was seen off',
    until(off.at + lag),
    here({ ...off, seen: now - 50 }),
  ],
  [
    'waits for the lag after what was sent was seen off',
    until(off.at + lag),
    {
      here: {
        items: [{ ...off, ...sent, seen: now - 50 }],
        calls: [aCall('', { answer: { ...answer, refused: ['a'] } })],
      },
    },
  ],
  [
    'waits for the lag before the look at its call',
    until(off.at + lag),
    { here: { items: [{ ...off, ...sent, seen: now - 50 }], calls: [aCall('')] } },
  ],
  ['reads once the lag is over', reads, here({ ...off, seen: now - 50, at: now - lag })],
  ['reads for everything', reads, { here: { everything: aFloor() } }],
  ['reads for everything that was sent', reads, { here: { everything: aFloor(sent) } }],
  ['does nothing for everything that is done', done, { here: { everything: aFloor({ phase: 'verified' }) } }],
  [
    'looks at what a call of another center may undo',
    look,
    elsewhere({ items: [{ ...off, phase: 'verified' }] }),
  ],
  ['looks at what everything withdrew', look, elsewhere({ everything: aFloor({ phase: 'verified' }) })],
  ['does not look where nothing may be undone', done, elsewhere({ items: [{ ...off, phase: 'over' }] })],
  [
    'looks at one word of two',
    look,
    elsewhere({ items: [{ ...off, phase: 'verified' }, aWord('purpose b', { phase: 'over' })] }),
  ],
  ['looks where a call is in doubt', look, { here: { calls: [aCall('a')] } }],
  ['does not look after an answer', done, { here: { calls: [aCall('a', { answer })] } }],
];

const seen = { observed: read('a:off') };
const at = now - 10;
const lost = (time: number, ...calls: readonly ReturnType<typeof aCall>[]): Parts => ({
  here: {
    items: [{ ...on, ...sent, before: read('a:off').subject.purposes[0] }],
    calls: [aCall('a', { at: time }), ...calls],
  },
  known: seen,
});
const after = (afterMs: number): Next => ({ kind: 'read', afterMs });
const held = { ...off, order: 4 };

const withReading: readonly Row[] = [
  ['if nothing was said, is done', done, { known: seen }],
  ['if nothing was said, needs no schema', done, { known: { ...seen, schema: 'absent' } }],
  ['reads for a word of after the reading', reads, { ...here({ ...on, at: now - 9 }), known: seen }],
  ['looks again soon for a lost answer', after(300), lost(now - 50)],
  ['looks again later and later', after(1_000), lost(now - 1_000)],
  ['looks again within three seconds', after(3_000), lost(now - 9_000)],
  [
    'looks again soon after an answer',
    after(500),
    lost(now - 9_000, aCall('b', { order: 8, answer: { ...answer, at: now - 500 } })),
  ],
  [
    'looks again for a grant that joins a call',
    after(400),
    { here: { items: [on], calls: [aCall('a', { keys: [on.key], at: now - 400 })] }, known: seen },
  ],
  ['stops for a grant without a schema', later, { ...here(on), known: { ...seen, schema: 'absent' } }],
  [
    'reads an old schema for a grant',
    { kind: 'read-schema' },
    { ...here(on), known: { ...seen, schema: undefined } },
  ],
  [
    'stops for everything without a schema',
    later,
    { here: { everything: aFloor(sent) }, known: { ...seen, schema: 'absent' } },
  ],
  [
    'stops for a choice whose purpose is in doubt',
    later,
    {
      here: {
        items: [{ ...on, phase: 'in-doubt', call: 7 }, aWord('topic a t', { want: 'on' })],
        calls: [aCall('a', { at: now - lag - 1 })],
      },
      known: seen,
    },
  ],
  ['waits for the lag of a withdrawal', until(off.at + lag), { ...here(off), known: seen }],
  [
    'waits for the first of two lags',
    until(off.at + lag - 1),
    { ...here(off, aWord('purpose b', { at: off.at - 1 })), known: seen },
  ],
  [
    'waits for the lag of everything',
    until(now - 100 + lag),
    { here: { everything: aFloor(sent), calls: [aCall(undefined)] }, known: { observed: read('d:off') } },
  ],
  [
    'waits for the minute of a grant that is held up',
    until(on.at + grantLife),
    { ...here(on), there: { items: [held] }, known: seen },
  ],
  [
    'waits for the lag of a value that is on record',
    until(value.at + lag),
    { ...here(value), known: { observed: read('', { dataElements: { E: '1' } }) } },
  ],
  ['reads for a lag that ended meanwhile', reads, { ...here({ ...off, at: now - 5 - lag }), known: seen }],
  ['reads for a lag that ends now', reads, { ...here({ ...off, at: now - lag }), known: seen }],
  [
    'waits for no lag that ended before the reading',
    until(now - 100 + grantLife),
    {
      here: {
        everything: aFloor({ ...sent, at: at - lag }),
        calls: [aCall(undefined, { answer })],
        items: [aWord('topic d t', { order: 4 }), aWord('purpose d', { want: 'on', order: 6 })],
      },
      there: { items: [aWord('purpose d')] },
      known: { observed: read('') },
    },
  ],
];

const tables = { 'a step without a reading': withoutReading, 'a step with a reading': withReading };
for (const [name, rows] of Object.entries(tables)) {
  describe(name, () => {
    for (const [what, next, parts] of rows) test(what, () => assert.deepEqual(by(parts).next, next));
  });
}

describe('a grant that was never sent, without a reading', () => {
  const old = { ...on, at: now - grantLife };
  const away = { known: { isAway: true } };
  const refused = { known: { isRefused: true } };
  const over = ['r1 purpose a not-saved minute-over-unread'];
  const rejected = ['r1 purpose a not-saved record-refused'];
  const granted = { order: 8, at: 9, isSure: false };
  const rows: readonly (readonly [
    what: string,
    item: DesiredItem,
    known: Parts,
    ended: readonly string[],
    after: string,
  ])[] = [
    ['waits within its minute', { ...old, at: old.at + 1 }, away, [], 'purpose a: on open'],
    ['ends after its minute', old, away, over, 'purpose a: off verified'],
    ['waits for a reading', old, {}, [], 'purpose a: on open'],
    ['ends at once if the record is refused', on, refused, rejected, 'purpose a: off verified'],
    [
      'ends as refused, whatever its age',
      old,
      { known: { isAway: true, isRefused: true } },
      rejected,
      'purpose a: off verified',
    ],
    [
      'leaves the withdrawal that it replaced',
      { ...old, replacesWithdrawal: true },
      away,
      over,
      'purpose a: off open',
    ],
    ['waits if it may be on', { ...on, granted }, refused, [], 'purpose a: on open'],
    [
      'ends if it was taken out since',
      { ...on, granted, takenOut: 9 },
      refused,
      rejected,
      'purpose a: off verified',
    ],
    ['may be one of a value', value, refused, ['r1 element e not-saved record-refused'], 'element e: 1 over'],
    ['is not one that was sent', { ...on, ...sent }, refused, [], 'purpose a: on sent'],
    ['is no withdrawal', off, refused, [], 'purpose a: off open'],
  ];
  for (const [what, item, known, ended, after] of rows) {
    test(what, () => {
      const stepped = by({ ...here(item), ...known });
      assert.deepEqual(linesOf(stepped.ended), ended);
      assert.deepEqual(words(stepped.desired, 'here'), [after]);
      assert.ok(stepped.ended.every((line) => line.at === now));
    });
  }

  test('sets the next time to act by its minute', () => {
    const minute = (...items: readonly DesiredItem[]) => nextMinute({ items }, { now, limits: usualLimits });
    assert.equal(minute(), Number.POSITIVE_INFINITY);
    assert.equal(
      minute(on, { ...on, at: on.at - 1 }, { ...off, at: 9 }, { ...on, ...sent }),
      on.at - 1 + grantLife,
    );
    assert.equal(minute(old), Number.POSITIVE_INFINITY);
  });
});

describe('a call', () => {
  const calls = (parts: Parts) => {
    const { desired, judged, next } = by(parts);
    const of = (state: typeof desired) => state.centers.flatMap((center) => center.calls).length;
    return [next.kind === 'call' && (next.update?.purposes ?? 'everything'), of(desired), of(judged)];
  };

  test('is stored before it is made, beside the state without it', () => {
    assert.deepEqual(calls({ ...here(off), known: { observed: read('a') } }), [[], 1, 0]);
  });

  test('for everything needs no reading if it came by one click', () => {
    const asked = [asking({ isOneClick: true })];
    assert.deepEqual(calls({ here: { everything: aFloor(), asked } }), ['everything', 1, 0]);
  });

  test('waits for the schema that a grant beside it needs', () => {
    const both = here({ ...off, key: 'purpose b' }, on);
    const known = { observed: read('b a:off'), schema: undefined };
    const stepped = by({ ...both, known });
    assert.deepEqual(stepped.next, { kind: 'read-schema' });
    assert.equal(stepped.judged, stepped.desired);
  });
});
