import assert from 'node:assert/strict';
import { after, before, suite, type TestContext, test } from 'node:test';
import pg from 'pg';
import type { SubjectId } from '../../../src/core/model/subject.ts';
import { tellAccepted } from '../../../src/delivery/telling.ts';
import { newWork } from '../../../src/delivery/work.ts';
import { openDatabase } from '../../../src/store/drivers/postgres/database.ts';
import { openEvents } from '../../../src/store/postgres/events.ts';
import { openJournal } from '../../../src/store/postgres/journal.ts';
import { postgresLayout } from '../../../src/store/postgres/stores.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { aRequest, intentOf, off } from '../../delivery/fixture.ts';
import { postgres, type TestDatabase } from '../../kit/postgres.ts';
import { type EventStore, eventsContract, type OpenedWith } from '../contract/events.ts';
import { newReference, secret } from '../contract/journal-fixture.ts';
import { withdrawOnlyContract } from '../contract/withdraw-only.ts';
import { collectStatements } from './statement-types.ts';

let database: TestDatabase;
const asked = collectStatements();
let opened = 0;

async function openStore(t: TestContext, { routes, clock }: OpenedWith): Promise<EventStore> {
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
      const seal = createSeal(secrets);
      opened += 1;
      const random = { id: () => `node-${opened}` };
      const journal = await openJournal({ database: connected, seal, random, routes });
      const events = await openEvents({ database: { ...connected, clock }, seal });
      t.after(async () => {
        await journal.close();
        await connected.close();
      });
      return { journal, events };
    },
  };
}

suite('events in PostgreSQL', { skip: postgres.skip, concurrency: false }, () => {
  before(async () => {
    database = await postgres.database();
  });
  after(() => database.end());

  eventsContract(openStore);
  withdrawOnlyContract(openStore);

  const routes = () => ({ receivers: [] });

  test('what a transaction commits late is not skipped by who has read on', async (t) => {
    const store = await openStore(t, { routes, clock: { now: () => 1 } });
    const { journal, events } = await store.open();
    const late = new pg.Client({ connectionString: database.url });
    await late.connect();
    t.after(() => late.end());
    await late.query('BEGIN');
    await late.query(
      `INSERT INTO event (id, center, reference, at, payload) VALUES ('late', 'center', 'late', 1, '')`,
    );
    const request = aRequest({ intent: intentOf(off('a')) });
    const reference = newReference();
    const told = tellAccepted(newWork(request), reference, 1);
    await journal.record(request, { ...told, reference, now: 1, expiresAt: undefined });
    const before = await events.page('center', { after: 0, limit: 9 });
    assert.deepEqual(
      before.events.map(({ position, event }) => [position, event?.id]),
      [[1, `${reference}-0`]],
    );
    await late.query('COMMIT');
    const next = await events.page('center', { after: 1, limit: 9 });
    assert.deepEqual(
      next.events.map(({ position, event }) => [position, event?.id]),
      [[2, undefined]],
    );
  });

  test('one at a time is taken of many who wait, whatever PostgreSQL believes of their number', async (t) => {
    const store = await openStore(t, {
      routes: () => ({ receivers: [{ id: 'crm', types: ['withdrawal.accepted'] }] }),
      clock: { now: () => 1 },
    });
    const { journal, events } = await store.open();
    for (let person = 0; person < 10; person += 1) {
      const subject = `person-${person}@example.org` as SubjectId;
      const request = aRequest({ subject, intent: intentOf(off('a')) });
      const reference = newReference();
      const told = tellAccepted(newWork(request), reference, 1);
      await journal.record(request, { ...told, reference, now: 1, expiresAt: undefined });
      if (person === 0) await database.query('ANALYZE event_queue');
    }
    const taken = new Set<string>();
    for (let owner = 0; owner < 10; owner += 1) {
      const queued = await events.claim('crm', { owner: `${owner}`, now: 2, until: 100 });
      assert.ok(queued, `${taken.size} of 10`);
      taken.add(queued.person);
    }
    assert.equal(taken.size, 10);
  });

  test('whether mails may be sent is looked up, person by person', async (t) => {
    const url = await database.emptied();
    const asked: string[] = [];
    const onStatement = (statement: { readonly text: string } | string) => {
      const text = typeof statement === 'string' ? statement : statement.text;
      if (/AS answers/.test(text)) asked.push(text);
    };
    const connected = await openDatabase({
      layout: postgresLayout,
      url,
      poolSize: 1,
      deadlineMs: 5_000,
      onStatement,
    });
    t.after(() => connected.close());
    const events = await openEvents({ database: connected, seal: createSeal([secret]) });
    await database.query(
      `INSERT INTO last_word SELECT md5(n::text), 'p', n, true FROM generate_series(1, 5000) AS n; ANALYZE last_word`,
    );
    await database.query(`INSERT INTO person_key VALUES (1, 'unreadable', 0)`);
    await events.mayUse('center', 'p', ['anna@example.org' as SubjectId]);
    assert.equal(asked.length, 1, 'one statement for all');
    const sql = asked[0]?.replaceAll('$1', `'p'`).replaceAll('$2', `'a b'`) ?? '';
    const plan = (await database.query(`EXPLAIN ${sql}`)).map((row) => String(row['QUERY PLAN'])).join('\n');
    assert.match(plan, /Index.* (using|on) last_word_pkey/);
    assert.doesNotMatch(plan, /Seq Scan on last_word/);
  });

  test('two nodes that write and two that read at once: nothing is skipped, nothing comes twice', async (t) => {
    const store = await openStore(t, { routes, clock: { now: () => 1 } });
    const nodes = [await store.open(), await store.open()];
    const written: string[] = [];
    let isWritten = false;
    const write = async (index: number) => {
      for (let times = 0; times < 40; times += 1) {
        const subject = `p${index}-${times % 7}@example.org` as SubjectId;
        const request = aRequest({ subject, intent: intentOf(off(`p${times}`)) });
        const reference = newReference();
        const told = tellAccepted(newWork(request), reference, 1);
        await nodes[index % 2]?.journal.record(request, { ...told, reference, now: 1, expiresAt: undefined });
        written.push(`${reference}-0`);
      }
    };
    const read = async (index: number) => {
      const seen: string[] = [];
      for (let after = 0; ; ) {
        const isLast = isWritten;
        const page = await nodes[index]?.events.page('center', { after, limit: 5 });
        for (const { position, event } of page?.events ?? []) {
          assert.equal(position, after + 1);
          after = position;
          seen.push(event?.id ?? '');
        }
        if (isLast && page?.events.length === 0) return seen;
      }
    };
    const readers = [read(0), read(1)];
    await Promise.all([0, 1, 2, 3].map(write));
    isWritten = true;
    const [one, other] = await Promise.all(readers);
    assert.deepEqual(one, other);
    assert.deepEqual(one?.toSorted(), written.toSorted());
  });

  test('takes every number of a statement for a time of today, but those that count, and takes rows once', async () => {
    assert.deepEqual(await asked.smallNumbers(database), ['clicks', 'count', 'number']);
    assert.deepEqual(asked.repeatable(), []);
  });
});
