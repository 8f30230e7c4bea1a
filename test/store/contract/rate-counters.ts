import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { RateCounters } from '../../../src/ports/rate-counters.ts';
import { atOnce, day, type MakeTestStore, minute, testsOf } from './test-store.ts';

const three = { most: 3, withinMs: 10 * minute };

/** Counts one more; gives 0, or the milliseconds until the next one is allowed. */
async function count(counters: RateCounters, use: string, key: string, allowed = three): Promise<number> {
  const counted = await counters.count(use, key, allowed);
  return counted.kind === 'counted' ? 0 : counted.waitMs;
}

export function rateCountersContract(make: MakeTestStore<RateCounters>): void {
  const test = testsOf(make);
  suite('Rate counters', () => {
    test('A counter allows so many counts in its period and then none, for each use and key by itself', async (used) => {
      const { store: counters, clock } = used;
      const took = () => count(counters, 'tries', 'one');
      const seen = () => counters.look('tries', 'one', three.withinMs);
      assert.deepEqual(await seen(), { count: 0, leftMs: 0 });
      assert.deepEqual([await took(), await took(), await took()], [0, 0, 0]);
      clock.at += 4 * minute;
      assert.deepEqual([await seen(), await seen()], Array(2).fill({ count: 3, leftMs: 6 * minute }));
      assert.equal(await took(), 6 * minute);
      assert.equal(await count(counters, 'tries', 'other'), 0);
      assert.equal(await count(counters, 'messages', 'one'), 0);
      clock.at += 6 * minute - 1;
      assert.equal(await took(), 1);
      clock.at += 1;
      assert.deepEqual([await took(), await took(), await took(), await took()], [0, 0, 0, 10 * minute]);
      clock.at += 10 * minute;
      assert.deepEqual(await seen(), { count: 0, leftMs: 0 });
      assert.equal(await counters.sweep(), 3);
    });

    test('A period goes on for a process whose clock is a moment behind the one that began it', async (used) => {
      const { store: ahead, beside: behind, clock } = used;
      await count(ahead, 'tries', 'one');
      await count(ahead, 'tries', 'one');
      clock.at -= 400;
      assert.deepEqual(await behind.look('tries', 'one', three.withinMs), {
        count: 2,
        leftMs: three.withinMs,
      });
      await count(behind, 'tries', 'one');
      assert.ok((await count(behind, 'tries', 'one')) > 0);
    });

    test('A counter is never exceeded by concurrent callers on two processes, and counts without a bound, too', async (used) => {
      const { store, handles } = used;
      const counted = await atOnce(handles, 20, (counters) => counters.count('tries', 'one', three));
      const counts = counted.flatMap((one) => (one.kind === 'counted' ? [one.count] : []));
      assert.deepEqual(counts.toSorted(), [1, 2, 3]);
      const unbounded = { most: Number.MAX_SAFE_INTEGER, withinMs: 10 * minute };
      const all = await atOnce(handles, 4, (counters) => counters.count('tries', 'other', unbounded));
      assert.ok(all.every(({ kind }) => kind === 'counted'));
      assert.equal((await store.look('tries', 'other', 10 * minute)).count, 4);
    });

    test('A count may be given back, and taken by another', async ({ store: here, beside }) => {
      const first = await here.count('tries', 'one', three);
      assert.ok(first.kind === 'counted');
      await count(beside, 'tries', 'one');
      await count(beside, 'tries', 'one');
      assert.ok((await count(beside, 'tries', 'one')) > 0);
      await here.giveBack('tries', 'one', first);
      assert.equal((await here.look('tries', 'one', three.withinMs)).count, 2);
      assert.equal(await count(beside, 'tries', 'one'), 0);
      assert.ok((await count(beside, 'tries', 'one')) > 0);
    });

    test('A count is not given back to a later period, nor more often than it was taken', async (used) => {
      const { store: counters, clock } = used;
      const early = await counters.count('tries', 'one', three);
      assert.ok(early.kind === 'counted');
      assert.deepEqual([early.count, early.endsAt], [1, clock.at + 10 * minute]);
      clock.at += 10 * minute;
      await count(counters, 'tries', 'one');
      await counters.giveBack('tries', 'one', early);
      assert.equal((await counters.look('tries', 'one', three.withinMs)).count, 1);
      const late = { endsAt: clock.at + 10 * minute };
      for (let times = 0; times < 3; times += 1) await counters.giveBack('tries', 'one', late);
      assert.equal((await counters.look('tries', 'one', three.withinMs)).count, 0);
      await counters.giveBack('tries', 'never', late);
      assert.equal((await counters.look('tries', 'never', three.withinMs)).count, 0);
    });

    test('A period does not last longer because a clock was set back', async ({ store: counters, clock }) => {
      for (let times = 0; times < 4; times += 1) await count(counters, 'tries', 'one');
      clock.at -= day;
      assert.equal((await counters.look('tries', 'one', three.withinMs)).count, 0);
      assert.equal(await count(counters, 'tries', 'one'), 0);
    });
  });
}
