import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithin } from '../../../src/core/model/age.ts';

const cases: readonly [at: number, isYoung: boolean][] = [
  [1_000, true],
  [999, true],
  [900, true],
  [899, false],
  // The clock of the node that dated the value is ahead.
  [2_000, true],
  [2_001, false],
  [Number.NaN, false],
];
for (const [at, isYoung] of cases) {
  test(`a time of ${at} is ${isYoung ? '' : 'not '}within the last 100 ms at 1000`, () => {
    assert.equal(isWithin(100, { at, now: 1_000 }), isYoung);
  });
}
