/**
 * `node test/bench/may-send.ts [people]` measures a question about 1,000 identifiers on a journal of
 * 1,000,000 people who have withdrawn, in files and in PostgreSQL. Prints the milliseconds of the fastest and
 * the median of 41 questions, and their processor time in this process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { openDatabase } from '../../src/store/drivers/postgres/database.ts';
import { sqliteDialect } from '../../src/store/drivers/sqlite/dialect.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { eventTables } from '../../src/store/event-tables.ts';
import { openEvents } from '../../src/store/events.ts';
import { postgresLayout } from '../../src/store/layouts.ts';
import { peopleOf, readPersonKeys } from '../../src/store/person-keys.ts';
import { createSeal } from '../../src/store/seal.ts';
import { rowsValue, type Sql, writing } from '../../src/store/sql.ts';
import { postgres } from '../kit/postgres.ts';
import { books, newBooks } from '../kit/sandbox-ids.ts';
import { median, taken } from './figures.ts';

const people = Number(process.argv[2] ?? 1_000_000);
const seal = createSeal(['a secret of at least thirty-two bytes']);
const identifier = (index: number) => `person-${index}@example.org` as SubjectId;
const clock = { now: () => Date.UTC(2026, 0, 1) };
const batch = 10_000;

async function measure(name: string, sql: Sql): Promise<void> {
  const { events } = await openEvents({ sql, seal, routes: () => undefined });
  const { keys } = await readPersonKeys(sql, seal);
  const [key] = keys;
  if (key === undefined) throw new Error('no key');
  const personIn = peopleOf(key, books);
  const added = sql.dialect.rows('added', { person: 'text', purpose: 'text' });
  const add = writing`INSERT INTO last_word SELECT person, purpose, 1, 0 FROM ${added}`;
  for (let from = 0; from < people; from += batch) {
    const some = Array.from({ length: Math.min(batch, people - from) }, (_, index) => from + index);
    const rows = some.map((each) => ({
      person: personIn(identifier(each)),
      purpose: each % 10 === 0 ? '' : newBooks,
    }));
    await sql.run(add, { added: rowsValue(rows) });
  }
  await sql.run(writing`ANALYZE last_word`);
  const laps: { readonly wall: number; readonly cpu: number }[] = [];
  for (let round = 0; round < 41; round += 1) {
    // Half of them have withdrawn.
    const asked = Array.from({ length: 1_000 }, (_, index) =>
      identifier(((index * 7_919 + round * 104_729) % people) + (index % 2) * people),
    );
    let answers: readonly (boolean | undefined)[] = [];
    laps.push(await taken(async () => ({ answers } = await events.mayUse(books, newBooks, asked))));
    const no = answers.filter((answer) => !answer).length;
    if (no !== 500) throw new Error(`${no} of 1,000 were refused`);
  }
  const [walls, cpus] = [laps.map(({ wall }) => wall), laps.map(({ cpu }) => cpu)];
  process.stdout.write(
    `${name}: ${Math.min(...walls).toFixed(2)} ms at best, ${median(walls).toFixed(2)} in the middle; processor ${median(cpus).toFixed(2)}\n`,
  );
  await sql.close();
}

const folder = mkdtempSync(join(tmpdir(), 'sayso-may-send-'));
await measure(
  'files',
  openSqlite({ file: join(folder, 'journal.sqlite'), layout: eventTables(sqliteDialect), clock }),
);
rmSync(folder, { recursive: true, force: true });
const { url, end } = await postgres.database();
await measure(
  'PostgreSQL',
  await openDatabase({ layout: postgresLayout, url, poolSize: 2, deadlineMs: 60_000 }),
);
await end();
