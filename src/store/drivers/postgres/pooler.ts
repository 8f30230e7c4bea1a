import { answered, Unfit } from './fault.ts';
import { Connection, type Target } from './target.ts';

/** A pooler that has no connection left lets the second one wait. Milliseconds. */
const mostMs = 5_000;

/**
 * Refuses a pooler that gives a connection of the database to each transaction (PgBouncer in transaction mode):
 * prepared statements, LISTEN and our limits belong to a session. There two clients get one backend, or one client
 * several: `first` is asked again while a second client holds a backend, and after that.
 */
export async function assertSession(first: Connection, target: Target): Promise<void> {
  const second = new Connection({ ...target.config, connectionTimeoutMillis: mostMs });
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
  const { rows } = await answered(connection.query('SELECT pg_backend_pid() AS backend'), mostMs);
  return rows[0]?.backend;
}
