import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lifeEnd } from '../../../src/core/consent/life-end.ts';

const day = 24 * 3_600_000;

test('The end of a purpose is shown until it is reached, and a renewal is offered in the last week', () => {
  const now = 1_000 * day;
  assert.equal(lifeEnd(now, now), undefined);
  assert.deepEqual(lifeEnd(now + 1, now), { at: now + 1, isSoon: true });
  assert.equal(lifeEnd(now + 7 * day, now)?.isSoon, true);
  assert.equal(lifeEnd(now + 7 * day + 1, now)?.isSoon, false);
});
