import assert from 'node:assert/strict';
import { after, before, suite, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { openDatabase } from '../../../src/store/drivers/postgres/database.ts';
import { postgresDialect } from '../../../src/store/drivers/postgres/dialect.ts';
import { eventTables } from '../../../src/store/event-tables.ts';
import { postgres, type TestDatabase } from '../../kit/postgres.ts';
import { claimOne, countsOf, openNode, routes, withdrawal } from '../contract/event-fixture.ts';
import { day, secret } from '../contract/test-store.ts';
import { guard } from './guard.ts';

const layout = eventTables(postgresDialect);
let database: TestDatabase;

/** A process, and how it is ended before the test. */
async function open(t: TestContext, clock: Clock = { now: () => 1 }) {
  const sql = await openDatabase({ url: database.url, layout, poolSize: 4, deadlineMs: 10_000 });
  const node = await openNode({ sql, clock, secrets: [secret], routes });
  let isClosed = false;
  async function end(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    await node.close();
    await sql.close();
  }
  t.after(end);
  return { ...node, end };
}

suite('The store of events for any number of processes', { skip: postgres.skip, concurrency: false }, () => {
  before(async () => {
    database = await postgres.database();
  });
  after(() => database?.end());

  async function openTwo(t: TestContext) {
    const first = await open(t);
    await database.emptied();
    await first.end();
    return [await open(t), await open(t)] as const;
  }

  async function other(t: TestContext): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    t.after(() => client.end());
    return client;
  }

  test('What a transaction commits late is not skipped by a reader that has read on', async (t) => {
    const [node] = await openTwo(t);
    const late = await other(t);
    await late.query('BEGIN');
    await late.query(
      `INSERT INTO event (id, center, reference, at, payload) VALUES ('late', 'center', 'late', 1, '')`,
    );
    const { reference, ...said } = withdrawal();
    await node.write(said);
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
    await (await openTwo(t))[0].end();
    const sql = await openDatabase({ url: database.url, layout, poolSize: 4, deadlineMs: 10_000 });
    t.after(() => sql.close());
    const counted = { now: 0, most: 0 };
    const transaction: typeof sql.transaction = async (work) => {
      counted.now += 1;
      counted.most = Math.max(counted.most, counted.now);
      return sql.transaction(work).finally(() => {
        counted.now -= 1;
      });
    };
    const node = await openNode({
      sql: { ...sql, transaction },
      clock: { now: () => 1 },
      secrets: [secret],
      routes,
    });
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
    assert.ok(last < 5_000, 'what was not asked for waits');
  });

  test('Events that are over go although a center is held by another process', async (t) => {
    await (await openTwo(t))[0].end();
    const sql = await openDatabase({ url: database.url, layout, poolSize: 4, deadlineMs: 1_000 });
    t.after(() => sql.close());
    const node = await openNode({ sql, clock: { now: () => 40 * day }, secrets: [secret], routes });
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

  test('An event that comes while the one before it is said to be sent stays in the queue', async (t) => {
    const [node, sender] = await openTwo(t);
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

  test('One queue at a time is claimed of many, whatever PostgreSQL believes of their number', async (t) => {
    const [node] = await openTwo(t);
    for (let person = 0; person < 10; person += 1) {
      await node.write(withdrawal({ subject: `person-${person}@example.org` as SubjectId }));
      if (person === 0) await database.query('ANALYZE event_queue');
    }
    const taken = new Set<string>();
    for (let owner = 0; owner < 10; owner += 1) taken.add((await claimOne(node, 10_000 + owner)).person);
    assert.equal(taken.size, 10);
  });

  test('Two processes that write, two that read and two that send meet no fault, skip nothing and repeat nothing', async (t) => {
    const nodes = await openTwo(t);
    const written: string[] = [];
    let isWritten = false;
    const write = async (index: number) => {
      for (let times = 0; times < 40; times += 1) {
        const group = [0, 1, 2].map((each) =>
          withdrawal({
            subject: `p${index}-${(times + each) % 7}@example.org` as SubjectId,
            off: [`p${times}`],
          }),
        );
        await nodes[index % 2]?.write(...group);
        written.push(...group.map(({ reference }) => `${reference}-0`));
      }
    };
    const read = async (index: 0 | 1) => {
      const seen: string[] = [];
      for (let after = 0; ; ) {
        const isLast = isWritten;
        const page = await nodes[index].events.page('center', { after, limit: 5 });
        for (const { position, event } of page.events) {
          assert.equal(position, after + 1);
          after = position;
          seen.push(event?.id ?? '');
        }
        if (page.events.length > 0) continue;
        if (isLast) return seen;
        await pause(5);
      }
    };
    const sent: string[] = [];
    const send = async (index: 0 | 1) => {
      for (let now = 10_000; ; now += 1) {
        const isLast = isWritten;
        const owner = `${index}-${now}`;
        const queued = await nodes[index].events.claim('crm', { owner, now, until: 9e15 });
        if (queued === undefined && isLast) return;
        if (queued?.event === undefined) {
          await pause(5);
          continue;
        }
        await nodes[index].events.sent(queued, now);
        sent.push(queued.event.id);
      }
    };
    const others = Promise.all([read(0), read(1), send(0), send(1)]);
    await Promise.all([0, 1, 2, 3].map(write));
    isWritten = true;
    const [one, two] = await others;
    await send(0);
    assert.deepEqual(one, two);
    assert.deepEqual(one.toSorted(), written.toSorted());
    assert.deepEqual(sent.toSorted(), written.toSorted());
    assert.equal((await countsOf(nodes[0])).waiting, 0);
  });
});

const rows = process.env['SAYSO_LONG'] === '1' ? 1_000_000 : 30_000;
const now = Math.floor(Date.now() / day) * day;
const old = now - 40 * day;

/** Half of them is over; none has a position, and all wait for a receiver. */
const piledUp = `
  INSERT INTO event (id, center, position, reference, at, person, receivers, payload)
  SELECT 'e' || n, 'center', NULL, 'r' || n, CASE WHEN n % 2 = 0 THEN ${old} ELSE ${now} END + n / 100, md5(n::text),
    '"crm"', 'unreadable'
  FROM generate_series(1, ${rows}) AS n;
  INSERT INTO event_queue (receiver, person, state, due_at, since, sent_up_to, waiting)
  SELECT 'crm', md5(n::text), 'due', ${now} + 9000000, ${old}, n - 1, 1 FROM generate_series(1, ${rows}) AS n`;

suite(`A database in which ${rows} events have piled up`, { skip: postgres.skip, concurrency: false }, () => {
  before(async () => {
    database = await postgres.database();
    const sql = await openDatabase({ url: database.url, layout, poolSize: 1, deadlineMs: 5_000 });
    await sql.close();
    for (const each of [piledUp, guard, 'ANALYZE']) await database.query(each);
  });
  after(() => database?.end());

  const clock = { now: () => now };

  /** Rows of events that all statements of `act` have read, once its connections are closed. */
  async function readBy(t: TestContext, act: (node: Awaited<ReturnType<typeof open>>) => Promise<void>) {
    const read = async () => {
      // The connection of the test stays, and would tell what it has read a second later.
      await database.query('SELECT pg_stat_force_next_flush()');
      const [row] = await database.query(
        `SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS count
         FROM pg_stat_user_tables WHERE relname = 'event'`,
      );
      return Number(row?.['count']);
    };
    const earlier = await read();
    const node = await open(t, clock);
    await act(node);
    await node.end();
    return (await read()) - earlier;
  }

  test('A group of clicks is written, and reads no event that was there', async (t) => {
    const people = Array.from({ length: 50 }, (_, index) => `new${index}@example.org` as SubjectId);
    const clicks = people.map((subject) => withdrawal({ subject, center: 'pulled', at: now }));
    const read = await readBy(t, (node) => node.write(...clicks));
    assert.ok(read < 200, `${read} rows`);
  });

  test('The feed answers with what has a position, and goes on with the next page', async (t) => {
    const read = await readBy(t, async ({ events }) => {
      const seen = new Set<number>();
      let isFirst = true;
      while (seen.size < rows) {
        const page = await events.page('center', { after: seen.size, limit: 1_000 });
        if (isFirst) assert.ok(page.events.length > 0 && page.last < rows, `${page.last} at first`);
        isFirst = false;
        for (const { position } of page.events) {
          assert.equal(position, seen.size + 1);
          seen.add(position);
        }
      }
      const { last } = await events.page('center', { after: rows, limit: 1 });
      assert.equal(last, rows);
    });
    assert.ok(read <= 6 * rows, `each is read ${read / rows} times`);
  });

  test('What a receiver waits for is made due, held and sent again', async (t) => {
    const { events } = await open(t, clock);
    await events.makeDue('crm', { now, spread: 1_000 });
    assert.deepEqual(await events.dueOf(['crm'], now + 2_000), ['crm']);
    await events.hold('crm', now);
    assert.equal((await events.queuesOf(['crm'], rows + 1))[0]?.held, rows);
    await events.sendAgain('crm', now);
    const [counts] = await events.queuesOf(['crm'], rows + 1);
    assert.deepEqual([counts?.held, counts?.waiting], [0, rows]);
  });

  test('Retention ends, and leaves what is not over with its queues', async (t) => {
    const node = await open(t, clock);
    while ((await node.events.sweep()) > 0);
    const page = await node.events.page('center', { after: 0, limit: 1 });
    assert.ok(page.goneUpTo > 0 && page.last === rows);
    const left = await database.query(
      `SELECT (SELECT count(*) FROM event WHERE center = 'center') AS events, (SELECT count(*) FROM event_queue) AS queues`,
    );
    assert.deepEqual(left, [{ events: `${rows / 2}`, queues: `${rows / 2}` }]);
  });
});
