import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PublicKey } from '../../../src/core/model/evidence/record-copy.ts';
import type { RecordKeys } from '../../../src/ports/signed-records.ts';
import { atOnce, type MakeTestStore, useStore } from './test-store.ts';

function key(kid: string): PublicKey {
  return { kty: 'OKP', crv: 'Ed25519', x: `x of ${kid}`, kid, alg: 'EdDSA', use: 'sig' };
}

export function recordKeysContract(make: MakeTestStore<RecordKeys>): void {
  suite('Keys of signed records', () => {
    test('are kept for ever, each once, the earliest first, also after a restart.', async (t) => {
      const { open, close } = await useStore(t, make);
      const first = await open();
      assert.deepEqual(await first.all(), []);
      await first.publish([key('a')]);
      await first.publish([key('b'), key('a')]);
      assert.deepEqual(await first.all(), [key('a'), key('b')]);
      await close(first);
      const again = await open();
      await again.publish([key('a')]);
      assert.deepEqual(await again.all(), [key('a'), key('b')]);
    });

    test('that processes publish at once are all kept, and known to each of them.', async (t) => {
      const { both } = await useStore(t, make);
      const handles = await both();
      await atOnce(handles, 6, (keys, index) => keys.publish([key(`k${index}`), key('common')]));
      for (const keys of handles) {
        const kids = (await keys.all()).map(({ kid }) => kid);
        assert.deepEqual(kids.toSorted(), ['common', 'k0', 'k1', 'k2', 'k3', 'k4', 'k5']);
      }
    });
  });
}
