import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createGate, type Gate } from '../kit/gate.ts';
import { binaries, type Cluster, startCluster } from '../kit/postgres.ts';
import type { Product } from '../kit/product.ts';
import { until } from '../kit/until.ts';
import { times } from './dice.ts';
import { type Nodes, startNodesHere } from './nodes.ts';
import { books, type OpenForm, type Someone, send, someone, within } from './rig.ts';

const skip =
  binaries() === undefined ? 'no binaries of PostgreSQL are installed (Debian: postgresql)' : false;
if (skip !== false && process.env['CI'] === 'true') throw new Error(skip);

suite('A PostgreSQL that dies', { skip }, () => {
  let cluster: Cluster;
  let gate: Gate;
  let rig: Nodes<Product>;
  let people = 0;

  before(async () => {
    cluster = await startCluster(['fsync=off']);
    // The second node has a way of its own.
    gate = await createGate(cluster.url);
    rig = await startNodesHere({
      databases: [cluster.url, gate.url],
      // What a busy machine does in time, and what hangs does not.
      env: { DATABASE_TIMEOUT_SECONDS: '3' },
    });
  });
  after(async () => {
    await rig?.[Symbol.asyncDispose]();
    await gate?.close();
    await cluster?.end();
  });

  /** Somebody on their page, with a switch off chosen. */
  async function leaver(): Promise<Someone> {
    people += 1;
    const person = await someone({ rig, who: `database.${people}@example.org` });
    person.form.untick('purpose', person.leaving);
    return person;
  }

  const health = async (index: number, kind: 'live' | 'ready') => {
    const node = rig.nodes[index];
    assert.ok(node);
    const answer = await fetch(`http://127.0.0.1:${rig.portOf(node)}/health/${kind}`);
    await answer.body?.cancel();
    return answer.status;
  };

  async function timed(opened: OpenForm) {
    const began = performance.now();
    const { status, headers } = await send(opened);
    return { status, retryAfter: headers['retry-after'], ms: performance.now() - began };
  }

  async function isBack(): Promise<void> {
    const began = performance.now();
    assert.ok(await within(5_000, async () => rig.balancer.ready().length === 2), 'ready within 5 s');
    process.stdout.write(`database: ready ${Math.round(performance.now() - began)} ms after its return\n`);
  }

  /** What was answered stays; what was refused may be sent again, and is then done once. */
  async function isTaken(person: Someone): Promise<void> {
    const isSent = async () => (await send(person)).status === 303;
    assert.ok(await within(15_000, isSent), 'it is taken soon after the database is back');
    assert.ok(await within(15_000, person.hasLeft), 'the withdrawal is carried out');
    const calls = await rig.sandbox.calls({ identifier: person.who });
    const writes = calls.filter(({ operation }) => /update-subject|withdraw/.test(operation));
    assert.ok(writes.length <= 2, `${writes.length} writing calls, that of the preparation among them`);
  }

  const deaths = [
    ['killed by -9', () => cluster.stop('immediate'), () => cluster.start()],
    ['hung', async () => cluster.freeze(), async () => cluster.thaw()],
    ['restarted', () => cluster.stop('fast'), () => cluster.start()],
  ] as const;
  for (const [how, die, rise] of deaths.slice(0, times(2, 3))) {
    test(`${how}: says so at once, is never taken for saved, goes on by itself, and has lost nothing.`, async () => {
      const trying = await leaver();
      const before = await Promise.all(Array.from({ length: times(3, 6) }, leaver));
      const posting = before.map(async (person) => ({ person, status: (await send(person)).status }));
      // Answered are those that come soon, not those that are on their way.
      await Promise.race(posting);
      await die();
      const first = await timed(trying);
      assert.equal(first.status, 503, how);
      assert.ok(first.retryAfter !== undefined, 'it says when to try again');
      await within(
        4_000,
        async () => (await health(0, 'ready')) === 503 && (await health(1, 'ready')) === 503,
      );
      assert.deepEqual([await health(0, 'ready'), await health(1, 'ready')], [503, 503]);
      assert.deepEqual([await health(0, 'live'), await health(1, 'live')], [200, 200]);
      const later = [await timed(trying), await timed(trying)];
      assert.deepEqual(
        later.map(({ status }) => status),
        [503, 503],
      );
      const took = [first, ...later].map(({ ms }) => Math.round(ms));
      process.stdout.write(`database ${how}: answered after ${took.join(', ')} ms\n`);
      await rise();
      await isBack();
      await isTaken(trying);
      const told = (await Promise.all(posting)).filter(({ status }) => status === 303);
      assert.ok(told.length > 0);
      for (const { person } of told) assert.ok(await within(40_000, person.hasLeft), `lost: ${person.who}`);
      process.stdout.write(`database ${how}: ${told.length} of ${before.length} told just before, 0 lost\n`);
    });
  }

  test('that takes no writes, as with a full disk: nothing is taken for saved, until it does again.', async () => {
    const trying = await leaver();
    const setWrites = async (off: 'on' | 'off') => {
      await cluster.query(`ALTER SYSTEM SET default_transaction_read_only = ${off}`);
      await cluster.query('SELECT pg_reload_conf()');
      await until(async () => {
        const [row] = await cluster.query('SHOW default_transaction_read_only');
        return Object.values(row ?? {})[0] === off;
      });
    };
    await setWrites('on');
    assert.equal((await timed(trying)).status, 503);
    const isRead = async () => (await trying.visitor.get(`/centers/${books}`)).status === 200;
    assert.ok(await within(10_000, isRead), 'what is there can be read');
    assert.ok(await within(3_000, async () => (await health(0, 'ready')) === 503));
    await setWrites('off');
    await isBack();
    await isTaken(trying);
  });

  test('for one node only: that one leaves the balancer, and the others carry on.', async () => {
    gate.refuse();
    assert.ok(await within(5_000, async () => rig.balancer.ready().join() === '0'));
    for (let round = 0; round < times(2, 5); round += 1)
      assert.equal((await send(await leaver())).status, 303);
    gate.pass();
    await isBack();
  });
});
