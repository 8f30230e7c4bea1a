import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMilliseconds, mostTries, slowness, threadMilliseconds } from './cpu.ts';

/** So many milliseconds of this thread's processor time, however long that takes. */
function spend(ms: number): void {
  const end = threadMilliseconds() + ms;
  while (threadMilliseconds() < end);
}

test('what takes more than its limit is tried again, and the best counts', async () => {
  let tries = 0;
  const ms = await cpuMilliseconds(() => spend(tries++ < 2 ? 60 : 2), 20);
  assert.ok(ms <= 20, `${ms}`);
  // On a machine that is three times as slow the first one is good enough.
  assert.ok(tries > 1 || slowness() > 2, `${tries}`);
});

test('what always takes far more than its limit does so on a slow machine, too', async () => {
  let tries = 0;
  const ms = await cpuMilliseconds(() => {
    tries += 1;
    spend(60);
  }, 5);
  assert.ok(ms > 5, `${ms}`);
  assert.ok(tries <= mostTries);
});
