import { setTimeout as pause } from 'node:timers/promises';
import { isOfSettings, Unfit } from './fault.ts';
import { migrations } from './schema.ts';
import { Connection, type Target } from './target.ts';

/** Of the advisory lock under which one node at a time migrates: the bytes of "sayso". */
const lockKey = 0x7361_7973_6f;
const oldest = 150_000;
/** The other one takes bytes as they are. */
const encodings = ['UTF8', 'SQL_ASCII'];

/**
 * Brings the schema to where this release has it: each step once, in a transaction, one node at a time. A database of
 * a later release is left as it is: each step keeps what the release before it reads and writes.
 */
export async function migrate(
  target: Target,
  { patienceMs, steps = migrations }: { readonly patienceMs: number; readonly steps?: readonly string[] },
): Promise<void> {
  const connection = await connect(target, patienceMs);
  try {
    const { rows } = await connection.query<{ number: number; encoding: string }>(
      `SELECT current_setting('server_version_num')::integer AS number, current_setting('server_encoding') AS encoding`,
    );
    if (Number(rows[0]?.number) < oldest) throw new Unfit('PostgreSQL 15 or newer is needed');
    if (!encodings.includes(rows[0]?.encoding ?? ''))
      throw new Unfit(
        'The database of DATABASE_URL must have the encoding UTF8: else some texts cannot be kept',
      );
    if ((await versionOf(connection)) >= steps.length) return;
    await connection.query(`SELECT pg_advisory_lock(${lockKey})`);
    await connection.query('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)');
    for (let version = await versionOf(connection); version < steps.length; version += 1) {
      await connection.query('BEGIN');
      await connection.query(steps[version] ?? '');
      await connection.query('DELETE FROM schema_version');
      await connection.query(`INSERT INTO schema_version VALUES (${version + 1})`);
      await connection.query('COMMIT');
    }
  } finally {
    // Its locks go with it.
    connection.cut();
  }
}

async function connect(target: Target, patienceMs: number): Promise<Connection> {
  const last = performance.now() + patienceMs;
  for (;;) {
    const connection = new Connection({
      ...target.config,
      connectionTimeoutMillis: 2_000,
      statement_timeout: 600_000,
    });
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

async function versionOf(connection: Connection): Promise<number> {
  const table = await connection.query(`SELECT to_regclass('schema_version') IS NOT NULL AS found`);
  if (table.rows[0]?.found !== true) return 0;
  const { rows } = await connection.query<{ version: number }>('SELECT version FROM schema_version');
  return Number(rows[0]?.version ?? 0);
}
