import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../kit/until.ts';
import { codeOf, emptyRecord, openPlatform, type Scripted, witness } from './scripted-platform.ts';

/** An answer that is held until `release`. */
function held(answer: Scripted) {
  const { promise, resolve } = Promise.withResolvers<Scripted>();
  return { answer: () => promise, release: () => resolve(answer) };
}

describe('the breaker', () => {
  it('the breaker opens after five failures in a row, and further calls fail without being sent', async (t) => {
    const { metrics, states } = witness();
    const { server, withdraw } = await openPlatform(t, {
      answer: () => ({ status: 500 }),
      options: { metrics },
    });
    for (let call = 0; call < 50; call += 1) assert.equal(await codeOf(withdraw()), 'platform-unreachable');
    assert.equal(server.calls.length, 5);
    assert.deepEqual(states, ['withdraw-all open']);
  });

  it('the breaker of one operation does not stop other operations', async (t) => {
    const { read, withdraw, update } = await openPlatform(t, {
      answer: ({ method }) => (method === 'DELETE' ? { status: 500 } : emptyRecord),
    });
    for (let call = 0; call < 10; call += 1) await codeOf(withdraw());
    assert.deepEqual([await codeOf(read()), await codeOf(update())], ['ok', 'ok']);
  });

  it('the breaker lets one trial call pass after its time, and closes when that call succeeds', async (t) => {
    const { metrics, states } = witness();
    let broken = true;
    const probe = held(emptyRecord);
    const { server, withdraw } = await openPlatform(t, {
      answer: () => (broken ? { status: 502 } : probe.answer()),
      options: { metrics, timeouts: { breakerOpen: 30 } },
    });
    for (let call = 0; call < 5; call += 1) await codeOf(withdraw());
    broken = false;
    await new Promise((resolve) => setTimeout(resolve, 40));
    const trial = codeOf(withdraw());
    await until(() => server.calls.length === 6);
    assert.equal(await codeOf(withdraw()), 'platform-unreachable', 'only one trial call at a time');
    probe.release();
    assert.equal(await trial, 'ok');
    assert.equal(await codeOf(withdraw()), 'ok');
    assert.deepEqual(states, ['withdraw-all open', 'withdraw-all half-open', 'withdraw-all closed']);
  });

  it('refusals of the platform do not open the breaker', async (t) => {
    const { server, update } = await openPlatform(t, { answer: () => ({ status: 409 }) });
    for (let call = 0; call < 20; call += 1) assert.equal(await codeOf(update()), 'platform-refused');
    assert.equal(server.calls.length, 20);
  });
});

describe('a bulkhead', () => {
  it('a bulkhead limits calls in flight and waiting calls, and refuses further ones', async (t) => {
    const gate = held(emptyRecord);
    const options = { limits: { subjectReads: 3, waiting: 4 } };
    const { server, read } = await openPlatform(t, { answer: gate.answer, options });
    const calls = Array.from({ length: 10 }, () => codeOf(read()));
    await until(() => server.calls.length === 3);
    gate.release();
    const codes = (await Promise.all(calls)).sort();
    assert.deepEqual(codes, [...Array(7).fill('ok'), ...Array(3).fill('overloaded')]);
  });

  it('a bulkhead serves withdrawals first', async (t) => {
    const gate = held({ body: { Purposes: [] } });
    const options = { limits: { subjectWrites: 1 } };
    const { server, withdraw, update } = await openPlatform(t, { answer: gate.answer, options });
    const done: string[] = [];
    const call = (name: string, run: Promise<unknown>) => run.then(() => done.push(name));
    const first = call('first', update());
    await until(() => server.calls.length === 1);
    const ordinary = call('ordinary', update());
    const withdrawal = call('withdrawal', update({ priority: 'withdrawal' }));
    const all = call('withdraw all', withdraw());
    gate.release();
    await Promise.all([first, ordinary, withdrawal, all]);
    assert.deepEqual(done, ['first', 'withdrawal', 'withdraw all', 'ordinary']);
  });

  it('a full bulkhead does not delay calls of another bulkhead', async (t) => {
    const gate = held({ body: { content: [] } });
    const { platform, server, read } = await openPlatform(t, {
      answer: (seen) => (seen.path.includes('privacynotice') ? gate.answer() : emptyRecord),
      options: { limits: { staff: 1, waiting: 1 } },
    });
    const staff = Array.from({ length: 5 }, () => codeOf(platform.listNotices({ page: 0, size: 20 })));
    await until(() => server.calls.length === 1);
    assert.equal(await codeOf(read()), 'ok');
    gate.release();
    assert.equal((await Promise.all(staff)).filter((code) => code === 'overloaded').length, 3);
  });

  it('a call that waited too long keeps no place in the bulkhead', async (t) => {
    const gate = held(emptyRecord);
    const options = { limits: { subjectReads: 1 }, timeouts: { subjectRead: 600 } };
    const { read } = await openPlatform(t, { answer: gate.answer, options });
    const calls = Array.from({ length: 5 }, () => codeOf(read()));
    assert.deepEqual([...new Set(await Promise.all(calls))], ['platform-slow']);
    gate.release();
    assert.equal(await codeOf(read()), 'ok');
  });
});
