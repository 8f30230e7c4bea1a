import assert from 'node:assert/strict';
import { before, beforeEach, suite, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '../../../src/store/drivers/postgres/database.ts';
import { postgresDialect } from '../../../src/store/drivers/postgres/dialect.ts';
import { eventTables } from '../../../src/store/event-tables.ts';
import type { Sql } from '../../../src/store/sql.ts';
import { databaseOf, postgres } from '../../kit/postgres.ts';
import { claimOne, countsOf, grant, openNode, routes, withdrawal } from '../contract/event-fixture.ts';
import { anna, day, peopleOf, seal } from '../contract/test-store.ts';
import { noted } from '../noted.ts';

const layout = eventTables(postgresDialect);

suite('The store of events for any number of processes', { skip: postgres.skip, concurrency: false }, () => {
  const database = databaseOf();
  const opened = (deadlineMs = 10_000) =>
    openDatabase({ url: database.url, layout, poolSize: 4, deadlineMs });
  before(async () => (await opened()).close());
  beforeEach(() => database.emptied());

  /** Opens a process; `given`: its database. */
  async function open(
    t: TestContext,
    { now = 1, given = opened() }: { readonly now?: number; readonly given?: Promise<Sql> } = {},
  ) {
    const sql = await given;
    t.after(() => sql.close());
    return openNode({ sql: { ...sql, clock: { now: () => now } }, seal, routes });
  }

  async function other(t: TestContext): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    t.after(() => client.end());
    return client;
  }

  test('An event that a transaction commits late is not skipped by a reader that has read on', async (t) => {
    const node = await open(t);
    const late = await other(t);
    await late.query('BEGIN');
    await late.query(
      `INSERT INTO event (id, center, reference, at, payload) VALUES ('late', 'center', 'late', 1, '')`,
    );
    const { reference, ...item } = withdrawal();
    await node.write(item);
    const before = await node.events.page('center', { after: 0, limit: 9 });
    assert.deepEqual(
      before.events.map(({ position, event }) => [position, event?.id]),
      [[1, `${reference}-0`]],
    );
    await late.query('COMMIT');
    const next = await node.events.page('center', { after: 1, limit: 9 });
    assert.deepEqual(
      next.events.map(({ position, event }) => [position, event?.id]),
      [[2, undefined]],
    );
  });

  test('Readers of one feed that ask at once wait for a center with one connection', async (t) => {
    const sql = await opened();
    const counted = { now: 0, most: 0 };
    const transaction: typeof sql.transaction = async (work) => {
      counted.now += 1;
      counted.most = Math.max(counted.most, counted.now);
      return sql.transaction(work).finally(() => {
        counted.now -= 1;
      });
    };
    const node = await open(t, { given: Promise.resolve({ ...sql, transaction }) });
    await database.query(
      `INSERT INTO event (id, center, reference, at, payload)
       SELECT 'id' || n, 'center', 'reference', 1, '' FROM generate_series(1, 5000) AS n`,
    );
    const read = () => node.events.page('center', { after: 0, limit: 9 });
    const pages = await Promise.all(Array.from({ length: 20 }, read));
    for (const { events } of pages)
      assert.deepEqual(
        events.map(({ position }) => position),
        [1, 2, 3, 4, 5, 6, 7, 8, 9],
      );
    assert.equal(counted.most, 1);
    const { last } = await read();
    assert.ok(last < 5_000, 'events beyond the page wait for their positions');
  });

  test('Expired events are deleted although another process holds a center', async (t) => {
    const node = await open(t, { now: 40 * day, given: opened(1_000) });
    await database.query(
      `INSERT INTO event (id, center, position, reference, at, payload)
       VALUES ('over', 'other', 1, 'over', 1, ''), ('new', 'center', NULL, 'new', ${40 * day}, '')`,
    );
    const holder = await other(t);
    await holder.query(`BEGIN; INSERT INTO event_center (center, last) VALUES ('center', 0)`);
    assert.equal(await node.events.sweep(), 1);
    await holder.query('ROLLBACK');
    assert.deepEqual(await database.query('SELECT id FROM event'), [{ id: 'new' }]);
  });

  test('An event that comes while the previous one is being marked as sent stays in the queue', async (t) => {
    const [node, sender] = [await open(t), await open(t)];
    await node.write(withdrawal({ off: ['a'] }));
    const sending = await claimOne(sender);
    const writing = await other(t);
    const [queue] = await database.query('SELECT receiver, person FROM event_queue');
    await writing.query('BEGIN');
    await writing.query(
      `INSERT INTO event (id, center, reference, at, person, receivers, payload)
       VALUES ('second', 'center', 'second', 1, $1, '"crm"', '')`,
      [queue?.['person']],
    );
    await writing.query('UPDATE event_queue SET waiting = waiting + 1');
    const sent = sender.events.sent(sending, 20_000);
    await pause(100);
    await writing.query('COMMIT');
    await sent;
    assert.equal((await countsOf(node)).waiting, 1);
    assert.equal((await claimOne(node, 20_001)).sequence, sending.sequence + 1);
  });

  test('A group of clicks, a word and a question for many people take one statement each', async (t) => {
    const { sql, count } = noted(await opened());
    const node = await open(t, { given: Promise.resolve(sql) });
    const countOf = async (act: () => Promise<unknown>) => {
      const earlier = count();
      await act();
      return count() - earlier;
    };
    await node.write(grant({ on: 'a' }));
    const words = await database.query('SELECT 1 FROM last_word');
    assert.deepEqual(words, [], 'a grant is written only over an earlier word');
    const people = peopleOf(1_000);
    const clicks = (center: string) => people.slice(0, 50).map((subject) => withdrawal({ subject, center }));
    const counts = {
      click: await countOf(() => node.write(withdrawal())),
      clicks: await countOf(() => node.write(...clicks('center'))),
      pulled: await countOf(() => node.write(...clicks('pulled'))),
      words: await countOf(() => node.write(...clicks('silent'))),
      nothing: await countOf(() => node.write({ subject: anna, news: [] })),
      mayUse: await countOf(() => node.events.mayUse('center', 'a', people)),
    };
    assert.deepEqual(counts, { click: 1, clicks: 1, pulled: 1, words: 1, nothing: 0, mayUse: 1 });
  });
});
