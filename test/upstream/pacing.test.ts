import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { createForwardClock, systemClock } from '../../src/clock.ts';
import { Problem } from '../../src/core/model/problem.ts';
import type { CallPriority } from '../../src/ports/platform.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { sqliteDialect } from '../../src/store/drivers/sqlite/dialect.ts';
import { openSqlite } from '../../src/store/drivers/sqlite/sqlite.ts';
import { openQuotaStore } from '../../src/store/quota-store.ts';
import { quotaTables } from '../../src/store/schema.ts';
import { createSeal } from '../../src/store/seal.ts';
import { createPacer } from '../../src/upstream/pacer.ts';
import { createPlatform } from '../../src/upstream/platform.ts';
import { createSandboxClient } from '../kit/sandbox-client.ts';
import { books } from '../kit/sandbox-ids.ts';
import { subjectId } from './recorded.ts';

const minuteMs = 60_000;

/** The sandbox with a quota, and nodes that share a store in a file, each with its own clients. */
async function setUp(t: TestContext, quota: { perMinute: number; perHour: number }, nodes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-pacing-'));
  /** Of everybody; it only passes when it is told to, so that no call is slow. */
  const time = { now: 0 };
  const elapsed = () => time.now;
  const credentials = { clientId: 'sandbox', clientSecret: 'sandbox-secret' };
  const sandbox = await startSandbox({
    ...credentials,
    port: 0,
    dataDir: folder,
    quota: { ...quota, headers: 'always' },
    now: () => new Date(Date.UTC(2026, 4, 4, 10) + elapsed()),
    tokenLife: 360_000,
  });
  const wall = { now: () => Date.UTC(2026, 4, 4, 10) + time.now };
  const databases = Array.from({ length: nodes }, () =>
    openSqlite({
      file: join(folder, 'quota.sqlite'),
      layout: quotaTables(sqliteDialect),
      clock: wall,
    }),
  );
  const stores = databases.map((sql) => openQuotaStore({ sql, seal: createSeal(['x'.repeat(32)]) }));
  const platforms = stores.map((store) =>
    createPlatform({
      url: sandbox.url,
      clientId: credentials.clientId,
      clientSecret: { reveal: () => credentials.clientSecret },
      rateLimitPrefix: 'svc',
      clock: createForwardClock(systemClock, elapsed),
      pacer: createPacer({
        quota,
        store,
        clock: createForwardClock(wall, elapsed),
        longestWaitMs: { withdrawal: 20, person: 20, background: 5 },
      }),
    }),
  );
  t.after(async () => {
    for (const platform of platforms) await platform.close();
    await sandbox.close();
    for (const database of databases) await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const control = createSandboxClient(sandbox.url, credentials);
  const anna = subjectId('anna@example.org');
  let turns = 0;
  return {
    control,
    time,
    async read(priority: CallPriority): Promise<boolean> {
      turns += 1;
      const platform = platforms[turns % platforms.length];
      try {
        await platform?.readSubject(books, anna, { priority });
        return true;
      } catch (fault) {
        if (fault instanceof Problem && fault.code === 'quota-used-up') return false;
        throw fault;
      }
    },
    /** Reads of each sandbox minute, and what of them was refused. */
    async log() {
      const calls = await control.calls({ operation: 'read-subject' });
      const byMinute = new Map<string, number>();
      for (const { at } of calls) byMinute.set(at.slice(0, 16), (byMinute.get(at.slice(0, 16)) ?? 0) + 1);
      return {
        byMinute: [...byMinute.values()],
        refused: calls.filter(({ status }) => status === 429).length,
      };
    },
  };
}

type World = Awaited<ReturnType<typeof setUp>>;

/** People come, more than there is room for, for so many minutes of the sandbox. */
async function come({ read, time }: World, minutes: number): Promise<number> {
  let done = 0;
  for (let step = 0; step < minutes * 40; step += 1) {
    const reads = (['withdrawal', 'person', 'person'] as const).map(read);
    done += (await Promise.all(reads)).filter(Boolean).length;
    time.now += minuteMs / 40;
  }
  return done;
}

suite('Nodes over a platform with a quota', { concurrency: true }, () => {
  test('make a tenth of the calls, once an answer has said so, and none too many then.', async (t) => {
    const world = await setUp(t, { perMinute: 100, perHour: 100_000 }, 2);
    // Few enough that the tenth is not yet used up in the minute in which it is cut.
    for (let calls = 0; calls < 5; calls += 1) assert.ok(await world.read('person'));
    await world.control.allow({ perMinute: 10, perHour: 100_000, headers: 'always' });
    assert.ok(await world.read('person'), 'which says so');
    const done = await come(world, 2.2);
    const { byMinute, refused } = await world.log();
    assert.equal(refused, 0);
    assert.ok(Math.max(...byMinute) <= 10, String(byMinute));
    assert.ok(done >= 12, String(done));
  });

  test('make no call while others have used up the hour, and say when there is room.', async (t) => {
    const world = await setUp(t, { perMinute: 1_000, perHour: 5_000 }, 2);
    assert.ok((await world.read('person')) && (await world.read('person')));
    await world.control.useUp({ calls: 4_990 });
    assert.ok(await world.read('withdrawal'), 'which says so');
    const done = await come(world, 1);
    assert.ok(done <= 10, `${done} calls`);
    assert.equal((await world.log()).refused, 0);
  });
});
