import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSeal } from '../../../src/store/seal.ts';
import { openRateCounters } from '../../../src/store/sqlite/rate-counters.ts';
import { rateCountersContract } from '../contract/rate-counters.ts';
import { aClock, anna, minute, secret } from '../contract/test-store.ts';
import { bytesIn, sqliteStore } from './sqlite-store.ts';

rateCountersContract(sqliteStore(openRateCounters));

test('What was counted names nobody on the disk.', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-counters-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const hash = createSeal([secret]);
  const counters = openRateCounters({ file: join(folder, 'tallies.sqlite'), hash, clock: aClock() });
  await counters.count('tries', anna, { most: 3, withinMs: minute });
  const disk = bytesIn(folder);
  await counters.close();
  assert.ok(disk.includes(hash.hash('tally', `tries ${anna}`)), 'the file was read');
  assert.ok(!disk.includes(anna));
});
