import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openHostedLinks } from '../../src/store/hosted-links.ts';
import { openPasscodes } from '../../src/store/passcodes.ts';
import { openQuotaStore } from '../../src/store/quota-store.ts';
import { openRateCounters } from '../../src/store/rate-counters.ts';
import { openRecordKeys } from '../../src/store/record-keys.ts';
import { openReplayGuard } from '../../src/store/replay-guard.ts';
import { createSeal } from '../../src/store/seal.ts';
import { openSessionStore } from '../../src/store/sessions.ts';
import type { Sql } from '../../src/store/sql.ts';
import { openStaffLog } from '../../src/store/staff-log.ts';
import { postgres, type TestDatabase } from '../kit/postgres.ts';
import { hostedLinksContract } from './contract/hosted-links.ts';
import { passcodesContract } from './contract/passcodes.ts';
import { quotaStoreContract } from './contract/quota-store.ts';
import { rateCountersContract } from './contract/rate-counters.ts';
import { recordKeysContract } from './contract/record-keys.ts';
import { replayGuardContract } from './contract/replay-guard.ts';
import { sessionsContract, sessionTimes } from './contract/sessions.ts';
import { auditMs, staffLogContract } from './contract/staff-log.ts';
import type { Given, MakeTestStore } from './contract/test-store.ts';
import { inFile, inPostgres } from './on-both.ts';
import { collectStatements } from './postgres/statement-types.ts';

/** Every contract of the stores that are written once. */
function contracts(storeOf: <T>(open: (given: Given & { sql: Sql }) => T) => MakeTestStore<T>): void {
  passcodesContract(
    storeOf(({ sql, secrets }) => ({ sql, ...openPasscodes({ sql, seal: createSeal(secrets) }) })),
  );
  hostedLinksContract(storeOf(({ sql, secrets }) => openHostedLinks({ sql, seal: createSeal(secrets) })));
  replayGuardContract(storeOf(({ sql, secrets }) => openReplayGuard({ sql, seal: createSeal(secrets) })));
  rateCountersContract(storeOf(({ sql, secrets }) => openRateCounters({ sql, seal: createSeal(secrets) })));
  quotaStoreContract(storeOf(({ sql, secrets }) => openQuotaStore({ sql, seal: createSeal(secrets) })));
  staffLogContract(storeOf(({ sql }) => openStaffLog({ sql, auditMs })));
  sessionsContract(
    storeOf(({ sql, secrets }) => ({
      sql,
      ...openSessionStore({ sql, store: 'visitors', seal: createSeal(secrets), ...sessionTimes }),
    })),
  );
  recordKeysContract(storeOf(({ sql }) => openRecordKeys({ sql })));
}

suite('The stores in files', () => contracts(inFile));

let database: TestDatabase;
const asked = collectStatements();

suite('The stores in PostgreSQL', { skip: postgres.skip, concurrency: false }, () => {
  before(async () => {
    database = await postgres.database();
  });
  after(() => database.end());

  contracts((open) => inPostgres(() => database, asked.note, open));

  test('Every number of a statement has 64 bits, and rows are taken once.', async () => {
    assert.deepEqual(await asked.smallNumbers(database), []);
    assert.deepEqual(asked.repeatable(), []);
  });
});
