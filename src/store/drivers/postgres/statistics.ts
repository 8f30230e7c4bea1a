import { type Prepared, type Queries, reading, writing } from '../../sql.ts';

/** Writing statements of this process after which a new database holds enough rows. */
const firstRows = 1_000;

/** Milliseconds after which the transaction of the last statement has ended. */
const settledMs = 1_000;

const unknownTables = reading<{ readonly name: string }>`SELECT c.oid::regclass::text AS name FROM pg_class c
  WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.reltuples < 0`;

/**
 * A new database has no statistics, so PostgreSQL plans for empty tables, and its own ANALYZE may come late.
 * This hears of every statement, and runs ANALYZE on tables without statistics once some rows are written.
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
    // Without statistics everything works, only slower.
    if (written === firstRows) setTimeout(() => take().catch(() => undefined), settledMs).unref();
  };
}
