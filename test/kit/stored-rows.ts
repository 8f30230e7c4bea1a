import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface StoredRows {
  readonly count: number;
  /** The latest end of a row's retention, in milliseconds since 1970; 0 where rows have none. */
  readonly lastEnd: number;
}

/** `journal.sqlite submission` → its rows, for every table of every store in the folder but the sandbox's. */
export function storedRows(folder: string): ReadonlyMap<string, StoredRows> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sqlite') && name !== 'sandbox.sqlite');
  return new Map(
    files.flatMap((file) => {
      using database = new DatabaseSync(join(folder, file), { readOnly: true });
      const namesIn = (from: string) =>
        database
          .prepare(`SELECT name FROM ${from}`)
          .all()
          .map(({ name }) => String(name));
      const tables = namesIn(`sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`);
      return tables.map((table) => {
        const end = namesIn(`pragma_table_info('${table}') WHERE name IN ('ends_at', 'until')`)[0] ?? 0;
        const row = database.prepare(`SELECT count(*) AS count, max(${end}) AS last FROM "${table}"`).get();
        const rows = { count: Number(row?.['count']), lastEnd: Number(row?.['last'] ?? 0) };
        return [`${file} ${table}`, rows] as const;
      });
    }),
  );
}
