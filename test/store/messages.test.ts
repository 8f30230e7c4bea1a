import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { postgresDialect } from '../../src/store/drivers/postgres/dialect.ts';
import { sqliteDialect } from '../../src/store/drivers/sqlite/dialect.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { messageTables } from '../../src/store/messages.ts';
import { peopleTables } from '../../src/store/people-schema.ts';
import type { Dialect } from '../../src/store/sql.ts';
import { aRequest, intentOf, off } from '../delivery/fixture.ts';
import { postgres, type TestDatabase } from '../kit/postgres.ts';
import { aMessageStore, messagesContract } from './contract/messages.ts';
import { put } from './contract/people-fixture.ts';
import { aClock, secret } from './contract/test-store.ts';
import { noted } from './noted.ts';
import { inFile, inPostgres } from './on-both.ts';
import { plansInFile } from './plan.ts';
import { collectStatements } from './postgres/statement-types.ts';

const layoutOf = (dialect: Dialect) => [...peopleTables(dialect), ...messageTables(dialect)];

suite('Messages in a file', () => {
  messagesContract(inFile(aMessageStore, layoutOf(sqliteDialect)));

  test('Each statement finds its rows by a key or an index.', async (t) => {
    const clock = aClock();
    const layout = layoutOf(sqliteDialect);
    const { sql, asked } = noted(openSqlite({ file: ':memory:', layout, clock }));
    t.after(() => sql.close());
    const { people, messages } = aMessageStore({ sql, secrets: [secret], clock });
    await put(people, aRequest({ intent: intentOf(off('a')) }), { now: 0 });
    await messages.dueOf(['mail'], 9e5);
    const queued = await messages.claim('mail', { owner: 'me', now: 9e5, until: 1e6 });
    assert.ok(queued);
    await messages.postpone(queued, { dueAt: 0, problem: 'x', isHeld: false });
    await messages.sent(queued, 0);
    await messages.makeDue('mail', { now: 0, spread: 1 });
    await messages.counts();
    await messages.sweep();
    const planOf = plansInFile(layout);
    for (const { sql: text } of asked.values()) {
      const scans = planOf(text).filter((step) => /^SCAN (message|submission|s|q)\b/.test(step));
      assert.deepEqual(scans, [], text);
    }
  });
});

let database: TestDatabase;
const asked = collectStatements();

suite('Messages in PostgreSQL', { skip: postgres.skip, concurrency: false }, () => {
  before(async () => {
    database = await postgres.database();
  });
  after(() => database.end());

  messagesContract(inPostgres(() => database, asked.note, aMessageStore, layoutOf(postgresDialect)));

  test('Every number of a statement has 64 bits, and rows are taken once.', async () => {
    assert.deepEqual(await asked.smallNumbers(database), []);
    assert.deepEqual(asked.repeatable(), []);
  });
});
