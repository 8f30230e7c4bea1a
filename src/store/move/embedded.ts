import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MovedTable } from './tables.ts';

export type MovedRow = Readonly<Record<string, string | number | boolean | null>>;

export interface EmbeddedFolder {
  /** The rows after that key, in its order; the first ones after nothing. */
  read(table: MovedTable, after: readonly unknown[] | undefined, limit: number): readonly MovedRow[];
  /** The highest number that was ever given to a row, be that gone; 0 where nobody knows. */
  lastNumber(table: MovedTable): number;
  /** Subject, number and end of the hour's one-clicks. */
  clicks(): readonly MovedRow[];
  close(): void;
}

/**
 * The files of a folder, held so that no process may write to them: what it would write while they are copied would
 * be lost, and is refused instead.
 */
export function holdFolder(folder: string, tables: readonly MovedTable[]): EmbeddedFolder {
  const names = [...new Set(tables.map(({ file }) => file))];
  const there = names.filter((name) => existsSync(join(folder, name)));
  const files = new Map<string, DatabaseSync>();
  const close = () => {
    for (const file of files.values()) file.close();
  };
  try {
    for (const name of there) {
      const file = new DatabaseSync(join(folder, name), { timeout: 5_000 });
      files.set(name, file);
      file.exec('BEGIN IMMEDIATE');
    }
  } catch {
    close();
    throw new Error(`The files of ${folder} are being written to: stop the product that runs on it`);
  }
  const select = (file: DatabaseSync, sql: string, values: readonly unknown[]) =>
    file.prepare(sql).all(...(values as (string | number)[])) as MovedRow[];

  return {
    read({ file: name, from, columns, yesOrNo = [], key }, after, limit) {
      const file = files.get(name);
      if (file === undefined) return [];
      const chosen = Object.entries(columns).map(([to, source]) => `${source} AS ${to}`);
      const order = key.map((column) => columns[column]).join(', ');
      const beyond = after === undefined ? '' : `WHERE (${order}) > (${key.map(() => '?').join(', ')})`;
      const sql = `SELECT ${chosen.join(', ')} FROM ${from} ${beyond} ORDER BY ${order} LIMIT ${limit}`;
      return select(file, sql, after ?? []).map((row) => read(row, yesOrNo));
    },
    lastNumber({ file: name, from }) {
      const file = files.get(name);
      const isCounted = `SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'`;
      if (file === undefined || select(file, isCounted, []).length === 0) return 0;
      const [row] = select(file, 'SELECT seq FROM sqlite_sequence WHERE name = ?', [from]);
      return Number(row?.['seq'] ?? 0);
    },
    clicks() {
      const file = files.get('journal.sqlite');
      return file === undefined ? [] : select(file, 'SELECT subject, count, ends_at FROM click', []);
    },
    close,
  };
}

function read(row: MovedRow, yesOrNo: readonly string[]): MovedRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (yesOrNo.includes(name)) return [name, value === 1];
      // PostgreSQL knows no text with a zero in it.
      return [name, typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value];
    }),
  );
}
