import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createSeal } from '../../../src/store/seal.ts';
import { openEvents } from '../../../src/store/sqlite/events.ts';
import { openJournal } from '../../../src/store/sqlite/journal.ts';
import { secret } from '../contract/journal-fixture.ts';

/** Once, at the first start under a new key. */
const atStart = /SELECT sequence FROM submission WHERE state = 'pending' ORDER BY sequence$/;

test('Each index of the journal serves a statement, and no statement looks at all rows of a table that grows.', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-'));
  const file = join(folder, 'journal.sqlite');
  const prepared = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (sql: string) {
    prepared.add(sql);
    return prepare.call(this, sql);
  };
  const seal = createSeal([secret]);
  const journal = openJournal({ file, seal });
  const events = openEvents({ file, seal, clock: { now: () => 1 } });
  await journal.list({ limit: 9, from: 1, to: 2 });
  await journal.list({ limit: 9, center: 'center' });
  await journal.list({ limit: 9, state: 'failed' });
  DatabaseSync.prototype.prepare = prepare;
  await events.close();
  await journal.close();

  const database = new DatabaseSync(file);
  const used = new Set<string>();
  const looksAtAll: string[] = [];
  for (const sql of prepared) {
    if (!/^\s*(SELECT|UPDATE|DELETE|INSERT|WITH)/i.test(sql) || /sqlite_schema/.test(sql)) continue;
    for (const { detail } of database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()) {
      const [, index] = /INDEX (\w+)/.exec(String(detail)) ?? [];
      if (index !== undefined) used.add(index);
      const scans = /^SCAN (submission|reason|event|event_queue|event_delivery|event_stop|last_word)$/;
      // What stops after some rows, in their order, looks at those alone.
      if (scans.test(String(detail)) && !/LIMIT/.test(sql) && !atStart.test(sql)) looksAtAll.push(sql);
      if (scans.test(String(detail)) && /state = 'failed'/.test(sql)) looksAtAll.push(sql);
    }
  }
  const all = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'index' AND name NOT LIKE 'sqlite_%'`)
    .all()
    .map(({ name }) => String(name));
  database.close();
  rmSync(folder, { recursive: true, force: true });
  assert.deepEqual(looksAtAll, []);
  assert.deepEqual(
    all.filter((name) => !used.has(name)),
    [],
  );
});
