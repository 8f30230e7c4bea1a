import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createGate, type Gate } from '../kit/gate.ts';
import { binaries, type Cluster, startCluster } from '../kit/postgres.ts';
import type { Product } from '../kit/product.ts';
import { until } from '../kit/until.ts';
import { type Nodes, startNodesHere } from './nodes.ts';
import { books, makeKnown, type OpenForm, onRecord, openForm, send, switches, within } from './rig.ts';

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
  async function someone(): Promise<{ who: string; opened: OpenForm; leaving: string }> {
    people += 1;
    const who = `database.${people}@example.org`;
    await makeKnown(rig.sandbox, who);
    const opened = await openForm(rig.front, books, who);
    const [leaving = ''] = switches(opened.form).on;
    opened.form.untick('purpose', leaving);
    return { who, opened, leaving: leaving.toLowerCase() };
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
  async function isTaken({ who, opened, leaving }: Awaited<ReturnType<typeof someone>>): Promise<void> {
    const isSent = async () => (await send(opened)).status === 303;
    assert.ok(await within(15_000, isSent), 'it is taken soon after the database is back');
    const isGone = async () => !(await onRecord(rig.sandbox, books, who)).has(leaving);
    assert.ok(await within(15_000, isGone), 'the withdrawal is carried out');
    const calls = await rig.sandbox.calls({ identifier: who });
    const writes = calls.filter(({ operation }) => /update-subject|withdraw/.test(operation));
    assert.ok(writes.length <= 2, `${writes.length} writing calls, that of the preparation among them`);
  }

  for (const [how, die, rise] of [
    ['restarted', () => cluster.stop('fast'), () => cluster.start()],
    ['killed by -9', () => cluster.stop('immediate'), () => cluster.start()],
    ['hung', async () => cluster.freeze(), async () => cluster.thaw()],
  ] as const) {
    test(`${how}: says so at once, is never taken for saved, and goes on by itself.`, async () => {
      const trying = await someone();
      await die();
      const first = await timed(trying.opened);
      assert.equal(first.status, 503, how);
      assert.ok(first.retryAfter !== undefined, 'it says when to try again');
      await within(
        4_000,
        async () => (await health(0, 'ready')) === 503 && (await health(1, 'ready')) === 503,
      );
      assert.deepEqual([await health(0, 'ready'), await health(1, 'ready')], [503, 503]);
      assert.deepEqual([await health(0, 'live'), await health(1, 'live')], [200, 200]);
      const later = [await timed(trying.opened), await timed(trying.opened)];
      assert.deepEqual(
        later.map(({ status }) => status),
        [503, 503],
      );
      const took = [first, ...later].map(({ ms }) => Math.round(ms));
      process.stdout.write(`database ${how}: answered after ${took.join(', ')} ms\n`);
      await rise();
      await isBack();
      await isTaken(trying);
    });
  }

  test('that takes no writes, as with a full disk: nothing is taken for saved, until it does again.', async () => {
    const trying = await someone();
    const setWrites = async (off: 'on' | 'off') => {
      await cluster.query(`ALTER SYSTEM SET default_transaction_read_only = ${off}`);
      await cluster.query('SELECT pg_reload_conf()');
      await until(async () => {
        const [row] = await cluster.query('SHOW default_transaction_read_only');
        return Object.values(row ?? {})[0] === off;
      });
    };
    await setWrites('on');
    assert.equal((await timed(trying.opened)).status, 503);
    const isRead = async () => (await trying.opened.visitor.get(`/centers/${books}`)).status === 200;
    assert.ok(await within(10_000, isRead), 'what is there can be read');
    assert.ok(await within(3_000, async () => (await health(0, 'ready')) === 503));
    await setWrites('off');
    await isBack();
    await isTaken(trying);
  });

  test('for one node only: that one leaves the balancer, and the others carry on.', async () => {
    gate.refuse();
    assert.ok(await within(5_000, async () => rig.balancer.ready().join() === '0'));
    const answers = new Set<number>();
    for (let round = 0; round < 5; round += 1) {
      const trying = await someone();
      answers.add((await send(trying.opened)).status);
    }
    assert.deepEqual([...answers], [303]);
    gate.pass();
    await isBack();
  });

  test('loses nothing of what was answered just before.', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, someone));
    const posting = all.map(async ({ who, opened, leaving }) => {
      const { status } = await send(opened);
      return { who, leaving, wasTold: status === 303 };
    });
    // Answered are those that come soon, not those that are on their way.
    await Promise.race(posting);
    await cluster.stop('immediate');
    const trials = await Promise.all(posting);
    await cluster.start();
    await isBack();
    for (const { who, leaving, wasTold } of trials) {
      if (!wasTold) continue;
      const isGone = async () => !(await onRecord(rig.sandbox, books, who)).has(leaving);
      assert.ok(await within(40_000, isGone), `lost: ${who}`);
    }
    const told = trials.filter(({ wasTold }) => wasTold).length;
    assert.ok(told > 0);
    process.stdout.write(`database: ${told} of 6 told before it was killed, 0 lost\n`);
  });
});
