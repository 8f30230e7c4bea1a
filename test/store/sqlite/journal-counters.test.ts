import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { createSeal } from '../../../src/store/seal.ts';
import { openJournal } from '../../../src/store/sqlite/journal.ts';
import { aRequest, ben, intentOf, leaveAll, off } from '../../delivery/fixture.ts';
import { day, put, secret } from '../contract/journal-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'sayso-counters-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const seal = createSeal([secret]);

test('What an earlier version has written is counted as soon as this one opens it, and goes on being counted.', async () => {
  const file = join(folder, 'earlier.sqlite');
  const before = openJournal({ file, seal });
  const reasons = [{ id: 'r1', text: 'Too many' }];
  await put(before, aRequest({ intent: intentOf(off('a')) }), day);
  await put(before, aRequest({ subject: ben, intent: leaveAll, reasons }), day + 1);
  await before.close();
  const earlier = new DatabaseSync(file);
  earlier.exec(`DROP TABLE submission_day; DROP TABLE reason_count;
    DROP TRIGGER submission_dated; DROP TRIGGER submission_undated; DROP TRIGGER reason_made; DROP TRIGGER reason_gone;
    DROP INDEX submission_failed; DROP INDEX submission_withdrawal; DROP INDEX submission_of_center;
    CREATE INDEX submission_due ON submission (due_at) WHERE state = 'pending';
    CREATE INDEX submission_waiting ON submission (submitted_at) WHERE state = 'pending';
    DROP INDEX submission_leased; DROP INDEX submission_blocking; DROP INDEX submission_said_again; ALTER TABLE submission DROP COLUMN said_again_at;
    DROP INDEX reason_words; DROP INDEX submission_other; ALTER TABLE submission DROP COLUMN bounded;
    CREATE INDEX submission_click ON submission (subject) WHERE door = 'one-click';
    CREATE INDEX submission_other ON submission (subject, sequence) WHERE door <> 'one-click';
    DROP TABLE event; DROP TABLE event_center; DROP TABLE event_queue; DROP TABLE event_delivery;
    DROP TABLE event_receiver; DROP TABLE event_stop; DROP TABLE person_key; DROP TABLE last_word;
    PRAGMA user_version = 8`);
  earlier.close();

  const journal = openJournal({ file, seal });
  await put(journal, aRequest({ subject: ben, center: 'other', intent: leaveAll, reasons }), day + 2);
  assert.deepEqual(await journal.days({ from: 0, to: 9 * day }), [{ day, submissions: 3, leavings: 2 }]);
  assert.deepEqual(
    (await journal.topReasons({ from: 0, limit: 9 })).map(({ center, count }) => `${center} ${count}`),
    ['center 1', 'other 1'],
  );
  assert.deepEqual(await journal.waitingWithdrawals(9), { count: 3, oldestAt: day });
  await journal.close();
});

test('No statement that takes in or carries out is led by an index of the reports.', async () => {
  const prepared = new Set<string>();
  const prepare = DatabaseSync.prototype.prepare;
  DatabaseSync.prototype.prepare = function (sql: string) {
    prepared.add(sql);
    return prepare.call(this, sql);
  };
  const file = join(folder, 'plans.sqlite');
  const journal = openJournal({ file, seal });
  DatabaseSync.prototype.prepare = prepare;
  await journal.close();
  const database = new DatabaseSync(file);
  const led = [...prepared]
    .filter((sql) => /^\s*(SELECT|UPDATE|DELETE)/i.test(sql))
    .filter((sql) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .some(({ detail }) => /submission_(failed|withdrawal|of_center)/.test(String(detail))),
    );
  database.close();
  assert.ok(prepared.size > 30, `${prepared.size} statements`);
  assert.equal(led.length, 3);
  for (const sql of led) assert.match(sql, /INDEXED BY/);
});
