import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import pg from 'pg';
import { type DatabaseOptions, openDatabase } from '../../src/store/drivers/postgres/database.ts';
import { postgresDialect } from '../../src/store/drivers/postgres/dialect.ts';
import { peopleTables } from '../../src/store/people-schema.ts';
import { type Prepared, reading } from '../../src/store/sql.ts';
import { anna, aRequest, ben, intentOf, off } from '../delivery/fixture.ts';
import { createGate } from '../kit/gate.ts';
import { databaseOf, postgres } from '../kit/postgres.ts';
import { eventually } from '../kit/until.ts';
import { peopleEvidenceContract } from './contract/people-evidence.ts';
import {
  aPeopleStore,
  claimed,
  ended,
  finish,
  lease,
  type MakePeople,
  newReference,
  type PeopleHandle,
  put,
  unchanged,
} from './contract/people-fixture.ts';
import { peoplePrivacyContract } from './contract/people-privacy.ts';
import { peopleQueueContract } from './contract/people-queue.ts';
import { peopleRecordContract } from './contract/people-record.ts';
import { peopleReportsContract } from './contract/people-reports.ts';
import { peopleRotationContract } from './contract/people-rotation.ts';
import { personOf, seal } from './contract/test-store.ts';
import { onBoth } from './judged.ts';

function contracts(make: MakePeople): void {
  peopleRecordContract(make);
  peopleQueueContract(make);
  peopleRotationContract(make);
  peopleReportsContract(make);
  peoplePrivacyContract(make);
  peopleEvidenceContract(make);
}

const dayMs = 86_400_000;
const now = Date.UTC(2026, 0, 1);
const rows = 20_000;
/** Rows as in a mailing: many people wait, some withdraw, and most submissions are done. */
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

onBoth('People', {
  contract: (storeOf) => contracts(storeOf(aPeopleStore)),
  layoutOf: peopleTables,
  grows: 'person|submission|s|p|reason',
  fill,
  indexes: {
    person_due: /WITH first AS MATERIALIZED|SET due_at = /,
    person_leased: /SET lease_until = /,
    person_rest: /DELETE FROM person/,
    submission_words: /DELETE FROM wording WHERE/,
    submission_subject: /ORDER BY sequence DESC LIMIT \S+ OFFSET \S+\) AS found/,
    submission_center: /WHERE center = \S+ AND subject <> ''\s+ORDER BY sequence DESC/,
    submission_time: /WHERE submitted_at >= /,
    submission_waiting: /withdraws = 1 AND done_at IS NULL/,
    submission_failed: /state = 'failed' AND done_at >= /,
    submission_done: /WHERE request IS NOT NULL AND done_at < /,
    submission_over: /DELETE FROM submission WHERE/,
    submission_ended: /SELECT sequence, center, asked_leaf/,
    day_root_center: /FROM day_root WHERE center = \S+ AND day < /,
    day_root_open: /UPDATE day_root SET due_at/,
    reason_day: /DELETE FROM reason WHERE/,
    reason_words: /id IS NULL AND day >= /,
  },
});

const layout = peopleTables(postgresDialect);
const sleeping = reading`SELECT pg_sleep(1)`;
const click = (index: number) =>
  aRequest({ subject: personOf(index), channel: 'one-click', intent: intentOf(off('a')) });

suite('People of many processes in PostgreSQL', { skip: postgres.skip, concurrency: false }, () => {
  const database = databaseOf();

  async function opened(t: TestContext, given: Partial<DatabaseOptions> = {}): Promise<PeopleHandle> {
    const sql = await openDatabase({ url: database.url, layout, poolSize: 5, deadlineMs: 5_000, ...given });
    const store = aPeopleStore({ sql, seal });
    t.after(async () => {
      await store.close();
      await sql.close();
    });
    return store;
  }

  test('All processes hear of due people and of ended submissions; the process that recorded hears of no due ones', async (t) => {
    await database.emptied();
    const [one, other] = [await opened(t), await opened(t)];
    const heard: string[] = [];
    const due = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    other.onNews((news) => {
      heard.push(`other ${news.kind}`);
      if (news.kind === 'due') due.resolve();
      else told.resolve();
    });
    const stop = one.onNews((news) => heard.push(`one ${news.kind}`));
    await put(one, aRequest({ intent: intentOf(off('a')) }));
    await due.promise;
    await finish(one, 2_000);
    await told.promise;
    assert.deepEqual(heard, ['other due', 'one told', 'other told']);
    stop();
    await put(one, aRequest({ subject: ben, intent: intentOf(off('a')) }));
    await finish(one, 3_000);
    assert.equal(heard.includes('one due'), false);
  });

  test('A record takes 1 statement alone, 1 for 50 at once; a claim, a keep and the end of a submission take 1 each', async (t) => {
    await database.emptied();
    let asked = 0;
    const store = await opened(t, { onStatement: () => (asked += 1) });
    async function counted(work: () => Promise<unknown>): Promise<number> {
      asked = 0;
      await work();
      return asked;
    }
    const first = click(0);
    const alone = await counted(() => put(store, first));
    const many = await counted(() =>
      Promise.all(Array.from({ length: 50 }, (_, index) => put(store, click(index + 1)))),
    );
    const again = await counted(() => put(store, first));
    const claim = await counted(() => store.claim(lease(2_000, 'first')));
    const held = await claimed(store, 2_000, 'second');
    const kept = unchanged(held.person, 2_000);
    const keep = await counted(() => store.keep(held, kept, { now: 2_000, until: 2_100 }));
    const next = { ...held, version: held.version + 1 };
    const end = await counted(() => store.keep(next, ended(held.person, 2_000), 'released'));
    const find = await counted(() => store.historyOf('center', anna, { limit: 9, offset: 0 }));
    const told = { alone, many, again, claim, keep, end, find };
    process.stdout.write(`statements: ${JSON.stringify(told)}\n`);
    assert.deepEqual(told, { alone: 1, many: 1, again: 4, claim: 1, keep: 1, end: 1, find: 1 });
  });

  test('A claim takes no longer with 4,000 words of one person', async (t) => {
    await database.emptied();
    const store = await opened(t);
    const words = Array.from({ length: 4_000 }, (_, index) => off(`purpose-${index}-${'x'.repeat(24)}`));
    await put(store, aRequest({ intent: intentOf(...words) }));
    const [row] = await database.query('SELECT length(document) AS bytes FROM person');
    const plan = await database.query(
      `EXPLAIN (ANALYZE, FORMAT JSON) UPDATE person SET owner = 'me', lease_until = 1 WHERE subject =
         (SELECT subject FROM person WHERE due_at = 1000) RETURNING *`,
    );
    const [timed] = (plan[0]?.['QUERY PLAN'] ?? []) as { readonly 'Execution Time': number }[];
    const ms = timed?.['Execution Time'] ?? Number.NaN;
    const began = performance.now();
    await claimed(store, 2_000, 'long');
    const whole = (performance.now() - began).toFixed(1);
    process.stdout.write(`a claim of ${row?.['bytes']} characters: ${ms} ms, ${whole} ms in all\n`);
    assert.ok(ms <= 20, `${ms} ms`);
  });

  test('A withdrawal is written and carried out while all others wait for a connection', async (t) => {
    await database.emptied();
    const store = await opened(t);
    const busy = Promise.all(Array.from({ length: 8 }, () => store.sql.get(sleeping)));
    let isBusy = true;
    const over = busy.then(() => {
      isBusy = false;
    });
    await put(store, aRequest({ intent: intentOf(off('a')) }));
    await finish(store, 2_000);
    assert.ok(isBusy);
    await over;
  });

  test('A submission whose answer is lost on its way is found by its nonce, and written once', async (t) => {
    const gate = await createGate(await database.emptied());
    t.after(() => gate.close());
    const store = await opened(t, { url: gate.url });
    for (const channel of ['link', 'one-click'] as const) {
      const request = aRequest({ channel, intent: intentOf(off(channel)) });
      const reference = newReference();
      // The reference is only in the statement that writes.
      gate.loseAnswer(reference);
      const recorded = await put(store, request, { reference });
      assert.deepEqual([recorded.kind, recorded.entry.reference], ['new', reference]);
      assert.equal((await put(store, request)).kind, 'known');
    }
    assert.equal((await store.list({ limit: 9 })).length, 2);
  });

  test('A locked table delays a few statements and not one for each of many people, who get an error', async (t) => {
    await database.emptied();
    let waited = 0;
    const onStatement = (statement: Prepared | string) => {
      if (typeof statement !== 'string' && statement.text.includes('INTO person')) waited += 1;
    };
    const store = await opened(t, { deadlineMs: 400, onStatement });
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    t.after(() => holder.end());
    await holder.query('BEGIN; LOCK TABLE person IN ACCESS EXCLUSIVE MODE');
    const all = (count: number) => Array.from({ length: count }, (_, index) => put(store, click(index)));
    const told = await Promise.allSettled(all(150));
    assert.ok(told.every((each) => each.status === 'rejected' && each.reason.code === 'store-unavailable'));
    // Three groups wait, and a few items of each are tried by themselves: not 150, one after the other.
    assert.ok(waited <= 3 * 9, `${waited} statements waited`);
    await holder.query('ROLLBACK');
    // A busy machine may need more time than this deadline: then the submission is already open.
    const taken = await eventually(() => Promise.all(all(60)));
    assert.ok(taken.every(({ kind }) => kind === 'new' || kind === 'open'));
  });
});
