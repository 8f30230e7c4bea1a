import { after, before, suite, type TestContext } from 'node:test';
import { openDatabase } from '../../../src/store/postgres/database.ts';
import { openJournal } from '../../../src/store/postgres/journal.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { postgres, type TestDatabase } from '../../kit/postgres.ts';
import { journalConcurrencyContract } from '../contract/journal-concurrency.ts';
import { type JournalStore, secret } from '../contract/journal-fixture.ts';
import { journalIntakeContract } from '../contract/journal-intake.ts';
import { journalQueueContract } from '../contract/journal-queue.ts';
import { journalReportsContract } from '../contract/journal-reports.ts';

let opened = 0;

let database: TestDatabase;

async function openStore(t: TestContext): Promise<JournalStore> {
  const url = await database.emptied();
  return {
    async open(secrets = [secret]) {
      const connected = await openDatabase({ url, poolSize: 5, deadlineMs: 5_000 });
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
  journalIntakeContract(openStore);
  journalQueueContract(openStore);
  journalReportsContract(openStore);
  journalConcurrencyContract(openStore);
});
