import assert from 'node:assert/strict';
import { after, before, suite, type TestContext, test } from 'node:test';
import { openDatabase } from '../../../src/store/drivers/postgres/database.ts';
import { openEvents } from '../../../src/store/postgres/events.ts';
import { openJournal } from '../../../src/store/postgres/journal.ts';
import { postgresLayout } from '../../../src/store/postgres/stores.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { anna, aRequest, leaveAll } from '../../delivery/fixture.ts';
import { postgres, type TestDatabase } from '../../kit/postgres.ts';
import { secret, submissionMade } from '../contract/journal-fixture.ts';

const rows = process.env['SAYSO_LONG'] === '1' ? 1_000_000 : 9_000;
/** More than any statement may change. */
const mostChanged = 2_000;
const dayMs = 86_400_000;
const now = Math.floor(Date.now() / dayMs) * dayMs;
const old = now - 40 * dayMs;

/** A statement that changes more is refused, so that no test depends on how fast the machine is. */
const guard = `
  CREATE FUNCTION too_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM (SELECT 1 FROM touched LIMIT ${mostChanged + 1}) AS part) > ${mostChanged} THEN
      RAISE 'one statement changes more than ${mostChanged} rows of %', TG_TABLE_NAME;
    END IF;
    RETURN NULL;
  END $$;
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
      EXECUTE format('CREATE TRIGGER not_too_many_updated AFTER UPDATE ON %I REFERENCING OLD TABLE AS touched
        FOR EACH STATEMENT EXECUTE FUNCTION too_many()', name);
      EXECUTE format('CREATE TRIGGER not_too_many_deleted AFTER DELETE ON %I REFERENCING OLD TABLE AS touched
        FOR EACH STATEMENT EXECUTE FUNCTION too_many()', name);
    END LOOP;
  END $$`;

/** A trigger for each row of so long a statement would take hours: counters are filled at once. */
const untriggered = 'SET session_replication_role = replica;';
/** A third of each: pending since long ago, done and with its work, done and only evidence. */
const submissions = `${untriggered}
  INSERT INTO submission (reference, nonce, digest, center, subject, channel, state, everything, withdraws, gpc, bounded,
    submitted_at, due_at, done_at, passable, payload, evidence, undoes)
  SELECT 'r' || n, 'n' || n, 'd', 'center', md5((n / 2)::text), 'one-click',
    CASE n % 3 WHEN 0 THEN 'pending' ELSE 'done' END, n % 2 = 0, true, false, true,
    ${old} + n / 100, CASE n % 3 WHEN 0 THEN ${now} + 9000000 + n ELSE ${old} END,
    CASE n % 3 WHEN 0 THEN NULL ELSE ${old} + n / 100 END, false,
    CASE n % 3 WHEN 2 THEN NULL ELSE 'unreadable' END, NULL, NULL
  FROM generate_series(1, ${rows}) AS n;
  INSERT INTO journal_person (subject, touched_at)
  SELECT subject, min(submitted_at) FROM submission GROUP BY subject;
  INSERT INTO submission_count SELECT state, 0, count(*) FROM submission GROUP BY state;
  INSERT INTO submission_day
  SELECT submitted_at - submitted_at % ${dayMs}, 0, count(*), count(*) FILTER (WHERE everything) FROM submission GROUP BY 1`;
const events = `
  INSERT INTO event (id, center, position, reference, at, payload)
  SELECT 'e' || n, 'center', NULL, 'r' || n, CASE WHEN n % 2 = 0 THEN ${old} ELSE ${now} END + n / 100, 'unreadable'
  FROM generate_series(1, ${rows}) AS n;
  INSERT INTO event_queue (receiver, person, state, due_at, since)
  SELECT 'crm', md5(n::text), 'due', ${now} + 9000000, ${old} FROM generate_series(1, ${rows}) AS n;
  INSERT INTO event_delivery (receiver, person, sequence)
  SELECT 'crm', md5(n::text), sequence FROM generate_series(1, ${rows}) AS n JOIN event ON id = 'e' || n`;
const reasons = `${untriggered}
  INSERT INTO reason (sequence, center, day, id, text)
  SELECT n, CASE n % 1000 WHEN 0 THEN 'seldom' ELSE 'center' END, ${old - (old % dayMs)} + (n::bigint * 40 / ${rows}) * ${dayMs},
    CASE n % 4 WHEN 0 THEN NULL ELSE 'id' || n % 4 END, 'text ' || n
  FROM generate_series(1, ${rows}) AS n;
  INSERT INTO reason_count SELECT day, center, coalesce(id, ''), 0, count(*), max(sequence) FROM reason GROUP BY 1, 2, 3`;

suite(`A database in which ${rows} rows have piled up`, { skip: postgres.skip, concurrency: false }, () => {
  let database: TestDatabase;
  before(async () => {
    database = await postgres.database();
    const connected = await openDatabase({
      url: database.url,
      layout: postgresLayout,
      poolSize: 1,
      deadlineMs: 5_000,
    });
    await connected.close();
    for (const sql of [submissions, events, reasons, guard, 'ANALYZE']) await database.query(sql);
  });
  after(() => database?.end());

  async function open(t: TestContext) {
    const seal = createSeal([secret]);
    const connected = await openDatabase({
      url: database.url,
      layout: postgresLayout,
      poolSize: 4,
      deadlineMs: 10_000,
    });
    const routes = () => ({ receivers: [{ id: 'crm', types: ['withdrawal.accepted' as const] }] });
    const journal = await openJournal({ database: connected, seal, random: { id: () => 'node' }, routes });
    const opened = await openEvents({ database: { ...connected, clock: { now: () => now } }, seal });
    let isClosed = false;
    const close = async () => {
      if (isClosed) return;
      isClosed = true;
      await opened.close();
      await journal.close();
      await connected.close();
    };
    t.after(close);
    return { journal, events: opened, close };
  }

  /** Rows that all statements of `act` have read from a table, once its connections are closed. */
  async function readBy(
    t: TestContext,
    table: string,
    act: (node: Awaited<ReturnType<typeof open>>) => Promise<void>,
  ) {
    const read = async () => {
      const [row] = await database.query(
        `SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS count
         FROM pg_stat_user_tables WHERE relname = '${table}'`,
      );
      return Number(row?.['count']);
    };
    const earlier = await read();
    const node = await open(t);
    await act(node);
    await node.close();
    return (await read()) - earlier;
  }

  test('a start, a submission and a lease change some rows only', async (t) => {
    const { journal } = await open(t);
    await journal.resume({ now: now - 90 * dayMs, lease: 1_000 });
    await journal.resume({ now, lease: 20_000 });
    await journal.makeDue({ now: now - 90 * dayMs, spread: 1_000, limit: 5_000 });
    const request = aRequest({ intent: leaveAll, subject: anna });
    const { entry } = await journal.record(request, submissionMade(request, now));
    assert.ok((await journal.claim({ owner: 'me', now, until: now + 1_000 })) !== undefined);
    assert.equal(entry.state, 'pending');
  });

  test('a start reads no row of those who wait', async (t) => {
    const read = await readBy(t, 'submission', ({ journal }) => journal.resume({ now, lease: 20_000 }));
    assert.ok(read < 100, `${read} rows`);
  });

  test('the feed answers with what has a position, and goes on in the background', async (t) => {
    const read = await readBy(t, 'event', async ({ events }) => {
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

  test('what a receiver waits for is made due, held and sent again', async (t) => {
    const { events } = await open(t);
    await events.makeDue('crm', { now, spread: 1_000 });
    assert.deepEqual(await events.dueOf(['crm'], now + 2_000), ['crm']);
    await events.hold('crm', now);
    assert.equal((await events.queuesOf(['crm'], rows + 1))[0]?.held, rows);
    await events.sendAgain('crm', now);
    assert.equal((await events.queuesOf(['crm'], rows + 1))[0]?.held, 0);
  });

  test('retention ends, of events, submissions and people', async (t) => {
    const { events, journal } = await open(t);
    while ((await events.sweep()) > 0);
    const page = await events.page('center', { after: 0, limit: 1 });
    assert.ok(page.goneUpTo > 0 && page.last === rows);
    assert.equal(
      (await database.query(`SELECT count(*) FROM event WHERE at < ${old + dayMs}`))[0]?.['count'],
      '0',
    );
    const over = { now, workBefore: now - 30 * dayMs, evidenceBefore: now - 35 * dayMs, reasonsBefore: 0 };
    while ((await journal.sweep(over)) > 0);
    const counts = (await journal.counts()).map(({ state, count }) => `${state} ${count}`);
    assert.equal(counts.length, 1, counts.join());
    const stays = await database.query(
      `SELECT count(*) FROM journal_person p WHERE touched_at < ${now - dayMs} AND NOT EXISTS (
         SELECT 1 FROM submission s WHERE s.subject = p.subject AND s.state = 'pending')`,
    );
    assert.equal(stays[0]?.['count'], '0');
  });

  test('a sweep looks once at each person whose submission is pending', async (t) => {
    const people = Number((await database.query('SELECT count(*) FROM journal_person'))[0]?.['count']);
    const read = await readBy(t, 'journal_person', async ({ journal }) => {
      const over = { now, workBefore: 0, evidenceBefore: 0, reasonsBefore: 0 };
      while ((await journal.sweep(over)) > 0);
    });
    assert.ok(read <= 3 * people, `${read} rows of ${people} people`);
  });

  test('reasons: their page reads counters and some rows, their counts stay true, their export reads each once', async (t) => {
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
});
