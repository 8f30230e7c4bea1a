import { setTimeout as pause } from 'node:timers/promises';
import type { Person } from '../core/consent/person.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import type { Erasure, ErasureOutcome, PersonData } from '../ports/person-data.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import { isIn, rows, type Tables } from './dialect.ts';
import { personHashes, sealedPerson } from './journal-seal.ts';
import { dayMs, type PersonRow, type SubmissionRow } from './people-schema.ts';
import { peopleOf, readPersonKeys } from './person-keys.ts';
import { signOut } from './sessions.ts';
import { type Columns, reading, rowsValue, type Sql, type Transaction, writing } from './sql.ts';

/**
 * `mark` is an `Erasure` in JSON, which holds keyed hashes alone. `pending` is 1 until all stores are done.
 */
export const erasureTables: Tables = ({ whole, tableEnd }) => [
  `CREATE TABLE erased (
     subject text PRIMARY KEY,
     at ${whole} NOT NULL,
     mark text NOT NULL,
     pending ${whole} NOT NULL
   ) ${tableEnd};
   CREATE INDEX erased_pending ON erased (at) WHERE pending = 1`,
];

const list = reading<Marked>`SELECT mark FROM erased ORDER BY at, subject`;
const unfinished = reading<Marked>`SELECT mark FROM erased WHERE pending = 1 ORDER BY at LIMIT 100`;
const finished = writing`UPDATE erased SET pending = 0 WHERE subject = :subject AND at = :at`;
const write = writing`INSERT INTO erased AS e (subject, at, mark, pending) VALUES (:subject, :at, :mark, 1)
  ON CONFLICT (subject) DO UPDATE SET at = excluded.at, mark = excluded.mark, pending = 1
  WHERE e.at <= excluded.at`;

type Marked = Readonly<Record<'mark', string>>;

// Locks the person's rows, and makes the missing ones: a new submission waits for the end of the erasure.
const hold = writing<PersonRow>`
  INSERT INTO person (subject, version, document, withdraws, lease_until, touched_at)
  SELECT r.subject, 0, '', 0, 0, 0 FROM ${rows('r', { subject: 'text' })} WHERE true ORDER BY r.subject
  ON CONFLICT (subject) DO UPDATE SET touched_at = person.touched_at RETURNING *`;
export const ownSubmissions = reading<FoundRow>`
  SELECT reference, center, state FROM submission WHERE ${isIn('subject', 'subjects')}`;
const erasedBefore = reading<Marked>`SELECT mark FROM erased WHERE ${isIn('subject', 'subjects')}`;
const underway = reading`
  SELECT 1 FROM event_queue WHERE ${isIn('person', 'people')} AND state = 'due' AND waiting > 0 LIMIT 1`;
export const withdrawn = reading<Erasure['words'][number]>`
  SELECT person, purpose, everything FROM last_word WHERE ${isIn('person', 'people')} AND is_off = 1`;
const forget = writing`DELETE FROM last_word WHERE ${isIn('person', 'people')}`;
const withdraw = writing`INSERT INTO last_word AS l (person, purpose, is_off, everything)
  SELECT r.person, r.purpose, 1, r.everything
  FROM ${rows('r', { person: 'text', purpose: 'text', everything: 'whole' })} WHERE true
  ON CONFLICT (person, purpose) DO UPDATE SET is_off = 1, everything = excluded.everything
  WHERE l.everything <= excluded.everything`;
const erasePerson = writing`DELETE FROM person WHERE ${isIn('subject', 'subjects')}`;
// The center, the state, two days, the leaves and two flags remain: `everything` and `withdraws`.
const blank = writing`
  UPDATE submission SET reference = 'erased-' || sequence, nonce = NULL, digest = NULL, subject = '',
    channel = '', gpc = 0, submitted_at = submitted_at - submitted_at % ${dayMs},
    done_at = done_at - done_at % ${dayMs}, undoes = NULL, undone_by = NULL, receipts = '[]', request = NULL,
    progress = NULL, asked = NULL, ended = NULL, words = NULL
  WHERE ${isIn('subject', 'subjects')}`;
export const eraseEvents = writing<Partial<Columns<'person', string>>>`
  DELETE FROM event WHERE ${isIn('reference', 'references')} RETURNING person`;
const eraseQueues = writing`DELETE FROM event_queue WHERE ${isIn('person', 'people')}`;
const eraseStops = writing`DELETE FROM event_stop WHERE ${isIn('reference', 'references')}`;
const eraseTasks = writing`
  DELETE FROM stuck_task WHERE state <> 'open' AND ${isIn('reference', 'references')}`;
const eraseMessages = writing`DELETE FROM message WHERE ${isIn('subject', 'subjects')}`;
const eraseSessions = writing`UPDATE session SET payload = NULL WHERE store = 'visitors' AND id IN (
  SELECT session FROM session_subject WHERE store = 'visitors' AND ${isIn('subject', 'subjects')})`;
const erasePasscodes = writing`DELETE FROM passcode WHERE ${isIn('person', 'people')}`;
export const eraseHostedLinks = writing`DELETE FROM hosted_link WHERE ${isIn('person', 'people')}`;

/** The stores that hold data about people. */
export interface PersonStores {
  readonly journal: Sql;
  readonly sessions: Sql;
  readonly hostedLinks: Sql;
  readonly seal: Seal & KeyedHash;
  /** The centers in the settings: a person may have said something there of which no submission is kept. */
  readonly centers: readonly string[];
}

type FoundRow = Pick<SubmissionRow, 'reference' | 'center' | 'state'>;

/**
 * Erases people. The journal is erased in one transaction; other stores follow, and are tried again after a
 * fault.
 */
export function personErasure(options: PersonStores) {
  const { journal, sessions, hostedLinks, seal } = options;
  const { clock } = journal;

  /**
   * Locks and reads what the journal holds of a person. `people`: the person's hashes in events and last
   * words, for each center.
   */
  async function lockPerson(transaction: Transaction, subjects: readonly string[], subject?: SubjectId) {
    if (subjects.length > 1) await transaction.hold(subjects.toSorted().slice(0, 1));
    const r = rowsValue(subjects.map((each) => ({ subject: each })));
    const held = await transaction.all(hold, { r });
    const rows = await transaction.all(ownSubmissions, { subjects });
    const isUnderway =
      held.some((row) => row.due_at !== undefined || row.lease_until > clock.now()) ||
      rows.some(({ state }) => state === 'pending');
    // After an earlier erasure only its mark still names the person's hashes in their centers.
    const earlier = (await transaction.all(erasedBefore, { subjects })).map(readErasure);
    const people = new Set(earlier.flatMap(({ words }) => words.map(({ person }) => person)));
    if (subject !== undefined) {
      const known = held.flatMap((row) => sealedPerson.open(seal, row.subject, row.document) ?? []);
      for (const key of (await readPersonKeys(transaction, seal)).keys)
        for (const center of centersOf(options, rows, known)) people.add(peopleOf(key, center)(subject));
    }
    const references = rows.map(({ reference }) => reference);
    return { references, people: [...people], isUnderway };
  }

  async function eraseIn(
    transaction: Transaction,
    { references, people }: Readonly<Record<'references' | 'people', readonly string[]>>,
    erasure: Erasure,
  ): Promise<number> {
    const { subjects, words, forgets, at } = erasure;
    const events = await transaction.all(eraseEvents, { references });
    const queued = events.flatMap(({ person }) => person ?? []);
    await transaction.run(eraseQueues, { people: [...new Set([...people, ...queued])] });
    for (const each of [eraseStops, eraseTasks]) await transaction.run(each, { references });
    for (const each of [eraseMessages, blank, erasePerson]) await transaction.run(each, { subjects });
    if (forgets) await transaction.run(forget, { people: [...people, ...words.map(({ person }) => person)] });
    else if (words.length > 0)
      await transaction.run(withdraw, { r: rowsValue(words.map((word) => ({ ...word }))) });
    await transaction.run(write, { subject: subjects[0] ?? '', at, mark: JSON.stringify(erasure) });
    return events.length;
  }

  /**
   * Erases in all stores but the journal, as often as is needed. false: a log file still holds deleted data.
   */
  async function eraseElsewhere(erasure: Erasure): Promise<boolean> {
    const { at, passcodes, hostedLinks: people, subjects } = erasure;
    await sessions.transaction(async (transaction) => {
      const names = erasure.sessions.map((each) => `visitors ${each}`);
      await transaction.hold(names);
      const [subject = ''] = erasure.sessions;
      // The sign-out keeps a request that is running from saving an earlier visit.
      await transaction.run(signOut, { store: 'visitors', subject, now: clock.now() });
      await transaction.run(eraseSessions, { subjects: erasure.sessions });
      await transaction.run(erasePasscodes, { people: passcodes });
    });
    await hostedLinks.run(eraseHostedLinks, { people });
    const logs = [...new Set([journal, sessions, hostedLinks])];
    const isEmpty = await Promise.all(logs.map(isLogEmptied));
    if (!isEmpty.every(Boolean)) return false;
    await journal.run(finished, { subject: subjects[0] ?? '', at });
    return true;
  }

  const erasures = async () => (await journal.all(list)).map(readErasure);

  async function finish(): Promise<number> {
    let done = 0;
    for (const row of await journal.all(unfinished)) done += Number(await eraseElsewhere(readErasure(row)));
    return done;
  }

  return {
    async erase(subject, { forgets }) {
      const hashes = personHashes(seal, subject);
      const { subjects } = hashes;
      const [outcome, erasure] = await journal.transaction(async (transaction): Promise<Done> => {
        const found = await lockPerson(transaction, subjects, subject);
        if (found.isUnderway) return [{ kind: 'on-its-way', what: 'submission' }];
        const { people, references } = found;
        if ((await transaction.get(underway, { people })) !== undefined)
          return [{ kind: 'on-its-way', what: 'event' }];
        const words = await transaction.all(withdrawn, { people });
        const mark: Erasure = { at: clock.now(), ...hashes, words, forgets };
        const events = await eraseIn(transaction, found, mark);
        const kept = forgets ? 0 : words.length;
        return [{ kind: 'erased', submissions: references.length, events, words: kept }, mark];
      });
      if (erasure !== undefined) await eraseElsewhere(erasure);
      return outcome;
    },
    finish,
    erasures,
    async apply(listed) {
      const known = new Map((await erasures()).map((each) => [each.subjects[0], each.at]));
      const missing = listed.filter(({ subjects: [first], at }) => (known.get(first) ?? 0) < at);
      for (const erasure of missing)
        await journal.transaction(async (transaction) => {
          await eraseIn(transaction, await lockPerson(transaction, erasure.subjects), erasure);
        });
      await finish();
      return missing.length;
    },
  } satisfies Partial<PersonData>;
}

/** Tries for a second: other processes may read or write for a moment. */
async function isLogEmptied(sql: Sql): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    if (await sql.emptyLog()) return true;
    await pause(50);
  }
  return false;
}

/** The centers in which a person may have said something. */
export function centersOf(
  { centers }: Pick<PersonStores, 'centers'>,
  rows: readonly Pick<SubmissionRow, 'center'>[],
  people: readonly Person[],
): ReadonlySet<string> {
  const wanted = people.flatMap(({ desired }) => desired.centers);
  return new Set([...centers, ...[...rows, ...wanted].map(({ center }) => center)]);
}

type Done = readonly [ErasureOutcome, Erasure?];

function readErasure({ mark }: Marked): Erasure {
  return JSON.parse(mark) as Erasure;
}
