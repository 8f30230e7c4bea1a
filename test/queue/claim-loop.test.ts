import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Lease } from '../../src/ports/people.ts';
import { createAvailability } from '../../src/queue/availability.ts';
import { backoffMs } from '../../src/queue/backoff.ts';
import { createClaimLoop } from '../../src/queue/claim-loop.ts';
import { FakeTime, settled } from '../delivery/fake-time.ts';

interface Rig {
  readonly time: FakeTime;
  readonly loop: ReturnType<typeof createClaimLoop<string>>;
  readonly due: string[];
  /** Claimed item → function that ends its work. */
  readonly running: Map<string, () => void>;
  readonly leases: Lease[];
  readonly faults: unknown[];
  /** Adds due items and wakes the loop. */
  claim(...due: readonly string[]): Promise<void>;
}

function createRig(parallel: number, work?: (rig: Rig, claimed: string) => Promise<void>): Rig {
  const time = new FakeTime();
  let made = 0;
  const loop = createClaimLoop<string>({
    clock: time,
    timer: time,
    leaseMs: 20_000,
    random: { id: () => `owner-${++made}` },
    parallel: () => parallel,
    mayClaim: () => true,
    async claim(lease) {
      rig.leases.push(lease);
      await Promise.resolve();
      if (rig.due[0] === 'fault') throw new Error(rig.due.shift());
      return rig.due.shift();
    },
    work: (claimed) =>
      work?.(rig, claimed) ??
      new Promise((resolve) => {
        rig.running.set(claimed, () => {
          rig.running.delete(claimed);
          resolve();
        });
      }),
    onFault: (fault) => rig.faults.push(fault),
  });
  const rig: Rig = {
    time,
    loop,
    due: [],
    running: new Map(),
    leases: [],
    faults: [],
    async claim(...more) {
      rig.due.push(...more);
      loop.wake();
      await settled();
    },
  };
  return rig;
}

suite('A claim loop', () => {
  test('the loop works on as many items as allowed, each with a lease of its own', async () => {
    const { running, leases, time, claim } = createRig(2);
    await claim('a', 'b', 'c');
    assert.deepEqual([...running.keys()], ['a', 'b']);
    running.get('a')?.();
    await settled();
    assert.deepEqual([...running.keys()], ['b', 'c']);
    assert.equal(new Set(leases.map(({ owner }) => owner)).size, leases.length);
    assert.deepEqual(new Set(leases.map(({ until }) => until - time.now())), new Set([20_000]));
  });

  test('the loop does not claim again before an item may be due', async () => {
    const { running, leases, claim } = createRig(2);
    await claim('a');
    assert.equal(leases.length, 2);
    running.get('a')?.();
    await settled();
    assert.equal(leases.length, 2);
  });

  test('the loop claims again if an item becomes due while it claims', async () => {
    const { loop, due, running } = createRig(2);
    loop.wake();
    due.push('a');
    loop.wake();
    await settled();
    assert.deepEqual([...running.keys()], ['a']);
  });

  test('the loop claims again when it is woken after a fault', async () => {
    const { running, faults, claim } = createRig(2);
    await claim('fault', 'a');
    assert.deepEqual([faults.length, running.size], [1, 0]);
    await claim();
    assert.deepEqual([...running.keys()], ['a']);
  });

  test('an offer occupies a slot, and is made only while no item may be due', async () => {
    const { loop, running, claim } = createRig(1);
    assert.equal(loop.offer(), undefined, 'the loop has not claimed yet');
    await claim();
    const lease = loop.offer();
    assert.notEqual(lease, undefined);
    assert.equal(loop.offer(), undefined);
    await claim('a');
    assert.equal(running.size, 0);
    loop.endOffer(lease);
    await claim();
    assert.deepEqual([...running.keys()], ['a']);
  });

  test('resting work gives its slot to others, and is rejected by a stop', async () => {
    const ended: string[] = [];
    const rest = async ({ loop }: Rig, claimed: string) => {
      const end = await loop.rest(claimed === 'short' ? 1_000 : 10_000).then(
        () => 'rested',
        (fault: { code: string }) => fault.code,
      );
      ended.push(`${claimed} ${end}`);
    };
    const { loop, due, time, leases, claim } = createRig(1, rest);
    due.push('short', 'long');
    loop.wake();
    await time.advance(1_000);
    assert.deepEqual(ended, ['short rested']);
    const claims = leases.length;
    await loop.stop();
    assert.deepEqual(ended, ['short rested', 'long draining']);
    await claim('later');
    assert.equal(leases.length, claims);
  });
});

test('the maximum of a back-off doubles up to its limit, with full jitter', () => {
  for (const [jitter, ...waits] of [
    [1, 1_000, 2_000, 4_000, 9_000],
    [0, 1_000, 1_000, 1_000, 1_000],
    [0.5, 1_000, 1_500, 2_500, 5_000],
  ] as const) {
    const backoff = { firstMs: 1_000, longestMs: 9_000, jitter: () => jitter };
    const actual = [0, 1, 2, 30].map((tries) => backoffMs(backoff, tries));
    assert.deepEqual(actual, waits);
  }
});

test('five misses in a row start probing, an answer ends it, and Retry-After stays', () => {
  const time = new FakeTime();
  const availability = createAvailability(time, { firstMs: 1_000, longestMs: 4_000, jitter: () => 1 });
  const began = time.now();
  const miss = () => availability.failed({ isMiss: true });
  for (let misses = 0; misses < 4; misses += 1) miss();
  assert.deepEqual([availability.isProbing(), availability.probedAt()], [false, 0]);
  availability.failed({ isMiss: false });
  for (let misses = 0; misses < 5; misses += 1) miss();
  assert.deepEqual([availability.isProbing(), availability.probedAt()], [true, began + 1_000]);
  time.pass(5_000);
  miss();
  assert.deepEqual([availability.failingSince(), availability.probedAt()], [began, time.now() + 2_000]);
  availability.hold(60_000);
  availability.hold(10_000);
  availability.answered();
  assert.deepEqual([availability.isProbing(), availability.probedAt()], [false, 0]);
  assert.equal(availability.failingSince(), undefined);
  assert.equal(availability.heldUntil(), time.now() + 60_000);
});
