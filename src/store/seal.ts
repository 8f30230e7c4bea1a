import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { KeyedHash, Seal, SealPurpose } from '../ports/seal.ts';
import { randomBytes } from '../random-bytes.ts';

const keyIdBytes = 4;
const ivBytes = 12;
const tagBytes = 16;
const headBytes = keyIdBytes + ivBytes + tagBytes;
const shortTagBytes = 12;

/**
 * AES-256-GCM under keys derived by HKDF-SHA256, one for each purpose and secret. A token is base64url of key
 * id (4 bytes), iv (12), tag (16) and the sealed JSON or bytes. The first secret seals and hashes; every one
 * opens. A short token has a synthetic IV (as RFC 5297 has): the first 12 bytes of an HMAC-SHA256 of what is
 * sealed are both its tag and the IV of AES-256-CTR.
 */
export function createSeal(secrets: readonly string[]): Seal & KeyedHash {
  const rings = secrets.map((secret) => createRing(secret));
  const [first] = rings;
  if (first === undefined) throw new Error('a seal needs at least one secret');
  const sealBytes = (purpose: SealPurpose, plain: Uint8Array): string => {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', first.key(keyUse(purpose)), iv);
    cipher.setAAD(boundTo(purpose));
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([first.id, iv, cipher.getAuthTag(), sealed]).toString('base64url');
  };
  const openBytes = (purpose: SealPurpose, token: string): Buffer | undefined => {
    const bytes = readBytes(token, headBytes);
    if (bytes === undefined) return undefined;
    const ring = rings.find((each) => each.id.equals(bytes.subarray(0, keyIdBytes)));
    if (ring === undefined) return undefined;
    return decrypt(ring.key(keyUse(purpose)), boundTo(purpose), bytes);
  };
  return {
    sealBytes,
    openBytes,
    sealShort: (use, plain) => sealShort(first, use, plain),
    openShort(use, token) {
      const bytes = readBytes(token, shortTagBytes);
      if (bytes === undefined) return undefined;
      for (const ring of rings) {
        const plain = openShort(ring, use, bytes);
        if (plain !== undefined) return plain;
      }
      return undefined;
    },
    seal: (purpose, value) => sealBytes(purpose, Buffer.from(JSON.stringify(value) ?? 'null')),
    open: (purpose, token) => readJson(openBytes(purpose, token)),
    hash: (purpose, text) => digest(first, purpose, text),
    hashes: (purpose, text) => rings.map((ring) => digest(ring, purpose, text)),
  };
}

/** The bytes of a token; undefined unless it is in its only spelling. */
function readBytes(token: string, atLeast: number): Buffer | undefined {
  if (!/^[\w-]+$/.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  return bytes.length < atLeast || bytes.toString('base64url') !== token ? undefined : bytes;
}

function keyUse(purpose: SealPurpose): string {
  return `seal ${typeof purpose === 'string' ? purpose : purpose.purpose}`;
}

/** Additional authenticated data: the purpose, and behind a zero byte the row. */
function boundTo(purpose: SealPurpose): Buffer {
  return Buffer.from(typeof purpose === 'string' ? purpose : `${purpose.purpose}\0${purpose.row}`);
}

type KeyRing = ReturnType<typeof createRing>;

function createRing(secret: string) {
  const keys = new Map<string, Buffer>();
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, 'sayso', use, 32));
  const key = (use: string) => keys.getOrInsertComputed(use, derive);
  return { id: key('id').subarray(0, keyIdBytes), key };
}

function decrypt(key: Buffer, bound: Buffer, bytes: Buffer): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(keyIdBytes, keyIdBytes + ivBytes));
  decipher.setAAD(bound);
  decipher.setAuthTag(bytes.subarray(keyIdBytes + ivBytes, headBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(headBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function sealShort(ring: KeyRing, use: string, plain: Uint8Array): string {
  const tag = shortTag(ring, use, plain);
  const cipher = createCipheriv('aes-256-ctr', ring.key(`short seal ${use}`), counterOf(tag));
  return Buffer.concat([tag, cipher.update(plain), cipher.final()]).toString('base64url');
}

function openShort(ring: KeyRing, use: string, bytes: Buffer): Buffer | undefined {
  const tag = bytes.subarray(0, shortTagBytes);
  const decipher = createDecipheriv('aes-256-ctr', ring.key(`short seal ${use}`), counterOf(tag));
  const plain = Buffer.concat([decipher.update(bytes.subarray(shortTagBytes)), decipher.final()]);
  return timingSafeEqual(tag, shortTag(ring, use, plain)) ? plain : undefined;
}

function shortTag(ring: KeyRing, use: string, plain: Uint8Array): Buffer {
  return createHmac('sha256', ring.key(`short tag ${use}`))
    .update(plain)
    .digest()
    .subarray(0, shortTagBytes);
}

function counterOf(tag: Buffer): Buffer {
  return Buffer.concat([tag, Buffer.alloc(16 - shortTagBytes)]);
}

function readJson(bytes: Buffer | undefined): unknown {
  try {
    return bytes === undefined ? undefined : JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function digest(ring: KeyRing, purpose: string, text: string): string {
  return createHmac('sha256', ring.key(`hash ${purpose}`))
    .update(text)
    .digest('base64url');
}
