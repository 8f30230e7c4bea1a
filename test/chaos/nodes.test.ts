import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { postgres, type TestDatabase } from '../kit/postgres.ts';
import { type Dice, rollDice, times } from './dice.ts';
import { type Nodes, startNodes } from './nodes.ts';
import { assertNoneLate, books, openForm, type Someone, send, someone, within } from './rig.ts';

/** One person, who switches one purpose off and another on. */
interface Trial extends Someone {
  readonly postedAt: number;
}

const hour = 3_600_000;
/** Each node has a clock of its own; the time is the database's. */
const shifts = times([hour, -hour], [0, hour, -hour]);
/** In the short form test/deploy/processes does the same behind HAProxy. */
const skip = times<string | false>('in the long form', postgres.skip);

suite('Nodes on one PostgreSQL, of which two have clocks that are an hour off', {
  skip: postgres.skip,
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-shift-'));
  const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href;
  let database: TestDatabase;
  let rig: Nodes;
  before(async () => {
    for (const [index, shift] of shifts.entries()) writeFileSync(join(folder, `${index}`), String(shift));
    database = await postgres.database();
    rig = await startNodes({
      databases: shifts.map(() => database.url),
      // The balancer must see that a node leaves, on a busy machine too.
      env: { DRAIN_SECONDS: '5', DATABASE_TIMEOUT_SECONDS: '5' },
      envOf: (index) => ({
        NODE_OPTIONS: `--import=${preload}`,
        SHIFTED_CLOCK: join(folder, `${index}`),
      }),
    });
  });
  after(async () => {
    await rig?.[Symbol.asyncDispose]();
    await database?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const allReady = () => within(5_000, async () => rig.balancer.ready().length === shifts.length);

  /** A person opens a link, switches one purpose off and another on, and both become so. */
  async function comeAndGo(who: string): Promise<void> {
    const person = await begin(who);
    const answer = await send(person);
    assert.equal(answer.status, 303, answer.text.slice(0, 300));
    assert.ok(await within(15_000, async () => (await person.hasLeft()) && person.hasJoined()), who);
  }

  async function begin(who: string, dice?: Dice): Promise<Trial> {
    const person = await someone({ rig, who, dice });
    person.form.untick('purpose', person.leaving).tick('purpose', person.joining);
    return { ...person, postedAt: Date.now() };
  }

  test('do what is asked, in time and once.', async () => {
    const count = times(2, 100);
    for (let index = 0; index < count; index += 1) await comeAndGo(`clocks.${index}@example.org`);
    const [row = {}] = await database.query(
      `SELECT min(submitted_at) AS first, max(done_at) AS last, max(done_at - submitted_at) AS longest,
         count(*) FILTER (WHERE state <> 'done') AS open FROM submission`,
    );
    const { first, last, longest, open } = row as Readonly<Record<string, unknown>>;
    assert.ok(
      Number(first) > Date.now() - hour / 2 && Number(last) < Date.now() + hour / 2,
      'one time for all',
    );
    assert.ok(Number(longest) < hour / 2, `one time from beginning to end: ${longest} ms`);
    assert.equal(Number(open), 0);
    assert.ok(rig.balancer.chosen.filter((each) => each > 0).length === shifts.length, 'each was asked');
    process.stdout.write(`clocks an hour apart: ${count} people, the longest ${longest} ms\n`);
  });

  test('that are replaced one after another under load fail no request.', { skip }, async () => {
    const { visitor } = await openForm(rig.front, books, 'anna@example.org');
    const statuses = new Map<number, number>();
    let isLoading = true;
    const client = async () => {
      while (isLoading) {
        const status = await visitor.get(`/centers/${books}`).then(
          (answer) => answer.status,
          () => 0,
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await pause(25);
      }
    };
    let saved = 0;
    const saver = async () => {
      for (; isLoading; saved += 1) {
        await comeAndGo(`replaced.${saved}@example.org`);
      }
    };
    const load = [...Array.from({ length: 12 }, client), saver()];
    let replaced = 0;
    const replace = async () => {
      do {
        for (const node of rig.nodes.slice(1)) {
          await node.stop();
          await node.start();
          assert.ok(await allReady());
          replaced += 1;
        }
        assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]));
      } while ((statuses.get(200) ?? 0) < 100_000);
    };
    // Whatever fails ends the load, which would go on for ever.
    await Promise.all([replace().finally(() => (isLoading = false)), ...load]).finally(
      () => (isLoading = false),
    );
    assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]));
    process.stdout.write(
      `replaced: ${statuses.get(200)} pages and ${saved} saves while a node was replaced ${replaced} times, 0 failed\n`,
    );
  });

  test('of which one is killed by -9 lose no withdrawal that was taken, make no late opt-in, and fail no GET.', {
    skip,
  }, async () => {
    const dice = rollDice('kill -9 of nodes');
    const trials: (Trial & { readonly wasTold: boolean })[] = [];
    const gets = { asked: 0, failed: 0 };
    let isAsking = true;
    const asking = (async () => {
      while (isAsking) {
        const answer = await fetch(`${rig.front.url}/centers/${books}`).catch(() => undefined);
        await answer?.body?.cancel();
        gets.asked += 1;
        if (answer === undefined || answer.status >= 500) gets.failed += 1;
        await pause(25);
      }
    })();
    const count = 200;
    for (let index = 0; index < count; index += 1) {
      const trial = await begin(`nodes.${dice.seed}.${index}@example.org`, dice);
      const posted = send(trial).then(
        (answer) => answer.status,
        () => 0,
      );
      await pause(dice.whole(0, 180));
      const node = dice.pick(rig.nodes);
      await node.kill9();
      let status = await posted;
      // The same form once more, as a person would: it gives the one result.
      if (status !== 303)
        status = await send(trial).then(
          ({ status }) => status,
          () => 0,
        );
      // Only who was told that it was taken has a promise.
      trials.push({ ...trial, wasTold: status === 303 });
      await node.start();
    }
    isAsking = false;
    await asking;
    const told = trials.filter(({ wasTold }) => wasTold);
    for (const { who, hasLeft } of told) assert.ok(await within(20_000, hasLeft), `lost: ${who}`);
    await pause(2_500);
    await assertNoneLate(rig.sandbox, trials);
    assert.equal(gets.failed, 0, `${gets.failed} of ${gets.asked} GETs failed`);
    assert.ok(told.length > count / 2, `${told.length} were told`);
    for (const node of rig.nodes)
      assert.equal(existsSync(node.env['DATA_DIR'] ?? ''), false, 'nothing is kept here');
    process.stdout.write(
      `kill -9 of nodes: ${count} kills, ${told.length} submissions confirmed, 0 lost, 0 late, ${gets.asked} GETs, 0 failed\n`,
    );
  });

  test('of which one hangs: the balancer leaves it, others take up its work, and what was done stays so when it goes on.', async () => {
    const dice = rollDice('a hung node');
    for (let index = 0; index < times(1, 30); index += 1) {
      assert.ok(await allReady());
      const trial = await begin(`hung.${dice.seed}.${index}@example.org`, dice);
      const node = dice.pick(rig.nodes);
      const first = send(trial).catch(() => undefined);
      await pause(dice.whole(0, 60));
      node.freeze();
      assert.ok(
        await within(5_000, async () => rig.balancer.ready().length === shifts.length - 1),
        'it leaves the balancer',
      );
      assert.equal((await send(trial)).status, 303);
      assert.ok(await within(30_000, trial.hasLeft), 'within a lease');
      node.thaw();
      await first;
      assert.ok(await allReady());
      await pause(500);
      await assertNoneLate(rig.sandbox, [trial]);
      assert.ok(await trial.hasLeft(), 'and it stays so');
    }
  });
});
