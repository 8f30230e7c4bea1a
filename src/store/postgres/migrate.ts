import { setTimeout as pause } from 'node:timers/promises';
import { isOfSettings } from './fault.ts';
import { migrations } from './schema.ts';
import { Connection, type Target } from './target.ts';

/** Of the advisory lock under which one node at a time migrates: the bytes of "sayso". */
const lockKey = 0x7361_7973_6f;
const oldest = 150_000;

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
    const { rows } = await connection.query<{ number: number }>(
      `SELECT current_setting('server_version_num')::integer AS number`,
    );
    if (Number(rows[0]?.number) < oldest) throw new TooOld();
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

/** What a start cannot do without, and waiting does not mend. */
export class TooOld extends Error {
  override readonly message = 'PostgreSQL 15 or newer is needed';
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
