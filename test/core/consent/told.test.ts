import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newsBetween, type Told } from '../../../src/core/consent/told.ts';

test('a withdrawal that is told no more, since it was off already, leaves the last word as it was', () => {
  const item = { what: 'purpose', id: 'a', change: 'off', receipt: undefined } as const;
  const before: Told = {
    ...{ state: 'pending', everything: 'being-carried-out', agreed: [], aftermath: undefined },
    items: [{ ...item, outcome: 'being-carried-out' }],
  };
  const after: Told = { ...before, state: 'done', everything: 'saved', items: [] };
  assert.deepEqual(
    newsBetween(before, after).map(({ purpose, isUsable }) => [purpose, isUsable]),
    [[undefined, undefined]],
  );
});
