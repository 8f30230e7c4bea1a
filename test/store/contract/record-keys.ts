import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { PublicKey } from '../../../src/core/model/evidence/record-copy.ts';
import type { RecordKeys } from '../../../src/store/record-signer.ts';
import { atOnce, type MakeTestStore, testsOf } from './test-store.ts';

function key(kid: string): PublicKey {
  return { kty: 'OKP', crv: 'Ed25519', x: `x of ${kid}`, kid, alg: 'EdDSA', use: 'sig' };
}

export function recordKeysContract(make: MakeTestStore<RecordKeys>): void {
  const test = testsOf(make);
  suite('Keys of signed records', () => {
    test('Keys are kept for ever, each once, the earliest first, also after a restart', async (used) => {
      const { store: first, another, end } = used;
      assert.deepEqual(await first.all(), []);
      await first.publish([key('a')]);
      await first.publish([key('b'), key('a')]);
      assert.deepEqual(await first.all(), [key('a'), key('b')]);
      await end(first);
      const again = await another();
      await again.publish([key('a')]);
      assert.deepEqual(await again.all(), [key('a'), key('b')]);
    });

    test('Keys that processes publish at once are all kept and known', async ({ handles }) => {
      await atOnce(handles, 6, (keys, index) => keys.publish([key(`k${index}`), key('common')]));
      for (const keys of handles) {
        const kids = (await keys.all()).map(({ kid }) => kid);
        assert.deepEqual(kids.toSorted(), ['common', 'k0', 'k1', 'k2', 'k3', 'k4', 'k5']);
      }
    });
  });
}
