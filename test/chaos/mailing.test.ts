import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { mostWithin, runMailing } from '../bench/mailing.ts';
import { fastTime, pace } from '../kit/fast-time.ts';
import { times } from './dice.ts';

const minute = 60_000;
const perMinute = times(20, 60);

suite('A mailing', () => {
  test('two processes of one folder meet no 429 and lose no withdrawal; each visitor gets in or may leave', async () => {
    const run = await runMailing({
      nodes: 2,
      store: 'files',
      perMinute,
      perHour: 12_000,
      // More in the first minute than the quota that both processes share, and fewer than twice the quota.
      clicks: times(26, 100),
      clickSeconds: 30,
      visitors: times(8, 75),
      visitSeconds: 30,
      leaveEvery: 2,
      longestSeconds: 900,
      pace,
      // Less than the platform allows: on a busy machine a call arrives a second late, which is four by the
      // fast clock, so that a minute of the platform may count the calls of 64 seconds.
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
