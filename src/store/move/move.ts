import { createHash } from 'node:crypto';
import { openDatabase } from '../postgres/database.ts';
import { type Statement, statement } from '../postgres/statement.ts';
import { type EmbeddedFolder, holdFolder, type MovedRow } from './embedded.ts';
import { type MovedTable, movedTables } from './tables.ts';

export interface Move {
  readonly folder: string;
  readonly url: string;
  /** Hears of each table. */
  readonly told: (line: string) => void;
}

export type MoveEnd = 'moved' | 'moved-before';

/** So many rows are copied, or compared, at a time. */
const bite = 500;

const begin = statement(
  `INSERT INTO moved AS m (one, state) VALUES (1, 'moving')
   ON CONFLICT (one) DO UPDATE SET state = CASE WHEN m.state = 'served' THEN m.state ELSE 'moving' END
   RETURNING state`,
);
const stateOf = statement('SELECT state FROM moved');
const finish = statement(`UPDATE moved SET state = 'moved'`);
const forget = statement('DELETE FROM moved');

/**
 * Copies everything that an embedded folder keeps into an empty database, in bites, and compares both. May be repeated
 * until a product has been started on the database. Rows stay sealed as they are. Throws words for an operator.
 */
export async function moveToPostgres({ folder, url, told }: Move): Promise<MoveEnd> {
  // Nobody waits behind these statements, and a large bite on a slow disk is no fault.
  const database = await openDatabase({ url, poolSize: 2, deadlineMs: 60_000 });
  try {
    const from = holdFolder(folder, movedTables);
    try {
      return await move(database, from, told);
    } finally {
      from.close();
    }
  } finally {
    await database.close();
  }
}

type Database = Awaited<ReturnType<typeof openDatabase>>;

async function move(database: Database, from: EmbeddedFolder, told: Move['told']): Promise<MoveEnd> {
  const before = (await database.get(stateOf))?.['state'];
  const isOwn = before === 'moving' || before === 'moved';
  if (!isOwn && (await differing(database, from)).length === 0) {
    told('Everything is there already.');
    return 'moved-before';
  }
  if (!isOwn && !(await isEmpty(database)))
    throw new Error(
      'The database of DATABASE_URL holds data of its own, and would lose it: give an empty one. Nothing was changed',
    );
  await database.run(begin);
  for (const table of movedTables) await clear(database, table);
  for (const table of movedTables) {
    const count = await copy(database, from, table);
    told(`${nameOf(table)}: ${count} rows`);
  }
  await writePeople(database, from);
  const wrong = await differing(database, from);
  if (wrong.length > 0)
    throw new Error(`What was copied is not the same: ${wrong.join(', ')}. The folder is as it was`);
  await database.run(finish);
  return 'moved';
}

function nameOf({ file, from }: MovedTable): string {
  return `${file.replace('.sqlite', '')} / ${from}`;
}

async function isEmpty(database: Database): Promise<boolean> {
  for (const { to } of movedTables) {
    if ((await database.get(statement(`SELECT 1 FROM ${to} LIMIT 1`))) !== undefined) return false;
  }
  await database.run(forget);
  return true;
}

async function clear(database: Database, { to }: MovedTable): Promise<void> {
  const some = statement(`DELETE FROM ${to} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${to} LIMIT 10000))`);
  while ((await database.run(some)) > 0);
  if (to === 'submission') await database.run(statement('DELETE FROM journal_person'));
}

async function copy(database: Database, from: EmbeddedFolder, table: MovedTable): Promise<number> {
  const names = Object.keys(table.columns).join(', ');
  const insert = statement(
    `INSERT INTO ${table.to} (${names}) SELECT ${names} FROM json_populate_recordset(null::${table.to}, :rows::json)`,
  );
  let count = 0;
  for (const rows of bites((after) => from.read(table, after, bite), table)) {
    count += await database.run(insert, { rows: JSON.stringify(rows) });
  }
  const [number] = table.key;
  if (table.sequence !== undefined) {
    // No number is given twice, nor a lower one later: last words go by them, and stay when their rows go.
    const next = `SELECT setval('${table.sequence}',
      (SELECT greatest(coalesce(max(${number}), 0), :last::bigint) + 1 FROM ${table.to}), false)`;
    await database.get(statement(next), { last: from.lastNumber(table) });
  }
  return count;
}

function* bites(
  read: (after: readonly unknown[] | undefined) => readonly MovedRow[],
  { key }: MovedTable,
): Generator<readonly MovedRow[]> {
  let after: readonly unknown[] | undefined;
  for (;;) {
    const rows = read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = key.map((column) => last[column]);
  }
}

/** What PostgreSQL keeps of a person beside their submissions. */
async function writePeople(database: Database, from: EmbeddedFolder): Promise<void> {
  const clicked = statement(
    `INSERT INTO journal_person (subject, touched_at, clicks, clicks_until)
     SELECT subject, ends_at, count, ends_at FROM json_to_recordset(:rows::json) AS r (subject text, count integer, ends_at bigint)`,
  );
  await database.run(clicked, { rows: JSON.stringify(from.clicks()) });
  const waiting = statement(
    `INSERT INTO journal_person (subject, touched_at)
     SELECT subject, max(submitted_at) FROM submission WHERE state = 'pending' GROUP BY subject
     ON CONFLICT (subject) DO NOTHING`,
  );
  await database.run(waiting);
}

/** Tables of which count or digest differ. */
async function differing(database: Database, from: EmbeddedFolder): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const table of movedTables) {
    const source = digest(table);
    for (const rows of bites((after) => from.read(table, after, bite), table)) source.add(rows);
    const copied = digest(table);
    const reading = readingOf(table);
    let after: readonly unknown[] | undefined;
    for (;;) {
      const values = Object.fromEntries((after ?? []).map((value, index) => [`k${index}`, value as string]));
      const rows = (await database.all(
        after === undefined ? reading.first : reading.next,
        values,
      )) as MovedRow[];
      const last = rows.at(-1);
      if (last === undefined) break;
      copied.add(rows);
      after = table.key.map((column) => last[column]);
    }
    if (source.end() !== copied.end()) wrong.push(nameOf(table));
  }
  return wrong;
}

function readingOf({ to, columns, key, only }: MovedTable): { first: Statement; next: Statement } {
  const number = (column: string) => ['sequence', 'one', 'number'].includes(column);
  const order = key.map((column) => (number(column) ? column : `${column} COLLATE "C"`)).join(', ');
  const values = key.map((column, index) => `:k${index}::${number(column) ? 'bigint' : 'text'}`).join(', ');
  const part = only === undefined ? 'true' : `${only.column} = '${only.value}'`;
  const select = `SELECT ${Object.keys(columns).join(', ')} FROM ${to} WHERE ${part}`;
  return {
    first: statement(`${select} ORDER BY ${order} LIMIT ${bite}`),
    next: statement(`${select} AND (${order}) > (${values}) ORDER BY ${order} LIMIT ${bite}`),
  };
}

/** Of all rows in the order of their key, with their number. */
function digest({ columns }: MovedTable) {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add(rows: readonly MovedRow[]) {
      count += rows.length;
      for (const row of rows)
        hash.update(JSON.stringify(Object.keys(columns).map((name) => row[name] ?? null)));
    },
    end: () => `${count} ${hash.digest('hex')}`,
  };
}
