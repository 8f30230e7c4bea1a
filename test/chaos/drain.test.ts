import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { startProduct } from '../kit/product.ts';
import { until } from '../kit/until.ts';
import { cookieOf } from '../kit/visitor.ts';
import { times } from './dice.ts';
import { books, openForm, send, someone } from './rig.ts';

suite('A signal to leave', () => {
  // In the small form test/deploy/processes replaces a node behind HAProxy under load.
  const skip = times<string | false>('in the long form', false);
  test('under keep-alive load loses no request, is seen by readiness first, and ends within 20 s.', {
    skip,
  }, async () => {
    await using product = await startProduct({ env: { DRAIN_SECONDS: '10' } });
    const { visitor } = await openForm(product, books, 'anna@example.org');
    const cookie = cookieOf(visitor);
    const agent = new Agent({ connections: 16, pipelining: 1, keepAliveTimeout: 60_000 });
    let isServing = true;
    const statuses = new Map<string, number>();
    let closes = 0;
    const count = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);

    const client = async (path: string) => {
      while (isServing) {
        try {
          const answer = await request(`${product.url}${path}`, { dispatcher: agent, headers: { cookie } });
          await answer.body.dump();
          if (answer.headers['connection'] === 'close') closes += 1;
          count(String(answer.statusCode));
        } catch (fault) {
          count(fault instanceof Error && 'code' in fault ? String(fault.code) : 'fault');
        }
      }
    };
    /** As a load balancer does: nothing more once it is not ready. */
    const balancer = async () => {
      while (isServing) {
        await pause(100);
        const ready = await fetch(`${product.url}/health/ready`);
        await ready.body?.cancel();
        if (!ready.ok) isServing = false;
      }
    };
    const clients = Array.from({ length: 12 }, (_, index) =>
      client(index % 2 === 0 ? `/centers/${books}` : '/'),
    );
    const watching = balancer();
    while ((statuses.get('200') ?? 0) <= 50) await pause(20);
    const began = performance.now();
    const stopped = product.stop();
    await watching;
    await Promise.all(clients);
    await stopped;
    const took = performance.now() - began;
    await agent.close();
    assert.deepEqual([...statuses.keys()], ['200'], JSON.stringify([...statuses]));
    assert.ok(closes > 0, 'no answer said that its connection ends');
    process.stdout.write(
      `drain: ${statuses.get('200')} requests, 0 lost, ${closes} connections told, ${Math.round(took)} ms\n`,
    );
  });

  test('ends in time although the platform never answers, and the next start takes it up.', async () => {
    await using product = await startProduct();
    const person = await someone({
      rig: { front: product, sandbox: product.sandbox },
      who: 'hangs@example.org',
    });
    person.form.untick('purpose', person.leaving);
    await product.sandbox.addFault({
      kind: 'late',
      operation: 'update-subject',
      milliseconds: 600_000,
      answer: 'never',
    });
    const posted = send(person).catch(() => undefined);
    await until(async () => (await product.sandbox.waiting()) > 0);
    const began = performance.now();
    await product.stop();
    const took = performance.now() - began;
    await posted;
    await product.start();
    await until(person.hasLeft, 'the withdrawal is carried out');
    process.stdout.write(`drain: ended ${Math.round(took)} ms after the signal with a hanging platform\n`);
  });
});
