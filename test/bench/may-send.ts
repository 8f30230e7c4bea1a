/**
 * How long 1,000 identifiers take on a journal of 1,000,000 people who have withdrawn something, in files and in
 * PostgreSQL: `node test/bench/may-send.ts [people]`. Prints milliseconds of the fastest and the middle of 41 questions,
 * and their processor time in this process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import type { Events } from '../../src/ports/events.ts';
import { openDatabase } from '../../src/store/drivers/postgres/database.ts';
import { postgresDialect } from '../../src/store/drivers/postgres/dialect.ts';
import { sqliteDialect } from '../../src/store/drivers/sqlite/dialect.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { eventTables } from '../../src/store/event-tables.ts';
import { openEvents } from '../../src/store/events.ts';
import { peopleOf, sealedKey } from '../../src/store/person-keys.ts';
import { createSeal } from '../../src/store/seal.ts';
import { postgres } from '../kit/postgres.ts';

const people = Number(process.argv[2] ?? 1_000_000);
const center = 'b00c5000-0000-4000-8000-000000000001';
const purpose = 'b00c5000-0000-4001-8000-000000000001';
const seal = createSeal(['a secret of at least thirty-two bytes']);
const identifier = (index: number) => `person-${index}@example.org` as SubjectId;
const clock = { now: () => Date.UTC(2026, 0, 1) };
const routes = () => undefined;
const batch = 10_000;

function peopleIn(sealed: unknown) {
  const key = sealedKey.open(seal, '1', sealed);
  if (key === undefined) throw new Error('no key');
  return peopleOf({ key }, center);
}

async function measure(name: string, events: Events): Promise<void> {
  const walls: number[] = [];
  const cpus: number[] = [];
  for (let round = 0; round < 41; round += 1) {
    // Half of them have withdrawn.
    const asked = Array.from({ length: 1_000 }, (_, index) =>
      identifier(((index * 7_919 + round * 104_729) % people) + (index % 2) * people),
    );
    const [wall, cpu] = [performance.now(), process.cpuUsage()];
    const { answers } = await events.mayUse(center, purpose, asked);
    walls.push(performance.now() - wall);
    const used = process.cpuUsage(cpu);
    cpus.push((used.user + used.system) / 1_000);
    const no = answers.filter((answer) => !answer).length;
    if (no !== 500) throw new Error(`${no} of 1,000 were refused`);
  }
  const [wall, cpu] = [walls, cpus].map((values) => values.toSorted((one, other) => one - other));
  const written = (value: number | undefined) => (value ?? 0).toFixed(2);
  process.stdout.write(
    `${name}: ${written(wall?.[0])} ms at best, ${written(wall?.[20])} in the middle; processor ${written(cpu?.[20])}\n`,
  );
}

async function inFiles(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-may-send-'));
  const file = join(folder, 'journal.sqlite');
  const sql = openSqlite({ file, layout: eventTables(sqliteDialect), clock });
  const { events } = await openEvents({ sql, seal, routes });
  const database = new DatabaseSync(file);
  const personIn = peopleIn(database.prepare('SELECT key FROM person_key').get()?.['key']);
  const insert = database.prepare('INSERT INTO last_word VALUES (?, ?, 1, 0)');
  database.exec('BEGIN');
  for (let index = 0; index < people; index += 1)
    insert.run(personIn(identifier(index)), index % 10 === 0 ? '' : purpose);
  database.exec('COMMIT');
  database.close();
  await measure('files', events);
  await sql.close();
  rmSync(folder, { recursive: true, force: true });
}

async function inPostgres(): Promise<void> {
  const made = await postgres.database();
  const layout = eventTables(postgresDialect);
  const sql = await openDatabase({ layout, url: made.url, poolSize: 2, deadlineMs: 60_000 });
  const { events } = await openEvents({ sql, seal, routes });
  const client = new pg.Client({ connectionString: made.url });
  await client.connect();
  const personIn = peopleIn((await client.query('SELECT key FROM person_key')).rows[0]?.key);
  for (let from = 0; from < people; from += batch) {
    const some = Array.from({ length: Math.min(batch, people - from) }, (_, index) => from + index);
    await client.query(
      `INSERT INTO last_word SELECT t.person, CASE WHEN t.number % 10 = 0 THEN '' ELSE $3 END, 1, 0
       FROM unnest($1::text[], $2::bigint[]) AS t (person, number)`,
      [some.map((index) => personIn(identifier(index))), some, purpose],
    );
  }
  await client.query('ANALYZE last_word');
  await measure('PostgreSQL', events);
  await client.end();
  await sql.close();
  await made.end();
}

await inFiles();
await inPostgres();
