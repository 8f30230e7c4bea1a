import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { getGlobalDispatcher, request, setGlobalDispatcher } from 'undici';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { sealOneClick } from '../../src/features/unsubscribe/token.ts';
import { createSeal } from '../../src/store/seal.ts';
import { times } from '../chaos/dice.ts';
import { books, linkTo, makeKnown, onRecord, type Platform, startPlatform, within } from '../chaos/rig.ts';
import { readForm } from '../kit/form.ts';
import { createVisitor, type Visitor } from '../kit/visitor.ts';
import { type Deployed, deploy, skip } from './processes.ts';

const save = { name: 'action', value: 'save' };
/** Which server of the balancer answered: of the log line only that is read. */
const unready = /nodes\/node-[12]-unready/;

suite('compose.yaml, as plain processes', { skip }, () => {
  const usual = getGlobalDispatcher();
  let platform: Platform;
  let deployed: Deployed;
  let clicks = 0;
  const crew = Array.from({ length: 8 }, (_, index) => `crew-${index}@example.org`);
  before(async () => {
    platform = await startPlatform();
    for (const who of crew) await makeKnown(platform.sandbox, who);
    deployed = await deploy(platform.port);
    await areUp();
    // The test's visitor trusts its certificate.
    setGlobalDispatcher(deployed.dispatcher);
  });
  after(async () => {
    setGlobalDispatcher(usual);
    await deployed?.[Symbol.asyncDispose]();
    await platform?.[Symbol.asyncDispose]();
  });

  /** As the balancer has seen last. */
  async function areUp(): Promise<void> {
    const isUp = (which: number) => {
      const said = deployed.balancer.output();
      const [up, down] = ['UP', 'DOWN'].map((state) => said.lastIndexOf(`nodes/node-${which} is ${state}`));
      return Number(up) > Number(down);
    };
    assert.ok(await within(20_000, async () => isUp(1) && isUp(2)), 'both nodes are up');
  }

  const link = (who: string) => linkTo({ url: deployed.url, env: { SECRET: deployed.secret } }, books, who);

  async function openPage(who: string) {
    const visitor = createVisitor(deployed.url);
    const page = await visitor.open(await link(who));
    assert.equal(page.status, 200, page.text.slice(0, 500));
    return { visitor, page };
  }

  /** Switches everything off that can be; gives what that is. */
  async function withdraw(
    who: string,
    { visitor, page }: { visitor: Visitor; page: { text: string; url: string } },
  ) {
    const given = await onRecord(platform.sandbox, books, who);
    const form = readForm(page.text);
    const on = form.controls.filter(
      ({ name, checked, disabled, value }) =>
        name === 'purpose' && checked && !disabled && given.has(value.toLowerCase()),
    );
    assert.ok(on.length > 0);
    for (const { value } of on) form.untick('purpose', value);
    const { action, fields } = form.press(save);
    const answer = await visitor.post(new URL(action, page.url).href, [...fields]).catch(() => undefined);
    return { purposes: on.map(({ value }) => value.toLowerCase()), status: answer?.status };
  }

  const isOff = async (who: string, purposes: readonly string[]) => {
    const given = await onRecord(platform.sandbox, books, who);
    return purposes.every((purpose) => !given.has(purpose));
  };

  test('what a person saves through the balancer arrives, whichever node they meet.', async () => {
    const { visitor, page } = await openPage('anna@example.org');
    const { purposes, status } = await withdraw('anna@example.org', { visitor, page });
    assert.equal(status, 303);
    assert.ok(await within(10_000, () => isOff('anna@example.org', purposes)));
    const bothAnswer = async () => {
      const opened = await Promise.all(Array.from({ length: 4 }, () => openPage('anna@example.org')));
      for (const { page: again } of opened) {
        const on = readForm(again.text).controls.filter(({ name, checked }) => name === 'purpose' && checked);
        assert.ok(on.every(({ value }) => !purposes.includes(value.toLowerCase())));
      }
      return (await pagesOf(0)) > 0 && (await pagesOf(1)) > 0;
    };
    assert.ok(await within(10_000, bothAnswer), 'one node is never asked');
  });

  /** What its metrics say, at the port that the balancer does not forward. */
  async function pagesOf(which: 0 | 1): Promise<number> {
    const { body } = await request(deployed.node(which).metricsUrl);
    const lines = [...(await body.text()).matchAll(/^sayso_request_seconds_count\{.*:center.*\} (\d+)$/gm)];
    return lines.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** A one-click of another person each time. */
  async function click() {
    clicks += 1;
    const subject = `slow.${clicks}@example.org` as SubjectId;
    const made = { center: books, subject, purpose: undefined, madeAt: Date.now() };
    const token = sealOneClick(createSeal([deployed.secret]), made);
    const { statusCode, headers, body } = await request(`${deployed.url}/u/${token}`, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      dispatcher: deployed.dispatcher,
    });
    await body.dump();
    return { status: statusCode, retryAfter: headers['retry-after'] };
  }
  const health = async () => {
    const { statusCode, body } = await request(
      `http://127.0.0.1:${deployed.environment['PORT']}/health/ready`,
    );
    await body.dump();
    return statusCode;
  };

  test('a database that is slow, but answers in time, turns no withdrawal away.', async () => {
    // A submission takes a third of its deadline, and the row of the readiness check longer than its deadline.
    await deployed.database.query(`
      CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(TG_ARGV[0]::float8); RETURN new; END $$;
      CREATE TRIGGER slowly BEFORE INSERT ON submission FOR EACH ROW EXECUTE FUNCTION slowly('0.6');
      CREATE TRIGGER slowly BEFORE INSERT OR UPDATE ON written FOR EACH ROW EXECUTE FUNCTION slowly('6')`);
    const before = deployed.balancer.output().length;
    const told: number[] = [];
    const states: number[] = [];
    for (let round = 0; round < times(6, 12); round += 1) {
      const answers = await Promise.all([click(), click()]);
      told.push(...answers.map(({ status }) => status));
      states.push(await health());
      // So that the balancer and the node look anew.
      await pause(400);
    }
    assert.deepEqual([new Set(told), new Set(states)], [new Set([200]), new Set([200])]);
    assert.doesNotMatch(deployed.balancer.output().slice(before), unready);
    await deployed.database.query('DROP TRIGGER slowly ON submission; DROP TRIGGER slowly ON written');
  });

  test('nodes whose database is gone are not ready; each is tried all the same, says when to come again, and is ready by itself.', async (t) => {
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

  test('a node that is killed takes no withdrawal with it, and no page fails.', async () => {
    const open = await Promise.all(crew.map(async (who) => ({ who, ...(await openPage(who)) })));
    // So that the kill meets submissions that are on their way.
    await platform.sandbox.addFault({ kind: 'latency', operation: 'update-subject', milliseconds: 700 });
    const sent = open.map(async ({ who, visitor, page }) => ({
      who,
      visitor,
      page,
      ...(await withdraw(who, { visitor, page })),
    }));
    await pause(400);
    await deployed.node(0).end('SIGKILL');
    let pages = 0;
    const until = Date.now() + 3_000;
    while (Date.now() < until) {
      const { visitor } = open[pages % open.length] ?? assert.fail();
      assert.equal((await visitor.open(`/centers/${books}`)).status, 200);
      pages += 1;
      await pause(100);
    }
    await platform.sandbox.clearFaults();
    const results = await Promise.all(sent);
    const broken = results.filter(({ status }) => status !== 303);
    // Whoever saw their post break sends the same form again.
    for (const each of broken) {
      const form = readForm(each.page.text);
      for (const value of each.purposes)
        for (const control of form.controls)
          if (control.value.toLowerCase() === value) form.untick('purpose', control.value);
      const { action, fields } = form.press(save);
      const again = await each.visitor.post(new URL(action, each.page.url).href, [...fields]);
      assert.equal(again.status, 303);
    }
    for (const { who, purposes } of results)
      assert.ok(await within(60_000, () => isOff(who, purposes)), `${who}: the withdrawal was lost`);
    await deployed.replace(0);
    await areUp();
    process.stdout.write(
      `deploy: 1 of 2 nodes killed, ${results.length} withdrawals on record, ${broken.length} posts broken, ${pages} pages, 0 failed\n`,
    );
  });

  test('a node that is replaced fails no page and no withdrawal.', async () => {
    const people = await Promise.all(crew.slice(0, times(2, 4)).map(openPage));
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
    for (const which of times<readonly (0 | 1)[]>([1], [0, 1])) {
      assert.equal(await deployed.node(which).end('SIGTERM'), 0, deployed.node(which).output().slice(-2_000));
      await deployed.replace(which);
      await areUp();
    }
    isGoing = false;
    await Promise.all(clients);
    assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]));
    process.stdout.write(`deploy: replaced under load, ${statuses.get(200)} pages and clicks, 0 failed\n`);
  });

  test('pg_dump and pg_restore give back what was kept.', async () => {
    const dump = execFileSync('pg_dump', ['--format=custom', deployed.database.url], {
      maxBuffer: 2 ** 28,
    });
    const { postgres } = await import('../kit/postgres.ts');
    const other = await postgres.database();
    try {
      execFileSync('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${other.url}`], { input: dump });
      const tables = (await deployed.database.query(
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
      )) as readonly { name: string }[];
      assert.ok(tables.length > 8, `${tables.length} tables`);
      for (const { name } of tables.filter(({ name }) => /journal|submission|evidence|record/.test(name))) {
        const sql = `SELECT count(*)::int AS rows, md5(string_agg(t::text, '' ORDER BY t::text)) AS digest FROM "${name}" t`;
        assert.deepEqual(await other.query(sql), await deployed.database.query(sql), name);
      }
    } finally {
      await other.end();
    }
  });
});
