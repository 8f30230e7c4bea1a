import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from './drivers/postgres/database.ts';
import { assertLayout } from './drivers/sqlite/file.ts';
import { postgresLayout } from './postgres/stores.ts';
import { type Row, reading, type Statement, type Transaction, writing } from './sql.ts';
import { embeddedFiles } from './sqlite/files.ts';

export interface Move {
  readonly folder: string;
  readonly url: string;
  /** Hears of each table. */
  readonly told: (line: string) => void;
}

interface MovedTable {
  readonly file: string;
  readonly table: string;
  /** The columns of PostgreSQL, from those of the file. */
  readonly select: string;
  /** Gives the next number of a row. */
  readonly sequence?: string;
}

/** A table that is the same on both sides. */
const same = (file: string) => (table: string, sequence?: string) => ({
  file,
  table,
  select: `SELECT * FROM ${table}`,
  ...(sequence === undefined ? {} : { sequence }),
});
const journal = same('journal.sqlite');
const sessions = same('sessions.sqlite');
const staff = same('staff.sqlite');

/** Everything of a folder, but the sandbox, its secret and the quota. */
const tables: readonly MovedTable[] = [
  {
    file: 'journal.sqlite',
    table: 'submission',
    select: `SELECT sequence, reference, nonce, digest, center, subject, door AS channel, state, everything, withdraws,
      gpc, bounded, submitted_at, due_at, expires_at, done_at, passable, undoes, undone_by, repeats, said_again_at, receipts,
      payload, evidence FROM submission`,
    sequence: 'submission_sequence',
  },
  {
    file: 'journal.sqlite',
    table: 'journal_person',
    select: `SELECT subject, max(touched_at) AS touched_at, max(clicks) AS clicks, max(clicks_until) AS clicks_until FROM (
      SELECT subject, ends_at AS touched_at, count AS clicks, ends_at AS clicks_until FROM click
      UNION ALL SELECT subject, submitted_at, 0, 0 FROM submission WHERE state = 'pending') GROUP BY subject`,
  },
  {
    file: 'journal.sqlite',
    table: 'event_queue',
    select: 'SELECT receiver, person, state, due_at, since, attempts, problem FROM event_queue',
  },
  journal('reason', 'reason_sequence'),
  journal('platform'),
  journal('event', 'event_sequence_seq'),
  ...['event_center', 'event_delivery', 'event_receiver', 'event_stop', 'person_key', 'last_word'].map(
    (table) => journal(table),
  ),
  ...['session', 'session_subject', 'sign_out', 'passcode', 'spent', 'tally'].map((table) => sessions(table)),
  staff('audit', 'audit_sequence_seq'),
  staff('recent_task', 'recent_task_sequence_seq'),
  staff('record_key', 'record_key_sequence_seq'),
  ...['failed_sign_in', 'form'].map((table) => staff(table)),
];

/** What triggers count, row by row, is counted once. */
const counts = [
  'INSERT INTO submission_count SELECT state, 0, count(*) FROM submission GROUP BY state',
  `INSERT INTO submission_day
     SELECT submitted_at - submitted_at % 86400000, 0, count(*), count(*) FILTER (WHERE everything)
     FROM submission GROUP BY 1`,
  `INSERT INTO reason_count
     SELECT day, center, coalesce(id, ''), 0, count(*), max(sequence) FROM reason GROUP BY 1, 2, 3`,
].map(writing);
const counted = ['submission', 'reason'];
const lock = writing(`LOCK TABLE ${tables.map(({ table }) => table).join(', ')} IN SHARE ROW EXCLUSIVE MODE`);

/** So many rows are written, and compared, at a time. */
const batchRows = 500;

/**
 * Copies a folder into an empty database, in one transaction: all of it is there afterwards, or nothing. Each row is
 * compared as it is written. Rows stay sealed as they are. Throws words for an operator.
 */
export async function moveToPostgres({ folder, url, told }: Move): Promise<void> {
  const files = holdFolder(folder);
  try {
    // No one waits behind these statements, and a large batch on a slow disk is no fault.
    const database = await openDatabase({ url, layout: postgresLayout, poolSize: 2, deadlineMs: 60_000 });
    let refused: Error | undefined;
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
  } finally {
    for (const file of files.values()) file.close();
  }
}

interface Heard {
  readonly told: (line: string) => void;
  /** Ends the move, and with it the transaction. */
  readonly refuse: (words: string) => never;
}

async function move(
  queries: Transaction,
  files: ReadonlyMap<string, DatabaseSync>,
  { told, refuse }: Heard,
): Promise<void> {
  await queries.run(lock);
  for (const { table } of tables)
    if ((await queries.get(reading(`SELECT 1 FROM ${table} LIMIT 1`))) !== undefined)
      refuse(
        'The database of DATABASE_URL holds data already, also where everything was moved before: give an empty one. Nothing was changed',
      );
  for (const table of counted) await queries.run(writing(`ALTER TABLE ${table} DISABLE TRIGGER USER`));
  for (const moved of tables) {
    const { file, table, sequence } = moved;
    const source = files.get(file);
    if (source === undefined) continue;
    let count = 0;
    for (const rows of batches(source, moved)) {
      const names = Object.keys(rows[0] ?? {});
      const written = await queries.all(insert(table, names), { rows: JSON.stringify(rows) });
      if (digest(written, names) !== digest(rows, names))
        refuse(`What was copied into ${table} is not the same. Nothing was changed`);
      count += rows.length;
    }
    // No number is given twice, nor a lower one later: last words go by them, and stay when their rows go.
    if (sequence !== undefined)
      await queries.get(setNumber(table, sequence), { last: lastNumber(source, table) });
    told(`${file.replace('.sqlite', '')} / ${table}: ${count} rows`);
  }
  for (const statement of counts) await queries.run(statement);
  for (const table of counted) await queries.run(writing(`ALTER TABLE ${table} ENABLE TRIGGER USER`));
}

/**
 * The files of a folder, held so that no process may write to them: what it would write while they are copied would
 * be lost, and is refused instead.
 */
function holdFolder(folder: string): ReadonlyMap<string, DatabaseSync> {
  const files = new Map<string, DatabaseSync>();
  try {
    for (const { file, layout } of embeddedFiles(folder).filter((each) => existsSync(each.file))) {
      assertLayout(file, layout);
      const held = new DatabaseSync(file, { timeout: 5_000 });
      files.set(basename(file), held);
      held.exec('BEGIN IMMEDIATE');
    }
  } catch (fault) {
    for (const file of files.values()) file.close();
    if (fault instanceof Error && fault.name === 'UnknownLayout') throw fault;
    throw new Error(`The files of ${folder} are being written to: stop the product that runs on it`);
  }
  return files;
}

function* batches(source: DatabaseSync, { select }: MovedTable): Generator<readonly Row[]> {
  let rows: Row[] = [];
  for (const row of source.prepare(select).iterate()) {
    rows.push(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, storable(value)])));
    if (rows.length < batchRows) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** PostgreSQL stores no text with a zero in it. */
function storable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

function insert(table: string, columns: readonly string[]): Statement {
  const names = columns.join(', ');
  return writing(
    `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(null::${table}, :rows::json)
     RETURNING ${names}`,
  );
}

/** SQLite says 0 and 1 where PostgreSQL says false and true. */
function digest(rows: readonly Row[], names: readonly string[]): string {
  const plain = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value);
  return JSON.stringify(rows.map((row) => names.map((name) => plain(row[name]))));
}

/** The highest number that a row was ever given, also where that row is gone; 0 where SQLite keeps none. */
function lastNumber(source: DatabaseSync, table: string): number {
  const row = source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table);
  return Number(row?.['seq'] ?? 0);
}

function setNumber(table: string, sequence: string): Statement {
  return writing(
    `SELECT setval('${sequence}', (SELECT greatest(coalesce(max(sequence), 0), :last::bigint) + 1 FROM ${table}), false)`,
  );
}
