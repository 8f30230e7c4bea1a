import assert from 'node:assert/strict';
import { before, suite, type TestContext, test } from 'node:test';
import { openDatabase } from '../../../src/store/drivers/postgres/database.ts';
import { postgresLayout } from '../../../src/store/layouts.ts';
import { anna, aRequest, leaveAll } from '../../delivery/fixture.ts';
import { databaseOf, postgres } from '../../kit/postgres.ts';
import { until } from '../../kit/until.ts';
import { openNode, routes, withdrawal } from '../contract/event-fixture.ts';
import { aPeopleStore, put } from '../contract/people-fixture.ts';
import { peopleOf, seal } from '../contract/test-store.ts';
import { guard } from './guard.ts';

const rows = process.env['SAYSO_LONG'] === '1' ? 1_000_000 : 9_000;
/** The most rows that one statement deletes or reduces if a row may hold a megabyte. */
const mostLong = 100;
const dayMs = 86_400_000;
const now = Math.floor(Date.now() / dayMs) * dayMs;
const old = now - 40 * dayMs;

/** Triggers for each row would take hours here, so counters are filled by one statement. */
const untriggered = 'SET session_replication_role = replica;';
/** Submissions, a third each: pending for long, done with the request, done with evidence alone. */
const submissions = `${untriggered}
  INSERT INTO submission (reference, nonce, digest, center, subject, channel, state, everything, withdraws, gpc,
    submitted_at, done_at, receipts, request, asked_leaf)
  SELECT 'r' || n, 'n' || n, 'd', 'center', md5((n / 2)::text), 'one-click',
    CASE n % 3 WHEN 0 THEN 'pending' ELSE 'done' END, (n + 1) % 2, 1, 0, ${old} + n / 100,
    CASE n % 3 WHEN 0 THEN NULL ELSE ${old} + n / 100 END, '[]', CASE n % 3 WHEN 2 THEN NULL ELSE 'unreadable' END, ''
  FROM generate_series(1, ${rows}) AS n;
  INSERT INTO person (subject, version, document, due_at, withdraws, lease_until, touched_at)
  SELECT subject, 1, 'unreadable', CASE WHEN bool_or(state = 'pending') THEN ${now} + 9000000 + min(sequence) END, 1, 0,
    min(submitted_at) FROM submission GROUP BY subject;
  INSERT INTO submission_count SELECT state, 0, count(*) FROM submission GROUP BY state;
  INSERT INTO submission_day
  SELECT submitted_at - submitted_at % ${dayMs}, 0, count(*), sum(everything) FROM submission GROUP BY 1`;
/** Events, half of them over; none has a position, and all wait for a receiver. */
const events = `
  INSERT INTO event (id, center, position, reference, at, person, receivers, payload)
  SELECT 'e' || n, 'center', NULL, 'r' || n, CASE WHEN n % 2 = 0 THEN ${old} ELSE ${now} END + n / 100, md5(n::text),
    '"crm"', 'unreadable'
  FROM generate_series(1, ${rows}) AS n;
  INSERT INTO event_queue (receiver, person, state, due_at, since, sent_up_to, waiting)
  SELECT 'crm', md5(n::text), 'due', ${now} + 9000000, ${old}, n - 1, 1 FROM generate_series(1, ${rows}) AS n`;
const reasons = `${untriggered}
  INSERT INTO reason (sequence, center, day, id, text)
  SELECT n, CASE n % 1000 WHEN 0 THEN 'seldom' ELSE 'center' END, ${old - (old % dayMs)} + (n::bigint * 40 / ${rows}) * ${dayMs},
    CASE n % 4 WHEN 0 THEN NULL ELSE 'id' || n % 4 END, 'text ' || n
  FROM generate_series(1, ${rows}) AS n;
  INSERT INTO reason_count SELECT day, center, coalesce(id, ''), 0, count(*), max(sequence) FROM reason GROUP BY 1, 2, 3`;

const connections = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'sayso%'`;

suite(`A database in which ${rows} submissions, reasons and events have piled up`, {
  skip: postgres.skip,
  concurrency: false,
}, () => {
  const database = databaseOf();
  before(async () => {
    const connected = await openDatabase({
      url: database.url,
      layout: postgresLayout,
      poolSize: 1,
      deadlineMs: 5_000,
    });
    await connected.close();
    for (const sql of [submissions, reasons, events, guard, 'ANALYZE']) await database.query(sql);
  });

  async function open(t: TestContext) {
    const sql = await openDatabase({
      url: database.url,
      layout: postgresLayout,
      poolSize: 4,
      deadlineMs: 10_000,
    });
    const given = { sql: { ...sql, clock: { now: () => now } }, seal };
    const journal = aPeopleStore(given);
    const node = await openNode({ ...given, routes });
    let isClosed = false;
    const end = async () => {
      if (isClosed) return;
      isClosed = true;
      await journal.close();
      await sql.close();
    };
    t.after(end);
    return { journal, node, end };
  }

  /** Rows that all statements of `act` have read from a table, once its connections are closed. */
  async function readBy(
    t: TestContext,
    table: string,
    act: (node: Awaited<ReturnType<typeof open>>) => Promise<void>,
  ) {
    const read = async () => {
      // A connection reports its reads at its end at the latest.
      await until(async () => (await database.query(connections)).length === 0);
      // The test's own connection stays, and reports a second later, or when asked.
      await database.query('SELECT pg_stat_force_next_flush()');
      const [row] = await database.query(
        `SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS count
         FROM pg_stat_user_tables WHERE relname = '${table}'`,
      );
      return Number(row?.['count']);
    };
    const earlier = await read();
    const node = await open(t);
    await act(node);
    await node.end();
    return (await read()) - earlier;
  }

  test('A start, a submission and a lease change some rows only', async (t) => {
    const { journal } = await open(t);
    await journal.resume({ now: now - 90 * dayMs, lease: 1_000, latest: 1_000 });
    await journal.makeDue({ now: now - 91 * dayMs, spread: 1_000, limit: 5_000 });
    await journal.resume({ now, lease: 20_000, latest: dayMs });
    await put(journal, aRequest({ intent: leaveAll, subject: anna }), { now: now - 99 * dayMs });
    const claimed = await journal.claim({ owner: 'me', now, until: now + 1_000 });
    assert.equal(claimed?.person?.subject, anna);
  });

  test('A start reads few rows of people who wait', async (t) => {
    const read = await readBy(t, 'person', ({ journal }) =>
      journal.resume({ now, lease: 20_000, latest: dayMs }),
    );
    assert.ok(read < 100, `${read} rows`);
  });

  test('Retention deletes submissions and people to the end, and leaves people who wait', async (t) => {
    const { journal } = await open(t);
    const over = { now, workBefore: now - 30 * dayMs, evidenceBefore: now - 35 * dayMs, reasonsBefore: 0 };
    for (let swept = 1; swept > 0; ) {
      swept = await journal.sweep(over);
      assert.ok(swept <= 4 * mostLong, `${swept} rows`);
    }
    const counts = (await journal.counts()).map(({ state, count }) => `${state} ${count}`);
    assert.deepEqual(counts, [`pending ${rows / 3 + 1}`]);
    const left = await database.query(
      `SELECT count(*) FILTER (WHERE due_at IS NULL) AS resting,
         count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM submission s WHERE s.subject = p.subject)) AS without
       FROM person p`,
    );
    assert.deepEqual(left, [{ resting: '0', without: '0' }]);
  });

  test('A sweep reads no person who waits', async (t) => {
    const read = await readBy(t, 'person', async ({ journal }) => {
      const over = { now, workBefore: now - 30 * dayMs, evidenceBefore: 0, reasonsBefore: 0 };
      while ((await journal.sweep(over)) > 0);
    });
    assert.ok(read < 100, `${read} rows`);
  });

  test('The page of reasons reads counters and some rows, counts stay true, and the export reads each row once', async (t) => {
    const filter = { from: now - 30 * dayMs };
    const read = await readBy(t, 'reason', async ({ journal }) => {
      const counts = await journal.topReasons({ ...filter, limit: 100 });
      const words = await journal.ownWords(filter, { centers: ['center', 'seldom'], limit: 100 });
      assert.deepEqual([counts.length > 3, words.length], [true, 100]);
      await journal.topReasons({ center: 'seldom', limit: 100 });
    });
    assert.ok(read <= 300, `the page reads ${read} rows`);
    const exported = await readBy(t, 'reason', async ({ journal }) => {
      let after: number | undefined;
      let found = 0;
      do {
        const part = await journal.reasons({ center: 'seldom' }, { after, limit: 500 });
        found += part.reasons.length;
        after = part.next;
      } while (after !== undefined);
      assert.equal(found, rows / 1_000);
    });
    assert.ok(exported <= rows + 500, `the export reads ${exported} rows`);
    const { journal } = await open(t);
    while (
      (await journal.sweep({ now: 0, workBefore: 0, evidenceBefore: 0, reasonsBefore: now - 10 * dayMs })) > 0
    );
    const counted = (await journal.topReasons({ limit: 100 })).reduce((all, { count }) => all + count, 0);
    const [kept] = await database.query('SELECT count(*) FROM reason');
    assert.equal(counted, Number(kept?.['count']));
    assert.ok(counted > 0 && counted < rows / 2);
  });

  test('A group of clicks is written, and reads no earlier event', async (t) => {
    const clicks = peopleOf(50).map((subject) => withdrawal({ subject, center: 'pulled', at: now }));
    const read = await readBy(t, 'event', ({ node }) => node.write(...clicks));
    assert.ok(read < 200, `${read} rows`);
  });

  test('The feed answers with events that have a position, and goes on with the next page', async (t) => {
    const read = await readBy(t, 'event', async ({ node }) => {
      let seen = 0;
      while (seen < rows) {
        const page = await node.events.page('center', { after: seen, limit: 1_000 });
        if (seen === 0) assert.ok(page.events.length > 0 && page.last < rows, `${page.last} at first`);
        for (const { position } of page.events) assert.equal(position, ++seen);
      }
      const { last } = await node.events.page('center', { after: rows, limit: 1 });
      assert.equal(last, rows);
    });
    assert.ok(read <= 6 * rows, `each is read ${read / rows} times`);
  });

  test('Events of a receiver are made due, held and sent again, and retention leaves those that are not over', async (t) => {
    const { events } = (await open(t)).node;
    await events.makeDue('crm', { now, spread: 1_000 });
    assert.deepEqual(await events.dueOf(['crm'], now + 2_000), ['crm']);
    await events.hold('crm', now);
    assert.equal((await events.queuesOf(['crm'], rows + 1))[0]?.held, rows);
    await events.sendAgain('crm', now);
    const [counts] = await events.queuesOf(['crm'], rows + 1);
    assert.deepEqual([counts?.held, counts?.waiting], [0, rows]);
    while ((await events.sweep()) > 0);
    const page = await events.page('center', { after: 0, limit: 1 });
    assert.ok(page.goneUpTo > 0 && page.last === rows);
    const left = await database.query(
      `SELECT (SELECT count(*) FROM event WHERE center = 'center') AS events, (SELECT count(*) FROM event_queue) AS queues`,
    );
    assert.deepEqual(left, [{ events: `${rows / 2}`, queues: `${rows / 2}` }]);
  });
});
