import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { QuotaStore } from '../../../src/ports/quota-store.ts';
import { atOnce, type MakeTestStore, minute, testsOf } from './test-store.ts';

export function quotaStoreContract(make: MakeTestStore<QuotaStore>): void {
  const test = testsOf(make);
  suite('The quota', () => {
    test('The quota is kept in versions, for all processes and over a restart', async (used) => {
      const { store: first, beside, another, end } = used;
      assert.equal(await first.read(), undefined);
      assert.deepEqual(await first.keep('one', 0), { text: 'one', version: 1 });
      assert.deepEqual(await beside.keep('late', 0), { text: 'one', version: 1 });
      assert.deepEqual(await beside.read(), { text: 'one', version: 1 });
      assert.deepEqual(await beside.keep('two', 1), { text: 'two', version: 2 });
      assert.deepEqual(await first.keep('behind', 1), { text: 'two', version: 2 });
      await end(first, beside);
      const again = await another();
      assert.deepEqual(await again.read(), { text: 'two', version: 2 });
    });

    test('The quota is changed by one process at a time', async ({ handles: stores }) => {
      await stores[0]?.keep('0 by nobody', 0);
      await atOnce(stores, 12, async (store, index) => {
        for (let kept = await store.read(); ; ) {
          const text = `${Number.parseInt(kept?.text ?? '', 10) + 1} by ${index}`;
          kept = await store.keep(text, kept?.version ?? 0);
          if (kept.text === text) return;
        }
      });
      assert.match((await stores[0]?.read())?.text ?? '', /^12 /);
    });
  });

  suite('A turn', () => {
    test('A turn is found by all processes, until it is dropped', async ({ store: first, beside }) => {
      await first.keepTurn('anna', { number: 7, lifeMs: minute });
      assert.equal(await beside.findTurn('anna'), 7);
      assert.equal(await beside.findTurn('ben'), undefined);
      await beside.keepTurn('anna', { number: 9, lifeMs: minute });
      assert.equal(await first.findTurn('anna'), 9);
      await first.dropTurn('anna');
      assert.equal(await beside.findTurn('anna'), undefined);
    });

    test('A turn ends after its life, and is swept then; a clock that is set back makes no turn of days', async (used) => {
      const { store, clock } = used;
      await store.keepTurn('anna', { number: 7, lifeMs: minute });
      await store.keepTurn('ben', { number: 8, lifeMs: 2 * minute });
      assert.equal(await store.sweep(), 0);
      clock.at += minute;
      assert.equal(await store.findTurn('anna'), undefined);
      assert.equal(await store.findTurn('ben'), 8);
      assert.equal(await store.sweep(), 1);
      clock.at -= 10 * 24 * 60 * minute;
      assert.equal(await store.findTurn('ben'), undefined);
    });

    test('A turn is kept under a keyed hash, so that the store has no name', async ({ another }) => {
      const [one, other] = [await another(), await another(['another secret of at least thirty-two'])];
      await one.keepTurn('anna@example.org', { number: 7, lifeMs: minute });
      assert.equal(await other.findTurn('anna@example.org'), undefined);
    });
  });
}
