import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DesiredItem } from '../../../src/core/consent/desired-state.ts';
import { aCall, answer, aWord, doubt, grantLife, lag, linesOf, now, type Parts, stepBy } from './drafts.ts';
import { wordAt } from './said.ts';

const on = aWord('purpose a', { want: 'on' });
const value = aWord('element e', { want: { value: '1', label: 'E' } });
const topic = (change: Partial<DesiredItem> = {}) => aWord('topic a t', change);
const readAt = now - 10;
const done = { phase: 'verified', seen: readAt - 1_000 } as const;

describe('a choice bound to a grant', () => {
  const bound = topic({ phase: 'bound' });
  const grant = { ...on, at: now - 100 };
  const held = { there: { items: [aWord('purpose a', { order: 4 })] } };
  const carrying = [aCall('b a[t]', { order: 3 })];
  const failed = { ...grant, want: 'off', phase: 'verified' } as const;
  const rows: readonly (readonly [
    what: string,
    phase: string,
    items: readonly DesiredItem[],
    more: Parts,
    reads?: string,
  ])[] = [
    ['waits with it', 'bound', [grant], held],
    ['waits with a choice', 'bound', [topic({ key: 'topic a u', want: 'on' }), { ...grant, by: 'r2' }], held],
    ['is over with it', 'over', [], {}],
    ['does not wait for a grant of another submission', 'over', [{ ...grant, by: 'r2' }], held],
    [
      'does not wait for a grant of another purpose',
      'over',
      [{ ...grant, key: 'purpose b' }],
      { there: { items: [aWord('purpose b', { order: 4 })] } },
    ],
    ['does not wait for a grant that is done', 'over', [{ ...grant, phase: 'verified' }], {}, 'a'],
    ['does not wait for a choice taken out', 'over', [topic({ key: 'topic a u' })], {}, 'a[u]'],
    ['is withdrawn if a call brought it', 'open', [failed], { here: { calls: carrying } }, 'a[t]'],
    ['is watched if a call may bring it', 'verified', [failed], { here: { calls: carrying } }],
    ['is over if no call can bring it', 'over', [failed], { here: { calls: [aCall('a', { order: 3 })] } }],
    [
      'is over if a choice was to replace it',
      'over',
      [{ ...failed, by: 'r2' }],
      { here: { calls: carrying } },
    ],
    ['is over if only a choice was', 'over', [], { here: { calls: carrying } }],
  ];
  for (const [what, phase, items, more, reads = 'a:off'] of rows) {
    test(what, () => {
      const { judged } = stepBy({ ...more, here: { ...more.here, items: [bound, ...items] } }, reads);
      assert.equal(wordAt(judged, 'topic a t', 'here')?.phase, phase);
    });
  }
});

describe('after a reading', () => {
  const carries = aCall('a b', {
    at: readAt - doubt - lag,
    keys: ['purpose a', 'purpose c'],
  });
  const items = ['a', 'b', 'c'].map((id) => aWord(`purpose ${id}`, done));
  const kept = (parts: Parts) => stepBy(parts, 'a:off b:off c:off').desired.centers;
  const callsLeft = (parts: Parts) =>
    kept(parts).map(({ center, calls: left }) => `${center} ${left.length}`);

  test('the center has the time of the reading and its known purposes', () => {
    const [here] = kept({});
    assert.deepEqual([here?.lookedAt, here?.known], [readAt, ['a', 'b', 'c']]);
  });

  test('a call is dropped after its doubt, and is noted as a possible grant', () => {
    const { desired } = stepBy({ here: { items, calls: [carries] } }, 'a:off b:off c:off');
    assert.deepEqual(callsLeft({ here: { items, calls: [carries] } }), ['here 0']);
    const notes = ['a', 'b', 'c'].map((id) => wordAt(desired, `purpose ${id}`, 'here')?.granted);
    assert.deepEqual(notes, [
      { order: desired.order, at: readAt - lag, isSure: false },
      undefined,
      undefined,
    ]);
    assert.ok(desired.order > 50);
  });

  const there = { items: [aWord('purpose a', done)], lookedAt: readAt - 1 };
  const rows: readonly (readonly [what: string, left: readonly string[], parts: Parts])[] = [
    ['not before its end', ['here 1'], { here: { items, calls: [{ ...carries, at: carries.at + 1 }] } }],
    ['only that one', ['here 1'], { here: { items, calls: [carries, aCall('a', { order: 8 })] } }],
    [
      'not before each center at risk is read',
      ['there 0', 'here 1'],
      { here: { items, calls: [carries] }, there },
    ],
    [
      'once each center at risk is read',
      ['there 0', 'here 0'],
      { here: { items, calls: [carries] }, there: { ...there, lookedAt: readAt } },
    ],
    [
      'whatever is not at risk',
      ['there 0', 'here 0'],
      { here: { items, calls: [carries] }, there: { items: [aWord('purpose a', { phase: 'over' })] } },
    ],
    [
      'in each center',
      ['there 0', 'here 0'],
      { here: { items }, there: { ...there, calls: [carries], lookedAt: readAt } },
    ],
  ];
  for (const [what, left, parts] of rows) test(what, () => assert.deepEqual(callsLeft(parts), left));

  test('an answered call grants nothing more', () => {
    const old = { ...carries, answer: { ...answer, at: readAt - 2 * lag } };
    const { desired } = stepBy({ here: { items, calls: [old] } }, 'a:off b:off c:off');
    assert.equal(wordAt(desired, 'purpose a', 'here')?.granted, undefined);
  });
});

test('withdrawals are decided first, then purposes and values, then choices, each once', () => {
  const items = [topic({ want: 'on' }), value, on, aWord('topic b u'), aWord('purpose c')];
  const aged = items.map((item) => ({ ...item, at: now - grantLife }));
  const { ended } = stepBy({ here: { items: aged } }, 'a:off b[u] c:off');
  assert.deepEqual(linesOf(ended), [
    'r1 purpose c unchanged off-already',
    'r1 element e not-saved minute-over',
    'r1 purpose a not-saved minute-over',
    'r1 topic a t not-saved minute-over',
  ]);
});
