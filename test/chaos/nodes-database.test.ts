import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createGate, type Gate } from '../kit/gate.ts';
import { binaries, type Cluster, startCluster } from '../kit/postgres.ts';
import type { Product } from '../kit/product.ts';
import { until } from '../kit/until.ts';
import { times } from './dice.ts';
import { type Nodes, startNodesHere } from './nodes.ts';
import { books, healthOf, type Someone, send, someone, timed, within } from './rig.ts';

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
    // Only the second node reaches the database through the gate.
    gate = await createGate(cluster.url);
    rig = await startNodesHere({
      databases: [cluster.url, gate.url],
      // Long enough for a busy machine; a database that hangs takes longer.
      env: { DATABASE_TIMEOUT_SECONDS: '3' },
    });
  });
  after(async () => {
    await rig?.[Symbol.asyncDispose]();
    await gate?.close();
    await cluster?.end();
  });

  /** A person on their page, who has chosen to switch one purpose off. */
  async function leaver(): Promise<Someone> {
    people += 1;
    const person = await someone({ rig, who: `database.${people}@example.org` });
    person.form.untick('purpose', person.leaving);
    return person;
  }

  const health = (index: number, kind: 'live' | 'ready') => healthOf(rig.nodes[index] ?? assert.fail(), kind);

  async function isBack(): Promise<void> {
    const began = performance.now();
    assert.ok(await within(5_000, async () => rig.balancer.ready().length === 2), 'ready within 5 s');
    process.stdout.write(`database: ready ${Math.round(performance.now() - began)} ms after its return\n`);
  }

  /** Asserts that a refused post may be sent again, and is then applied once. */
  async function isTaken(person: Someone): Promise<void> {
    const isSent = async () => (await send(person)).status === 303;
    assert.ok(await within(15_000, isSent), 'it is taken soon after the database is back');
    assert.ok(await within(15_000, person.hasLeft), 'the withdrawal is on record');
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
    test(`posts to a PostgreSQL that is ${how} are answered with 503 at once, and none told as saved is lost`, async () => {
      const trying = await leaver();
      const before = await Promise.all(Array.from({ length: times(3, 6) }, leaver));
      const posting = before.map(async (person) => ({ person, status: (await send(person)).status }));
      // One post is answered before the database dies; others are still under way.
      await Promise.race(posting);
      await die();
      const first = await timed(() => send(trying));
      assert.equal(first.status, 503, how);
      assert.ok(first.headers['retry-after'] !== undefined, 'it says when to try again');
      await within(
        4_000,
        async () => (await health(0, 'ready')) === 503 && (await health(1, 'ready')) === 503,
      );
      assert.deepEqual([await health(0, 'ready'), await health(1, 'ready')], [503, 503]);
      assert.deepEqual([await health(0, 'live'), await health(1, 'live')], [200, 200]);
      const later = [await timed(() => send(trying)), await timed(() => send(trying))];
      assert.deepEqual(
        later.map(({ status }) => status),
        [503, 503],
      );
      const took = [first, ...later].map(({ ms }) => Math.round(ms));
      process.stdout.write(`database ${how}: answered after ${took.join(', ')} ms\n`);
      await rise();
      await isBack();
      await isTaken(trying);
      const saved = (await Promise.all(posting)).filter(({ status }) => status === 303);
      assert.ok(saved.length > 0);
      for (const { person } of saved) assert.ok(await within(40_000, person.hasLeft), `lost: ${person.who}`);
      process.stdout.write(`database ${how}: ${saved.length} of ${before.length} told just before, 0 lost\n`);
    });
  }

  test('nothing is told as saved while PostgreSQL takes no writes, as with a full disk', async () => {
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
    assert.equal((await send(trying)).status, 503);
    const isRead = async () => (await trying.visitor.get(`/centers/${books}`)).status === 200;
    assert.ok(await within(10_000, isRead), 'pages can be read');
    assert.ok(await within(3_000, async () => (await health(0, 'ready')) === 503));
    await setWrites('off');
    await isBack();
    await isTaken(trying);
  });

  test('a node that loses its database leaves the balancer, and the others carry on', async () => {
    gate.refuse();
    assert.ok(await within(5_000, async () => rig.balancer.ready().join() === '0'));
    for (let round = 0; round < times(2, 5); round += 1)
      assert.equal((await send(await leaver())).status, 303);
    gate.pass();
    await isBack();
  });
});
