import { setTimeout as pause } from 'node:timers/promises';
import { faultCode } from '../../../core/model/fault-code.ts';
import { digestOf, type Layout, UnknownLayout } from '../layout.ts';
import { answered, isOfSettings, Unfit } from './fault.ts';
import { Connection, type Target } from './target.ts';

/** The key of the advisory lock under which one node at a time makes the tables: the bytes of "sayso". */
const lockKey = 0x7361_7973_6f;
const oldest = 150_000;
/** Encodings that are accepted; SQL_ASCII takes bytes as they are. */
const encodings = ['UTF8', 'SQL_ASCII'];
/** duplicate_table: another version has made a table of this name. */
const duplicateTable = '42P07';
/** Milliseconds to wait for the second connection: a pooler may have none left. */
const poolerMs = 5_000;
const database = 'The database of DATABASE_URL';
const limits = { statementMs: 600_000 };

/**
 * Makes the tables of a new database, one node at a time. A database of another layout is refused and stays
 * as it is.
 */
export async function makeLayout(
  target: Target,
  { longestWaitMs, layout }: { readonly longestWaitMs: number; readonly layout: Layout },
): Promise<void> {
  const connection = await connect(target, longestWaitMs);
  try {
    await connection.limit(limits);
    const { rows } = await connection.query<{ number: number; encoding: string }>(
      `SELECT current_setting('server_version_num')::integer AS number, current_setting('server_encoding') AS encoding`,
    );
    if (Number(rows[0]?.number) < oldest) throw new Unfit('PostgreSQL 15 or newer is needed');
    if (!encodings.includes(rows[0]?.encoding ?? ''))
      throw new Unfit(`${database} must have the encoding UTF8: else some texts cannot be kept`);
    await assertSession(connection, target);
    if (layout.length > 0 && !(await isMade(connection, layout))) await make(connection, layout);
  } finally {
    connection.cut();
  }
}

async function make(connection: Connection, layout: Layout): Promise<void> {
  await connection.query('BEGIN');
  // The lock ends with the transaction, so that it works behind PgBouncer, too.
  await connection.query(`SELECT pg_advisory_xact_lock(${lockKey})`);
  if (!(await isMade(connection, layout))) {
    try {
      for (const part of layout) await connection.query(part);
    } catch (thrown) {
      throw faultCode(thrown) === duplicateTable ? new UnknownLayout(database) : thrown;
    }
    await connection.query('CREATE TABLE layout (digest text NOT NULL)');
    await connection.query('INSERT INTO layout VALUES ($1)', [digestOf(layout)]);
  }
  await connection.query('COMMIT');
}

async function isMade(connection: Connection, layout: Layout): Promise<boolean> {
  // to_regclass would answer with the state of before the lock was waited for.
  const tables = await connection.query(
    `SELECT 1 FROM pg_tables WHERE tablename = 'layout' AND schemaname = ANY (current_schemas(false))`,
  );
  if (tables.rowCount === 0) return false;
  const { rows } = await connection.query<{ digest: string }>('SELECT digest FROM layout');
  if (rows[0]?.digest === digestOf(layout)) return true;
  throw new UnknownLayout(database);
}

async function connect(target: Target, longestWaitMs: number): Promise<Connection> {
  const last = performance.now() + longestWaitMs;
  for (;;) {
    const connection = new Connection({ ...target.config, connectionTimeoutMillis: 2_000 });
    try {
      await connection.connect();
      return connection;
    } catch (thrown) {
      connection.cut();
      if (isOfSettings(thrown) || performance.now() >= last) throw thrown;
    }
    await pause(250);
  }
}

/**
 * Refuses a pooler that gives a connection of the database to each transaction (PgBouncer in transaction
 * mode): prepared statements, LISTEN and our limits belong to a session. With such a pooler two clients get
 * one backend, or one client gets several: so `first` is asked again while a second client holds a backend,
 * and after that.
 */
async function assertSession(first: Connection, target: Target): Promise<void> {
  const second = new Connection({ ...target.config, connectionTimeoutMillis: poolerMs });
  try {
    await second.connect();
    if (await hasOwnBackend(first, second)) return;
  } catch (thrown) {
    if (!(thrown instanceof Error && /pooling mode/.test(thrown.message))) throw thrown;
  } finally {
    second.cut();
  }
  throw new Unfit(
    'DATABASE_URL names a pooler that keeps no sessions (PgBouncer in transaction mode): set pool_mode = session for this database, or name PostgreSQL itself',
  );
}

async function hasOwnBackend(first: Connection, second: Connection): Promise<boolean> {
  const own = await backendOf(first);
  if ((await backendOf(second)) === own) return false;
  await second.query('BEGIN');
  if ((await backendOf(second)) === own) return false;
  const again = [await backendOf(first)];
  await second.query('COMMIT');
  again.push(await backendOf(first), await backendOf(first));
  return again.every((backend) => backend === own);
}

async function backendOf(connection: Connection): Promise<unknown> {
  const { rows } = await answered(connection.query('SELECT pg_backend_pid() AS backend'), poolerMs);
  return rows[0]?.backend;
}
