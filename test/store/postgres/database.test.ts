import assert from 'node:assert/strict';
import { before, suite, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { Problem } from '../../../src/core/model/problem.ts';
import { createDatabaseClock } from '../../../src/store/drivers/postgres/clock.ts';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
} from '../../../src/store/drivers/postgres/database.ts';
import { makeLayout } from '../../../src/store/drivers/postgres/layout.ts';
import { readTarget } from '../../../src/store/drivers/postgres/target.ts';
import { createWatch } from '../../../src/store/drivers/postgres/watch.ts';
import { postgresLayout } from '../../../src/store/layouts.ts';
import { type Queries, reading, writing } from '../../../src/store/sql.ts';
import { createGate, type Gate } from '../../kit/gate.ts';
import { databaseOf, postgres, type TestDatabase } from '../../kit/postgres.ts';
import { until } from '../../kit/until.ts';

const one = reading`SELECT 1 AS one`;
const add = writing`INSERT INTO note (id, text) VALUES (:id, :text)`;
const all = reading`SELECT text FROM note ORDER BY id`;

/** Adds a row for each number, one after the other. */
const adding =
  (...numbers: readonly number[]) =>
  async (queries: Queries): Promise<void> => {
    for (const id of numbers) await queries.run(add, { id, text: `${id}` });
  };

async function failing(asked: Promise<unknown>): Promise<{ problem: Problem; atOnce: boolean }> {
  let atOnce = true;
  // This turn ends before an answer could come over a network.
  const turn = setImmediate(() => {
    atOnce = false;
  });
  const problem = await asked.then(
    () => assert.fail('it was answered'),
    (fault: unknown) => fault,
  );
  assert.ok(problem instanceof Problem);
  assert.equal(problem.code, 'store-unavailable');
  clearImmediate(turn);
  return { problem, atOnce };
}

async function backWithin(opened: Database, ms: number): Promise<void> {
  const last = performance.now() + ms;
  for (;;) {
    try {
      await opened.get(one);
      return;
    } catch (fault) {
      if (performance.now() > last) throw fault;
      await pause(50);
    }
  }
}

suite('The connection to PostgreSQL', { skip: postgres.skip }, () => {
  const database = databaseOf();
  /** A database for tests that leave it unchanged. */
  let usual: Database;
  before(async () => {
    await database.query('CREATE TABLE note (id integer PRIMARY KEY, text text)');
    usual = await openDatabase({ url: database.url, poolSize: 4, deadlineMs: 5_000 });
    database.beforeEnd(() => usual.close());
  });

  async function ownDatabase(t: TestContext): Promise<TestDatabase> {
    const own = await postgres.database();
    t.after(() => own.end());
    return own;
  }

  async function open(t: TestContext, change: Partial<DatabaseOptions> = {}): Promise<Database> {
    const opened = await openDatabase({ url: database.url, poolSize: 4, deadlineMs: 1_000, ...change });
    t.after(() => opened.close());
    return opened;
  }

  /** A database behind a gate that can hang it, or refuse connections to it. */
  async function openBehindGate(t: TestContext): Promise<{ gate: Gate; opened: Database }> {
    const gate = await createGate(database.url);
    t.after(() => gate.close());
    return { gate, opened: await open(t, { url: gate.url }) };
  }

  test('A refused connection fails at once, and is back within five seconds of the database’s return', async (t) => {
    const { gate, opened } = await openBehindGate(t);
    await opened.get(one);
    gate.refuse();
    await failing(opened.get(one));
    assert.ok(opened.isAway());
    const others = await Promise.all(Array.from({ length: 20 }, () => failing(opened.get(one))));
    assert.ok(
      others.every(({ atOnce }) => atOnce),
      'others need not find out by themselves',
    );
    gate.pass();
    await backWithin(opened, 5_000);
  });

  test('A hung database fails after the deadline, and at once after that', async (t) => {
    const { gate, opened } = await openBehindGate(t);
    await Promise.all([opened.get(one), opened.get(one)]);
    gate.hang();
    const first = await Promise.all(Array.from({ length: 12 }, () => failing(opened.get(one))));
    assert.ok(first.every(({ atOnce }) => !atOnce));
    assert.ok((await failing(opened.get(one))).atOnce);
    gate.pass();
    await backWithin(opened, 5_000);
  });

  test('A hung database is noticed without a request', async (t) => {
    const { gate, opened } = await openBehindGate(t);
    gate.hang();
    const last = performance.now() + 5_000;
    while (!opened.isAway() && performance.now() < last) await pause(50);
    assert.ok(opened.isAway());
  });

  test('A statement that takes too long is given up, and only that', async (t) => {
    const opened = await open(t, { deadlineMs: 2_500 });
    const { problem } = await failing(opened.get(reading`SELECT pg_sleep(120)`));
    assert.match(String(problem.cause), /refuses/);
    assert.equal(opened.isAway(), false);
    await opened.get(one);
  });

  test('A pool in which all are busy says so in time, and asks no more of the server', async (t) => {
    const opened = await open(t, { poolSize: 3, deadlineMs: 3_000 });
    const busy = [0, 1].map(() => opened.get(reading`SELECT pg_sleep(1.6)`));
    const waiting = [0, 1, 2, 3].map(() => opened.get(reading`SELECT pg_sleep(2)`));
    const ends = await Promise.allSettled([...busy, ...waiting]);
    assert.deepEqual(
      ends.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    );
    assert.equal(opened.isAway(), false);
  });

  test('A transaction is all or nothing if the connection breaks in it, and a lost answer is reported as lost', async (t) => {
    await database.query('DELETE FROM note');
    const { gate, opened } = await openBehindGate(t);
    await opened.transaction(adding(1, 2));
    await failing(opened.transaction(adding(3, 1)));
    await failing(
      opened.transaction(async (queries) => {
        await adding(4)(queries);
        gate.cut();
        await adding(5)(queries);
      }),
    );
    assert.deepEqual(await opened.all(all), [{ text: '1' }, { text: '2' }]);
    const { problem } = await failing(
      opened.transaction(async (queries) => {
        await adding(6)(queries);
        gate.loseAnswer();
      }),
    );
    assert.equal(problem.answerLost, true);
    assert.deepEqual((await opened.all(all)).at(-1), { text: '6' });
  });

  test('A statement that can never succeed is reported, even if its fault is hidden; a full disk is not', async (t) => {
    const told: string[] = [];
    const onWrong = (text: string, fault: Error) => told.push(`${text}: ${JSON.stringify(fault)}`);
    const opened = await open(t, { onWrong });
    const large = reading`SELECT :number::integer + 1 AS more`;
    await failing(opened.get(large, { number: 3_000_000_000 }));
    await failing(opened.transaction((queries) => queries.get(reading`SELECT * FROM nowhere`)));
    await failing(opened.get(writing`DO $$ BEGIN RAISE SQLSTATE '53100'; END $$`));
    assert.equal(told.length, 2);
    assert.match(told[0] ?? '', /^SELECT \$1::integer \+ 1 AS more: .*"22003"/);
    assert.match(told[1] ?? '', /nowhere: .*"42P01"/);
    assert.doesNotMatch(told.join(), /3000000000/);
  });

  test('An error of the program is no lost connection', async () => {
    const { problem } = await failing(usual.get(add, { id: 1 }));
    assert.ok(problem.cause instanceof TypeError);
    const inside = await failing(
      usual.transaction(async () => {
        throw new RangeError('of ours');
      }),
    );
    assert.ok(inside.problem.cause instanceof RangeError);
    assert.deepEqual(await usual.get(one), { one: 1 });
  });

  test('A column that a later release adds does not disturb prepared statements', async (t) => {
    await database.query('CREATE TABLE old (id integer); INSERT INTO old VALUES (1)');
    const opened = await open(t, { poolSize: 8 });
    const read = reading<{ readonly id: number }>`SELECT * FROM old`;
    const write = writing<{ readonly id: number }>`UPDATE old SET id = id RETURNING *`;
    const everywhere = () => Promise.all(Array.from({ length: 8 }, () => opened.get(read)));
    await everywhere();
    await opened.get(write);
    await database.query('ALTER TABLE old ADD COLUMN more text');
    assert.deepEqual(new Set((await everywhere()).map((row) => row?.id)), new Set([1]));
    await database.query('ALTER TABLE old ADD COLUMN yet_more text');
    await opened.transaction((queries) => queries.get(write));
    assert.equal(opened.isAway(), false);
  });

  test('The database is written again as soon as an operator allows it', async (t) => {
    const own = await ownDatabase(t);
    await own.query('CREATE TABLE note (id integer PRIMARY KEY, text text)');
    const named = `ALTER DATABASE ${new URL(own.url).pathname.slice(1)}`;
    await database.query(`${named} SET default_transaction_read_only = on`);
    const layout = ['CREATE TABLE a (n integer)'];
    const opened = await open(t, { url: own.url, layout, poolSize: 1 }).catch(
      (fault: Error) => fault.message,
    );
    assert.match(String(opened), /refuses what a start needs \(25006\)/);
    await database.query(`${named} RESET default_transaction_read_only`);
    const later = await open(t, { url: own.url, poolSize: 1 });
    await database.query(`${named} SET default_transaction_read_only = on`);
    await own.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await backWithin(later, 5_000);
    await failing(later.run(add, { id: 1, text: 'one' }));
    await database.query(`${named} RESET default_transaction_read_only`);
    await later.run(add, { id: 1, text: 'one' });
  });

  test('A database that cannot keep every text is refused in words', async (t) => {
    const name = `sayso_test_latin_${process.pid}`;
    await database.query(
      `CREATE DATABASE ${name} ENCODING LATIN1 LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
    );
    t.after(() => database.query(`DROP DATABASE ${name}`));
    const url = new URL(database.url);
    url.pathname = name;
    await assert.rejects(open(t, { url: url.href }), /must have the encoding UTF8/);
  });

  test('A zero character in a text is stored as its replacement, in lists, too', async () => {
    const given = reading`SELECT :text::text AS text, :list::text[] AS list`;
    const row = await usual.get(given, { text: 'a\0b', list: ['c\0d', '\uD800'] });
    assert.deepEqual(row, { text: 'a\uFFFDb', list: ['c\uFFFDd', '\uFFFD'] });
  });

  test('Two transactions that wait for each other both end', async () => {
    await database.query(`DELETE FROM note; INSERT INTO note VALUES (1, ''), (2, '')`);
    const change = writing`UPDATE note SET text = text || 'x' WHERE id = :id`;
    const both = [
      [1, 2],
      [2, 1],
    ].map(([first = 0, second = 0]) =>
      usual.transaction(async (queries) => {
        await queries.run(change, { id: first });
        await pause(100);
        await queries.run(change, { id: second });
      }),
    );
    await Promise.all(both);
    assert.deepEqual(await usual.all(all), [{ text: 'xx' }, { text: 'xx' }]);
  });

  test('All nodes hear what one announces, and when something may have been missed', async (t) => {
    const { gate, opened } = await openBehindGate(t);
    const other = await open(t);
    const heard: (string | undefined)[] = [];
    opened.listen((text) => heard.push(text));
    other.announce('hello you');
    await until(() => heard.length > 0);
    assert.deepEqual(heard, ['hello you']);
    gate.cut();
    await until(() => heard.length > 1);
    assert.deepEqual(heard, ['hello you', undefined]);
    other.announce('again');
    await until(() => heard.at(-1) === 'again');
  });

  test('The time is the database’s', () => {
    const before = Date.now();
    const now = usual.clock.now();
    assert.ok(now >= before - 50 && now <= Date.now() + 50, `${now - before}`);
  });

  test('A password is in no fault', async () => {
    const url = new URL(database.url);
    url.password = 'geheim-geheim';
    for (const [change, word] of [
      [{ port: '1' }, /No PostgreSQL answers at 127.0.0.1:1, which DATABASE_URL names \(ECONNREFUSED\)/],
      [{ pathname: '/nothing_there' }, /has no database of the name/],
      [{ search: '?sslmode=verify-full' }, /offers no encryption|is not trusted/],
    ] as const) {
      const address = new URL(url);
      Object.assign(address, change);
      const opening = openDatabase({ url: address.href, poolSize: 1, deadlineMs: 1_000, longestWaitMs: 0 });
      await assert.rejects(opening, (fault: Error) => {
        assert.match(fault.message, word);
        assert.doesNotMatch(`${fault.stack} ${JSON.stringify(fault)}`, /geheim/);
        return true;
      });
    }
  });

  test('The tables are made once however many nodes start, beside others; another layout is refused and left as it is', async (t) => {
    const own = await ownDatabase(t);
    await own.query('CREATE TABLE of_the_operator (n integer)');
    const target = readTarget(own.url);
    const layout = ['CREATE TABLE a (n integer)', 'SELECT pg_sleep(0.1); INSERT INTO a VALUES (1)'];
    await Promise.all([1, 2, 3, 4].map(() => makeLayout(target, { longestWaitMs: 0, layout })));
    assert.deepEqual(await own.query('SELECT n FROM a'), [{ n: 1 }]);
    const other = [...layout, 'CREATE TABLE b (n integer)'];
    const word = /^The database of DATABASE_URL holds data of another version.*Nothing was changed$/;
    await assert.rejects(makeLayout(target, { longestWaitMs: 0, layout: other }), { message: word });
    assert.deepEqual(await own.query(`SELECT to_regclass('b') AS b`), [{ b: null }]);
    // A table of ours without the row that names a layout belongs to another version, too.
    await own.query('DROP TABLE layout');
    const reversed = ['CREATE TABLE b (n integer)', ...layout];
    await assert.rejects(makeLayout(target, { longestWaitMs: 0, layout: reversed }), { message: word });
    assert.deepEqual(
      await own.query(`SELECT to_regclass('b') AS b, (SELECT count(*)::integer FROM a) AS n`),
      [{ b: null, n: 1 }],
    );
  });

  test('Some connections are for withdrawals alone: whatever waits for the others, they are answered at once', async (t) => {
    const opened = await open(t, { poolSize: 4, deadlineMs: 5_000 });
    const hold = new pg.Client({ connectionString: database.url });
    await hold.connect();
    t.after(() => hold.end());
    await hold.query('SELECT pg_advisory_lock(4711)');
    const slow = writing`SELECT pg_advisory_lock_shared(4711), pg_advisory_unlock_shared(4711)`;
    let answered = 0;
    const pages = Array.from({ length: 30 }, async () => {
      await opened.get(slow);
      answered += 1;
    });
    for (let times = 0; times < 20; times += 1)
      assert.deepEqual(await opened.forWithdrawals.get(one), { one: 1 });
    await opened.forWithdrawals.transaction((queries) => queries.run(add, { id: 4_711, text: 'leaves' }));
    assert.equal(answered, 0, 'all of it while every other one waits');
    assert.ok(opened.hasWritten(60_000), 'which proves that it can be written');
    await hold.query('SELECT pg_advisory_unlock(4711)');
    await Promise.all(pages);
    assert.equal(answered, 30);
    const single = await open(t, { poolSize: 1 });
    const both = [single.get(one), single.forWithdrawals.get(one)];
    assert.deepEqual(await Promise.all(both), [{ one: 1 }, { one: 1 }], 'one connection is for all');
  });

  test('A write proves that the database can be written, a read or a refused write does not', async (t) => {
    const opened = await open(t);
    await opened.get(one);
    await opened.run(writing`DELETE FROM note WHERE id = :id`, { id: 4_713 });
    assert.equal(opened.hasWritten(60_000), false);
    await opened.run(add, { id: 4_712, text: 'written' });
    assert.equal(opened.hasWritten(60_000), true);
    await assert.rejects(opened.run(add, { id: 4_712, text: 'twice' }));
    assert.equal(opened.hasWritten(60_000), false);
  });

  test('Tables of a new database have statistics once a thousand rows are written', async (t) => {
    const own = await ownDatabase(t);
    const opened = await open(t, { url: own.url, layout: postgresLayout, deadlineMs: 5_000 });
    const keep = writing`INSERT INTO rate_counter (id, count, ends_at) VALUES (:id, 1, 0)`;
    const known = async () => {
      const rows = await own.query(
        `SELECT reltuples FROM pg_class WHERE relname IN ('rate_counter', 'submission')`,
      );
      return rows.map(({ reltuples }) => Number(reltuples)).toSorted((one, other) => one - other);
    };
    assert.deepEqual(await known(), [-1, -1]);
    await opened.transaction(async (queries) => {
      for (let id = 0; id < 1_000; id += 1) await queries.run(keep, { id: `${id}` });
    });
    await opened.run(keep, { id: 'last' });
    await until(async () => !(await known()).includes(-1));
    assert.deepEqual(await known(), [0, 1_001]);
  });

  test('A watch that is closed while it connects leaves no connection', async (t) => {
    const own = await ownDatabase(t);
    const watch = createWatch({
      target: readTarget(own.url),
      clock: createDatabaseClock(),
      onChange: () => assert.fail('the database is away'),
      deadlineMs: 5_000,
    });
    const starting = watch.start();
    await watch.close();
    await assert.rejects(starting, /the store is closed/);
    await until(async () => {
      const rows = await own.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'sayso watch'`,
      );
      return rows.length === 0;
    });
  });

  test('Each connection has our limits and isolation, whatever the database is set to', async (t) => {
    const own = await ownDatabase(t);
    await own.query(`ALTER DATABASE ${new URL(own.url).pathname.slice(1)}
      SET default_transaction_isolation = 'repeatable read'`);
    const opened = await open(t, { url: own.url, deadlineMs: 2_000 });
    const limits = reading`SELECT current_setting('statement_timeout') AS statement,
  current_setting('idle_in_transaction_session_timeout') AS idle,
      current_setting('transaction_isolation') AS isolation`;
    const found = await Promise.all([
      opened.transaction((queries) => queries.get(limits)),
      ...Array.from({ length: 4 }, () => opened.get(limits)),
    ]);
    for (const row of found)
      assert.deepEqual(row, { statement: '1600ms', idle: '3s', isolation: 'read committed' });
    const watching = await own.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'sayso watch'`,
    );
    assert.equal(watching.length, 1);
  });
});
