import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { ReplayGuard } from '../../../src/ports/replay-guard.ts';
import { atOnce, laterSecret, type MakeTestStore, minute, secret, testsOf } from './test-store.ts';

export function replayGuardContract(make: MakeTestStore<ReplayGuard>): void {
  const test = testsOf(make);
  suite('The replay guard', () => {
    test('A token is used once, for each use by itself, also after keys were rotated', async (used) => {
      const { store: first, clock, another, end } = used;
      assert.equal(await first.isUsed('ticket', 'one'), false);
      assert.equal(await first.spend('ticket', 'one', clock.now() + minute), true);
      assert.equal(await first.spend('ticket', 'one', clock.now() + minute), false);
      assert.equal(await first.isUsed('ticket', 'one'), true);
      assert.equal(await first.isUsed('state', 'one'), false);
      assert.equal(await first.spend('state', 'one', clock.now() + minute), true);
      await end(first);
      const rotated = await another([laterSecret, secret]);
      assert.equal(await rotated.spend('ticket', 'one', clock.now() + minute), false);
      assert.equal(await rotated.isUsed('ticket', 'one'), true);
      assert.equal(await rotated.spend('ticket', 'two', clock.now() + minute), true);
      assert.equal(await rotated.sweep(), 0);
      clock.at += minute + 1;
      assert.equal(await rotated.sweep(), 3);
    });

    test('A token is used once by processes whose first secrets differ, while these are rotated', async (used) => {
      const { clock, another } = used;
      const guards = [await another([secret, laterSecret]), await another([laterSecret, secret])];
      for (let round = 0; round < 10; round += 1) {
        const used = await atOnce(guards, 4, (guard) =>
          guard.spend('ticket', `one ${round}`, clock.now() + minute),
        );
        assert.equal(used.filter(Boolean).length, 1);
      }
    });

    test('A token is used by one of many concurrent callers', async ({ handles, clock }) => {
      const used = await atOnce(handles, 10, (guard) => guard.spend('ticket', 'one', clock.now() + minute));
      assert.equal(used.filter(Boolean).length, 1);
    });
  });
}
