import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestDatabase } from '../kit/postgres.ts';

/** The tables of a layout, in the order in which they are made. */
export function tablesOf(layout: readonly string[]): readonly string[] {
  return [...layout.join(';').matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => name);
}

type Row = Readonly<Record<string, unknown>>;

/** The text of a row, the same over both databases: bytes in hexadecimal digits, numbers as text. */
function textOf(table: unknown, row: Row): string {
  const plain = Object.entries(row).map(([name, value]) => {
    if (value instanceof Uint8Array) return [name, Buffer.from(value).toString('hex')];
    return [name, typeof value === 'number' ? `${value}` : value];
  });
  return `${table} ${JSON.stringify(Object.fromEntries(plain))}`;
}

/** All rows of all tables in the files of a folder, each behind the name of its table. */
export function rowsInFiles(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sqlite'));
  return files.flatMap((name) => {
    using database = new DatabaseSync(join(folder, name), { readOnly: true });
    const read = (sql: string): readonly Row[] => database.prepare(sql).all();
    const tables = read(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`);
    return tables.flatMap(({ name: table }) =>
      read(`SELECT * FROM "${table}"`).map((row) => textOf(table, row)),
    );
  });
}

export async function rowsInDatabase(database: TestDatabase): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { tablename } of await database.query(
    `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`,
  ))
    for (const row of await database.query(`SELECT * FROM "${tablename}"`))
      found.push(textOf(tablename, row));
  return found;
}
