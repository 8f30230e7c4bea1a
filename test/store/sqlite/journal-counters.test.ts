import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { createSeal } from '../../../src/store/seal.ts';
import { openJournal } from '../../../src/store/sqlite/journal.ts';
import { secret } from '../contract/journal-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'sayso-counters-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const seal = createSeal([secret]);

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
