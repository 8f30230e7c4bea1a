import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/ports/clock.ts';
import type { Dialect } from '../../src/store/dialect.ts';
import type { Layout } from '../../src/store/drivers/layout.ts';
import { openDatabase } from '../../src/store/drivers/postgres/database.ts';
import { sqliteDialect } from '../../src/store/drivers/sqlite/dialect.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { hostedLinkTables, quotaTables, sessionTables, staffTables } from '../../src/store/schema.ts';
import type { Sql, StoreParts } from '../../src/store/sql.ts';
import type { TestDatabase } from '../kit/postgres.ts';
import type { Closable, MakeTestStore } from './contract/test-store.ts';

/** The tables of all stores that are written once for both databases. */
export const wholeTables = (dialect: Dialect): Layout =>
  [sessionTables, staffTables, quotaTables, hostedLinkTables].flatMap((tables) => tables(dialect));

/** The tables of all these stores in one file. */
export const wholeLayout = wholeTables(sqliteDialect);

/** A database in memory. */
export function inMemory(clock: Clock): Sql {
  return openSqlite({ file: ':memory:', layout: wholeLayout, clock });
}

/** Makes test stores from the function that opens a store; a store with a `close` is closed. */
export type StoreOf = <T>(
  open: (parts: StoreParts) => T | Promise<T>,
) => MakeTestStore<T & Pick<StoreParts, 'sql'>>;

/** Stores over SQLite or PostgreSQL, whichever `connect` opens; each handle has a connection of its own. */
function storesOver(
  make: () => Promise<{ connect(clock: Clock): Promise<Sql>; readonly end?: () => void }>,
): StoreOf {
  return (open) => async () => {
    const { connect, end } = await make();
    return {
      async open({ clock, seal }) {
        const sql = await connect(clock);
        const opened = await open({ sql, seal });
        return {
          sql,
          ...opened,
          async close() {
            await (opened as Partial<Closable>).close?.();
            await sql.close();
          },
        };
      },
      end: async () => end?.(),
    };
  };
}

/** Stores over SQLite, each in a file in a folder of its own. */
export function inFile(layout: Layout): StoreOf {
  return storesOver(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sayso-store-'));
    const file = join(folder, 'store.sqlite');
    return {
      connect: async (clock) => openSqlite({ file, layout, clock }),
      end: () => rmSync(folder, { recursive: true, force: true }),
    };
  });
}

/** Stores over a PostgreSQL that is emptied before each test. The next test uses the same connections. */
export function inPostgres(database: TestDatabase, layout: Layout): StoreOf {
  const free: Sql[] = [];
  async function connected(): Promise<Sql> {
    const sql = await openDatabase({ url: database.url, layout, poolSize: 5, deadlineMs: 5_000 });
    database.beforeEnd(() => sql.close());
    return sql;
  }
  return storesOver(async () => {
    // No announcement of the previous test is heard in this one.
    for (const sql of free) await silence(sql);
    await database.emptied();
    for (const sql of free) await silence(sql);
    return {
      async connect(clock) {
        const sql = free.pop() ?? (await connected());
        return { ...sql, clock, close: async () => void free.push(sql) };
      },
    };
  });
}

/** Waits until the connection has heard all earlier announcements. */
async function silence(sql: Sql): Promise<void> {
  const last = randomUUID();
  const heard = Promise.withResolvers<void>();
  const end = sql.listen((text) => {
    if (text === last || text === undefined) heard.resolve();
  });
  sql.announce(last);
  await heard.promise;
  end();
}

/** Every byte that lies in a folder. */
export function bytesIn(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
}
