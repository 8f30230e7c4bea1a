import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { openRecordKeys } from '../../../src/store/sqlite/record-keys.ts';
import { recordKeysContract } from '../contract/record-keys.ts';
import { sqliteStore } from './sqlite-store.ts';

recordKeysContract(sqliteStore(({ file }) => openRecordKeys({ file, list: `${file}.json` })));

const early = { kty: 'OKP', crv: 'Ed25519', x: 'early', kid: 'early', alg: 'EdDSA', use: 'sig' };
const late = { ...early, x: 'late', kid: 'late' };

suite('Keys of signed records in a file', () => {
  function open(t: TestContext) {
    const folder = mkdtempSync(join(tmpdir(), 'sayso-keys-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const list = join(folder, 'record-keys.json');
    return { list, open: () => openRecordKeys({ file: join(folder, 'record-keys.sqlite'), list }) };
  }

  test('take over those that an earlier version published, and tell it of theirs.', async (t) => {
    const { list, open: openKeys } = open(t);
    writeFileSync(list, JSON.stringify([early]));
    const keys = openKeys();
    await keys.publish([late]);
    assert.deepEqual(await keys.all(), [early, late]);
    assert.deepEqual(JSON.parse(readFileSync(list, 'utf8')), [early, late]);
    await keys.close();
  });

  test('are listed for their owner alone, also after an interrupted start.', async (t) => {
    const { list, open: openKeys } = open(t);
    writeFileSync(`${list}.new`, 'half', { mode: 0o644 });
    const keys = openKeys();
    await keys.publish([early]);
    await keys.close();
    assert.equal((statSync(list).mode & 0o7777).toString(8), '600');
  });
});
