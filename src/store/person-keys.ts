import type { Seal } from '../ports/seal.ts';
import {
  newPersonKey,
  openPersonKeys,
  type PersonKey,
  type PersonKeys,
  resealedPersonKey,
  sealPersonKey,
} from './event-seal.ts';
import { type Queries, reading, type Sql, writing } from './sql.ts';

const all = reading('SELECT number, key, made_at FROM person_key ORDER BY number DESC');
const add = writing(
  'INSERT INTO person_key (number, key, made_at) VALUES (:number, :key, :now) ON CONFLICT DO NOTHING',
);
const reseal = writing('UPDATE person_key SET key = :again WHERE number = :number');

/** `written`: all of them as they lie there, the oldest first, to see whether they are still the same. */
export interface ReadKeys extends PersonKeys {
  readonly written: string;
}

export async function readPersonKeys(queries: Queries, seal: Seal): Promise<ReadKeys> {
  const rows = await queries.all(all);
  const written = rows.map(({ key }) => String(key)).reverse();
  return { ...openPersonKeys(seal, rows), written: written.join(' ') };
}

/** Of a started process. The first one is for all words from now on. */
export interface TakenKeys extends ReadKeys {
  readonly keys: readonly [PersonKey, ...PersonKey[]];
}

/**
 * At a start: all that open go under the newest secret. One that no secret opens is of no use until its secret is back.
 * What comes in meanwhile has one of its own, also where an earlier one opens: it is seen by the newest since when what
 * was said is known.
 */
export async function takePersonKeys(
  sql: Sql,
  { seal, now }: { readonly seal: Seal; readonly now: number },
): Promise<TakenKeys> {
  const { keys, knownSince } = await readPersonKeys(sql, seal);
  for (const each of keys) {
    const again = resealedPersonKey(seal, each);
    if (again !== undefined) await sql.run(reseal, { number: each.number, again });
  }
  if (knownSince === undefined) {
    const number = Number((await sql.get(all))?.['number'] ?? 0) + 1;
    // Another process may make it at the same time.
    await sql.run(add, { number, key: sealPersonKey(seal, number, newPersonKey()), now });
  }
  const taken = await readPersonKeys(sql, seal);
  const [newest, ...older] = taken.keys;
  if (newest === undefined || taken.knownSince === undefined)
    throw new Error('a node with another SECRET starts on this database');
  return { ...taken, keys: [newest, ...older] };
}
