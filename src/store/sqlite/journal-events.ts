import { withdrawnWords } from '../../core/consent/spoken-words.ts';
import type { NewEvent, SpokenWord } from '../../core/model/center-event.ts';
import type { SubmissionRequest } from '../../core/model/submission-request.ts';
import type { EventRoutes } from '../../ports/event-routes.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import type { Database } from '../drivers/sqlite/file.ts';
import {
  newPersonKey,
  openPersonKeys,
  type PersonKey,
  type PersonKeys,
  peopleOf,
  resealedPersonKey,
  type SealedEvent,
  sealEvents,
  sealPersonKey,
} from '../event-seal.ts';
import { entryOf, pendingRows } from './journal-row.ts';

export function readPersonKeys({ prepare }: Pick<Database, 'prepare'>, seal: Seal): PersonKeys {
  return openPersonKeys(
    seal,
    prepare('SELECT number, key, made_at FROM person_key ORDER BY number DESC').all(),
  );
}

/** The submission beside which something is kept. */
interface Kept extends Pick<SubmissionRequest, 'center' | 'subject' | 'channel'> {
  readonly reference: string;
}

/** What `add` writes. */
export interface ReadyEvents extends Omit<Kept, 'channel'> {
  readonly route: ReturnType<EventRoutes>;
  readonly words: readonly SpokenWord[];
  readonly events: readonly SealedEvent[];
}

/** What is kept beside a submission, in the transaction that writes it. */
export function journalEvents(
  database: Database,
  {
    seal,
    routes,
    now,
  }: { readonly seal: Seal & KeyedHash; readonly routes: EventRoutes; readonly now: number },
) {
  const { prepare, together } = database;
  const take = prepare(
    `INSERT INTO event_center (center, last) VALUES (:center, :count)
     ON CONFLICT (center) DO UPDATE SET last = last + :count RETURNING last`,
  );
  const unknown = prepare(
    `SELECT given.value AS id FROM json_each(:ids) AS given
     WHERE NOT EXISTS (SELECT 1 FROM event WHERE event.id = given.value)`,
  );
  const insert = prepare(
    `INSERT INTO event (id, center, position, reference, at, payload)
     SELECT value ->> 0, :center, :before + 1 + key, :reference, value ->> 1, value ->> 2
     FROM json_each(:events) ORDER BY key`,
  );
  const queue = prepare(
    `INSERT INTO event_queue (receiver, person, state, due_at, since) VALUES (:receiver, :person, 'due', :at, :at)
     ON CONFLICT (receiver, person) DO UPDATE SET
       due_at = iif(state = 'held', excluded.due_at, due_at), since = iif(state = 'held', excluded.since, since),
       attempts = iif(state = 'held', 0, attempts), state = 'due'`,
  );
  const deliver = prepare(
    `INSERT INTO event_delivery (receiver, person, sequence)
     SELECT :receiver, :person, event.sequence FROM json_each(:ids) AS given JOIN event ON event.id = given.value`,
  );
  const say = prepare(
    `INSERT INTO last_word (person, purpose, sequence, is_off)
     SELECT :person, value ->> 0, :sequence, value ->> 1 FROM json_each(:words)
     WHERE value ->> 1 = 1
       OR EXISTS (SELECT 1 FROM last_word WHERE person = :person AND purpose IN ('', value ->> 0))
     ON CONFLICT (person, purpose) DO UPDATE SET sequence = excluded.sequence, is_off = excluded.is_off
     WHERE sequence <= excluded.sequence`,
  );
  const [key, ...earlier] = together(takeKeys);

  /**
   * One that no secret opens is of no use until its secret is back. What comes in meanwhile has one of its own, also where
   * an earlier one opens: it is seen by the newest since when what was said is known.
   */
  function takeKeys(): readonly [PersonKey, ...PersonKey[]] {
    const { keys, knownSince } = readPersonKeys(database, seal);
    const reseal = prepare('UPDATE person_key SET key = :again WHERE number = :number');
    for (const each of keys) {
      const again = resealedPersonKey(seal, each);
      if (again !== undefined) reseal.run({ number: each.number, again });
    }
    const [found, ...older] = keys;
    if (found !== undefined && knownSince !== undefined) return [found, ...older];
    const last = prepare('SELECT coalesce(max(number), 0) AS number FROM person_key').get();
    const number = Number(last?.['number']) + 1;
    const key = newPersonKey();
    const sealed = sealPersonKey(seal, number, key);
    const made = { number, key, madeAt: now, sealed };
    prepare('INSERT INTO person_key (number, key, made_at) VALUES (:number, :sealed, :now)').run({
      ...{ number, sealed, now },
    });
    for (const row of pendingRows(database)) {
      const { work } = entryOf(seal, row);
      if (work === undefined) continue;
      const { intent, center, subject } = work.request;
      sayAll(peopleOf(made, center)(subject), withdrawnWords(intent), Number(row['sequence']));
    }
    return [made, ...keys];
  }

  function sayAll(person: string, words: readonly SpokenWord[], sequence: number): void {
    const written = JSON.stringify(words.map(({ purpose, isOff }) => [purpose, Number(isOff)]));
    say.run({ person, sequence, words: written });
  }

  return {
    /** What is to be kept beside a submission, sealed before the transaction during which the process stands still. */
    async ready(
      { reference, center, subject, channel }: Kept,
      {
        events = [],
        words = [],
      }: {
        readonly events?: readonly NewEvent[] | undefined;
        readonly words?: readonly SpokenWord[] | undefined;
      },
    ): Promise<ReadyEvents> {
      const route = routes(center);
      const about = { reference, center, subject, channel };
      const sealed = await sealEvents(seal, route === undefined ? [] : events, about);
      return { reference, center, subject, route, words, events: sealed };
    },
    /** Inside of a transaction, once the submission is there. */
    add({ reference, center, subject, route, words, events }: ReadyEvents, sequence: number): void {
      if (words.length === 0 && events.length === 0) return;
      const person = peopleOf(key, center)(subject);
      if (words.length > 0) sayAll(person, words, sequence);
      // What was withdrawn before is granted under the key that it was withdrawn under.
      const grants = words.filter(({ isOff }) => !isOff);
      if (grants.length > 0)
        for (const before of earlier) sayAll(peopleOf(before, center)(subject), grants, sequence);
      const ids = new Set(unknown.all({ ids: idsOf(events) }).map((row) => row['id']));
      const found = events.filter(({ id }) => ids.has(id));
      if (found.length === 0) return;
      const last = Number(take.get({ center, count: found.length })?.['last']);
      const rows = JSON.stringify(found.map(({ id, at, payload }) => [id, at, payload]));
      insert.run({ center, reference, before: last - found.length, events: rows });
      for (const receiver of route?.receivers ?? []) {
        const sent = found.filter(({ type }) => receiver.types.includes(type));
        const [first] = sent;
        if (first === undefined) continue;
        queue.run({ receiver: receiver.id, person, at: first.at });
        deliver.run({ receiver: receiver.id, person, ids: idsOf(sent) });
      }
    },
  };
}

function idsOf(events: readonly SealedEvent[]): string {
  return JSON.stringify(events.map(({ id }) => id));
}
