import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { mostWithin, runMailing } from '../bench/mailing.ts';
import { fastTime, pace } from '../kit/fast-time.ts';
import { times } from './dice.ts';

const minute = 60_000;
const perMinute = times(20, 60);

suite('A mailing', () => {
  test('on two processes of one folder meets no 429, loses nothing, and each gets in or may leave.', async () => {
    const run = await runMailing({
      nodes: 2,
      store: 'files',
      perMinute,
      perHour: 12_000,
      // More in the first minute than two processes may call together, and fewer than each alone.
      clicks: times(26, 100),
      clickSeconds: 30,
      visitors: times(8, 75),
      visitSeconds: 30,
      leaveEvery: 2,
      longestSeconds: 900,
      pace,
      // Less than there is: a call of a busy machine arrives a second late, which is four here, so that a minute counts
      // the calls of 64 seconds.
      env: { ...fastTime, PLATFORM_REQUESTS_PER_MINUTE: String(perMinute * 0.8) },
      say: process.env['SAYSO_SAY'] === undefined ? () => undefined : console.error,
    });
    assert.equal(run.refused, 0);
    assert.deepEqual(run.odd, []);
    assert.equal(run.unopened, 0);
    for (const [operation, calls] of Object.entries(run.calls)) {
      const most = mostWithin(calls, minute);
      assert.ok(most <= perMinute, `${operation}: ${most}`);
    }
    assert.deepEqual(run.missing, [], 'no withdrawal is lost');
    assert.equal(run.carriedOut.length, run.taken.length);
    assert.ok(run.waitingPages.length > 0, 'some had to wait');
  });
});
