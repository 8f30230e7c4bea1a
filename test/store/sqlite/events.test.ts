import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createSeal } from '../../../src/store/seal.ts';
import { openEvents } from '../../../src/store/sqlite/events.ts';
import { openJournal } from '../../../src/store/sqlite/journal.ts';
import { eventsContract, type OpenEventStore } from '../contract/events.ts';
import { secret } from '../contract/journal-fixture.ts';
import { withdrawOnlyContract } from '../contract/withdraw-only.ts';

const openStore: OpenEventStore = async (t, { routes, clock }) => {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'journal.sqlite');
  return {
    async open(secrets = [secret]) {
      const seal = createSeal(secrets);
      const journal = openJournal({ file, seal, routes, clock });
      const events = openEvents({ file, seal, clock });
      t.after(async () => {
        await events.close();
        await journal.close();
      });
      return { journal, events };
    },
  };
};
eventsContract(openStore);
withdrawOnlyContract(openStore);

test('whether mails may be sent is looked up, person by person', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'journal.sqlite');
  const prepared = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (sql: string) {
    prepared.add(sql);
    return prepare.call(this, sql);
  };
  const events = openEvents({ file, seal: createSeal([secret]), clock: { now: () => 1 } });
  DatabaseSync.prototype.prepare = prepare;
  await events.close();
  const [asked = ''] = [...prepared].filter((sql) => /AS answers/.test(sql));
  const database = new DatabaseSync(file);
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${asked}`).all({ people: '[]', purpose: 'p' });
  database.close();
  const steps = plan.map(({ detail }) => String(detail));
  assert.ok(steps.includes('SEARCH w USING PRIMARY KEY (person=?)'), steps.join('\n'));
  assert.ok(!steps.some((step) => /SCAN (w|last_word)/.test(step)), steps.join('\n'));
});
