import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { FlattenedJWSInput } from 'jose';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { createLocalJWKSet } from 'jose/jwks/local';
import { FlattenedSign } from 'jose/jws/flattened/sign';
import { flattenedVerify } from 'jose/jws/flattened/verify';
import type { PublicKey } from '../core/model/evidence/record-copy.ts';
import type { RecordSigner } from '../ports/signed-records.ts';
import { type Columns, reading, type StoreParts, writing } from './sql.ts';

const publish = writing`INSERT INTO record_key (kid, key) VALUES (:kid, :key) ON CONFLICT DO NOTHING`;
const all = reading<Columns<'key', string>>`SELECT key FROM record_key ORDER BY sequence`;

export type RecordKeys = ReturnType<typeof openRecordKeys>;

/**
 * The public keys of signed records, of every node: kept for ever, because people's copies must stay
 * verifiable.
 */
export function openRecordKeys({ sql }: Pick<StoreParts, 'sql'>) {
  return {
    /** Adds keys, each once. Keys that two processes publish at once are all kept. */
    async publish(keys: readonly PublicKey[]): Promise<void> {
      await sql.transaction(async (queries) => {
        for (const key of keys) await queries.run(publish, { kid: key.kid, key: JSON.stringify(key) });
      });
    },
    /** All public keys, the earliest first. */
    async all(): Promise<readonly PublicKey[]> {
      return (await sql.all(all)).map(({ key }) => JSON.parse(key));
    },
  };
}

/** PKCS #8 around the 32 bytes of an Ed25519 key (RFC 8410). */
const envelope = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Signs with Ed25519. `seeds`: 32 bytes each; the first one signs. All former public keys stay published: a
 * copy that a person has kept must be verifiable long after the secret has changed.
 */
export async function createRecordSigner(
  seeds: readonly Uint8Array[],
  keys: RecordKeys,
): Promise<RecordSigner> {
  const pairs = await Promise.all(seeds.map(readPair));
  const [current] = pairs;
  if (current === undefined) throw new Error('no key to sign records with');
  const inUse = pairs.map(({ published }) => published);
  await keys.publish(inUse);
  async function published(): Promise<readonly PublicKey[]> {
    const earlier = (await keys.all()).filter(({ kid }) => !inUse.some((key) => key.kid === kid));
    return [...inUse, ...earlier];
  }
  const setOf = (known: readonly PublicKey[]) =>
    createLocalJWKSet({ keys: known.map((key) => ({ ...key })) });
  const setInUse = setOf(inUse);
  async function openBy(set: typeof setInUse, signed: unknown): Promise<object | undefined> {
    try {
      const { payload } = await flattenedVerify(signed as FlattenedJWSInput, set, { algorithms: ['EdDSA'] });
      const opened: unknown = JSON.parse(Buffer.from(payload).toString());
      return typeof opened === 'object' && opened !== null ? opened : undefined;
    } catch {
      return undefined;
    }
  }
  return {
    keys: published,
    async open(signed) {
      return (await openBy(setInUse, signed)) ?? openBy(setOf(await published()), signed);
    },
    async sign(json) {
      const head = { alg: 'EdDSA', kid: current.published.kid, cty: 'application/json' };
      const signing = new FlattenedSign(Buffer.from(json)).setProtectedHeader(head);
      const { payload, protected: signedHead = '', signature } = await signing.sign(current.key);
      return { payload, protected: signedHead, signature };
    },
  };
}

async function readPair(seed: Uint8Array): Promise<{ key: KeyObject; published: PublicKey }> {
  const key = createPrivateKey({ key: Buffer.concat([envelope, seed]), format: 'der', type: 'pkcs8' });
  const { crv = '', x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv, x });
  return { key, published: { kty: 'OKP', crv, x, kid, alg: 'EdDSA', use: 'sig' } };
}
