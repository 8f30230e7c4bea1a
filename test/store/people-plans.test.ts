import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { openDayRoots } from '../../src/store/day-roots.ts';
import { openDatabase } from '../../src/store/drivers/postgres/database.ts';
import { postgresDialect } from '../../src/store/drivers/postgres/dialect.ts';
import { sqliteDialect } from '../../src/store/drivers/sqlite/dialect.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { peopleTables } from '../../src/store/people-schema.ts';
import type { Sql, Statement } from '../../src/store/sql.ts';
import { openWordings } from '../../src/store/wordings.ts';
import { anna, aRequest, intentOf, leaveAll, off, on } from '../delivery/fixture.ts';
import { postgres, type TestDatabase } from '../kit/postgres.ts';
import {
  aPeopleStore,
  claimed,
  ended,
  lease,
  newReference,
  type PeopleHandle,
  put,
  saying,
  unchanged,
} from './contract/people-fixture.ts';
import { aSigner } from './contract/roots-world.ts';
import { aClock, secret } from './contract/test-store.ts';
import { indexesInPostgres, planInPostgres, plansInFile } from './plan.ts';

/** Every index that is no key, and a part of the statement that walks it. */
const users: Readonly<Record<string, RegExp>> = {
  person_due: /^WITH first AS MATERIALIZED/,
  person_leased: /SET lease_until = /,
  person_rest: /^DELETE FROM person/,
  submission_words: /^DELETE FROM wording WHERE/,
  submission_subject: /ORDER BY sequence DESC LIMIT \S+ OFFSET \S+\) AS found/,
  submission_center: /WHERE center = \S+ AND subject <> ''\s+ORDER BY sequence DESC/,
  submission_time: /WHERE submitted_at >= /,
  submission_waiting: /withdraws = 1 AND done_at IS NULL/,
  submission_failed: /state = 'failed' AND done_at >= /,
  submission_done: /WHERE request IS NOT NULL AND done_at < /,
  submission_over: /^DELETE FROM submission WHERE/,
  submission_ended: /^SELECT sequence, center, asked_leaf/,
  day_root_center: /FROM day_root WHERE center = \S+ AND day < /,
  day_root_open: /^UPDATE day_root SET due_at/,
  reason_day: /^DELETE FROM reason WHERE/,
  reason_words: /id IS NULL AND day >= /,
};

/** Everything that is asked of the tables. */
async function askAll(store: PeopleHandle, now: number): Promise<void> {
  const reasons = [
    { id: undefined, text: 'own' },
    { id: 'r1', text: 'Too many' },
  ];
  const request = aRequest({ intent: intentOf(off('a')), reasons });
  const { reference } = (await put(store, request, { now })).entry;
  await put(store, request, { now });
  await put(store, aRequest({ intent: intentOf(on('a')), undoes: reference }), { now });
  const click = () => aRequest({ intent: leaveAll, channel: 'one-click' });
  await put(store, click(), { now });
  await put(store, click(), { now });
  await store.resume({ now, lease: 1_000, latest: 1_000 });
  await store.postpone(await claimed(store, now), now);
  const held = await claimed(store, now);
  await store.keep(held, unchanged(held.person, now), { now, until: now + 100 });
  await store.keep(held, unchanged(held.person, now), 'released');
  await store.keep({ ...held, version: held.version + 1 }, ended(held.person, now), 'released');
  await store.makeDue({ now, spread: 1, limit: 1 });
  await store.wake(anna, now);
  await store.retry(reference, now);
  await store.nextDueAt();
  await store.finishedOf([reference]);
  await store.find(reference);
  await store.findOwn(reference, anna);
  await store.historyOf('center', anna, { limit: 9, offset: 0 });
  await store.historySize('center', anna);
  await store.personOf(anna);
  await store.submissionsOf([reference], anna);
  for (const filter of [
    { from: 1, to: 2 },
    { center: 'center' },
    { state: 'failed' as const },
    { state: 'pending' as const },
    { state: 'pending' as const, center: 'center', from: 1 },
    { subject: anna },
  ])
    await store.list({ limit: 9, ...filter });
  for await (const _ of store.parts({ limit: 9 }));
  await store.waitingWithdrawals(9);
  await store.failedSince(0, 9);
  await store.counts();
  await store.days({ from: 0, to: 9 });
  await store.topReasons({ limit: 9 });
  await store.ownWords({}, { centers: ['center'], limit: 9 });
  await store.reasons({}, { limit: 9, after: undefined });
  await askForRoots(store, now);
  const over = { now, workBefore: now + 1, evidenceBefore: now + 1, reasonsBefore: now + 1 };
  await store.sweep(over);
  await openWordings(store).sweep();
  await store.bindTo('https://a.example', undefined);
  await store.check();
}

async function askForRoots({ sql, historyOf }: PeopleHandle, now: number): Promise<void> {
  const clock = { at: now + 3 * dayMs, now: () => clock.at };
  const roots = openDayRoots({ ...sql, clock }, () => []);
  const by = { issuer: 'x', signer: await aSigner() };
  await roots.make(by);
  clock.at += 3_600_000;
  await roots.make(by);
  const all = await historyOf('center', anna, { limit: 9, offset: 0 });
  const references = all.map(({ reference }) => reference);
  assert.ok((await roots.proofs('center', references)).size > 0);
  await roots.list('center', { before: 9, limit: 9 });
}

const dayMs = 86_400_000;
const now = Date.UTC(2026, 0, 1);
const rows = 20_000;
/** As in a mailing: many wait, some withdraw, and most of all submissions are done. */
const fill = `
  INSERT INTO person (subject, version, document, due_at, withdraws, owner, lease_until, touched_at)
  SELECT md5(n::text), 1, 'unreadable', CASE WHEN n % 3 > 0 THEN ${now} + n END, n % 2,
    CASE WHEN n % 1000 = 1 THEN 'me' END, CASE WHEN n % 1000 = 1 THEN ${now} + 100000 ELSE 0 END, ${now} - n
  FROM generate_series(1, ${rows}) AS n;
  INSERT INTO submission (reference, nonce, digest, center, subject, channel, state, everything, withdraws, gpc,
    submitted_at, done_at, receipts, request, asked_leaf, words, ended_day)
  SELECT 'r' || n, 'n' || n, 'd', 'center' || n % 500, md5((n / 3)::text), 'link',
    CASE WHEN n % 100 = 0 THEN 'pending' WHEN n % 1000 = 1 THEN 'failed' ELSE 'done' END, 0, n % 2, 0,
    t, CASE WHEN n % 100 > 0 THEN t END, '[]', CASE WHEN n % 10 = 0 THEN 'unreadable' END,
    '', n % 7, CASE WHEN n % 100 > 0 THEN t - t % ${dayMs} END
  FROM (SELECT n, ${now - 365 * dayMs} + n::bigint * 365 * ${dayMs} / ${rows} AS t FROM generate_series(1, ${rows}) AS n) AS made;
  INSERT INTO day_root (day, center, due_at, signed)
  SELECT ${now} - n::bigint / 50 * ${dayMs}, 'center' || n % 50, 0, CASE WHEN n > 50 THEN '{}' END
  FROM generate_series(1, ${rows}) AS n;
  INSERT INTO reason (center, day, id, text)
  SELECT 'center' || n % 50, ${now} - n::bigint * 1000000, CASE WHEN n % 4 > 0 THEN 'id' END, 'text'
  FROM generate_series(1, ${rows}) AS n;`;

const isDefined = (text: string) =>
  /\b(FROM|INTO|UPDATE) (person|submission|reason|wording|day_root)\b/.test(text);

suite('Statements about people in a file', () => {
  test('find their rows by an index, and each index serves one', async () => {
    const prepared = new Set<string>();
    const { prepare } = DatabaseSync.prototype;
    DatabaseSync.prototype.prepare = function (sql: string) {
      prepared.add(sql);
      return prepare.call(this, sql);
    };
    const sql = openSqlite({ file: ':memory:', layout: peopleTables(sqliteDialect), clock: aClock() });
    await askAll(aPeopleStore({ sql, secrets: [secret], clock: aClock() }), now);
    DatabaseSync.prototype.prepare = prepare;
    await sql.close();
    const planOf = plansInFile(peopleTables(sqliteDialect));
    const used = new Set<string>();
    const looksAtAll: string[] = [];
    for (const text of [...prepared].filter(isDefined)) {
      const plan = planOf(text);
      for (const line of plan) {
        const [, index] = /INDEX (\w+)/.exec(line) ?? [];
        if (index !== undefined) used.add(index);
        // What records and carries out is not led by an index of reports and sweeps.
        if (/^submission_(time|waiting|failed|over|done|center)$/.test(index ?? ''))
          assert.doesNotMatch(
            text,
            /^(WITH|INSERT|UPDATE (?!submission SET request = NULL))|(nonce|reference) (IN|=(?! NULL))/,
          );
        // What stops after some rows, in their order, looks at those alone.
        const isScan = /^SCAN (person|submission|s|p|reason)$/.test(line);
        if (isScan && (!/LIMIT/.test(text) || /state = '/.test(text)))
          looksAtAll.push(`${text}\n${plan.join('\n')}`);
      }
    }
    assert.deepEqual(looksAtAll, [], looksAtAll.join('\n\n'));
    const all = peopleTables(sqliteDialect)
      .join(';')
      .matchAll(/CREATE INDEX (\w+)/g);
    const names = [...all].map(([, name = '']) => name).toSorted();
    assert.deepEqual(names, Object.keys(users).toSorted());
    assert.deepEqual(
      names.filter((name) => !used.has(name)),
      [],
    );
  });
});

suite('Statements about people in PostgreSQL', { skip: postgres.skip, concurrency: false }, () => {
  let database: TestDatabase;
  let sql: Sql;
  let store: PeopleHandle;
  let asked: string[] = [];
  const statements = new Map<string, Statement>();
  before(async () => {
    database = await postgres.database();
    sql = await openDatabase({
      ...{ url: database.url, layout: peopleTables(postgresDialect), poolSize: 5, deadlineMs: 5_000 },
      onStatement(statement) {
        asked.push(typeof statement === 'string' ? statement : statement.text);
        if (typeof statement !== 'string') statements.set(statement.name, statement);
      },
    });
    store = aPeopleStore({ sql, secrets: [secret], clock: aClock() });
    await askAll(store, now);
  });
  after(async () => {
    await store.close();
    await sql.close();
    await database.end();
  });

  async function counted(work: () => Promise<unknown>): Promise<number> {
    asked = [];
    await work();
    return asked.length;
  }

  const person = (index: number) => `person-${index}@example.org` as SubjectId;
  const withdrawal = (subject: SubjectId) => aRequest({ subject, intent: intentOf(off('a')) });

  test('are 1 for a record alone, 1 for 50 at once, 1 for a claim, 1 for a keep, and 1 where a submission ends', async () => {
    const alone = await counted(() => put(store, withdrawal(person(0)), { now }));
    const many = await counted(() =>
      Promise.all(
        Array.from({ length: 50 }, (_, index) => put(store, withdrawal(person(index + 1)), { now })),
      ),
    );
    const known = withdrawal(person(0));
    await put(store, known, { now });
    const again = await counted(() => put(store, known, { now }));
    const claim = await counted(() => store.claim(lease(now, 'first')));
    const held = await claimed(store, now, 'second');
    const keep = await counted(() =>
      store.keep(held, unchanged(held.person, now), { now, until: now + 100 }),
    );
    const next = { ...held, version: held.version + 1 };
    const end = await counted(() => store.keep(next, ended(held.person, now), 'released'));
    const find = await counted(() => store.historyOf('center', person(9), { limit: 9, offset: 0 }));
    const told = { alone, many, again, claim, keep, end, find };
    process.stdout.write(`statements: ${JSON.stringify(told)}\n`);
    assert.deepEqual(told, { alone: 1, many: 1, again: 4, claim: 1, keep: 1, end: 1, find: 1 });
  });

  test('take no longer with 4,000 words of one person', async () => {
    const subject = person(999);
    const words = Array.from({ length: 4_000 }, (_, index) => off(`purpose-${index}-${'x'.repeat(24)}`));
    const request = aRequest({ subject, intent: intentOf(...words) });
    const reference = newReference();
    await store.record({ request, reference, now: 1 }, saying(request, reference, 1));
    const [row] = await database.query(
      `SELECT length(document) AS bytes FROM person ORDER BY length(document) DESC LIMIT 1`,
    );
    const plan = await database.query(
      `EXPLAIN (ANALYZE, FORMAT JSON) UPDATE person SET owner = 'me', lease_until = 1 WHERE subject =
         (SELECT subject FROM person WHERE due_at = 1) RETURNING *`,
    );
    const [timed] = (plan[0]?.['QUERY PLAN'] ?? []) as { readonly 'Execution Time': number }[];
    const ms = timed?.['Execution Time'] ?? Number.NaN;
    const began = performance.now();
    const held = await claimed(store, now, 'long');
    const whole = performance.now() - began;
    assert.equal(held.person.subject, subject);
    process.stdout.write(
      `a claim of ${row?.['bytes']} characters: ${ms} ms of the database, ${whole.toFixed(1)} ms in all\n`,
    );
    assert.ok(ms <= 20, `${ms} ms`);
  });

  /** No one else takes statistics of it, however long a test takes. */
  async function withoutStatistics(): Promise<TestDatabase> {
    const bare = await postgres.database();
    for (const part of peopleTables(postgresDialect)) await bare.query(part);
    for (const table of ['person', 'submission', 'reason'])
      await bare.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    return bare;
  }

  for (const statistics of ['without statistics', 'with statistics']) {
    test(`find their rows by an index, and each index serves one, ${statistics}`, async (t) => {
      const database = await withoutStatistics();
      t.after(() => database.end());
      await database.query(fill);
      if (statistics === 'with statistics') await database.query('VACUUM ANALYZE');
      assert.deepEqual(await indexesInPostgres(database), Object.keys(users).toSorted());
      const faults: string[] = [];
      const all = [...statements.values()].filter(({ text }) => isDefined(text));
      for (const [index, user] of Object.entries(users)) {
        const named = all.filter(({ text }) => user.test(text));
        const plans = await Promise.all(named.map((each) => planInPostgres(database, each)));
        if (!plans.some((plan) => plan.includes(` ${index} `))) faults.push(`${index}: ${plans.join('\n')}`);
      }
      for (const statement of all) {
        const plan = await planInPostgres(database, statement);
        // Behind a limit a walk in the order of the key ends early.
        if (/Seq Scan on (person|submission|reason)\b/.test(plan)) faults.push(`${statement.text}\n${plan}`);
      }
      assert.deepEqual(faults, [], faults.join('\n\n'));
    });
  }
});
