import pg from 'pg';
import { wordOf } from './fault.ts';
import { readTarget } from './target.ts';

/** Connects once and makes nothing. Throws in words for an operator. */
export async function probeDatabase(
  address: string,
  deadlineMs: number,
): Promise<{ readonly version: string }> {
  const { config, place } = readTarget(address);
  const client = new pg.Client({ ...config, connectionTimeoutMillis: deadlineMs, query_timeout: deadlineMs });
  // A connection that breaks is the question's own fault.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return { version: rows[0]?.server_version ?? 'unknown' };
  } catch (fault) {
    throw new Error(wordOf(fault, place));
  } finally {
    await client.end().catch(() => undefined);
  }
}
