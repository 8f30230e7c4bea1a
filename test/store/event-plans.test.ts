import assert from 'node:assert/strict';
import { after, before, suite, type TestContext, test } from 'node:test';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { openDatabase } from '../../src/store/drivers/postgres/database.ts';
import { postgresDialect } from '../../src/store/drivers/postgres/dialect.ts';
import { sqliteDialect } from '../../src/store/drivers/sqlite/dialect.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { eventTables } from '../../src/store/event-tables.ts';
import { erasureStatements } from '../../src/store/person-erasure.ts';
import { reading, type Sql, type Statement } from '../../src/store/sql.ts';
import { postgres, type TestDatabase } from '../kit/postgres.ts';
import { grant, lease, openNode, routes, withdrawal } from './contract/event-fixture.ts';
import { aClock, anna, day, secret } from './contract/test-store.ts';
import { noted } from './noted.ts';
import { indexesInPostgres, planInPostgres, plansInFile } from './plan.ts';

/** Every index that is no key, and a part of the statement that walks it. */
const users: Readonly<Record<string, RegExp>> = {
  event_unplaced: /SET position = /,
  event_person: /AND sequence > (\$\d|:after)/,
  event_at: /^DELETE FROM event /,
  event_reference: /^DELETE FROM event WHERE .*RETURNING person$/,
  event_queue_next: /ORDER BY due_at LIMIT 1/,
  event_stop_at: /^DELETE FROM event_stop/,
};

/** Asks everything once; gives what was asked. */
async function askAll(sql: Sql, clock: ReturnType<typeof aClock>): Promise<readonly Statement[]> {
  const { sql: noting, asked } = noted(sql);
  const { events, write, close } = await openNode({ sql: noting, clock, secrets: [secret], routes });
  const { reference, ...said } = withdrawal({ at: clock.now() });
  await write(said, grant({ on: 'a', at: clock.now() }));
  await write(withdrawal({ at: clock.now() }));
  await events.page('center', { after: 0, limit: 9 });
  await events.stopped('center', `${reference}-0`, { name: 'CRM', at: clock.now() });
  await events.stopsOf(reference);
  await events.mayUse('center', 'a', [anna]);
  const now = clock.now();
  await events.dueOf(['crm'], now);
  const queued = await events.claim('crm', lease(now));
  assert.ok(queued);
  await events.postpone(queued, { dueAt: now, problem: 'x', isHeld: false });
  for (let left = 3; left > 0; left -= 1) {
    const next = await events.claim('crm', lease(now + left));
    if (next !== undefined) await events.sent(next, now);
  }
  await write(withdrawal({ at: now }));
  await events.makeDue('crm', { now, spread: 1 });
  await events.hold('crm', now);
  await events.sendAgain('crm', now);
  await events.stop('crm', now);
  await events.queuesOf(['crm'], 100);
  await noting.all(erasureStatements(sql.dialect).eraseEvents, { references: [] });
  clock.at += 31 * day;
  while ((await events.sweep()) > 0);
  await close();
  return [...asked.values()];
}

test('In a file each statement of the store of events finds its rows by a key or an index, and each index serves one', async (t) => {
  const clock = aClock();
  const sql = openSqlite({ file: ':memory:', layout: eventTables(sqliteDialect), clock });
  t.after(() => sql.close());
  const asked = await askAll(sql, clock);
  const planOf = plansInFile(eventTables(sqliteDialect));
  const used = new Set<string>();
  for (const { sql: text } of asked) {
    const plan = planOf(text);
    // Centers, receivers and person keys are few.
    const scans = plan.filter((step) => /^SCAN (\w\b|event\b|event_queue|event_stop|last_word)/.test(step));
    // What stops after some rows, in the order of an index, looks at those alone.
    const isBounded =
      /ORDER BY \w+(, \w+)* LIMIT|min\(/.test(text) && scans.every((step) => /INDEX/.test(step));
    assert.ok(scans.length === 0 || isBounded, `${text}\n${plan.join('\n')}`);
    for (const [index, user] of Object.entries(users))
      if (user.test(text) && plan.some((step) => step.includes(index))) used.add(index);
  }
  assert.deepEqual([...used].toSorted(), Object.keys(users).toSorted());
});

/** As after a month of many clicks: of a hundred events one has no position yet, of two people one is waited for. */
const rows = 60_000;
const fill = `
  INSERT INTO event (id, center, position, reference, at, person, receivers, payload)
  SELECT 'e' || n, 'center' || n % 50, CASE WHEN n % 100 > 0 THEN n END, 'r' || n, n::bigint * 1000000,
    CASE WHEN n % 2 = 0 THEN 'p' || n END, CASE WHEN n % 2 = 0 THEN '"crm"' END, 'unreadable' FROM generate_series(1, ${rows}) AS n;
  INSERT INTO event_queue (receiver, person, state, due_at, since, sent_up_to, waiting)
  SELECT 'crm' || n % 5, 'p' || n, CASE WHEN n % 3 > 0 THEN 'due' ELSE 'held' END, n, n, n - 1, 1 FROM generate_series(1, ${rows}) AS n;
  INSERT INTO event_center SELECT 'center' || n, 0, 0 FROM generate_series(1, ${rows}) AS n WHERE n < 50;
  INSERT INTO event_stop SELECT 'r' || n, 'CRM', n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO last_word SELECT 'p' || n, 'a', 1, 0 FROM generate_series(1, ${rows}) AS n;
  ANALYZE`;

suite('Statements of the store of events in PostgreSQL', { skip: postgres.skip, concurrency: false }, () => {
  let made: TestDatabase;
  let asked: readonly Statement[];
  before(async () => {
    made = await postgres.database();
    const sql = await connect();
    asked = await askAll(sql, aClock());
    await sql.close();
    await made.emptied();
    await made.query(fill);
  });
  after(() => made?.end());

  const connect = () =>
    openDatabase({ url: made.url, layout: eventTables(postgresDialect), poolSize: 3, deadlineMs: 5_000 });

  test('Each statement finds its rows by a key or an index, and each index serves one', async () => {
    assert.deepEqual(await indexesInPostgres(made), Object.keys(users).toSorted());
    const used = new Set<string>();
    for (const statement of asked) {
      const plan = await planInPostgres(made, statement);
      assert.doesNotMatch(
        plan,
        /Seq Scan on (event|event_queue|event_stop|last_word)\b/,
        `${statement.text}\n${plan}`,
      );
      for (const [index, user] of Object.entries(users))
        if (user.test(statement.text) && plan.includes(` ${index} `)) used.add(index);
    }
    assert.deepEqual([...used].toSorted(), Object.keys(users).toSorted());
  });

  test('A group of clicks, a word and a question for many people take few statements', async (t) => {
    await made.emptied();
    const sql = await connect();
    t.after(() => sql.close());
    await assertFew(t, sql);
  });
});

test('In a file a group of clicks, a word and a question for many people take few statements', async (t) => {
  const sql = openSqlite({ file: ':memory:', layout: eventTables(sqliteDialect), clock: aClock() });
  t.after(() => sql.close());
  await assertFew(t, sql);
});

const words = reading('SELECT count(*) AS count FROM last_word');

async function assertFew(t: TestContext, real: Sql): Promise<void> {
  const { sql, count } = noted(real);
  const node = await openNode({ sql, clock: aClock(), secrets: [secret], routes });
  const countOf = async (act: () => Promise<unknown>) => {
    const earlier = count();
    await act();
    return count() - earlier;
  };
  await node.write(grant({ on: 'a' }));
  assert.equal(
    Number((await real.get(words))?.['count']),
    0,
    'a grant leaves a word only where one was there',
  );
  const people = Array.from({ length: 1_000 }, (_, index) => `p${index}@example.org` as SubjectId);
  const clicks = (center: string) => people.slice(0, 50).map((subject) => withdrawal({ subject, center }));
  const counts = {
    click: await countOf(() => node.write(withdrawal())),
    clicks: await countOf(() => node.write(...clicks('center'))),
    pulled: await countOf(() => node.write(...clicks('pulled'))),
    words: await countOf(() => node.write(...clicks('silent'))),
    nothing: await countOf(() => node.write({ subject: anna, news: [] })),
    mayUse: await countOf(() => node.events.mayUse('center', 'a', people)),
  };
  await node.close();
  t.diagnostic(
    `statements: ${Object.entries(counts)
      .map((each) => each.join(' '))
      .join(', ')}`,
  );
  assert.deepEqual(counts, { click: 1, clicks: 1, pulled: 1, words: 1, nothing: 0, mayUse: 1 });
}
