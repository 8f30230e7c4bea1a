import { wordOf } from './fault.ts';
import { Connection, readTarget } from './target.ts';

/** Connects once and makes nothing. Throws in words for an operator. */
export async function probeDatabase(address: string, deadlineMs: number) {
  const { config, place } = readTarget(address);
  const client = new Connection({
    ...config,
    connectionTimeoutMillis: deadlineMs,
    query_timeout: deadlineMs,
  });
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
