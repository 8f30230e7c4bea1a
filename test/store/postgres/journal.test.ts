import assert from 'node:assert/strict';
import { after, before, suite, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { SubjectId } from '../../../src/core/model/subject.ts';
import { openDatabase } from '../../../src/store/drivers/postgres/database.ts';
import { openJournal } from '../../../src/store/postgres/journal.ts';
import { postgresLayout } from '../../../src/store/postgres/stores.ts';
import { createSeal } from '../../../src/store/seal.ts';
import type { Statement } from '../../../src/store/sql.ts';
import { anna, aRequest, ben, intentOf, leaveAll, off } from '../../delivery/fixture.ts';
import { createGate } from '../../kit/gate.ts';
import { postgres, type TestDatabase } from '../../kit/postgres.ts';
import { journalConcurrencyContract } from '../contract/journal-concurrency.ts';
import {
  type JournalStore,
  lease,
  otherSecret,
  put,
  secret,
  submissionMade,
  unchanged,
} from '../contract/journal-fixture.ts';
import { journalIntakeContract } from '../contract/journal-intake.ts';
import { journalQueueContract } from '../contract/journal-queue.ts';
import { journalReportsContract } from '../contract/journal-reports.ts';
import { collectStatements } from './statement-types.ts';

let opened = 0;

let database: TestDatabase;
const asked = collectStatements();

async function openStore(t: TestContext): Promise<JournalStore> {
  const url = await database.emptied();
  return {
    async open(secrets = [secret]) {
      const connected = await openDatabase({
        layout: postgresLayout,
        url,
        poolSize: 5,
        deadlineMs: 5_000,
        onStatement: asked.note,
      });
      opened += 1;
      const random = { id: () => `node-${opened}` };
      const journal = await openJournal({ database: connected, seal: createSeal(secrets), random });
      t.after(async () => {
        await journal.close();
        await connected.close();
      });
      return journal;
    },
  };
}

suite('the journal in PostgreSQL', { skip: postgres.skip, concurrency: false }, () => {
  before(async () => {
    database = await postgres.database();
  });
  after(() => database.end());
  test('a row that is given another person’s hash shows them nothing of it', async (t) => {
    const store = await openStore(t);
    const journal = await store.open();
    for (const subject of [anna, ben]) {
      const request = aRequest({ subject, intent: intentOf(off('a')) });
      await journal.record(request, { ...submissionMade(request), reference: subject });
    }
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`UPDATE submission SET state = 'done', done_at = 2`);
    const exchange = `UPDATE submission s SET subject = o.subject FROM submission o WHERE o.reference <> s.reference`;
    const read = async () => {
      const entries = [
        ...(await journal.recentOf(anna, 0)),
        ...(await journal.historyOf('center', anna, { limit: 9, offset: 0 })),
        ...(await journal.list({ subject: anna, limit: 9 })),
        ...[(await journal.findOwn(anna, anna)) ?? (await journal.findOwn(ben, anna))],
      ];
      return entries.map((entry) => entry?.work?.items.length ?? entry?.evidence?.items.length);
    };
    assert.deepEqual(await read(), [1, 1, 1, 1]);
    await client.query(exchange);
    assert.deepEqual(await read(), [undefined, undefined, undefined, undefined]);
    await client.query(exchange);
    await journal.sweep({ now: 9, workBefore: 9, evidenceBefore: 0, reasonsBefore: 0 });
    assert.deepEqual(await read(), [1, 1, 1, 1]);
    await client.query(exchange);
    assert.deepEqual(await read(), [undefined, undefined, undefined, undefined]);
    await client.end();
  });

  test('an answer that is lost on its way is found again by its nonce, and written once', async (t) => {
    const gate = await createGate(await database.emptied());
    const connected = await openDatabase({
      layout: postgresLayout,
      url: gate.url,
      poolSize: 2,
      deadlineMs: 5_000,
    });
    const seal = createSeal([secret]);
    const journal = await openJournal({ database: connected, seal, random: { id: () => 'node' } });
    t.after(async () => {
      await journal.close();
      await connected.close();
      await gate.close();
    });
    for (const channel of ['link', 'one-click'] as const) {
      const subject = `${channel}@example.org` as SubjectId;
      const request = aRequest({ channel, subject, intent: leaveAll });
      const made = submissionMade(request);
      // The reference stands in nothing but what writes.
      gate.loseAnswer(made.reference);
      const recorded = await journal.record(request, made);
      assert.deepEqual([recorded.kind, recorded.entry.reference], ['new', made.reference]);
      assert.equal((await journal.record(request, submissionMade(request))).kind, 'known');
    }
    assert.equal((await journal.list({ limit: 9 })).length, 2);
  });

  test('what one node finishes is heard by the others, and what one does not begin with is offered to them', async (t) => {
    const store = await openStore(t);
    const [one, other] = [await store.open(), await store.open()];
    const heard: string[] = [];
    one.onNews((news) => heard.push(news.kind === 'told' ? `told ${news.reference}` : 'due'));
    const own: string[] = [];
    other.onNews(({ kind }) => own.push(kind));
    const hears = async (what: string) => {
      const last = performance.now() + 3_000;
      while (!heard.includes(what) && performance.now() < last) await pause(10);
      return heard.includes(what);
    };
    const { reference, work } = await put(other, aRequest({ intent: leaveAll }), 1);
    assert.ok(work);
    assert.ok(await hears('due'));
    assert.deepEqual(own, [], 'who recorded it knows');
    assert.ok(await other.claim(lease(1, 'other')));
    const change = { ...unchanged, work, state: 'done', dueAt: 2, doneAt: 2, isTold: true } as const;
    assert.equal(await other.save(reference, 'other', change), 'saved');
    assert.ok(await hears(`told ${reference}`));
    assert.deepEqual(own, ['told'], 'at once, and once');
  });

  journalIntakeContract(openStore);
  journalQueueContract(openStore);
  journalReportsContract(openStore);
  journalConcurrencyContract(openStore);

  test('what is saved while something else of the person is written is saved all the same', async (t) => {
    const journal = await (await openStore(t)).open();
    const first = await put(journal, aRequest({ intent: intentOf(off('a')) }), 1);
    await put(journal, aRequest({ center: 'other', intent: intentOf(off('a')) }), 2);
    await journal.claim(lease(10));
    assert.ok(first.work);
    const change = { ...unchanged, work: { ...first.work, attempts: 3 }, dueAt: 10 };
    for (const [turn, kept] of [lease(10), 'released' as const].entries()) {
      const writing = database.query(
        `BEGIN; UPDATE journal_person SET version = version + 1; SELECT pg_sleep(0.5); COMMIT`,
      );
      await pause(200);
      const renewing = kept === 'released' ? true : journal.renew(first.reference, lease(10));
      const saved = await journal.save(first.reference, 'me', { ...change, dueAt: 10 + turn, lease: kept });
      assert.equal(saved, 'saved');
      assert.equal(await renewing, true);
      await writing;
    }
    assert.equal((await journal.find(first.reference))?.work?.attempts, 3);
    assert.ok(await journal.claim(lease(20)), 'and nobody waits for its lease');
  });

  test('only as many are made due as are to be, whatever PostgreSQL believes of their number', async (t) => {
    const journal = await (await openStore(t)).open();
    for (let person = 0; person < 10; person += 1) {
      const subject = `person-${person}@example.org` as SubjectId;
      await put(journal, aRequest({ subject, intent: intentOf(off('a')) }), 1_000 + person);
      if (person === 0) await database.query('ANALYZE submission');
    }
    await journal.makeDue({ now: 10, spread: 0, limit: 1 });
    assert.ok(await journal.claim(lease(10)));
    assert.equal(await journal.claim(lease(10)), undefined);
    await journal.makeDue({ now: 10, spread: 0, limit: 3 });
    const due = await database.query('SELECT 1 FROM submission WHERE due_at <= 10');
    assert.equal(due.length, 4);
  });

  test('who renews too late shortens the time of nobody who has begun anew', async (t) => {
    const journal = await (await openStore(t)).open();
    const first = await put(journal, aRequest({ intent: intentOf(off('a')) }), 1);
    await put(journal, aRequest({ center: 'other', intent: intentOf(off('a')) }), 2);
    assert.equal((await journal.claim(lease(10)))?.entry.reference, first.reference);
    const writing = database.query(
      `BEGIN;
       UPDATE journal_person SET leased = '${first.reference}', lease_until = 500, version = version + 1;
       UPDATE submission SET lease_owner = 'other', lease_until = 500 WHERE reference = '${first.reference}';
       SELECT pg_sleep(0.5); COMMIT`,
    );
    await pause(200);
    assert.equal(await journal.renew(first.reference, lease(20)), false);
    await writing;
    assert.equal(await journal.claim(lease(300)), undefined, 'one at a time works for the person');
  });

  test('a rotation takes along what is being claimed at that moment', async (t) => {
    const store = await openStore(t);
    const before = await store.open();
    await put(before, aRequest({ intent: intentOf(off('a')) }), 1);
    await put(before, aRequest({ center: 'other', intent: intentOf(off('a')) }), 2);
    const claiming = database.query(
      `BEGIN; UPDATE submission SET lease_owner = 'me', lease_until = 1000 WHERE submitted_at = 1;
       SELECT pg_sleep(0.5); COMMIT`,
    );
    const rotated = await store.open([otherSecret, secret]);
    await claiming;
    assert.equal(await rotated.claim(lease(10, 'other')), undefined, 'somebody is at work for them');
    assert.ok(await rotated.claim(lease(1001, 'other')));
  });

  test('what is held elsewhere holds up a few statements and not each of many people, who are told', async (t) => {
    const url = await database.emptied();
    let locked = 0;
    const onStatement = (asked: Statement | string) => {
      if (typeof asked !== 'string' && asked.text.includes('journal_person')) locked += 1;
    };
    const connected = await openDatabase({
      layout: postgresLayout,
      url,
      poolSize: 8,
      deadlineMs: 400,
      onStatement,
    });
    const random = { id: () => 'node' };
    const journal = await openJournal({ database: connected, seal: createSeal([secret]), random });
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    t.after(async () => {
      await holder.end();
      await journal.close();
      await connected.close();
    });
    const click = (number: number) => {
      const subject = `person-${number}@example.org` as SubjectId;
      const request = aRequest({ channel: 'one-click', subject, intent: leaveAll });
      return journal.record(request, submissionMade(request));
    };
    await holder.query('BEGIN; LOCK TABLE journal_person IN ACCESS EXCLUSIVE MODE');
    const began = performance.now();
    const told = await Promise.allSettled(Array.from({ length: 150 }, (_, number) => click(number)));
    t.diagnostic(`${Math.round(performance.now() - began)} ms with ${locked} statements of 400 ms`);
    assert.ok(
      told.every((each) => each.status === 'rejected' && each.reason.code === 'store-unavailable'),
      'nobody is told that it was taken',
    );
    // Three groups, and of each a few that are tried by themselves: not 150, one after the other.
    assert.ok(locked <= 3 * 9, `${locked} statements waited`);
    await holder.query('ROLLBACK');
    const taken = await Promise.all(Array.from({ length: 60 }, (_, number) => click(number)));
    assert.ok(taken.every(({ kind }) => kind === 'new'));
  });

  test('a group that takes long ends its transaction, and the others go in the next one', async (t) => {
    const url = await database.emptied();
    const asked: string[] = [];
    const connected = await openDatabase({
      layout: postgresLayout,
      url,
      poolSize: 4,
      deadlineMs: 5_000,
      onStatement: (each) => asked.push(typeof each === 'string' ? each : 'other'),
    });
    const random = { id: () => 'node' };
    const journal = await openJournal({ database: connected, seal: createSeal([secret]), random });
    t.after(async () => {
      await journal.close();
      await connected.close();
    });
    await database.query(`CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(0.2); RETURN NEW; END'`);
    await database.query(
      'CREATE TRIGGER slow BEFORE INSERT ON submission FOR EACH ROW EXECUTE FUNCTION slowly()',
    );
    t.after(() => database.query('DROP FUNCTION slowly CASCADE'));
    asked.length = 0;
    const people = Array.from({ length: 12 }, (_, number) => `slow-${number}@example.org` as SubjectId);
    const taken = await Promise.all(
      people.map((subject) => put(journal, aRequest({ subject, intent: leaveAll }))),
    );
    assert.equal(new Set(taken.map(({ reference }) => reference)).size, 12);
    assert.ok(asked.filter((each) => each === 'COMMIT').length >= 3, 'no person waits for all others');
  });

  test('takes every number of a statement for a time of today, but those that count, and takes rows once', async () => {
    assert.deepEqual(await asked.smallNumbers(database), ['clicks', 'count', 'number']);
    assert.deepEqual(asked.repeatable(), []);
  });
});
