import { hash, randomBytes } from 'node:crypto';
import type { Seal } from '../ports/seal.ts';
import { rowSeal } from './sealed-row.ts';
import { type Columns, type Queries, reading, type StoreParts, writing } from './sql.ts';

const all = reading<Columns<'number' | 'made_at', number> & Columns<'key', string>>`
  SELECT number, key, made_at FROM person_key ORDER BY number DESC`;
const add = writing`
  INSERT INTO person_key (number, key, made_at) VALUES (:number, :key, :now) ON CONFLICT DO NOTHING`;
const reseal = writing`UPDATE person_key SET key = :again WHERE number = :number`;

/**
 * The key for hashes of people in events and last words. It is made once and sealed under SECRET, so that
 * these hashes stay the same when SECRET changes.
 */
export interface PersonKey {
  readonly number: number;
  readonly key: string;
  /** The key as it is stored. */
  readonly sealed: string;
}

/** The keys that open, the newest first. */
export interface ReadKeys {
  readonly keys: readonly PersonKey[];
  /**
   * Epoch milliseconds since when all words are under one of these keys; undefined if the newest key does not
   * open: then recent words are not known.
   */
  readonly knownSince: number | undefined;
  /** All stored keys, the oldest first: shows whether they are still the same. */
  readonly written: string;
}

/** A key, sealed for its number. */
export const sealedKey = rowSeal<string>('person key');

export async function readPersonKeys(queries: Queries, seal: Seal): Promise<ReadKeys> {
  const rows = await queries.all(all);
  const keys: PersonKey[] = [];
  let knownSince: number | undefined;
  for (const [index, { number, key: sealed, made_at }] of rows.entries()) {
    const key = sealedKey.open(seal, `${number}`, sealed);
    if (key !== undefined) keys.push({ number, key, sealed });
    // Ends at the first key that does not open.
    if (keys.length > index) knownSince = made_at;
  }
  const written = rows.map(({ key }) => key).reverse();
  return { keys, knownSince, written: written.join(' ') };
}

/** The keys of a process that has started. The first key is for all new words. */
export interface TakenKeys extends ReadKeys {
  readonly keys: readonly [PersonKey, ...PersonKey[]];
}

/**
 * The length of the prefix that tells which secret sealed a text: `row.` and the secret's id, less its last
 * two bits.
 */
const idEnd = 9;

/**
 * Seals all keys that open under the newest secret, at a start. A key that no secret opens is of no use until
 * its secret is back: new words get a new key then, even if an earlier key opens. The newest key tells since
 * when all words are known.
 */
export async function takePersonKeys({ sql, seal }: StoreParts): Promise<TakenKeys> {
  const { keys, knownSince } = await readPersonKeys(sql, seal);
  for (const { number, key, sealed } of keys) {
    const again = sealedKey.seal(seal, `${number}`, key);
    if (again.slice(0, idEnd) !== sealed.slice(0, idEnd)) await sql.run(reseal, { number, again });
  }
  if (knownSince === undefined) {
    const number = ((await sql.get(all))?.number ?? 0) + 1;
    const key = sealedKey.seal(seal, `${number}`, randomBytes(32).toString('hex'));
    // Another process may make the key at the same time; the first one stays.
    await sql.run(add, { number, key, now: sql.clock.now() });
  }
  const taken = await readPersonKeys(sql, seal);
  const [newest, ...older] = taken.keys;
  if (newest === undefined || taken.knownSince === undefined)
    throw new Error('a node with another SECRET starts on this database');
  return { ...taken, keys: [newest, ...older] };
}

const length = 22;

/**
 * Hashes people for one center: in another center the same person has another hash. SHA-512/256 of a key of
 * fixed length and the text cannot be extended, and takes a third of an HMAC's time; 132 bits of it are used.
 */
export function peopleOf({ key }: Pick<PersonKey, 'key'>, center: string): (subject: string) => string {
  const own = hash('sha512-256', `${key}${center}`, 'base64url');
  return (subject) => hash('sha512-256', own + subject, 'base64url').slice(0, length);
}
