import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStores } from '../../src/compose/stores.ts';
import { sweptJournal } from '../../src/compose/sweep.ts';
import { readConfig } from '../../src/config/environment.ts';
import type { Journal, JournalOver } from '../../src/ports/journal.ts';
import { canaries } from '../kit/canaries.ts';
import { newFolder } from '../kit/folder.ts';
import { seal } from './contract/test-store.ts';

// `contract/people-reports` and `staff-log` hold that a sweep deletes nothing that is not over.
test('A sweep takes the work of a submission after 30 days, reasons after one year, evidence and audit after three', async (t) => {
  const given = { SECRET: canaries.secret, SANDBOX: 'on', DATA_DIR: newFolder(t) };
  const config = readConfig(given, () => '');
  const day = 86_400_000;
  const now = 2_000 * day;
  const asked: JournalOver[] = [];
  const journal = { sweep: async (over) => asked.push(over) } as Pick<Journal, 'sweep'> as Journal;
  await sweptJournal(journal, config, { now: () => now }).sweep();
  const over = {
    workBefore: now - 30 * day,
    evidenceBefore: now - 1_095 * day,
    reasonsBefore: now - 365 * day,
  };
  assert.deepEqual(asked, [{ now, ...over }]);

  const stores = await openStores({ config: { ...config, auditDays: 90 }, seal });
  t.after(() => stores.close());
  const { log } = stores.staff;
  for (const age of [89, 91]) {
    const at = stores.clock.now() - age * day;
    const about = `of ${age} days`;
    await log.begin({ at, staff: 'kim', name: 'Kim', does: 'read a record', about, outcome: 'done' });
  }
  for (const store of stores.maintained) while ((await store.sweep()) > 0);
  assert.deepEqual(
    (await log.list({ limit: 9 })).map(({ about }) => about),
    ['of 89 days'],
  );
});

test('The default is three years for evidence and audit, one for reasons, and settings outside the bounds are refused', () => {
  const days = (env: Readonly<Record<string, string>>) => readConfig(env, () => '');
  assert.partialDeepStrictEqual(days({}), { evidenceDays: 1_095, reasonDays: 365, auditDays: 1_095 });
  const set = days({ EVIDENCE_DAYS: '400', REASON_DAYS: '60', AUDIT_DAYS: '90' });
  assert.partialDeepStrictEqual(set, { evidenceDays: 400, reasonDays: 60, auditDays: 90 });
  for (const [name, value] of [
    ['EVIDENCE_DAYS', '29'],
    ['REASON_DAYS', '0'],
    ['AUDIT_DAYS', 'ever'],
    ['EVIDENCE_DAYS', '1.5'],
    ['AUDIT_DAYS', '99999'],
  ] as const)
    assert.throws(() => days({ [name]: value }), new RegExp(`${name} must be a whole number`));
});
