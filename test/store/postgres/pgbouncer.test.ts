import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../../src/core/model/problem.ts';
import { type Database, openDatabase } from '../../../src/store/drivers/postgres/database.ts';
import { postgresLayout } from '../../../src/store/layouts.ts';
import { reading } from '../../../src/store/sql.ts';
import { makeKnown, openForm, send, switches } from '../../chaos/rig.ts';
import { forSuite } from '../../kit/for-suite.ts';
import { skipPgBouncer, startPgBouncer } from '../../kit/pgbouncer.ts';
import { binaries, databaseOf, postgres, startCluster } from '../../kit/postgres.ts';
import { freePorts, startProduct } from '../../kit/product.ts';

const skip = postgres.skip || skipPgBouncer;
const books = 'b00c5000-0000-4000-8000-000000000001';
const one = reading`SELECT 1 AS one`;
const limits = reading`SELECT current_setting('statement_timeout') AS statement,
  current_setting('idle_in_transaction_session_timeout') AS idle,
  current_setting('default_transaction_isolation') AS isolation`;

const connect = (url: string, deadlineMs = 2_000): Promise<Database> =>
  openDatabase({ url, layout: postgresLayout, poolSize: 4, deadlineMs, longestWaitMs: 0 });

async function open(t: TestContext, url: string): Promise<Database> {
  const opened = await connect(url);
  t.after(() => opened.close());
  return opened;
}

/** Settings by which PgBouncer refuses or strips unknown startup parameters. */
const startups = {
  refuses: [],
  strips: [
    'ignore_startup_parameters = extra_float_digits,statement_timeout,idle_in_transaction_session_timeout',
  ],
};

for (const [how, settings] of Object.entries(startups))
  suite(`Behind PgBouncer in session mode that ${how} startup parameters`, { skip }, () => {
    const database = databaseOf();
    const bouncer = forSuite(
      () => startPgBouncer(database.url, ['pool_mode = session', ...settings]),
      ({ close }) => close(),
    );

    test('Each connection has our limits, also after another client has had it', async () => {
      for (const deadlineMs of [2_000, 3_000]) {
        const opened = await connect(bouncer.by(database.url), deadlineMs);
        const found = await Promise.all(Array.from({ length: 4 }, () => opened.get(limits)));
        const ours = { statement: `${deadlineMs * 0.8}ms`, idle: '3s', isolation: 'read committed' };
        for (const row of found) assert.deepEqual(row, ours);
        await opened.close();
      }
    });

    // The next tests do not depend on startup parameters.
    if (how === 'strips') return;

    test('A node hears what another one announces', async (t) => {
      const url = bouncer.by(database.url);
      const [teller, hearer] = [await open(t, url), await open(t, url)];
      const heard = Promise.withResolvers<string | undefined>();
      hearer.listen(heard.resolve);
      teller.announce('hello');
      assert.equal(await heard.promise, 'hello');
    });

    test('A person is served', async () => {
      await using product = await startProduct({
        store: 'files',
        env: { DATABASE_URL: bouncer.by(database.url), DATABASE_POOL: '5' },
      });
      const identifier = 'behind.pgbouncer@example.org';
      await makeKnown(product.sandbox, identifier);
      const opened = await openForm(product, books, identifier);
      opened.form.untick('purpose', switches(opened.form).on[0] ?? '');
      assert.equal((await send(opened)).status, 303);
    });
  });

suite('PgBouncer that keeps no sessions', { skip }, () => {
  const own = databaseOf();

  for (const settings of [
    ['pool_mode = transaction'],
    ['pool_mode = transaction', 'server_round_robin = 1', 'min_pool_size = 3'],
    ['pool_mode = transaction', 'default_pool_size = 1'],
    ['pool_mode = statement'],
  ])
    test(`The pooler is refused at the start in one sentence: ${settings.join(', ')}`, async (t) => {
      const pooler = await startPgBouncer(own.url, settings);
      t.after(() => pooler.close());
      // Another client uses the database, as another node does.
      await assert.rejects(open(t, pooler.by(own.url)), {
        message:
          'DATABASE_URL names a pooler that keeps no sessions (PgBouncer in transaction mode): set pool_mode = session for this database, or name PostgreSQL itself',
      });
      assert.deepEqual(
        await own.query(`SELECT count(*)::integer AS n FROM pg_tables WHERE schemaname = 'public'`),
        [{ n: 0 }],
      );
    });
});

const noCluster = binaries() === undefined ? 'no binaries of PostgreSQL are installed' : false;

suite('A PostgreSQL that dies behind PgBouncer', { skip: skip || noCluster }, () => {
  test('The database is reported as away, and asked again without a request when it is back', async (t) => {
    const cluster = await startCluster(['fsync=off']);
    t.after(() => cluster.end());
    const pooler = await startPgBouncer(cluster.url, ['pool_mode = session', 'server_login_retry = 1']);
    t.after(() => pooler.close());
    const opened = await open(t, pooler.by(cluster.url));
    await opened.get(one);
    await cluster.stop('immediate');
    const kinds = new Set<unknown>();
    while (!opened.isAway()) {
      const fault = await opened.get(one).catch((thrown: unknown) => thrown);
      assert.ok(fault instanceof Problem, 'no statement is answered');
      kinds.add((fault.cause as { kind?: unknown }).kind);
      await pause(20);
    }
    assert.ok(!kinds.has('refused'), `${[...kinds]}`);
    await cluster.start();
    while (opened.isAway()) await pause(50);
    assert.deepEqual(await opened.get(one), { one: 1 });
  });
});

test('A place behind which no PostgreSQL answers is named in the error', { skip }, async (t) => {
  const [port] = await freePorts(1);
  const nothing = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const pooler = await startPgBouncer(nothing, ['pool_mode = session', 'query_wait_timeout = 1']);
  t.after(() => pooler.close());
  await assert.rejects(open(t, pooler.by(nothing)), /^Error: No PostgreSQL answers at 127.0.0.1:\d+/);
});
