import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { postgresDialect } from '../../src/store/drivers/postgres/dialect.ts';
import { sqliteDialect } from '../../src/store/drivers/sqlite/dialect.ts';
import { eventTables } from '../../src/store/event-tables.ts';
import { postgres, type TestDatabase } from '../kit/postgres.ts';
import { openNode, routes } from './contract/event-fixture.ts';
import { eventsContract } from './contract/events.ts';
import { inFile, inPostgres } from './on-both.ts';
import { collectStatements } from './postgres/statement-types.ts';

suite('The store of events in a file', () => {
  eventsContract(inFile((given) => openNode({ ...given, routes }), eventTables(sqliteDialect)));
});

let database: TestDatabase;
const asked = collectStatements();

suite('The store of events in PostgreSQL', { skip: postgres.skip, concurrency: false }, () => {
  before(async () => {
    database = await postgres.database();
  });
  after(() => database.end());

  eventsContract(
    inPostgres(
      () => database,
      asked.note,
      (given) => openNode({ ...given, routes }),
      eventTables(postgresDialect),
    ),
  );

  test('Every number of a statement has 64 bits, and rows are taken once', async () => {
    assert.deepEqual(await asked.smallNumbers(database), []);
    assert.deepEqual(asked.repeatable(), []);
  });
});
