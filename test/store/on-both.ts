import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/ports/clock.ts';
import { openDatabase } from '../../src/store/drivers/postgres/database.ts';
import { sqliteDialect } from '../../src/store/drivers/sqlite/dialect.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { postgresLayout } from '../../src/store/postgres/stores.ts';
import { quotaTables, sessionTables, staffTables } from '../../src/store/schema.ts';
import type { Sql, Statement } from '../../src/store/sql.ts';
import type { TestDatabase } from '../kit/postgres.ts';
import type { Given, MakeTestStore } from './contract/test-store.ts';

/** Of all stores that are written once, in one file. */
export const wholeLayout = [
  ...sessionTables(sqliteDialect),
  ...staffTables(sqliteDialect),
  ...quotaTables(sqliteDialect),
];

/** A database in memory. */
export function inMemory(clock: Clock): Sql {
  return openSqlite({ file: ':memory:', layout: wholeLayout, clock });
}

/** A store over SQLite or PostgreSQL, whichever `connect` opens; each handle has a connection of its own. */
function storeOver<T>(
  make: () => Promise<{ connect(given: Given): Promise<Sql>; end(): Promise<void> }>,
  open: (given: Given & { sql: Sql }) => T,
): MakeTestStore<T> {
  return async () => {
    const { connect, end } = await make();
    return {
      async open(given) {
        const sql = await connect(given);
        return { ...open({ ...given, sql }), close: () => sql.close() };
      },
      end,
    };
  };
}

/** A store in a file of its own folder. */
export function inFile<T>(open: (given: Given & { sql: Sql }) => T): MakeTestStore<T> {
  return storeOver(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sayso-store-'));
    const file = join(folder, 'store.sqlite');
    return {
      connect: async ({ clock }) => openSqlite({ file, layout: wholeLayout, clock }),
      end: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }, open);
}

/** A store in a PostgreSQL that is emptied before. */
export function inPostgres<T>(
  database: () => TestDatabase,
  onStatement: (statement: Statement | string) => void,
  open: (given: Given & { sql: Sql }) => T,
): MakeTestStore<T> {
  return storeOver(async () => {
    const url = await database().emptied();
    const options = { url, layout: postgresLayout, poolSize: 5, deadlineMs: 5_000, onStatement };
    return { connect: () => openDatabase(options), end: async () => undefined };
  }, open);
}

/** Every byte that lies in a folder. */
export function bytesIn(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
}
