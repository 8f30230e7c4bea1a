import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  beingWithdrawn,
  centerOf,
  type DesiredEverything,
  type DesiredItem,
  emptyState,
  everythingOver,
  isSaidBy,
  sayersOf,
  wordsIn,
} from '../../../src/core/consent/desired-state.ts';
import { failed } from '../../../src/core/consent/grant-history.ts';
import { nothing } from './nothing.ts';

const grant: DesiredItem = { key: 'purpose a', want: 'on', by: 'r', at: 1, order: 3, phase: 'open' };
const withdrawal: DesiredItem = { ...grant, want: 'off' };
const floor: DesiredEverything = { by: 'all', at: 1, order: 3, phase: 'open', reach: ['a'] };

test('A center without words has no data', () => {
  assert.deepEqual(centerOf(emptyState, 'center'), nothing);
});

test('A word belongs to each submission that said it, and to no other', () => {
  const both = { ...withdrawal, also: 'again' };
  assert.deepEqual([sayersOf(withdrawal), sayersOf(both)], [['r'], ['r', 'again']]);
  const saidBy = (item: DesiredItem) => ['r', 'again', 'other'].filter((each) => isSaidBy(item, each));
  assert.deepEqual([saidBy(withdrawal), saidBy(both)], [['r'], ['r', 'again']]);
});

test('"Everything" is a word of its center that wants off', () => {
  const center = { ...nothing, items: [grant] };
  assert.deepEqual(wordsIn(center), [grant]);
  const all = { ...floor, key: 'everything', want: 'off' };
  assert.deepEqual(wordsIn({ ...center, everything: floor }), [grant, all]);
});

test('"Everything" covers each purpose of its center, and in another center those that its own offers', () => {
  const center = { ...nothing, everything: floor };
  const cover = (purpose: string, own: string) => everythingOver(center, purpose, own) === floor;
  assert.deepEqual([cover('a', 'center'), cover('b', 'center')], [true, true]);
  assert.deepEqual([cover('a', 'other'), cover('b', 'other')], [true, false]);
});

describe('a withdrawal that a page shows as done', () => {
  const called = { ...floor, phase: 'sent', call: 5 } as const;
  const cases: readonly [string, DesiredItem | undefined, DesiredEverything | undefined, unknown][] = [
    ['of a purpose', withdrawal, undefined, 'said'],
    ['whose call was made', { ...withdrawal, phase: 'sent' }, undefined, 'called'],
    ['that is over', { ...withdrawal, phase: 'over' }, undefined, undefined],
    ['that was carried out', { ...withdrawal, phase: 'verified' }, undefined, undefined],
    ['that is a grant', grant, undefined, undefined],
    ['that is a grant whose call was made', { ...grant, phase: 'sent' }, undefined, undefined],
    ['of nothing', undefined, undefined, undefined],
    ['of everything', undefined, floor, 'said'],
    ['of everything, whose call was made', undefined, called, 'called'],
    ['of everything, with its word', withdrawal, called, 'called'],
    ['of everything, by a call of its own', { ...withdrawal, phase: 'sent' }, floor, 'called'],
    [
      'of everything, of what was carried out before',
      { ...withdrawal, phase: 'verified', order: 2 },
      floor,
      'said',
    ],
    ['of everything, of what was granted before', { ...grant, order: 2 }, floor, 'said'],
    ['of everything, of what was granted since', { ...grant, order: 4 }, floor, undefined],
    ['of everything, of what was withdrawn since', { ...withdrawal, order: 4 }, called, 'said'],
    ['of everything that was carried out', undefined, { ...called, phase: 'verified' }, undefined],
  ];
  for (const [name, word, everything, expected] of cases) {
    test(`${name} is ${expected}`, () => {
      const items = word === undefined ? [] : [word];
      assert.equal(beingWithdrawn({ ...nothing, items, everything }, 'a'), expected);
    });
  }
});

describe('a grant that failed', () => {
  const facts = { granted: { order: 1, at: 0, isSure: true }, withdrawn: 2, takenOut: 1 };
  const renewal = { ...grant, ...facts, renews: true } as const;
  const typed = { value: '1', label: 'E' };
  const cases: readonly [string, DesiredItem, Partial<DesiredItem>][] = [
    ['is watched as a withdrawal', { ...grant, ...facts }, { phase: 'verified' }],
    [
      'of a value asks for nothing any more',
      { ...grant, ...facts, want: typed },
      { want: typed, phase: 'over' },
    ],
    ['and renews leaves its purpose on, if it was not sent', renewal, { by: '', phase: 'over' }],
    ['and renews is watched, if it was sent', { ...renewal, phase: 'sent' }, { phase: 'verified' }],
    [
      'and renews is watched, if it replaced a withdrawal',
      { ...renewal, replacesWithdrawal: true },
      { phase: 'verified' },
    ],
  ];
  for (const [name, item, is] of cases) {
    test(name, () => assert.deepEqual(failed(item), { ...withdrawal, ...facts, ...is }));
  }
});
