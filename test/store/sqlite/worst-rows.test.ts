import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openSqlite } from '../../../src/store/drivers/sqlite/sqlite.ts';
import { embeddedFiles } from '../../../src/store/layouts.ts';
import { openSessionStore } from '../../../src/store/sessions.ts';
import { openStaffLog } from '../../../src/store/staff-log.ts';
import { times } from '../../chaos/dice.ts';
import { anna, aRequest, intentOf, off } from '../../delivery/fixture.ts';
import { mostTries, slowness, threadMilliseconds } from '../../kit/cpu.ts';
import { newFolder } from '../../kit/folder.ts';
import { openNode, routes } from '../contract/event-fixture.ts';
import { aPeopleStore, finish, type PeopleHandle, put } from '../contract/people-fixture.ts';
import { aClock, seal } from '../contract/test-store.ts';
import { wholeLayout } from '../on-both.ts';

/** The most milliseconds of processor time in one turn, on a quiet machine. */
const longest = 80;
const told: string[] = [];

/** SQL of so many rows, numbered from 1 in the column `value`. */
const numbered = (count: number) =>
  `(WITH RECURSIVE each(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM each WHERE value < ${count})
    SELECT value FROM each)`;

function write(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

/** The number of rows. */
function count(file: string, from: string): number {
  const database = new DatabaseSync(file);
  const found = database.prepare(`SELECT count(*) AS n FROM ${from}`).get();
  database.close();
  return Number(found?.['n']);
}

/** Asserts that `act` has no long turn. If a turn seems long it is tried again, after `again`. */
async function inShortTurns(name: string, act: () => Promise<unknown>, again = () => {}): Promise<void> {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < mostTries && best > longest; tries += 1) {
    if (tries > 0) again();
    await pause(tries * 20);
    let turn = 0;
    let last = threadMilliseconds();
    const look = () => {
      const now = threadMilliseconds();
      turn = Math.max(turn, now - last);
      last = now;
    };
    const looking = setInterval(look, 1);
    try {
      await act();
      look();
    } finally {
      clearInterval(looking);
    }
    best = Math.min(best, turn > longest ? turn / slowness() : turn);
  }
  told.push(`${name} ${best.toFixed(0)} ms`);
  assert.ok(best <= longest, `${name}: one turn took ${best.toFixed(0)} ms`);
}

after(() => process.stdout.write(`longest turns: ${told.join('; ')}\n`));

/** The number of submissions of one person: fewer would be read in time even in one turn. */
const ofOne = times(3_000, 40_000);

/** The store of people and events in a file of its own. */
function openPeopleIn(t: { after(end: () => unknown): void }) {
  const file = join(newFolder(t), 'journal.sqlite');
  const sql = openSqlite({ file, layout: embeddedFiles('')[0].layout, clock: aClock() });
  const store = aPeopleStore({ sql, seal });
  t.after(() => sql.close());
  return { file, sql, store };
}

suite(`A person with ${ofOne} submissions delays no other`, () => {
  const ends: (() => unknown)[] = [];
  let store: PeopleHandle;
  before(async () => {
    store = openPeopleIn({ after: (end) => ends.unshift(end) }).store;
    for (let left = ofOne; left > 0; left -= 50) {
      const some = Array.from({ length: 50 }, () => put(store, aRequest({ intent: intentOf(off('a')) })));
      await Promise.all(some);
      await finish(store, 2_000);
    }
  });
  after(async () => {
    for (const end of ends) await end();
  });

  const part = { limit: ofOne, offset: 0 };
  const readings: Readonly<Record<string, () => Promise<readonly unknown[]>>> = {
    'the history': () => store.historyOf('center', anna, part),
    'the list of the staff': () => store.list(part),
  };
  for (const [name, read] of Object.entries(readings)) {
    test(`${name} is read in turns`, async () => {
      let found = 0;
      await inShortTurns(name, async () => {
        found = (await read()).length;
      });
      assert.equal(found, ofOne);
    });
  }

  test('A file of all submissions is read in turns', () =>
    inShortTurns('a file of all', async () => {
      for await (const some of store.parts(part)) assert.ok(some.length <= 100);
    }));
});

test('Work that is over is deleted in turns, however long it is together', async (t) => {
  const { file, store } = openPeopleIn(t);
  const words = Array.from({ length: 450 }, (_, each) => off(`purpose ${each} ${'x'.repeat(120)}`));
  for (let each = 0; each < 100; each += 1) {
    await put(store, aRequest({ intent: intentOf(...words) }));
    await finish(store, 1_100);
  }
  const over = { now: 0, evidenceBefore: 0, reasonsBefore: 0 };
  assert.equal(await store.sweep({ ...over, workBefore: 0 }), 0);
  write(file, 'CREATE TABLE kept AS SELECT reference, request, progress FROM submission');
  let reduced = 0;
  await inShortTurns(
    'reducing',
    async () => {
      let swept = 0;
      do {
        swept = await store.sweep({ ...over, workBefore: 2_000 });
        reduced += swept;
        await pause(1);
      } while (swept > 0);
    },
    () => {
      reduced = 0;
      write(
        file,
        `UPDATE submission AS s SET request = k.request, progress = k.progress FROM kept k
         WHERE k.reference = s.reference`,
      );
    },
  );
  assert.equal(reduced, 100);
});

const many = times(60_000, 300_000);

test(`${many} people who wait for the platform are made due in turns when it is back`, async (t) => {
  const { file, store } = openPeopleIn(t);
  write(
    file,
    `INSERT INTO person (subject, version, document, due_at, withdraws, lease_until, touched_at)
       SELECT value, 1, 'unreadable', 9000000, value % 2, 0, 1000 FROM ${numbered(many)}`,
  );
  await inShortTurns('making due', () => store.makeDue({ now: 1_000, spread: 20_000, limit: 1_000_000 }));
  assert.ok(Number(await store.nextDueAt()) <= 21_000);
  assert.equal(count(file, 'person WHERE due_at > 21000'), 0);
});

test(`A receiver for which events of ${many} people wait comes back, fails and is resumed in turns`, async (t) => {
  const { file, sql } = openPeopleIn(t);
  const { events } = await openNode({ sql, seal, routes });
  write(
    file,
    `INSERT INTO event_queue (receiver, person, state, due_at, since, sent_up_to, waiting)
       SELECT 'crm', value, 'due', 9000000, 500, 0, 1 FROM ${numbered(many)};
     INSERT INTO event_queue (receiver, person, state, due_at, since, sent_up_to, waiting)
       VALUES ('other', 'one', 'due', 9000000, 500, 0, 1)`,
  );
  const queues = (which: string) => count(file, `event_queue WHERE receiver = 'crm' AND ${which}`);
  await inShortTurns('a receiver is back', () => events.makeDue('crm', { now: 1_000, spread: 20_000 }));
  assert.equal(queues('due_at <= 21000'), many);
  await inShortTurns('a receiver is held', () => events.hold('crm', 1_000));
  assert.equal(queues(`state = 'held'`), many);
  await events.stop('crm', 1_500);
  await inShortTurns('a receiver is resumed', () => events.sendAgain('crm', 2_000));
  assert.equal(queues(`state = 'due' AND since = 2000 AND due_at <= 2000`), many);
  assert.deepEqual(await events.dueOf(['crm', 'other'], 30_000), ['crm']);
});

test(`A person’s ${many} sessions end in turns, and none is left`, async (t) => {
  const file = join(newFolder(t), 'sessions.sqlite');
  const clock = aClock();
  const lives = { idleMs: 1_800_000, absoluteMs: 28_800_000, longestIssuedMs: 1e9 };
  const sql = openSqlite({ file, layout: wholeLayout, clock });
  t.after(() => sql.close());
  const sessions = openSessionStore({ sql, store: 'visitors', seal, ...lives });
  const subject = seal.hash('session subject', anna);
  write(
    file,
    `INSERT INTO session (store, id, payload, made_at, touched_at, ends_at)
       SELECT 'visitors', value, 'row.x', ${clock.at}, ${clock.at}, ${clock.at + 1_000_000} FROM ${numbered(many)};
     INSERT INTO session_subject (store, subject, session) SELECT 'visitors', '${subject}', value FROM ${numbered(many)}`,
  );
  await inShortTurns('ending sessions', () => sessions.endAllOf(anna));
  assert.equal(count(file, 'session WHERE payload IS NOT NULL'), 0);
});

test('A file of the whole audit log is read in turns', async (t: TestContext) => {
  const file = join(newFolder(t), 'audit.sqlite');
  const sql = openSqlite({ file, layout: wholeLayout, clock: aClock() });
  t.after(() => sql.close());
  const log = openStaffLog({ sql, auditMs: 1e9 });
  write(
    file,
    `INSERT INTO audit (at, staff, name, does, about, outcome)
       SELECT value, 'kim', 'Kim', 'opened a submission', 'about ' || value, 'done' FROM ${numbered(many)}`,
  );
  let lines = 0;
  await inShortTurns('a file of the audit log', async () => {
    lines = 0;
    for await (const part of log.parts({ limit: 50_000 })) lines += part.length;
  });
  assert.equal(lines, 50_000);
});
