/**
 * `node test/bench/evidence.ts [people] [files | PostgreSQL] [three]` measures the evidence of many people
 * with ten submissions each, by default of 1,000,000 people in both stores. That takes an hour, 10 GB of
 * memory and 30 GB of disk. With `three` each submission has three changes.
 *
 * The product seals ten submissions. The rows of 100 people and of one whole day are sealed one by one, so
 * that they open. All others are copies of these, each with its own reference and person. Each person submits
 * every hundred days.
 */

import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { exportEvidence } from '../../src/cli/evidence.ts';
import { openSigner, readSecrets } from '../../src/compose/secret.ts';
import { openStores } from '../../src/compose/stores.ts';
import { readConfig } from '../../src/config/environment.ts';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { random } from '../../src/random-bytes.ts';
import { openDayRoots } from '../../src/store/day-roots.ts';
import { openDatabase } from '../../src/store/drivers/postgres/database.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { openEvidence, sealAsked, sealEnded } from '../../src/store/evidence-seal.ts';
import { embeddedFiles, postgresLayout } from '../../src/store/layouts.ts';
import type { SubmissionRow } from '../../src/store/people-schema.ts';
import { createSeal } from '../../src/store/seal.ts';
import { plainRow } from '../../src/store/sql.ts';
import { startFixture } from '../features/centers/fixture.ts';
import { shop } from '../features/centers/sample-centers.ts';
import { manyCalls } from '../kit/product.ts';
import { quantile, taken } from './figures.ts';

const people = Number(process.argv[2] ?? 1_000_000);
const each = 10;
const total = people * each;
const dayMs = 86_400_000;
const days = 1_000;
const perDay = total / days;
const read = 100;
const changed = process.argv.includes('three') ? ['Letters', 'Calls', 'Surveys'] : ['Letters'];

type Row = Readonly<Record<string, unknown>>;
type Value = string | number | null | Uint8Array;

/** Runs raw statements in either database. */
interface Raw {
  run(sql: string, ...values: readonly Value[]): Promise<unknown>;
  all(sql: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

function rawFile(file: string): Raw {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA cache_size = -2000000; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE');
  return {
    run: async (sql, ...values) =>
      values.length === 0 ? database.exec(sql) : database.prepare(sql.replaceAll('$', '?')).run(...values),
    all: async (sql) => database.prepare(sql).all(),
    close: async () => database.close(),
  };
}

async function rawDatabase(url: string): Promise<Raw> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(
    `SET session_replication_role = replica; SET maintenance_work_mem = '1GB'; SET work_mem = '256MB'; SET synchronous_commit = off`,
  );
  return {
    run: (sql, ...values) => client.query(sql, [...values]),
    all: async (sql) => (await client.query(sql)).rows as Row[],
    close: () => client.end(),
  };
}

/** Statements that differ between the two databases. */
const dialects = {
  files: {
    indexes: `SELECT sql FROM sqlite_schema WHERE tbl_name = 'submission' AND type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY type`,
    drop: (sql: string) => sql.replace(/^CREATE (UNIQUE )?(\w+) (\w+).*$/s, 'DROP $2 $3'),
    series: (to: string) =>
      `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${to}) SELECT i FROM n) AS n`,
    text: (length: number) => `substr(hex(randomblob(32)), 1, ${length})`,
    leaf: 'randomblob(32)',
    day: `SELECT CAST(strftime('%s', 'now') / 86400 AS integer) * ${dayMs} AS day`,
    counts: `INSERT INTO submission_count SELECT state, count(*) FROM submission GROUP BY state;
      INSERT INTO submission_day SELECT submitted_at - submitted_at % ${dayMs}, count(*), 0 FROM submission GROUP BY 1`,
    pack: 'VACUUM; ANALYZE',
    sizes: `SELECT sum(pgsize) FILTER (WHERE name = 'submission') AS rows,
        sum(pgsize) FILTER (WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = 'submission' AND type = 'index')) AS indexes,
        sum(pgsize) FILTER (WHERE name LIKE '%day_root%') AS roots FROM dbstat`,
  },
  PostgreSQL: {
    indexes: `SELECT indexdef AS sql FROM pg_indexes WHERE tablename = 'submission' AND indexname LIKE 'submission\\_%' AND indexname !~ '_(pkey|key)$'`,
    drop: (sql: string) => sql.replace(/^CREATE (UNIQUE )?INDEX (\w+).*$/s, 'DROP INDEX $2'),
    series: (to: string) => `generate_series(CAST(1 AS bigint), ${to}) AS n(i)`,
    text: (length: number) => `substr(md5(random()::text) || md5(random()::text), 1, ${length})`,
    leaf: 'sha256(int8send(n.i))',
    day: `SELECT (extract(epoch FROM now())::bigint / 86400) * ${dayMs} AS day`,
    counts: `INSERT INTO submission_count SELECT state, 0, count(*) FROM submission GROUP BY state;
      INSERT INTO submission_day SELECT submitted_at - submitted_at % ${dayMs}, 0, count(*), 0 FROM submission GROUP BY 1`,
    pack: 'VACUUM ANALYZE',
    sizes: `SELECT pg_table_size('submission') AS rows, pg_indexes_size('submission') AS indexes,
        pg_total_relation_size('day_root') AS roots`,
  },
} as const;

const columns = `sequence, reference, center, subject, channel, state, everything, withdraws, gpc, submitted_at, done_at,
  receipts, asked, asked_leaf, ended, ended_leaf, ended_day, words`;

async function measure(store: keyof typeof dialects): Promise<void> {
  const say = (what: string, value: string) => process.stdout.write(`${store}: ${what}: ${value}\n`);
  const dialect = dialects[store];
  const fixture = await startFixture({ store: store === 'files' ? 'files' : 'postgres', env: manyCalls });
  await using product = fixture.product;
  const writer = await fixture.person(shop, { Letters: 'ACTIVE' });
  for (let index = 0; index < each; index += 1) {
    const page = await (await writer.again()).open();
    for (const name of changed) page.isOn(name) ? page.untick(name) : page.tick(name);
    await page.save();
  }
  say('My record before, p50 and p99 of 300', await pages([writer.identifier]));
  await product.stop();

  const config = readConfig({ ...product.env, DATABASE_TIMEOUT_SECONDS: '30' }, () => '');
  const secrets = readSecrets(config);
  const seal = createSeal(secrets);
  const open = () =>
    config.database === undefined
      ? rawFile(join(config.dataDir, 'journal.sqlite'))
      : rawDatabase(config.database.url.reveal());
  const raw = await open();
  const templates = (await raw.all('SELECT * FROM submission ORDER BY sequence')).map((read) => {
    const row = plainRow(read);
    return { row, evidence: openEvidence(seal, row as SubmissionRow) };
  });
  const [{ day: now } = {}] = (await raw.all(dialect.day)) as [{ day: number }];
  const since = Number(now) - (days + 31) * dayMs;

  const began = performance.now();
  const indexes = (await raw.all(dialect.indexes)).map(({ sql }) => String(sql));
  for (const sql of indexes) await raw.run(dialect.drop(sql));
  await raw.run('DELETE FROM submission');
  await raw.run(`CREATE TABLE bench_person (n integer PRIMARY KEY, subject text)`);
  await raw.run(
    `INSERT INTO bench_person SELECT i - 1, ${dialect.text(43)} FROM ${dialect.series(String(people))}`,
  );
  await raw.run(`CREATE TABLE bench_pool AS SELECT * FROM submission WHERE 1 = 0`);
  const rowOf = (identifier: string, sequence: number, at: number): readonly Value[] => {
    const { row, evidence } = templates[sequence % each] ?? {};
    if (row === undefined || evidence?.ended === undefined) throw new Error('a change was not carried out');
    const { salt: _, ...was } = evidence.asked;
    const { salt: __, ...end } = evidence.ended;
    const [reference, subject] = [random.id(), identifier as SubjectId];
    const shown = was.shown && { ...was.shown, at };
    const asked = sealAsked(seal, { ...was, reference, subject, shown, acceptedAt: at + 5_000 });
    const ended = sealEnded(
      seal,
      { reference, subject },
      { ...end, sentAt: at + 5_100, endedAt: at + 5_300 },
    );
    const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex');
    return [
      ...[
        sequence,
        reference,
        shop,
        seal.hash('journal subject', subject),
        'link',
        'done',
        0,
        sequence % 2,
        0,
      ],
      ...[at + 5_000, at + 5_300, '[]', bytes(asked.sealed), bytes(asked.leaf), bytes(ended.sealed)],
      ...[bytes(ended.leaf), at - (at % dayMs), Number(row['words'])],
    ] as readonly Value[];
  };
  const marks = columns.split(',').map((_column, index) => `$${index + 1}`);
  const insert = (table: string, row: readonly Value[]) =>
    raw.run(`INSERT INTO ${table} (${columns}) VALUES (${marks})`, ...row);
  const identifiers = Array.from({ length: read }, (_, index) => `reader-${index}@example.org`);
  for (let index = 0; index < read * each; index += 1)
    await insert('bench_pool', rowOf(identifiers[index % read] ?? '', index, since));

  const at = `(${since} + CAST(n.i * ${(days * dayMs) / total} AS bigint))`;
  await raw.run(
    `INSERT INTO submission (${columns})
     SELECT n.i, ${dialect.text(24)}, p.center, b.subject, 'link', 'done', 0, n.i % 2, 0, ${at}, ${at} + 300, '[]',
       p.asked, ${dialect.leaf}, p.ended, ${dialect.leaf}, ${at} - ${at} % ${dayMs}, p.words
     FROM ${dialect.series(String(total))}
     JOIN bench_pool p ON p.sequence = n.i % ${read * each} JOIN bench_person b ON b.n = (n.i * 7919) % ${people}`,
  );
  // The rows of the 100 people lie all over the table; those of one whole day are of many people.
  const ownDay = Math.floor(days / 2);
  const stride = Math.floor(total / (read * each));
  const own = [
    ...Array.from({ length: perDay }, (_, index) => [ownDay * perDay + index, `d${index}@example.org`]),
    ...Array.from({ length: read * each }, (_, index) => [index * stride + 1, identifiers[index % read]]),
  ] as [number, string][];
  await raw.run('BEGIN');
  for (const [sequence, identifier] of new Map(own)) {
    await raw.run('DELETE FROM submission WHERE sequence = $1', sequence);
    await insert(
      'submission',
      rowOf(identifier, sequence, since + Math.floor((sequence * days * dayMs) / total)),
    );
  }
  await raw.run('COMMIT');
  await raw.run('DROP TABLE bench_pool');
  await raw.run('DROP TABLE bench_person');
  for (const sql of indexes) await raw.run(sql);
  await raw.run('DELETE FROM submission_count');
  await raw.run('DELETE FROM submission_day');
  await raw.run(dialect.counts);

  // Roots of all days but the last five.
  const last = since + days * dayMs;
  const signer = await openSigner(secrets, {
    recordKeys: { publish: async () => undefined, all: async () => [] },
  });
  const part = (first: number) => [first, 'x'.repeat(43)];
  const parts = JSON.stringify(Array.from({ length: Math.ceil(perDay / 256) }, (_, index) => part(index)));
  const signed = JSON.stringify(await signer.sign(JSON.stringify({ root: 'x'.repeat(300) })));
  await raw.run('DELETE FROM day_root');
  for (let day = since; day < last - 5 * dayMs; day += dayMs)
    await raw.run('INSERT INTO day_root VALUES ($1, $2, $1, $3, $4)', day, shop, parts, signed);
  await raw.run(dialect.pack);
  say(
    'filled',
    `${total.toLocaleString('en')} submissions in ${Math.round((performance.now() - began) / 1_000)} s`,
  );
  const [{ rows, indexes: ofIndexes, roots } = {}] = await raw.all(dialect.sizes);
  const perRow = (bytes: unknown) => Math.round(Number(bytes) / total);
  say(
    'a submission',
    `${perRow(Number(rows) + Number(ofIndexes))} bytes: row ${perRow(rows)}, indexes ${perRow(ofIndexes)}; roots of ${days} days ${Math.round(Number(roots) / 2 ** 20)} MB`,
  );
  await raw.close();

  await product.start();
  say('My record, p50 and p99 of 1,000', await pages(identifiers));
  await product.stop();

  await using ends = new AsyncDisposableStack();
  const stores = await openStores({ config, seal });
  ends.defer(() => stores.close());
  let shift = 0;
  const sql =
    config.database === undefined
      ? openSqlite({ ...embeddedFiles(config.dataDir)[0], clock: { now: () => Date.now() } })
      : await openDatabase({
          url: config.database.url.reveal(),
          layout: postgresLayout,
          poolSize: 2,
          deadlineMs: 60_000,
        });
  ends.defer(() => sql.close());
  const clock = { now: () => stores.clock.now() + shift };
  const dayRoots = openDayRoots({ ...sql, clock }, () => []);
  await dayRoots.make({ issuer: product.url, signer });
  shift = 3_600_000;
  let made = 0;
  const { wall, cpu } = await taken(async () => {
    while ((await dayRoots.make({ issuer: product.url, signer })) > 0) made += 1;
  });
  say(
    'the root of a day',
    `${Math.round(wall / made)} ms, CPU ${Math.round(cpu / made)} ms, of ${perDay.toLocaleString('en')} changes (${made} days)`,
  );

  const purpose = templates[0]?.evidence?.asked.changes[0]?.id ?? '';
  const isoOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  const exported = performance.now();
  const which = { purpose, day: isoOf(since + ownDay * dayMs), format: 'jsonl' } as const;
  const line = JSON.parse((await exportEvidence(config, which)).split('\n')[0] ?? '{}');
  say(
    'evidence --export of a day',
    `${Math.round(performance.now() - exported)} ms, ${line.agreed + line.withdrew} changes counted`,
  );
  const heap = process.memoryUsage().rss;
  let [most, count] = [heap, 0];
  const listing = performance.now();
  for await (const entries of stores.journal.parts({
    from: since + ownDay * dayMs,
    to: since + (ownDay + 1) * dayMs,
    limit: total,
  })) {
    count += entries.filter(({ evidence }) => evidence !== undefined).length;
    most = Math.max(most, process.memoryUsage().rss);
  }
  say(
    'export of submissions',
    `${Math.round((1_000 * count) / (performance.now() - listing)).toLocaleString('en')} a second, ${count} of a day, memory +${Math.round((most - heap) / 2 ** 20)} MB`,
  );

  const over = { now: stores.clock.now(), workBefore: 0, reasonsBefore: 0 };
  let [gone, longest] = [0, 0];
  const pruning = performance.now();
  for (;;) {
    const step = performance.now();
    const some = await stores.journal.sweep({ ...over, evidenceBefore: since + 20 * dayMs });
    longest = Math.max(longest, performance.now() - step);
    gone += some;
    if (some === 0) break;
  }
  say(
    'prune',
    `${Math.round((1_000 * gone) / (performance.now() - pruning)).toLocaleString('en')} a second (${gone.toLocaleString('en')}), longest step ${Math.round(longest)} ms`,
  );

  async function pages(of: readonly string[]): Promise<string> {
    const times: number[] = [];
    for (let round = 0; round < (of.length === 1 ? 30 : 1); round += 1)
      for (const identifier of of) {
        const { visitor } = await fixture.person(shop, {}, { identifier });
        for (let index = 0; index < 10; index += 1) {
          const from = performance.now();
          const { status, text } = await visitor.get(`/centers/${shop}/record?lang=en`);
          times.push(performance.now() - from);
          if (status !== 200 || (text.match(/class="move"/g) ?? []).length < each)
            throw new Error(`${status} ${text.slice(0, 1_000)}`);
        }
      }
    return `${quantile(times, 0.5).toFixed(0)} and ${quantile(times, 0.99).toFixed(0)} ms`;
  }
}

const only = process.argv.find((each) => each === 'files' || each === 'PostgreSQL');
await (only ? measure(only) : measure('files').then(() => measure('PostgreSQL')));
process.exit(0);
