import { withdrawnWords } from '../../core/consent/spoken-words.ts';
import type { NewEvent, SpokenWord } from '../../core/model/center-event.ts';
import type { SubmissionRequest } from '../../core/model/submission-request.ts';
import type { EventRoutes } from '../../ports/event-routes.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import type { Database } from '../drivers/postgres/database.ts';
import {
  newPersonKey,
  openPersonKeys,
  type PersonKey,
  type PersonKeys,
  peopleOf,
  resealedPersonKey,
  sealEvents,
  sealPersonKey,
} from '../event-seal.ts';
import { type Queries, statement, type Values } from '../sql.ts';
import { entryOf, pendingRows } from './journal-row.ts';

/**
 * Parts of the statement that writes a submission, each behind a comma. `from`: the part that gives its sequence where
 * it is written, and no row elsewhere. The number of an event is drawn once the person's row is locked: theirs are in
 * their order.
 */
export function keptBeside(from: 'made' | 'held'): string {
  return `, told AS (
       INSERT INTO event (id, center, reference, at, payload)
       SELECT t.id, :center, :reference, t.at, t.payload FROM ${from},
         unnest(:eventIds::text[], :eventTimes::bigint[], :eventPayloads::text[])
           WITH ORDINALITY AS t (id, at, payload, number) ORDER BY t.number
       ON CONFLICT (id) DO NOTHING RETURNING sequence, id, at),
     sending AS (
       SELECT d.receiver, told.sequence, told.at
       FROM told JOIN unnest(:sentEvents::text[], :sentTo::text[]) AS d (id, receiver) USING (id)),
     queued AS (
       INSERT INTO event_queue AS q (receiver, person, state, due_at, since)
       SELECT receiver, :person, 'due', min(at), min(at) FROM sending GROUP BY receiver
       ON CONFLICT (receiver, person) DO UPDATE SET state = 'due',
         due_at = CASE q.state WHEN 'held' THEN excluded.due_at ELSE q.due_at END,
         since = CASE q.state WHEN 'held' THEN excluded.since ELSE q.since END,
         attempts = CASE q.state WHEN 'held' THEN 0 ELSE q.attempts END),
     sent AS (
       INSERT INTO event_delivery (receiver, person, sequence) SELECT receiver, :person, sequence FROM sending),
     said AS (
       INSERT INTO last_word AS w (person, purpose, sequence, is_off)
       SELECT t.person, t.purpose, ${from}.sequence, t.off = 1
       FROM ${from}, unnest(:saidBy::text[], :saidOf::text[], :saidOff::integer[]) AS t (person, purpose, off)
       WHERE t.off = 1
         OR EXISTS (SELECT 1 FROM last_word k WHERE k.person = t.person AND k.purpose IN ('', t.purpose))
       ON CONFLICT (person, purpose) DO UPDATE SET sequence = excluded.sequence, is_off = excluded.is_off
       WHERE w.sequence <= excluded.sequence)`;
}

const allKeys = statement('SELECT number, key, made_at FROM person_key ORDER BY number DESC');
const addKey = statement(
  'INSERT INTO person_key (number, key, made_at) VALUES (:number, :key, :now) ON CONFLICT DO NOTHING',
);
const resealKey = statement('UPDATE person_key SET key = :again WHERE number = :number');
const say = statement(
  `INSERT INTO last_word AS w (person, purpose, sequence, is_off) VALUES (:person, :purpose, :sequence, true)
   ON CONFLICT (person, purpose) DO UPDATE SET sequence = excluded.sequence, is_off = true
   WHERE w.sequence < excluded.sequence`,
);

export async function readPersonKeys(database: Queries, seal: Seal): Promise<PersonKeys> {
  return openPersonKeys(seal, await database.all(allKeys));
}

export interface JournalEvents {
  /** What `keptBeside` needs; undefined: nothing is to be kept. */
  valuesOf(
    submission: Pick<SubmissionRequest, 'center' | 'subject' | 'channel'> & { readonly reference: string },
    told: {
      readonly events?: readonly NewEvent[] | undefined;
      readonly words?: readonly SpokenWord[] | undefined;
    },
  ): Promise<Values | undefined>;
}

/** What is kept beside a submission, by the statement that writes it. */
export async function journalEvents(
  database: Database,
  { seal, routes }: { readonly seal: Seal & KeyedHash; readonly routes: EventRoutes },
): Promise<JournalEvents> {
  const [key, ...earlier] = await takeKeys(database, seal);
  return {
    async valuesOf({ reference, center, subject, channel }, { events = [], words = [] }) {
      const route = routes(center);
      const kept = route === undefined ? [] : events;
      if (kept.length === 0 && words.length === 0) return undefined;
      const sent = kept.flatMap(({ id, type }) =>
        (route?.receivers ?? []).flatMap((to) => (to.types.includes(type) ? { id, to: to.id } : [])),
      );
      const sealed = await sealEvents(seal, kept, { reference, center, subject, channel });
      const said = [...new Map(words.map((word) => [word.purpose, word.isOff]))];
      const person = peopleOf(key, center)(subject);
      // What was withdrawn before is granted under the key that it was withdrawn under.
      const grants = said.filter(([, isOff]) => !isOff);
      const before = grants.length === 0 ? [] : earlier.map((each) => peopleOf(each, center)(subject));
      const under = [
        ...said.map((word) => [person, ...word] as const),
        ...before.flatMap((by) => grants.map((word) => [by, ...word] as const)),
      ];
      return {
        center,
        person,
        eventIds: kept.map(({ id }) => id),
        eventTimes: kept.map(({ at }) => at),
        eventPayloads: sealed.map(({ payload }) => payload),
        sentEvents: sent.map(({ id }) => id),
        sentTo: sent.map(({ to }) => to),
        saidBy: under.map(([by]) => by),
        saidOf: under.map(([, purpose]) => purpose),
        saidOff: under.map(([, , isOff]) => Number(isOff)),
      };
    },
  };
}

/**
 * One that no secret opens is of no use until its secret is back. What comes in meanwhile has one of its own, also where
 * an earlier one opens: it is seen by the newest since when what was said is known.
 */
async function takeKeys(
  database: Database,
  seal: Seal & KeyedHash,
): Promise<readonly [PersonKey, ...PersonKey[]]> {
  const { keys, knownSince } = await readPersonKeys(database, seal);
  for (const each of keys) {
    const again = resealedPersonKey(seal, each);
    if (again !== undefined) await database.run(resealKey, { number: each.number, again });
  }
  const [found, ...older] = keys;
  if (found !== undefined && knownSince !== undefined) return [found, ...older];
  const rows = await database.all(allKeys);
  const number = Number(rows[0]?.['number'] ?? 0) + 1;
  const key = newPersonKey();
  const now = database.clock.now();
  await database.run(addKey, { number, key: sealPersonKey(seal, number, key), now });
  const again = await readPersonKeys(database, seal);
  const [made, ...before] = again.keys;
  if (made === undefined || again.knownSince === undefined)
    throw new Error('a node with another SECRET starts on this database');
  if (made.key === key) await sayPending(database, { seal, made });
  return [made, ...before];
}

/** What was accepted before there was a key, and is not carried out yet. */
async function sayPending(
  database: Database,
  { seal, made }: { readonly seal: Seal & KeyedHash; readonly made: PersonKey },
): Promise<void> {
  for await (const row of pendingRows(database)) {
    const { work } = entryOf(seal, row);
    if (work === undefined) continue;
    const { center, subject, intent } = work.request;
    const person = peopleOf(made, center)(subject);
    for (const { purpose } of withdrawnWords(intent))
      await database.run(say, { person, purpose, sequence: Number(row['sequence']) });
  }
}
