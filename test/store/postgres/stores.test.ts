import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Database, openDatabase } from '../../../src/store/postgres/database.ts';
import { openPasscodes } from '../../../src/store/postgres/passcodes.ts';
import { openQuotaStore } from '../../../src/store/postgres/quota-store.ts';
import { openRateCounters } from '../../../src/store/postgres/rate-counters.ts';
import { openRecordKeys } from '../../../src/store/postgres/record-keys.ts';
import { openReplayGuard } from '../../../src/store/postgres/replay-guard.ts';
import { openSessionStore } from '../../../src/store/postgres/sessions.ts';
import { openStaffLog } from '../../../src/store/postgres/staff-log.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { postgres, type TestDatabase } from '../../kit/postgres.ts';
import { passcodesContract } from '../contract/passcodes.ts';
import { quotaStoreContract } from '../contract/quota-store.ts';
import { rateCountersContract } from '../contract/rate-counters.ts';
import { recordKeysContract } from '../contract/record-keys.ts';
import { replayGuardContract } from '../contract/replay-guard.ts';
import { sessionsContract, sessionTimes } from '../contract/sessions.ts';
import { auditMs, staffLogContract } from '../contract/staff-log.ts';
import { anna, type Given, type MakeTestStore, minute, useStore } from '../contract/test-store.ts';
import { collectStatements } from './statement-types.ts';

let database: TestDatabase;
const asked = collectStatements();

interface Closable {
  close(): Promise<void>;
}

/** Each handle has connections of its own, as another node has. */
function storeOf<T extends Closable>(open: (given: Given & { database: Database }) => T): MakeTestStore<T> {
  return async () => {
    const url = await database.emptied();
    return {
      async open(given) {
        const connected = await openDatabase({
          url,
          poolSize: 5,
          deadlineMs: 5_000,
          onStatement: asked.note,
        });
        const store = open({ ...given, database: connected });
        return {
          ...store,
          async close() {
            await store.close();
            await connected.close();
          },
        };
      },
      async end() {},
    };
  };
}

suite('the stores in PostgreSQL', { skip: postgres.skip, concurrency: false }, () => {
  before(async () => {
    database = await postgres.database();
  });
  after(() => database.end());

  const passcodes = storeOf(({ database, clock, secrets }) =>
    openPasscodes({ database, clock, seal: createSeal(secrets) }),
  );
  passcodesContract(passcodes);

  test('Messages of an earlier version say for a week whose link it was, for the link does not.', async (t) => {
    const { clock, open } = await useStore(t, passcodes);
    const store = await open();
    const endsAt = clock.now() + 10 * minute;
    const made = {
      id: 'a',
      center: 'c',
      subject: anna,
      link: 'link',
      code: '123456',
      endsAt,
      isShared: false,
    };
    await store.open(made);
    await database.query('UPDATE passcode SET link_names_subject = false');
    clock.at += 7 * 24 * 60 * minute;
    assert.equal(await store.sweep(), 0);
    assert.deepEqual(await store.findLink('link', 'c'), { kind: 'over', subject: anna });
    clock.at += 11 * minute;
    assert.equal(await store.sweep(), 1);
  });

  replayGuardContract(
    storeOf(({ database, clock, secrets }) =>
      openReplayGuard({ database, clock, hash: createSeal(secrets) }),
    ),
  );
  rateCountersContract(
    storeOf(({ database, clock, secrets }) =>
      openRateCounters({ database, clock, hash: createSeal(secrets) }),
    ),
  );
  staffLogContract(storeOf(({ database, clock }) => openStaffLog({ database, clock, auditMs })));
  sessionsContract(
    storeOf(({ database, clock, secrets }) =>
      openSessionStore({ database, store: 'visitors', clock, seal: createSeal(secrets), ...sessionTimes }),
    ),
  );
  quotaStoreContract(
    storeOf(({ database, clock, secrets }) => openQuotaStore({ database, clock, hash: createSeal(secrets) })),
  );
  recordKeysContract(storeOf(({ database }) => openRecordKeys({ database })));

  test('takes every number of a statement for a time of today, but those that count, and takes rows once', async () => {
    assert.deepEqual(await asked.smallNumbers(database), ['count', 'digits', 'lines']);
    assert.deepEqual(asked.repeatable(), []);
  });
});
