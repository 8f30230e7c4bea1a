import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { PublicKey } from '../../core/model/record-copy.ts';
import type { RecordSigner } from '../../ports/record-signer.ts';
import { makeOwnFile } from '../data-folder.ts';

/** PKCS #8 around the 32 bytes of an Ed25519 key (RFC 8410). */
const envelope = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Signs with Ed25519. `seeds`: 32 bytes each, the first signs. Every public key that ever was is kept in `file` and
 * stays published: what somebody took home must be provable when the secret has long been changed.
 */
export function openRecordKeys({
  seeds,
  file,
}: {
  seeds: readonly Uint8Array[];
  file: string;
}): RecordSigner {
  const pairs = seeds.map((seed) => {
    const key = createPrivateKey({ key: Buffer.concat([envelope, seed]), format: 'der', type: 'pkcs8' });
    return { key, published: publicOf(key) };
  });
  const [current] = pairs;
  if (current === undefined) throw new Error('no key to sign records with');
  const keys = keep(
    file,
    pairs.map(({ published }) => published),
  );
  return {
    keys: () => keys,
    sign(value) {
      const head = { alg: 'EdDSA', kid: current.published.kid, cty: 'application/json' };
      const [protectedHead, payload] = [head, value].map((part) => base64url(JSON.stringify(part)));
      const signature = sign(undefined, Buffer.from(`${protectedHead}.${payload}`), current.key);
      return {
        payload: payload ?? '',
        protected: protectedHead ?? '',
        signature: signature.toString('base64url'),
      };
    },
  };
}

function publicOf(key: KeyObject): PublicKey {
  const { crv = '', x = '' } = createPublicKey(key).export({ format: 'jwk' });
  // RFC 7638: these members, in this order.
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv, kty: 'OKP', x }))
    .digest('base64url');
  return { kty: 'OKP', crv, x, kid, alg: 'EdDSA', use: 'sig' };
}

/** Those in use first, then the earlier ones. */
function keep(file: string, inUse: readonly PublicKey[]): readonly PublicKey[] {
  const known: readonly PublicKey[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const earlier = known.filter(({ kid }) => !inUse.some((key) => key.kid === kid));
  const all = [...inUse, ...earlier];
  if (all.length > known.length) {
    rmSync(`${file}.new`, { force: true });
    makeOwnFile(`${file}.new`);
    writeFileSync(`${file}.new`, `${JSON.stringify(all, undefined, 2)}\n`);
    renameSync(`${file}.new`, file);
  }
  return all;
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
