import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from './drivers/postgres/database.ts';
import { assertLayout } from './drivers/sqlite/file.ts';
import { embeddedFiles, postgresLayout } from './layouts.ts';
import { bytesValue, reading, type Statement, type Transaction, writing } from './sql.ts';

export interface Move {
  readonly folder: string;
  readonly url: string;
  /** Called with a line for each table. */
  readonly told: (line: string) => void;
}

/**
 * Tables that are not copied: triggers fill the counters, and `written` only proves that a row can be
 * written.
 */
const filled = new Set(['submission_count', 'submission_day', 'reason_count', 'written']);

type Row = Readonly<Record<string, unknown>>;

/** Rows that are written and compared at a time. */
const batchRows = 500;

/**
 * Copies a folder into an empty database in one transaction: all of it, or nothing. Each row is compared as
 * it is written. Rows stay sealed as they are. Throws words for an operator.
 */
export async function moveToPostgres({ folder, url, told }: Move): Promise<void> {
  using held = new DisposableStack();
  const files = holdFolder(folder, held);
  // No one waits behind these statements, and a large batch on a slow disk is no fault.
  const database = await openDatabase({ url, layout: postgresLayout, poolSize: 2, deadlineMs: 60_000 });
  let refused: Error | undefined;
  /** Ends the transaction with words for an operator. */
  const refuse = (words: string): never => {
    refused = new Error(words);
    throw refused;
  };
  try {
    await database.transaction((queries) => move(queries, files, { told, refuse }));
  } catch (fault) {
    throw refused ?? fault;
  } finally {
    await database.close();
  }
}

async function move(
  queries: Transaction,
  files: ReadonlyMap<string, DatabaseSync>,
  { told, refuse }: Pick<Move, 'told'> & { readonly refuse: (words: string) => never },
): Promise<void> {
  const tables = [...files].flatMap(([file, source]) =>
    tablesOf(source).map((table) => ({ source, file, table })),
  );
  const names = tables.map(({ table }) => table).join(', ');
  await queries.run(writing`LOCK TABLE ${names} IN SHARE ROW EXCLUSIVE MODE`);
  for (const { table } of tables)
    if ((await queries.get(reading`SELECT 1 FROM ${table} LIMIT 1`)) !== undefined)
      refuse(
        'The database of DATABASE_URL holds data already, also where everything was moved before: give an empty one. Nothing was changed',
      );
  for (const { source, file, table } of tables) {
    let count = 0;
    for (const rows of batches(source, table)) {
      const columns = Object.keys(rows[0] ?? {});
      const written = await queries.all(insert(table, columns), { rows: JSON.stringify(rows) });
      if (digest(written, columns) !== digest(rows, columns))
        refuse(`What was copied into ${table} is not the same. Nothing was changed`);
      count += rows.length;
    }
    const last = lastNumber(source, table);
    // New rows continue after the last number, so that no number is given twice.
    if (last !== undefined) await queries.get(setNumber(table), { last });
    told(`${file.replace('.sqlite', '')} / ${table}: ${count} rows`);
  }
}

/** The tables of a file that are copied, in the order in which they were made. */
function tablesOf(source: DatabaseSync): readonly string[] {
  return source
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid`,
    )
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !filled.has(name));
}

/**
 * The journal and the sessions of a folder, locked: a write by another process during the copy would be lost.
 * The quota and the hosted links are not moved.
 */
function holdFolder(folder: string, held: DisposableStack): ReadonlyMap<string, DatabaseSync> {
  const files = new Map<string, DatabaseSync>();
  try {
    const [journal, sessions] = embeddedFiles(folder);
    for (const { file, layout } of [journal, sessions].filter((each) => existsSync(each.file))) {
      assertLayout(file, layout);
      const source = held.use(new DatabaseSync(file, { timeout: 5_000 }));
      files.set(basename(file), source);
      source.exec('BEGIN IMMEDIATE');
    }
  } catch (fault) {
    if (fault instanceof Error && fault.name === 'UnknownLayout') throw fault;
    throw new Error(`The files of ${folder} are being written to: stop the product that runs on it`);
  }
  return files;
}

function* batches(source: DatabaseSync, table: string): Generator<readonly Row[]> {
  let rows: Row[] = [];
  for (const row of source.prepare(`SELECT * FROM ${table}`).iterate()) {
    rows.push(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, storable(value)])));
    if (rows.length < batchRows) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** PostgreSQL stores no text with a zero character in it. */
function storable(value: unknown): unknown {
  if (value instanceof Uint8Array) return bytesValue(value);
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

function insert(table: string, columns: readonly string[]): Statement<Row> {
  const names = columns.join(', ');
  return writing`
    INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(null::${table}, :rows::json)
    RETURNING ${names}`;
}

function digest(rows: readonly Row[], names: readonly string[]): string {
  return JSON.stringify(rows.map((row) => names.map((name) => storable(row[name]))));
}

/**
 * The highest number that a row of the table ever had, even if it is deleted; undefined: no row was numbered.
 */
function lastNumber(source: DatabaseSync, table: string): number | undefined {
  const isNumbering = source.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'`).get();
  if (isNumbering === undefined) return undefined;
  const row = source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table);
  return row === undefined ? undefined : Number(row['seq']);
}

function setNumber(table: string): Statement {
  return writing`SELECT setval(pg_get_serial_sequence('${table}', 'sequence'), :last::bigint)`;
}
