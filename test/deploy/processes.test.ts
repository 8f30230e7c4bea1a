import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { getGlobalDispatcher, request, setGlobalDispatcher } from 'undici';
import { times } from '../chaos/dice.ts';
import {
  assertNoneLate,
  books,
  click as clickAs,
  openForm,
  type Platform,
  send,
  someone,
  startPlatform,
  switches,
  within,
} from '../chaos/rig.ts';
import { type Deployed, deploy, skip } from './processes.ts';

/** Name of the server in the balancer's log, when no node was ready. */
const unready = /nodes\/node-[12]-unready/;

suite('compose.yaml, as plain processes', { skip }, () => {
  const usual = getGlobalDispatcher();
  let platform: Platform;
  let deployed: Deployed;
  let clicks = 0;
  const rig = {
    get front() {
      return { url: deployed.url, env: { SECRET: deployed.secret } };
    },
    get sandbox() {
      return platform.sandbox;
    },
  };
  before(async () => {
    platform = await startPlatform();
    deployed = await deploy(platform.port);
    await areUp();
    // The visitors of the test trust the certificate of the balancer.
    setGlobalDispatcher(deployed.dispatcher);
  });
  after(async () => {
    setGlobalDispatcher(usual);
    await deployed?.[Symbol.asyncDispose]();
    await platform?.[Symbol.asyncDispose]();
  });

  /** Asserts that the balancer sees both nodes up. */
  async function areUp(): Promise<void> {
    const isUp = (which: number) => {
      const output = deployed.balancer.output();
      const [up, down] = ['UP', 'DOWN'].map((state) => output.lastIndexOf(`nodes/node-${which} is ${state}`));
      return Number(up) > Number(down);
    };
    assert.ok(await within(20_000, async () => isUp(1) && isUp(2)), 'both nodes are up');
  }

  test('a save through the balancer arrives, and both nodes serve pages', async () => {
    const person = await someone({ rig, who: 'saves@example.org' });
    person.form.untick('purpose', person.leaving);
    assert.equal((await send(person)).status, 303);
    assert.ok(await within(10_000, person.hasLeft));
    const bothAnswer = async () => {
      const { form } = await openForm(rig.front, books, person.who);
      assert.ok(!switches(form).on.includes(person.leaving));
      return (await pagesOf(0)) > 0 && (await pagesOf(1)) > 0;
    };
    assert.ok(await within(10_000, bothAnswer), 'both nodes serve pages');
  });

  /** Reads the number of pages that a node has served from its metrics, past the balancer. */
  async function pagesOf(which: 0 | 1): Promise<number> {
    const { body } = await request(deployed.node(which).metricsUrl);
    const lines = [...(await body.text()).matchAll(/^sayso_request_seconds_count\{.*:center.*\} (\d+)$/gm)];
    return lines.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** Sends a one-click, each time of another person. */
  async function click() {
    clicks += 1;
    const { status, headers } = await clickAs(rig.front, `slow.${clicks}@example.org`);
    return { status, retryAfter: headers['retry-after'] };
  }
  const health = async () => {
    const { statusCode, body } = await request(
      `http://127.0.0.1:${deployed.environment['PORT']}/health/ready`,
    );
    await body.dump();
    return statusCode;
  };

  test('no withdrawal is refused while the database is slow but within its time-out', async () => {
    // A submission takes a third of its time-out, but the row of the readiness check longer than its own.
    await deployed.database.query(`
      CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(TG_ARGV[0]::float8); RETURN new; END $$;
      CREATE TRIGGER slowly BEFORE INSERT ON submission FOR EACH ROW EXECUTE FUNCTION slowly('0.6');
      CREATE TRIGGER slowly BEFORE INSERT OR UPDATE ON written FOR EACH ROW EXECUTE FUNCTION slowly('6')`);
    const before = deployed.balancer.output().length;
    const statuses: number[] = [];
    const states: number[] = [];
    for (let round = 0; round < times(3, 12); round += 1) {
      const answers = await Promise.all([click(), click()]);
      statuses.push(...answers.map(({ status }) => status));
      states.push(await health());
      // The balancer and the node check again in this time.
      await pause(400);
    }
    assert.deepEqual([new Set(statuses), new Set(states)], [new Set([200]), new Set([200])]);
    assert.doesNotMatch(deployed.balancer.output().slice(before), unready);
    await deployed.database.query('DROP TRIGGER slowly ON submission; DROP TRIGGER slowly ON written');
  });

  test('nodes without database are not ready, answer 503 with Retry-After, and recover', async (t) => {
    const { pathname, href } = new URL(deployed.database.url);
    const name = pathname.slice(1);
    const server = new pg.Client({ connectionString: href.replace(pathname, '/postgres') });
    await server.connect();
    t.after(() => server.end());
    await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    assert.ok(await within(10_000, async () => (await health()) === 503), 'red');
    const isTried = async () => {
      const { status, retryAfter } = await click();
      assert.equal(status, 503);
      return retryAfter !== undefined && unready.test(deployed.balancer.output());
    };
    assert.ok(await within(15_000, isTried), 'no node is asked any more');
    await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    assert.ok(await within(10_000, async () => (await health()) === 200), 'green');
    assert.ok(await within(5_000, async () => (await click()).status === 200));
    await areUp();
  });

  test('a kill of a node loses no withdrawal, causes no late opt-in, and fails no page', async () => {
    const kills = times(1, 200);
    let [withdrawals, pages, broken] = [0, 0, 0];
    for (let kill = 0; kill < kills; kill += 1) {
      const which = kill % 2 === 0 ? 0 : 1;
      const crew = await Promise.all([0, 1, 2].map((index) => begin(`killed.${kill}.${index}@example.org`)));
      // The latency makes the kill hit submissions in progress.
      await platform.sandbox.addFault({ kind: 'latency', operation: 'update-subject', milliseconds: 700 });
      const posts = crew.map((person) => send(person).catch(() => ({ status: 0 })));
      await pause(400);
      await deployed.node(which).end('SIGKILL');
      for (let page = 0; page < 15; page += 1) {
        const { visitor } = crew[page % crew.length] ?? assert.fail();
        assert.equal((await visitor.open(`/centers/${books}`)).status, 200);
        pages += 1;
        await pause(100);
      }
      await platform.sandbox.clearFaults();
      for (const [index, { status }] of (await Promise.all(posts)).entries()) {
        if (status === 303) continue;
        // A person whose post broke sends the same form again.
        broken += 1;
        assert.equal((await send(crew[index] ?? assert.fail())).status, 303);
      }
      for (const { who, hasLeft } of crew)
        assert.ok(await within(60_000, hasLeft), `${who}: the withdrawal was lost`);
      withdrawals += crew.length;
      await deployed.replace(which);
      await areUp();
      await assertNoneLate(platform.sandbox, crew);
    }
    process.stdout.write(
      `deploy: ${kills} kills, ${withdrawals} withdrawals on record, ${broken} posts broken, ${pages} pages, 0 failed\n`,
    );
  });

  /** Opens a form in which a person turns one purpose off and another on. */
  async function begin(who: string) {
    const person = await someone({ rig, who });
    person.form.untick('purpose', person.leaving).tick('purpose', person.joining);
    return { ...person, postedAt: Date.now() };
  }

  test('a replacement of a node fails no page and no withdrawal', async () => {
    const crew = Array.from({ length: times(2, 4) }, (_, index) => `crew.${index}@example.org`);
    const people = await Promise.all(crew.map((who) => openForm(rig.front, books, who)));
    let isGoing = true;
    const statuses = new Map<number, number>();
    const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const clients = people.map(async ({ visitor }) => {
      while (isGoing) {
        count((await visitor.open(`/centers/${books}`)).status);
        count((await click()).status);
        await pause(times(400, 100));
      }
    });
    const replacing = async () => {
      for (let turn = 0; turn < times(1, 40); turn += 1) {
        const which = turn % 2 === 0 ? 1 : 0;
        const node = deployed.node(which);
        assert.equal(await node.end('SIGTERM'), 0, node.output().slice(-2_000));
        await deployed.replace(which);
        await areUp();
      }
    };
    // A failure must end the load, which would never end by itself.
    await replacing().finally(() => (isGoing = false));
    await Promise.all(clients);
    assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]));
    process.stdout.write(`deploy: replaced under load, ${statuses.get(200)} pages and clicks, 0 failed\n`);
  });

  test('a dump by pg_dump restores the same rows by pg_restore', async () => {
    // The nodes still write, so the dump is compared with the rows of its own snapshot.
    const source = new pg.Client({ connectionString: deployed.database.url });
    await source.connect();
    const { postgres } = await import('../kit/postgres.ts');
    const other = await postgres.database();
    try {
      await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      const [exported] = (await source.query<{ id: string }>('SELECT pg_export_snapshot() AS id')).rows;
      const dump = execFileSync(
        'pg_dump',
        ['--format=custom', `--snapshot=${exported?.id}`, deployed.database.url],
        { maxBuffer: 2 ** 28 },
      );
      execFileSync('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${other.url}`], { input: dump });
      const tables = await source.query<{ name: string }>(
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
      );
      assert.ok(tables.rows.length > 8, `${tables.rows.length} tables`);
      for (const { name } of tables.rows.filter(({ name }) =>
        /journal|submission|evidence|record/.test(name),
      )) {
        const sql = `SELECT count(*)::int AS rows, md5(string_agg(t::text, '' ORDER BY t::text)) AS digest FROM "${name}" t`;
        assert.deepEqual(await other.query(sql), (await source.query(sql)).rows, name);
      }
    } finally {
      await Promise.all([source.end(), other.end()]);
    }
  });
});
