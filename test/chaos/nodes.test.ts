import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { postgres, type TestDatabase } from '../kit/postgres.ts';
import { type Dice, rollDice, times } from './dice.ts';
import { type Nodes, startNodes } from './nodes.ts';
import { assertNoneLate, type Someone, send, someone, within } from './rig.ts';

/** The trial of one person, who switches one purpose off and another on. */
interface Trial extends Someone {
  readonly postedAt: number;
}

const hour = 3_600_000;
/** Shifts of the nodes' own clocks; the time that counts is the database's. */
const shifts = times([hour, -hour], [0, hour, -hour]);

// test/deploy/processes kills and replaces nodes, behind HAProxy.
suite('Nodes on one PostgreSQL, two of them with clocks an hour off', {
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
      env: { DATABASE_TIMEOUT_SECONDS: '5' },
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

  /** A person opens a link, switches one purpose off and another on, and both reach the record. */
  async function comeAndGo(identifier: string): Promise<void> {
    const person = await begin(identifier);
    const answer = await send(person);
    assert.equal(answer.status, 303, answer.text.slice(0, 300));
    assert.ok(await within(15_000, async () => (await person.hasLeft()) && person.hasJoined()), identifier);
  }

  async function begin(identifier: string, dice?: Dice): Promise<Trial> {
    const person = await someone({ rig, who: identifier, dice });
    person.form.untick('purpose', person.leaving).tick('purpose', person.joining);
    return { ...person, postedAt: Date.now() };
  }

  test('the nodes do what is asked, by one time for all', async () => {
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

  test('others take up the work of a node that hangs, and it undoes nothing when it goes on', async () => {
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
