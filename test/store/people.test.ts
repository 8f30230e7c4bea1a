import assert from 'node:assert/strict';
import { after, before, suite, type TestContext, test } from 'node:test';
import pg from 'pg';
import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { type DatabaseOptions, openDatabase } from '../../src/store/drivers/postgres/database.ts';
import { postgresDialect } from '../../src/store/drivers/postgres/dialect.ts';
import { peopleTables } from '../../src/store/people-schema.ts';
import { reading, type Statement } from '../../src/store/sql.ts';
import { aRequest, ben, intentOf, off } from '../delivery/fixture.ts';
import { createGate } from '../kit/gate.ts';
import { postgres, type TestDatabase } from '../kit/postgres.ts';
import { eventually } from '../kit/until.ts';
import { peopleEvidenceContract } from './contract/people-evidence.ts';
import {
  aPeopleStore,
  finish,
  type MakePeople,
  newReference,
  type PeopleHandle,
  put,
} from './contract/people-fixture.ts';
import { peoplePrivacyContract } from './contract/people-privacy.ts';
import { peopleQueueContract } from './contract/people-queue.ts';
import { peopleRecordContract } from './contract/people-record.ts';
import { peopleReportsContract } from './contract/people-reports.ts';
import { peopleRotationContract } from './contract/people-rotation.ts';
import { aClock, secret } from './contract/test-store.ts';
import { onBoth } from './judged.ts';

function contracts(make: MakePeople): void {
  peopleRecordContract(make);
  peopleQueueContract(make);
  peopleRotationContract(make);
  peopleReportsContract(make);
  peoplePrivacyContract(make);
  peopleEvidenceContract(make);
}

onBoth('People', { contract: (storeOf) => contracts(storeOf(aPeopleStore)), layoutOf: peopleTables });

let database: TestDatabase;
const layout = peopleTables(postgresDialect);
const sleeping = reading('SELECT pg_sleep(1)');
const click = (index: number) =>
  aRequest({
    subject: `person-${index}@example.org` as SubjectId,
    channel: 'one-click',
    intent: intentOf(off('a')),
  });

suite('People of many processes in PostgreSQL', { skip: postgres.skip, concurrency: false }, () => {
  before(async () => {
    database = await postgres.database();
  });
  after(() => database.end());

  async function opened(t: TestContext, given: Partial<DatabaseOptions> = {}): Promise<PeopleHandle> {
    const sql = await openDatabase({ url: database.url, layout, poolSize: 5, deadlineMs: 5_000, ...given });
    const store = aPeopleStore({ sql, secrets: [secret], clock: aClock() });
    t.after(async () => {
      await store.close();
      await sql.close();
    });
    return store;
  }

  test('All processes hear of due people and of ended submissions; the one that recorded is not told of due ones.', async (t) => {
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

  test('A withdrawal is written and carried out while all others wait for a connection.', async (t) => {
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

  test('A submission whose answer is lost on its way is found by its nonce, and written once.', async (t) => {
    const gate = await createGate(await database.emptied());
    t.after(() => gate.close());
    const store = await opened(t, { url: gate.url });
    for (const channel of ['link', 'one-click'] as const) {
      const request = aRequest({ channel, intent: intentOf(off(channel)) });
      const reference = newReference();
      // It stands in nothing but what writes.
      gate.loseAnswer(reference);
      const recorded = await put(store, request, { reference });
      assert.deepEqual([recorded.kind, recorded.entry.reference], ['new', reference]);
      assert.equal((await put(store, request)).kind, 'known');
    }
    assert.equal((await store.list({ limit: 9 })).length, 2);
  });

  test('As many people are made due as are to be, whatever PostgreSQL believes of their number.', async (t) => {
    await database.emptied();
    const store = await opened(t);
    for (let index = 0; index < 10; index += 1) {
      await put(store, click(index), { now: 1_000 + index });
      if (index === 0) await database.query('ANALYZE person');
    }
    for (const [limit, due] of [
      [1, 1],
      [3, 4],
    ] as const) {
      await store.makeDue({ now: 10, spread: 1, limit });
      assert.equal((await database.query('SELECT 1 FROM person WHERE due_at <= 11')).length, due);
    }
  });

  test('A table that is locked holds up a few statements and not each of many people, who are told.', async (t) => {
    await database.emptied();
    let waited = 0;
    const onStatement = (statement: Statement | string) => {
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
    // Three groups, and of each a few that are tried by themselves: not 150, one after the other.
    assert.ok(waited <= 3 * 9, `${waited} statements waited`);
    await holder.query('ROLLBACK');
    // A busy machine may need more than this deadline: what was taken then is open already.
    const taken = await eventually(() => Promise.all(all(60)));
    assert.ok(taken.every(({ kind }) => kind === 'new' || kind === 'open'));
  });
});
