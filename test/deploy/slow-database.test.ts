import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { sealOneClick } from '../../src/features/unsubscribe/token.ts';
import { createSeal } from '../../src/store/seal.ts';
import { books, type Platform, startPlatform, within } from '../chaos/rig.ts';
import { type Deployed, deploy, skip } from './processes.ts';

/** Which server of the balancer answered: of the log line only that is read. */
const unready = /nodes\/node-[12]-unready/;

suite('Nodes behind the balancer whose database', { skip, concurrency: false }, () => {
  let platform: Platform;
  let deployed: Deployed;
  let people = 0;
  before(async () => {
    platform = await startPlatform();
    deployed = await deploy(platform.port);
    const isUp = async () => /is UP.* 2 active/.test(deployed.balancer.output());
    assert.ok(await within(20_000, isUp), 'both nodes are up');
  });
  after(async () => {
    await deployed?.[Symbol.asyncDispose]();
    await platform?.[Symbol.asyncDispose]();
  });

  /** A one-click of somebody else each time. */
  async function click() {
    people += 1;
    const subject = `slow.${people}@example.org` as SubjectId;
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

  test('is slow, but answers in time, stay: no withdrawal is turned away.', async () => {
    // A submission takes a third of its deadline, and the row of the readiness check longer than its deadline.
    await deployed.database.query(`
      CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(TG_ARGV[0]::float8); RETURN new; END $$;
      CREATE TRIGGER slowly BEFORE INSERT ON submission FOR EACH ROW EXECUTE FUNCTION slowly('0.3');
      CREATE TRIGGER slowly BEFORE INSERT OR UPDATE ON written FOR EACH ROW EXECUTE FUNCTION slowly('3')`);
    const before = deployed.balancer.output().length;
    const told: number[] = [];
    const states: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const clicks = await Promise.all([click(), click()]);
      told.push(...clicks.map(({ status }) => status));
      states.push(await health());
      // So that the balancer and the node look anew.
      await pause(400);
    }
    assert.deepEqual([new Set(told), new Set(states)], [new Set([200]), new Set([200])]);
    assert.doesNotMatch(deployed.balancer.output().slice(before), unready);
    await deployed.database.query('DROP TRIGGER slowly ON submission; DROP TRIGGER slowly ON written');
  });

  test('is gone are not ready; each is tried all the same, says when to come again, and is ready by itself.', async (t) => {
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
  });
});
