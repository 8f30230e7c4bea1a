import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { watchPlatform } from '../../src/metrics/platform-watch.ts';

function start() {
  let now = 10 * 3_600_000;
  const watch = watchPlatform({ now: () => now });
  return { watch, pass: (ms: number) => (now += ms), now: () => now };
}

describe('The platform watch', () => {
  test('the watch knows nothing before the first call', () => {
    const never = { answeredAt: undefined, fault: undefined, limitedAt: undefined };
    assert.deepEqual(start().watch.state(), { ...never, paused: [], lastHour: 0 });
  });

  test('an answer of the platform clears a fault, an answer for a token does not', () => {
    const { watch, now } = start();
    watch.call('read-subject', 'platform-slow');
    assert.deepEqual(watch.state().fault, { code: 'platform-slow', at: now() });
    watch.call('token', 'ok');
    assert.equal(watch.state().fault?.code, 'platform-slow');
    watch.call('read-subject', 'ok');
    assert.deepEqual([watch.state().fault, watch.state().answeredAt], [undefined, now()]);
  });

  test('a refused request counts as an answer', () => {
    const { watch, now } = start();
    watch.call('update-consent', 'platform-refused');
    assert.partialDeepStrictEqual(watch.state(), { fault: undefined, answeredAt: now() });
  });

  test('the calls of an hour are counted in sixty numbers', () => {
    const { watch, pass } = start();
    for (let minute = 0; minute < 120; minute += 1) {
      for (let at = 0; at < 10; at += 1) watch.call('read-subject', 'ok');
      pass(60_000);
    }
    const { lastHour } = watch.state();
    assert.ok(lastHour <= 600 && lastHour >= 590, String(lastHour));
    pass(3_600_000);
    assert.equal(watch.state().lastHour, 0);
  });

  test('a quota limit is kept for an hour, and a pause until it ends', () => {
    const { watch, pass, now } = start();
    watch.call('list-notices', 'platform-busy');
    watch.breaker('list-notices', 'open');
    watch.breaker('find-task', 'half-open');
    assert.deepEqual(watch.state().paused, ['find-task', 'list-notices']);
    assert.equal(watch.state().limitedAt, now());
    watch.breaker('list-notices', 'closed');
    watch.breaker('find-task', 'closed');
    pass(3_600_000);
    assert.deepEqual([watch.state().paused, watch.state().limitedAt], [[], undefined]);
  });
});
