import { setTimeout as pause } from 'node:timers/promises';
import { faultCode } from '../../../core/model/fault-code.ts';
import { digestOf, type Layout, UnknownLayout } from '../layout.ts';
import { isOfSettings, Unfit } from './fault.ts';
import { assertSession } from './pooler.ts';
import { Connection, type Target } from './target.ts';

/** Of the advisory lock under which one node at a time makes the tables: the bytes of "sayso". */
const lockKey = 0x7361_7973_6f;
const oldest = 150_000;
/** The other one takes bytes as they are. */
const encodings = ['UTF8', 'SQL_ASCII'];
/** duplicate_table: a table of ours is there, made by another version. */
const duplicateTable = '42P07';
const limits = { statementMs: 600_000 };

/** Makes the tables of a new database, one node at a time. Refuses a database of another layout, and leaves it as it is. */
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
      throw new Unfit(
        'The database of DATABASE_URL must have the encoding UTF8: else some texts cannot be kept',
      );
    await assertSession(connection, target);
    if (layout.length > 0 && !(await isMade(connection, layout))) await make(connection, layout);
  } finally {
    connection.cut();
  }
}

async function make(connection: Connection, layout: Layout): Promise<void> {
  await connection.query('BEGIN');
  // Ends with the transaction, so that it holds behind PgBouncer, too.
  await connection.query(`SELECT pg_advisory_xact_lock(${lockKey})`);
  if (!(await isMade(connection, layout))) {
    try {
      for (const part of layout) await connection.query(part);
    } catch (thrown) {
      throw faultCode(thrown) === duplicateTable ? unknown() : thrown;
    }
    await connection.query('CREATE TABLE layout (digest text NOT NULL)');
    await connection.query('INSERT INTO layout VALUES ($1)', [digestOf(layout)]);
  }
  await connection.query('COMMIT');
}

async function isMade(connection: Connection, layout: Layout): Promise<boolean> {
  // to_regclass would answer from before the lock was waited for.
  const tables = await connection.query(
    `SELECT 1 FROM pg_tables WHERE tablename = 'layout' AND schemaname = ANY (current_schemas(false))`,
  );
  if (tables.rowCount === 0) return false;
  const { rows } = await connection.query<{ digest: string }>('SELECT digest FROM layout');
  if (rows[0]?.digest === digestOf(layout)) return true;
  throw unknown();
}

function unknown(): UnknownLayout {
  return new UnknownLayout('The database of DATABASE_URL');
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
