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
  /** By what was claimed: ends the work for it. */
  readonly running: Map<string, () => void>;
  readonly leases: Lease[];
  readonly faults: unknown[];
}

function createRig(parallel: number, work?: (rig: Rig, claimed: string) => Promise<void>): Rig {
  const time = new FakeTime();
  let made = 0;
  const loop = createClaimLoop<string>({
    ...{ clock: time, timer: time, leaseMs: 20_000 },
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
  const rig: Rig = { time, loop, due: [], running: new Map(), leases: [], faults: [] };
  return rig;
}

suite('The loop that claims', () => {
  test('It works on as much as is allowed, each claim with a lease of its own.', async () => {
    const { loop, due, running, leases, time } = createRig(2);
    due.push('a', 'b', 'c');
    loop.wake();
    await settled();
    assert.deepEqual([...running.keys()], ['a', 'b']);
    running.get('a')?.();
    await settled();
    assert.deepEqual([...running.keys()], ['b', 'c']);
    assert.equal(new Set(leases.map(({ owner }) => owner)).size, leases.length);
    assert.deepEqual(new Set(leases.map(({ until }) => until - time.now())), new Set([20_000]));
  });

  test('It claims nothing again before something may be due.', async () => {
    const { loop, due, running, leases } = createRig(2);
    due.push('a');
    loop.wake();
    await settled();
    assert.equal(leases.length, 2);
    running.get('a')?.();
    await settled();
    assert.equal(leases.length, 2);
  });

  test('It claims once more if something becomes due while it claims.', async () => {
    const { loop, due, running } = createRig(2);
    loop.wake();
    due.push('a');
    loop.wake();
    await settled();
    assert.deepEqual([...running.keys()], ['a']);
  });

  test('It claims again when it is woken after a fault.', async () => {
    const { loop, due, running, faults } = createRig(2);
    due.push('fault', 'a');
    loop.wake();
    await settled();
    assert.deepEqual([faults.length, running.size], [1, 0]);
    loop.wake();
    await settled();
    assert.deepEqual([...running.keys()], ['a']);
  });

  test('An offer takes room, and is made only while nothing else may be due.', async () => {
    const { loop, due, running } = createRig(1);
    assert.equal(loop.offer(), undefined, 'nothing was claimed yet');
    loop.wake();
    await settled();
    const lease = loop.offer();
    assert.notEqual(lease, undefined);
    assert.equal(loop.offer(), undefined);
    due.push('a');
    loop.wake();
    await settled();
    assert.equal(running.size, 0);
    loop.endOffer(lease);
    loop.wake();
    await settled();
    assert.deepEqual([...running.keys()], ['a']);
  });

  test('Work that rests leaves its room to others, and is rejected by a stop.', async () => {
    const ended: string[] = [];
    const rest = async ({ loop }: Rig, claimed: string) => {
      const end = await loop.rest(claimed === 'short' ? 1_000 : 10_000).then(
        () => 'rested',
        (fault: { code: string }) => fault.code,
      );
      ended.push(`${claimed} ${end}`);
    };
    const { loop, due, time, leases } = createRig(1, rest);
    due.push('short', 'long');
    loop.wake();
    await time.advance(1_000);
    assert.deepEqual(ended, ['short rested']);
    const claims = leases.length;
    await loop.stop();
    assert.deepEqual(ended, ['short rested', 'long draining']);
    due.push('later');
    loop.wake();
    await settled();
    assert.equal(leases.length, claims);
  });
});

test('The ceiling of a back-off doubles up to its longest, with full jitter below it.', () => {
  const of = (jitter: number) =>
    [0, 1, 2, 30].map((tries) =>
      backoffMs({ firstMs: 1_000, longestMs: 9_000, jitter: () => jitter }, tries),
    );
  assert.deepEqual(of(1), [1_000, 2_000, 4_000, 9_000]);
  assert.deepEqual(of(0), [1_000, 1_000, 1_000, 1_000]);
  assert.deepEqual(of(0.5), [1_000, 1_500, 2_500, 5_000]);
});

test('Five misses in a row make probes of calls; an answer ends them, but no Retry-After.', () => {
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
  assert.deepEqual(
    [availability.isProbing(), availability.probedAt(), availability.failingSince()],
    [false, 0, undefined],
  );
  assert.equal(availability.heldUntil(), time.now() + 60_000);
});
