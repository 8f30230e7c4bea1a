import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { openStores } from '../../src/compose/stores.ts';
import { sweptJournal } from '../../src/compose/sweep.ts';
import { readConfig } from '../../src/config/environment.ts';
import { noIntent } from '../../src/core/model/submission/intent.ts';
import { createSeal } from '../../src/store/seal.ts';
import { anna, aRequest, intentOf, off } from '../delivery/fixture.ts';
import { canaries } from '../kit/canaries.ts';
import { databaseOf, postgres } from '../kit/postgres.ts';
import { finish, put } from './contract/people-fixture.ts';
import { day, personOf } from './contract/test-store.ts';

const { center } = aRequest({});
const ages = [29, 31, 1_094, 1_096];

/** What is left of submissions of so many days ago, with the settings as they are without any. */
async function left(t: TestContext, env: Readonly<Record<string, string>>): Promise<void> {
  const config = readConfig({ ...env, SECRET: canaries.secret, SANDBOX: 'on' }, () => '');
  const stores = await openStores({ config, seal: createSeal([canaries.secret]) });
  t.after(() => stores.close());
  const { journal, maintained, clock } = stores;
  const now = clock.now();
  for (const age of ages.toReversed()) {
    const at = now - age * day;
    const request = aRequest({ intent: intentOf(off(`p${age}`)), nonce: `nonce-${age}` });
    await put(journal, request, { reference: `ref-${age}`, now: at });
    await finish(journal, at);
  }
  const { log } = stores.staff;
  for (const age of [31, 364, 366, 1_094, 1_096]) {
    const [at, about] = [now - age * day, `of ${age} days`];
    const reasons = [{ id: undefined, text: about }];
    const intent = { ...noIntent, everything: 'withdraw' } as const;
    await put(journal, aRequest({ subject: personOf(age), intent, reasons, nonce: about }), { now: at });
    await finish(journal, at);
    await log.begin({ at, staff: 'kim', name: 'Kim', does: 'read a record', about, outcome: 'done' });
  }
  for (const store of [sweptJournal(journal, config, { now: () => now }), ...maintained])
    while ((await store.sweep()) > 0);
  const history = await journal.historyOf(center, anna, { limit: 9, offset: 0 });
  const told = history.map(({ reference, work, evidence }) => {
    const asked = evidence?.asked.changes.map(({ id, change }) => `${change} ${id}`).join();
    const ended = evidence?.ended?.items.map(({ outcome }) => outcome).join();
    return [reference, work === undefined ? 'no work' : 'work', asked, ended];
  });
  assert.deepEqual(told, [
    ['ref-29', 'work', 'off p29', 'saved'],
    ['ref-31', 'no work', 'off p31', 'saved'],
    ['ref-1094', 'no work', 'off p1094', 'saved'],
  ]);
  const words = await journal.ownWords({}, { centers: [center], limit: 9 });
  // A reason has its day alone.
  assert.deepEqual(words.map(({ text }) => text).toSorted(), ['of 31 days', 'of 364 days']);
  const audit = (await log.list({ limit: 9 })).map(({ about }) => about);
  assert.deepEqual(audit.toSorted(), ['of 1094 days', 'of 31 days', 'of 364 days', 'of 366 days']);
  assert.equal((await journal.list({ limit: 9 })).length, 3 + 4);
  const exported = (await stores.personData.exported(anna)).submissions.map(({ reference }) => reference);
  assert.deepEqual(exported.toSorted(), ['ref-1094', 'ref-29', 'ref-31']);
}

// In files: `test/features/start/retention`.
suite('In PostgreSQL', { skip: postgres.skip }, () => {
  const database = databaseOf();

  test('After 31 days the work of a submission is gone, after 366 a reason, after 1,096 evidence and audit, and nothing before.', async (t) => {
    await left(t, { DATABASE_URL: await database.emptied(), DATABASE_TIMEOUT_SECONDS: '5' });
  });
});

test('Days are three years for what was changed and what staff did, one for reasons, unless they are set to what may be.', () => {
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
