import { withdrawnWords } from '../../core/consent/spoken-words.ts';
import type { NewEvent, SpokenWord } from '../../core/model/center-event.ts';
import type { SubmissionRequest } from '../../core/model/submission-request.ts';
import type { EventRoutes } from '../../ports/event-routes.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import {
  newPersonKey,
  openPersonKeys,
  type PersonKey,
  type PersonKeys,
  peopleOf,
  resealedPersonKey,
  sealEvent,
  sealPersonKey,
} from '../event-seal.ts';
import type { Database } from './database.ts';
import { entryOf } from './journal-row.ts';

export function readPersonKeys({ prepare }: Pick<Database, 'prepare'>, seal: Seal): PersonKeys {
  return openPersonKeys(
    seal,
    prepare('SELECT number, key, made_at FROM person_key ORDER BY number DESC').all(),
  );
}

/** The submission beside which something is kept. */
interface Kept extends Pick<SubmissionRequest, 'center' | 'subject' | 'channel'> {
  readonly reference: string;
  readonly sequence: number;
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
  const next = prepare(
    `INSERT INTO event_center (center, last) VALUES (:center, 1)
     ON CONFLICT (center) DO UPDATE SET last = last + 1 RETURNING last`,
  );
  const known = prepare('SELECT 1 FROM event WHERE id = :id');
  const insert = prepare(
    `INSERT INTO event (id, center, position, reference, at, payload)
     VALUES (:id, :center, :position, :reference, :at, :payload) RETURNING sequence`,
  );
  const queue = prepare(
    `INSERT INTO event_queue (receiver, person, state, due_at, since) VALUES (:receiver, :person, 'due', :at, :at)
     ON CONFLICT (receiver, person) DO UPDATE SET
       due_at = iif(state = 'held', excluded.due_at, due_at), since = iif(state = 'held', excluded.since, since),
       attempts = iif(state = 'held', 0, attempts), state = 'due'`,
  );
  const deliver = prepare(
    'INSERT INTO event_delivery (receiver, person, sequence) VALUES (:receiver, :person, :sequence)',
  );
  const say = prepare(
    `INSERT INTO last_word (person, purpose, sequence, is_off)
     SELECT :person, :purpose, :sequence, :isOff
     WHERE :isOff = 1 OR EXISTS (SELECT 1 FROM last_word WHERE person = :person AND purpose IN ('', :purpose))
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
    for (const row of prepare(`SELECT * FROM submission WHERE state = 'pending' ORDER BY sequence`).all()) {
      const { work } = entryOf(seal, row);
      if (work === undefined) continue;
      const { intent, center, subject } = work.request;
      sayAll(peopleOf(made, center)(subject), withdrawnWords(intent), Number(row['sequence']));
    }
    return [made, ...keys];
  }

  function sayAll(person: string, words: readonly SpokenWord[], sequence: number): void {
    for (const { purpose, isOff } of words) say.run({ person, purpose, sequence, isOff: Number(isOff) });
  }

  return {
    /** Inside of a transaction, once the submission is there. */
    add(
      { reference, sequence: number, center, subject, channel }: Kept,
      {
        events = [],
        words = [],
      }: {
        readonly events?: readonly NewEvent[] | undefined;
        readonly words?: readonly SpokenWord[] | undefined;
      },
    ): void {
      const route = routes(center);
      if (words.length === 0 && (route === undefined || events.length === 0)) return;
      const person = peopleOf(key, center)(subject);
      if (words.length > 0) sayAll(person, words, number);
      // What was withdrawn before is granted under the key that it was withdrawn under.
      const grants = words.filter(({ isOff }) => !isOff);
      if (grants.length > 0)
        for (const before of earlier) sayAll(peopleOf(before, center)(subject), grants, number);
      for (const event of route === undefined ? [] : events) {
        if (known.get({ id: event.id }) !== undefined) continue;
        const position = Number(next.get({ center })?.['last']);
        const { id, at } = event;
        const payload = sealEvent(seal, { ...event, center, subject, channel, reference });
        const sequence = Number(insert.get({ id, center, position, reference, at, payload })?.['sequence']);
        for (const receiver of route?.receivers ?? []) {
          if (!receiver.types.includes(event.type)) continue;
          queue.run({ receiver: receiver.id, person, at });
          deliver.run({ receiver: receiver.id, person, sequence });
        }
      }
    },
  };
}
