import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenDuration } from '../../src/i18n/format.ts';

const day = 86_400;
const cases: readonly [seconds: number, written: string][] = [
  [60, '1 hour'],
  [day, '24 hours'],
  [14 * day, '14 days'],
  [30 * day, '1 month'],
  [7_889_238, '3 months'],
  [90 * day, '3 months'],
  [100 * day, '100 days'],
  [365 * day, '1 year'],
  [548 * day, '18 months'],
  [63_072_000, '2 years'],
  [10 * 365 * day, '10 years'],
];

for (const [seconds, written] of cases) {
  test(`${seconds} seconds are ${written}`, () => assert.equal(writtenDuration(seconds, 'en'), written));
}

test('A duration is in the words of its language', () => {
  assert.equal(writtenDuration(63_072_000, 'pl'), '2 lata');
  assert.equal(writtenDuration(90 * day, 'de-at'), '3 Monate');
});
