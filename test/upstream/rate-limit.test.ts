import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Problem } from '../../src/core/model/problem.ts';
import { createGate, RetryBudget, retryAfterSeconds } from '../../src/upstream/rate-limit.ts';
import { singlePageId, subjectId } from './recorded.ts';
import { openPlatform, stoppedClock, witness } from './scripted-platform.ts';

const anna = subjectId('anna@example.org');
const record = { body: { DataSubjectId: 'anna@example.org', Purposes: [] } };
const written = { body: { Purposes: [] } };
const update = { purposes: [], dataElements: {}, language: undefined };

async function secondsLeft(call: Promise<unknown>): Promise<number | undefined> {
  const fault = await call.then(
    () => assert.fail('it was answered'),
    (error: unknown) => error,
  );
  assert.ok(fault instanceof Problem);
  assert.equal(fault.code, 'platform-busy');
  return fault.retryAfter;
}

describe('Retry-After', () => {
  const said: readonly { headers: Record<string, string>; seconds: number | undefined }[] = [
    { headers: { 'retry-after': '1' }, seconds: 1 },
    { headers: { 'retry-after': ' 55 ' }, seconds: 55 },
    { headers: { 'retry-after': '3600' }, seconds: 3_600 },
    { headers: { 'retry-after': '0' }, seconds: 1 },
    { headers: { 'retry-after': '1.2' }, seconds: 2 },
    { headers: { 'retry-after': '999999999' }, seconds: 86_400 },
    { headers: { 'retry-after': '-5' }, seconds: undefined },
    { headers: { 'retry-after': 'soon' }, seconds: undefined },
    { headers: { 'retry-after': '' }, seconds: undefined },
    { headers: {}, seconds: undefined },
    {
      headers: { 'retry-after': 'Wed, 21 Oct 2026 07:30:00 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' },
      seconds: 120,
    },
    {
      headers: { 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' },
      seconds: 1,
    },
    { headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:30 GMT' }, seconds: 30 },
  ];
  it('is read as whole seconds of a day at most, by a number or a date', () => {
    for (const { headers, seconds } of said)
      assert.equal(retryAfterSeconds({ headers }, 0), seconds, JSON.stringify(headers));
  });

  it('lets no call go out before it ends, and says how many seconds are left', async () => {
    for (const seconds of [1, 59, 3_600]) {
      const clock = stoppedClock();
      await using parts = await openPlatform(undefined, {
        answer: (_seen, place) =>
          place === 1 ? { status: 429, headers: { 'retry-after': String(seconds) } } : record,
        options: { clock },
      });
      const { platform, server } = parts;
      const read = () => platform.readSubject(singlePageId, anna, { priority: 'withdrawal' });
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

  it('lets withdrawals, and the reads they need, through first when it ends', async (t) => {
    const clock = stoppedClock();
    let busy = true;
    const { platform, server } = await openPlatform(t, {
      answer: ({ method }) => {
        if (busy) return { status: 429, headers: { 'retry-after': '10' } };
        return method === 'GET' ? record : written;
      },
      options: { clock },
    });
    await secondsLeft(platform.updateConsent(singlePageId, anna, update));
    await secondsLeft(platform.readSubject(singlePageId, anna));
    busy = false;
    clock.advance(10_000);
    assert.equal(await secondsLeft(platform.updateConsent(singlePageId, anna, update)), 1);
    assert.equal(await secondsLeft(platform.readSubject(singlePageId, anna)), 1);
    await platform.readSubject(singlePageId, anna, { priority: 'withdrawal' });
    await platform.withdrawAll(singlePageId, anna);
    await platform.updateConsent(singlePageId, anna, update, { priority: 'withdrawal' });
    clock.advance(1_000);
    await platform.updateConsent(singlePageId, anna, update);
    await platform.readSubject(singlePageId, anna);
    assert.equal(server.calls.length, 7);
  });

  it('of one class leaves the others alone', async (t) => {
    const { platform } = await openPlatform(t, {
      answer: ({ path }) =>
        path.includes('privacynotice') ? { status: 429, headers: { 'retry-after': '3600' } } : record,
    });
    assert.equal(await secondsLeft(platform.listNotices({ page: 0, size: 20 })), 3_600);
    await platform.readSubject(singlePageId, anna);
  });

  it('is obeyed by calls that already wait for a free place', async (t) => {
    const clock = stoppedClock();
    const { platform, server } = await openPlatform(t, {
      answer: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { status: 429, headers: { 'retry-after': '5' } };
      },
      options: { clock, limits: { subjectReads: 2 } },
    });
    await platform.signIn();
    await Promise.all(
      Array.from({ length: 20 }, () => secondsLeft(platform.readSubject(singlePageId, anna))),
    );
    assert.equal(server.calls.length, 2, 'those that were under way');
  });

  it('missing from a 429 still holds calls back for a while', async (t) => {
    const { platform, server } = await openPlatform(t, { answer: () => ({ status: 429 }) });
    assert.equal(await secondsLeft(platform.readSubject(singlePageId, anna)), 5);
    await secondsLeft(platform.readSubject(singlePageId, anna));
    assert.equal(server.calls.length, 1);
  });

  for (const prefix of ['ot', 'svc'] as const) {
    it(`what a 429 says about itself under ${prefix}- is logged, and nothing else of it`, async (t) => {
      const { log, lines } = witness();
      const headers = {
        'retry-after': '55',
        [`${prefix}-period`]: 'MINUTE',
        [`${prefix}-request-made`]: '20009',
        [`${prefix}-requests-allowed`]: '20000',
        [`${prefix}-ratelimit-event-id`]: 'anna@example.org is not an id',
      };
      const { platform } = await openPlatform(t, {
        answer: () => ({ status: 429, headers, body: 'anna' }),
        options: { log },
      });
      await secondsLeft(platform.readSubject(singlePageId, anna));
      assert.deepEqual(lines, [
        {
          event: 'platform rate limit',
          fields: {
            operation: 'read-subject',
            seconds: 55,
            period: 'MINUTE',
            'request-made': '20009',
            'requests-allowed': '20000',
          },
        },
      ]);
    });
  }
});

describe('the gate', () => {
  it('is not opened early by a later, shorter wait', () => {
    const clock = stoppedClock();
    const gate = createGate(clock);
    gate.close(100);
    gate.close(1);
    clock.advance(50_000);
    assert.throws(() => gate.check(true), { retryAfter: 50 });
  });
});

describe('the retry budget', () => {
  it('is one repetition for ten successes, and none when nothing succeeds', () => {
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
