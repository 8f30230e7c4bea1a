import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ReplayGuard } from '../../../src/ports/replay-guard.ts';
import { atOnce, laterSecret, type MakeTestStore, minute, secret, useStore } from './test-store.ts';

export function replayGuardContract(make: MakeTestStore<ReplayGuard>): void {
  suite('What may be used once', () => {
    test('is used once, for each use by itself, also after keys were rotated.', async (t) => {
      const { clock, open, close } = await useStore(t, make);
      const first = await open();
      assert.equal(await first.isUsed('ticket', 'one'), false);
      assert.equal(await first.spend('ticket', 'one', clock.now() + minute), true);
      assert.equal(await first.spend('ticket', 'one', clock.now() + minute), false);
      assert.equal(await first.isUsed('ticket', 'one'), true);
      assert.equal(await first.isUsed('state', 'one'), false);
      assert.equal(await first.spend('state', 'one', clock.now() + minute), true);
      await close(first);
      const rotated = await open([laterSecret, secret]);
      assert.equal(await rotated.spend('ticket', 'one', clock.now() + minute), false);
      assert.equal(await rotated.isUsed('ticket', 'one'), true);
      assert.equal(await rotated.spend('ticket', 'two', clock.now() + minute), true);
      assert.equal(await rotated.sweep(), 0);
      clock.at += minute + 1;
      assert.equal(await rotated.sweep(), 3);
    });

    test('is used once by processes whose first secrets differ, while these are rotated.', async (t) => {
      const { clock, open } = await useStore(t, make);
      const guards = [await open([secret, laterSecret]), await open([laterSecret, secret])];
      for (let round = 0; round < 10; round += 1) {
        const used = await atOnce(guards, 4, (guard) =>
          guard.spend('ticket', `one ${round}`, clock.now() + minute),
        );
        assert.equal(used.filter(Boolean).length, 1);
      }
    });

    test('is used by one of many who do at once, on two processes.', async (t) => {
      const { clock, both } = await useStore(t, make);
      const used = await atOnce(await both(), 10, (guard) =>
        guard.spend('ticket', 'one', clock.now() + minute),
      );
      assert.equal(used.filter(Boolean).length, 1);
    });
  });
}
