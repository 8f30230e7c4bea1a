import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { flattenedVerify, importJWK } from 'jose';
import { createRecordSigner, openRecordKeys } from '../../src/store/record-signer.ts';
import { aClock } from './contract/test-store.ts';
import { inMemory } from './on-both.ts';

const someKeys = () => openRecordKeys({ sql: inMemory(aClock()) });
const seed = (byte: number) => new Uint8Array(32).fill(byte);

suite('The signer of records', () => {
  test('The signer makes the same signature as ever, to the byte', async () => {
    const signer = await createRecordSigner([seed(7)], someKeys());
    assert.deepEqual(await signer.sign(JSON.stringify({ iss: 'https://example.org', name: 'Zoë' })), {
      payload: 'eyJpc3MiOiJodHRwczovL2V4YW1wbGUub3JnIiwibmFtZSI6Ilpvw6sifQ',
      protected:
        'eyJhbGciOiJFZERTQSIsImtpZCI6Ii0tNklNNWwwT29zTGo5eVdza0lTWWhVQTNuXzNDVVJRa21yWU1TaGFfY2siLCJjdHkiOiJhcHBsaWNhdGlvbi9qc29uIn0',
      signature: 'zu8BiUDSBJNmMLwBXfyh5p62H5SEgYXgjoWrT8lqeQgXfSH05df3ienfaNJAAFD2EG_xsKT9eK-HwKItglO3BA',
    });
  });

  test('The signer publishes the key that it signs with first, and all earlier keys', async () => {
    const keys = someKeys();
    const early = await createRecordSigner([seed(1)], keys);
    const signed = await early.sign(JSON.stringify('kept for years'));
    const late = await createRecordSigner([seed(2), seed(3)], keys);
    const published = await late.keys();
    assert.equal(published.length, 3);
    const { protectedHeader, payload } = await flattenedVerify(signed, async (head?: { kid?: string }) => {
      const key = published.find((one) => one.kid === head?.kid);
      assert.ok(key !== undefined && published.indexOf(key) === 2);
      return importJWK({ ...key }, 'EdDSA');
    });
    assert.equal(protectedHeader?.cty, 'application/json');
    assert.equal(Buffer.from(payload).toString(), '"kept for years"');
    assert.deepEqual(
      (await early.keys()).map(({ kid }) => kid).toSorted(),
      published.map(({ kid }) => kid).toSorted(),
    );
  });
});
