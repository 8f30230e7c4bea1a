import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { QuotaLedger } from '../../../src/ports/quota-ledger.ts';
import { atOnce, type MakeTestStore, useStore } from './test-store.ts';

export function quotaLedgerContract(make: MakeTestStore<QuotaLedger>): void {
  suite('What is known of the quota', () => {
    test('is kept in versions, for all processes and over a restart.', async (t) => {
      const { open, close, both } = await useStore(t, make);
      const [first, beside] = await both();
      assert.equal(await first.read(), undefined);
      assert.equal(await first.keep('one', undefined), 1);
      assert.equal(await beside.keep('late', undefined), undefined);
      assert.deepEqual(await beside.read(), { text: 'one', version: 1 });
      assert.equal(await beside.keep('two', 1), 2);
      assert.equal(await first.keep('behind', 1), undefined);
      await close(first, beside);
      const again = await open();
      assert.deepEqual(await again.read(), { text: 'two', version: 2 });
    });

    test('is changed by one at a time, however many try at once.', async (t) => {
      const { both } = await useStore(t, make);
      const ledgers = await both();
      await ledgers[0]?.keep('0', undefined);
      await atOnce(ledgers, 12, async (ledger) => {
        for (;;) {
          const kept = await ledger.read();
          if ((await ledger.keep(String(Number(kept?.text) + 1), kept?.version)) !== undefined) return;
        }
      });
      assert.deepEqual((await ledgers[0]?.read())?.text, '12');
    });
  });
}
