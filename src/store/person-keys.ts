import { hash, randomBytes } from 'node:crypto';
import type { Seal } from '../ports/seal.ts';
import { rowSeal } from './sealed-row.ts';
import { type Columns, type Queries, reading, type StoreParts, writing } from './sql.ts';

const all = reading<Columns<'number' | 'made_at', number> & Columns<'key', string>>`
  SELECT number, key, made_at FROM person_key ORDER BY number DESC`;
const add = writing`
  INSERT INTO person_key (number, key, made_at) VALUES (:number, :key, :now) ON CONFLICT DO NOTHING`;
const reseal = writing`UPDATE person_key SET key = :again WHERE number = :number`;

/** By which people are found whatever SECRET is by then: made once, and kept under it. */
export interface PersonKey {
  readonly number: number;
  readonly key: string;
  /** As it is kept. */
  readonly sealed: string;
}

/** Keys that open, the newest first. */
export interface ReadKeys {
  readonly keys: readonly PersonKey[];
  /**
   * Since when what was said is under one of them, epoch milliseconds; undefined where the newest does not open: what
   * was said lately is not known.
   */
  readonly knownSince: number | undefined;
  /** All as they lie there, the oldest first, to see whether they are still the same. */
  readonly written: string;
}

/** By its number. */
export const sealedKey = rowSeal<string>('person key');

export async function readPersonKeys(queries: Queries, seal: Seal): Promise<ReadKeys> {
  const rows = await queries.all(all);
  const keys: PersonKey[] = [];
  let knownSince: number | undefined;
  for (const [index, { number, key: sealed, made_at }] of rows.entries()) {
    const key = sealedKey.open(seal, `${number}`, sealed);
    if (key !== undefined) keys.push({ number, key, sealed });
    // Up to the first that does not open.
    if (keys.length > index) knownSince = made_at;
  }
  const written = rows.map(({ key }) => key).reverse();
  return { keys, knownSince, written: written.join(' ') };
}

/** Of a started process. The first one is for all words from now on. */
export interface TakenKeys extends ReadKeys {
  readonly keys: readonly [PersonKey, ...PersonKey[]];
}

/** Characters of `row.` and of a key's id, less its last two bits: by which secret a text is sealed. */
const idEnd = 9;

/**
 * At a start: all that open go under the newest secret. One that no secret opens is of no use until its secret is back.
 * What comes in meanwhile has one of its own, also where an earlier one opens: it is seen by the newest since when what
 * was said is known.
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
    // Another process may make it at the same time.
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
 * People as one center has them: in another one they are somebody else. SHA-512/256 of a key of fixed length and the
 * text, which cannot be extended and takes a third of an HMAC's time; 132 bits of it.
 */
export function peopleOf({ key }: Pick<PersonKey, 'key'>, center: string): (subject: string) => string {
  const own = hash('sha512-256', `${key}${center}`, 'base64url');
  return (subject) => hash('sha512-256', own + subject, 'base64url').slice(0, length);
}
