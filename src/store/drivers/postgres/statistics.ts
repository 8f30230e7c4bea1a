import { type Prepared, type Queries, reading, writing } from '../../sql.ts';

/** Writing statements of this process after which a new database holds rows enough. */
const firstRows = 1_000;

/** By then the transaction that wrote the last of them has ended. Milliseconds. */
const settledMs = 1_000;

const unknownTables = reading<{ readonly name: string }>`SELECT c.oid::regclass::text AS name FROM pg_class c
  WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.reltuples < 0`;

/**
 * A new database has no statistics, so that PostgreSQL plans for empty tables, and its own ANALYZE may come late. Hears of
 * every statement, and takes the statistics of tables that have none once some rows are written.
 */
export function createStatistics(ask: Queries['all']) {
  let written = 0;

  async function take(): Promise<void> {
    const names = (await ask(unknownTables)).map(({ name }) => name);
    if (names.length > 0) await ask(writing`ANALYZE ${names.join(', ')}`);
  }

  return (asked: Prepared | string): void => {
    if (typeof asked === 'string' || asked.isRead) return;
    written += 1;
    // Without them everything works, only slower.
    if (written === firstRows) setTimeout(() => take().catch(() => undefined), settledMs).unref();
  };
}
