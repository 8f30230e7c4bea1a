import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGate, RetryBudget, retryAfterSeconds } from '../../src/upstream/rate-limit.ts';
import { emptyRecord, faultOf, openPlatform, stoppedClock, witness } from './scripted-platform.ts';

async function secondsLeft(call: Promise<unknown>): Promise<number | undefined> {
  const { code, retryAfter } = await faultOf(call);
  assert.equal(code, 'platform-busy');
  return retryAfter;
}

const wait = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) } });

describe('Retry-After', () => {
  const at728 = { date: 'Wed, 21 Oct 2026 07:28:00 GMT' };
  const said: readonly [retryAfter: string, seconds: number | undefined, more?: Record<string, string>][] = [
    ...Object.entries({ '1': 1, ' 55 ': 55, '3600': 3_600, '0': 1, '1.2': 2, '999999999': 86_400 }),
    ...['-5', 'soon', ''].map((text): [string, undefined] => [text, undefined]),
    ['Wed, 21 Oct 2026 07:30:00 GMT', 120, at728],
    ['Wed, 21 Oct 2026 07:27:00 GMT', 1, at728],
    ['Thu, 01 Jan 1970 00:00:30 GMT', 30],
  ];
  it('a Retry-After is read as whole seconds, a day at most, from a number or a date', () => {
    for (const [retryAfter, seconds, more] of said) {
      const headers = { 'retry-after': retryAfter, ...more };
      assert.equal(retryAfterSeconds({ headers }, 0), seconds, JSON.stringify(headers));
    }
    assert.equal(retryAfterSeconds({ headers: {} }, 0), undefined);
  });

  it('no call is sent before a Retry-After ends, and its fault names the seconds left', async () => {
    for (const seconds of [1, 59, 3_600]) {
      const clock = stoppedClock();
      const answer = (_seen: unknown, place: number) => (place === 1 ? wait(seconds) : emptyRecord);
      await using parts = await openPlatform(undefined, { answer, options: { clock } });
      const { server } = parts;
      const read = () => parts.read({ priority: 'withdrawal' });
      assert.equal(await secondsLeft(read()), seconds);
      for (let step = 0; step < 20; step += 1) {
        assert.equal(await secondsLeft(read()), Math.ceil((seconds * (20 - step)) / 20));
        clock.advance((seconds * 1_000) / 20 - (step === 19 ? 1 : 0));
      }
      assert.equal(await secondsLeft(read()), 1, 'one millisecond is left');
      assert.equal(server.calls.length, 1);
      clock.advance(1);
      await read();
      assert.equal(server.calls.length, 2);
    }
  });

  it('withdrawals and their reads go first when a Retry-After ends', async (t) => {
    const clock = stoppedClock();
    let busy = true;
    const { server, read, withdraw, update } = await openPlatform(t, {
      answer: ({ method }) => {
        if (busy) return wait(10);
        return method === 'GET' ? emptyRecord : { body: { Purposes: [] } };
      },
      options: { clock },
    });
    await secondsLeft(update());
    await secondsLeft(read());
    busy = false;
    clock.advance(10_000);
    assert.equal(await secondsLeft(update()), 1);
    assert.equal(await secondsLeft(read()), 1);
    await read({ priority: 'withdrawal' });
    await withdraw();
    await update({ priority: 'withdrawal' });
    clock.advance(1_000);
    await update();
    await read();
    assert.equal(server.calls.length, 7);
  });

  it('a Retry-After of one bulkhead does not stop another', async (t) => {
    const { platform, read } = await openPlatform(t, {
      answer: ({ path }) => (path.includes('privacynotice') ? wait(3_600) : emptyRecord),
    });
    assert.equal(await secondsLeft(platform.listNotices({ page: 0, size: 20 })), 3_600);
    await read();
  });

  it('calls that wait for a free place obey a Retry-After', async (t) => {
    const clock = stoppedClock();
    const { platform, server, read } = await openPlatform(t, {
      answer: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return wait(5);
      },
      options: { clock, limits: { subjectReads: 2 } },
    });
    await platform.signIn();
    await Promise.all(Array.from({ length: 20 }, () => secondsLeft(read())));
    assert.equal(server.calls.length, 2, 'only the calls in flight were sent');
  });

  it('a 429 without a Retry-After holds calls back for five seconds', async (t) => {
    const { server, read } = await openPlatform(t, { answer: () => ({ status: 429 }) });
    assert.equal(await secondsLeft(read()), 5);
    await secondsLeft(read());
    assert.equal(server.calls.length, 1);
  });

  for (const prefix of ['ot', 'svc'] as const) {
    it(`the log holds the ${prefix}- limit headers of a 429, and nothing else of it`, async (t) => {
      const { log, lines } = witness();
      const headers = {
        'retry-after': '55',
        [`${prefix}-period`]: 'MINUTE',
        [`${prefix}-request-made`]: '20009',
        [`${prefix}-requests-allowed`]: '20000',
        [`${prefix}-ratelimit-event-id`]: 'anna@example.org is not an id',
      };
      const answer = () => ({ status: 429, headers, body: 'anna' });
      const { read } = await openPlatform(t, { answer, options: { log } });
      await secondsLeft(read());
      const told = { period: 'MINUTE', 'request-made': '20009', 'requests-allowed': '20000' };
      const fields = { operation: 'read-subject', seconds: 55, ...told };
      assert.deepEqual(lines, [{ event: 'platform rate limit', fields }]);
    });
  }
});

describe('the gate', () => {
  it('a later, shorter wait does not open the gate early', () => {
    const clock = stoppedClock();
    const gate = createGate(clock);
    gate.close(100);
    gate.close(1);
    clock.advance(50_000);
    assert.throws(() => gate.check(true), { retryAfter: 50 });
  });
});

describe('the retry budget', () => {
  it('ten successes allow one repetition, and without successes there is none after the first', () => {
    const budget = new RetryBudget();
    let repeated = 0;
    for (let call = 0; call < 1_000; call += 1) if (budget.take()) repeated += 1;
    assert.equal(repeated, 1);
    for (let call = 0; call < 1_000; call += 1) {
      budget.success();
      if (budget.take()) repeated += 1;
    }
    assert.ok(repeated <= 101 && repeated >= 99, String(repeated));
  });
});
