import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/ports/clock.ts';
import type { Layout } from '../../src/store/drivers/layout.ts';
import { openDatabase } from '../../src/store/drivers/postgres/database.ts';
import { sqliteDialect } from '../../src/store/drivers/sqlite/dialect.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { postgresLayout } from '../../src/store/layouts.ts';
import { hostedLinkTables, quotaTables, sessionTables, staffTables } from '../../src/store/schema.ts';
import type { Sql, Statement } from '../../src/store/sql.ts';
import type { TestDatabase } from '../kit/postgres.ts';
import type { Closable, Given, MakeTestStore } from './contract/test-store.ts';

/** Of all stores that are written once, in one file. */
export const wholeLayout = [
  ...sessionTables(sqliteDialect),
  ...staffTables(sqliteDialect),
  ...quotaTables(sqliteDialect),
  ...hostedLinkTables(sqliteDialect),
];

/** A database in memory. */
export function inMemory(clock: Clock): Sql {
  return openSqlite({ file: ':memory:', layout: wholeLayout, clock });
}

type Open<T> = (given: Given & { sql: Sql }) => T | Promise<T>;

/** A store over SQLite or PostgreSQL, whichever `connect` opens; each handle has a connection of its own. */
function storeOver<T>(
  make: () => Promise<{ connect(given: Given): Promise<Sql>; end(): Promise<void> }>,
  open: Open<T>,
): MakeTestStore<T> {
  return async () => {
    const { connect, end } = await make();
    return {
      async open(given) {
        const sql = await connect(given);
        const opened = await open({ ...given, sql });
        return {
          ...opened,
          async close() {
            // One that does work of its own ends it.
            if (isClosable(opened)) await opened.close();
            await sql.close();
          },
        };
      },
      end,
    };
  };
}

function isClosable(opened: unknown): opened is Closable {
  return typeof opened === 'object' && opened !== null && 'close' in opened;
}

/** A store in a file of its own folder. */
export function inFile<T>(open: Open<T>, layout: Layout = wholeLayout): MakeTestStore<T> {
  return storeOver(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sayso-store-'));
    const file = join(folder, 'store.sqlite');
    return {
      connect: async ({ clock }) => openSqlite({ file, layout, clock }),
      end: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }, open);
}

/** A store in a PostgreSQL that is emptied before. What a handle connects by is used by the next test, too. */
export function inPostgres<T>(
  database: () => TestDatabase,
  onStatement: (statement: Statement | string) => void,
  open: Open<T>,
  layout: Layout = postgresLayout,
): MakeTestStore<T> {
  return storeOver(async () => {
    const { free } = keptBy(database());
    // What the test before has announced is heard by none of this one.
    for (const sql of free) await silence(sql);
    const url = await database().emptied();
    for (const sql of free) await silence(sql);
    const options = { url, layout, poolSize: 5, deadlineMs: 5_000, onStatement };
    return {
      connect: async ({ clock }) => {
        const sql = free.pop() ?? (await openDatabase(options));
        return { ...sql, clock, close: async () => void free.push(sql) };
      },
      end: async () => undefined,
    };
  }, open);
}

const kept = new WeakMap<TestDatabase, { readonly free: Sql[] }>();

function keptBy(database: TestDatabase): { readonly free: Sql[] } {
  const known = kept.get(database);
  if (known !== undefined) return known;
  const made = { free: [] as Sql[] };
  kept.set(database, made);
  database.beforeEnd(async () => {
    for (const sql of made.free) await sql.close();
  });
  return made;
}

/** Until it has heard all that was announced before. */
async function silence(sql: Sql): Promise<void> {
  const last = randomUUID();
  const heard = Promise.withResolvers<void>();
  const end = sql.listen('silence', (text) => {
    if (text === last || text === undefined) heard.resolve();
  });
  sql.announce('silence', last);
  await heard.promise;
  end();
}

/** Every byte that lies in a folder. */
export function bytesIn(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
}
