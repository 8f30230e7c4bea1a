import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenDuration } from '../../src/i18n/format.ts';

const day = 86_400;
/** The expected texts, by number of days. */
const days: Readonly<Record<number, string>> = {
  1: '24 hours',
  14: '14 days',
  30: '1 month',
  90: '3 months',
  91.31: '3 months',
  100: '100 days',
  365: '1 year',
  548: '18 months',
  730: '2 years',
  3650: '10 years',
};

test('A duration is written in the unit that says it in a round number', () => {
  assert.equal(writtenDuration(60, 'en'), '1 hour');
  for (const [count, written] of Object.entries(days))
    assert.equal(writtenDuration(Math.round(Number(count) * day), 'en'), written, `${count} days`);
});

test('A duration is written in the words of its language', () => {
  assert.equal(writtenDuration(63_072_000, 'pl'), '2 lata');
  assert.equal(writtenDuration(90 * day, 'de-at'), '3 Monate');
});
