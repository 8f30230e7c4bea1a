import { isEndedBySignOut } from '../core/model/person/sign-out.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import type { SessionStore, StoredSession } from '../ports/session-store.ts';
import { endTurn } from '../turn.ts';
import { isIn, skipLocked } from './dialect.ts';
import { rowSeal } from './sealed-row.ts';
import {
  batchRows,
  type Columns,
  deleteSome,
  type Queries,
  reading,
  type StoreParts,
  writing,
} from './sql.ts';

export interface SessionStoreOptions extends StoreParts {
  readonly store: 'visitors' | 'staff';
  /** Milliseconds without a request after which a session ends. */
  readonly idleMs: number;
  /** Milliseconds after which a session ends in any case. */
  readonly absoluteMs: number;
  /**
   * Milliseconds for which anything that signs a person in may live: a sign-out on all devices is kept so
   * long.
   */
  readonly longestIssuedMs: number;
}

/**
 * Milliseconds between two writes of a session's activity, at the most; a session may end that much too
 * early.
 */
const longestRarelyMs = 15_000;

/** Sessions of which a process remembers what it has read. */
const mostRead = 10_000;

/** Sessions of one person that end in one transaction. */
const mostEnded = 1_000;

const sealedSession = rowSeal<StoredSession>('session');

const isAlive = (of = 'session') =>
  `${of}.payload IS NOT NULL AND ${of}.ends_at > :now AND ${of}.made_at > :now - :absolute`;
// Makes a tombstone even without a row: a request that is running may save under the newest secret.
const bury = writing`INSERT INTO session (store, id, payload, made_at, touched_at, ends_at)
  VALUES (:store, :id, NULL, :now, :now, :endsAt)
  ON CONFLICT (store, id) DO UPDATE SET payload = NULL, ends_at = :endsAt`;
const index = writing`
  INSERT INTO session_subject (store, subject, session) VALUES (:store, :subject, :id)
    ON CONFLICT DO NOTHING`;
/** An erasure uses it, too. */
export const signOut = writing`INSERT INTO sign_out AS o (store, subject, at) VALUES (:store, :subject, :now)
  ON CONFLICT (store, subject) DO UPDATE SET at = :now WHERE o.at < :now`;

const find = reading<Columns<'id' | 'payload', string> & Columns<'touched_at', number>>`
  SELECT id, payload, touched_at FROM session WHERE store = :store AND ${isIn('id', 'ids')} AND ${isAlive()}
  ORDER BY touched_at DESC LIMIT 1`;
// Writes nothing if one of `people` has signed out since; `+ 0` keeps SQLite from using the index of times.
const write = writing<Columns<'made_at', number>>`
  INSERT INTO session AS s (store, id, payload, made_at, touched_at, ends_at)
  SELECT :store, :id, :payload, :now, :now, :endsAt
  WHERE NOT EXISTS (
    SELECT 1 FROM session e WHERE e.store = :store AND ${isIn('e.id', 'earlier')} AND NOT (${isAlive('e')}))
    AND NOT EXISTS (
    SELECT 1 FROM sign_out o
    WHERE o.store = :store AND ${isIn('o.subject', 'people')} AND o.at + 0 BETWEEN :since AND :now)
  ON CONFLICT (store, id) DO UPDATE SET payload = :payload, touched_at = :now, ends_at = :endsAt
  WHERE ${isAlive('s')}
  RETURNING made_at`;
const touch = writing`UPDATE session SET touched_at = :now, ends_at = :endsAt
  WHERE store = :store AND ${isIn('id', 'ids')} AND ${isAlive()} AND touched_at <= :now - :rarely`;
const buryKnown = writing`
  UPDATE session SET payload = NULL, ends_at = :endsAt WHERE store = :store AND ${isIn('id', 'ids')}`;
const ofSubject = reading<Columns<'session', string>>`
  SELECT session FROM session_subject WHERE store = :store AND ${isIn('subject', 'subjects')}`;
const signedOut = reading<Partial<Columns<'at', number>>>`
  SELECT max(at) AS at FROM sign_out WHERE store = :store AND ${isIn('subject', 'subjects')}`;
// Reads the sessions of all stores: with a condition on `store` SQLite would read all sessions of that store.
const over = writing<Columns<'store' | 'id', string>>`
  SELECT store, id FROM session WHERE ends_at <= :now ORDER BY ends_at LIMIT ${batchRows} ${skipLocked}`;
const prune = writing`DELETE FROM session_subject WHERE store = :store AND ${isIn('session', 'ids')}`;
const remove = writing`DELETE FROM session WHERE store = :store AND ${isIn('id', 'ids')}`;
const forget = deleteSome('sign_out', 'at', { where: 'store = :store AND at < :before' });

/**
 * Sessions, sealed, and found by a keyed hash of their id. An ended session stays as a tombstone (no payload)
 * as long as a request that began before could still save it.
 */
export function openSessionStore(options: SessionStoreOptions): SessionStore {
  const { sql, store, seal, idleMs, absoluteMs, longestIssuedMs } = options;
  const { clock } = sql;
  /** Sessions that this process has read, by id: the last activity, and people whose index row is there. */
  const read = new Map<string, { lastSign: number; readonly people: ReadonlySet<SubjectId> }>();

  const idsOf = (id: string) => seal.hashes('session', id);
  /** Hashes under every secret: while these are rotated, another node may have another first one. */
  const subjectsOf = (subject: SubjectId) => seal.hashes('session subject', subject);
  const locksOf = (subjects: readonly string[]) => subjects.map((subject) => `${store} ${subject}`);

  async function signedOutAt(queries: Queries, subject: SubjectId): Promise<number | undefined> {
    return (await queries.get(signedOut, { store, subjects: subjectsOf(subject) }))?.at;
  }

  /**
   * False, and nothing is written, if the session has ended, or one of `people` signed out at `since` or
   * later.
   */
  async function keep(
    queries: Queries,
    [sid, session]: readonly [string, StoredSession],
    { people, since } = { people: [] as readonly string[], since: 0 },
  ): Promise<boolean> {
    const now = clock.now();
    const [id = '', ...earlier] = idsOf(sid);
    const payload = sealedSession.seal(seal, id, session);
    const values = { store, id, earlier, payload, people, since };
    const times = { now, endsAt: now + idleMs, absolute: absoluteMs };
    const written = await queries.get(write, { ...values, ...times });
    if (written === undefined) return false;
    // An existing row still has its index rows; a new row has none.
    const indexed = written.made_at === now ? undefined : read.get(sid)?.people;
    for (const subject of new Set((session.visits ?? []).map((visit) => visit.subject)))
      if (indexed?.has(subject) !== true)
        await queries.run(index, { store, id, subject: seal.hash('session subject', subject) });
    return true;
  }

  return {
    async find(id) {
      const values = { store, ids: idsOf(id), now: clock.now(), absolute: absoluteMs };
      const row = await sql.get(find, values);
      if (row === undefined) return undefined;
      const session = sealedSession.open(seal, row.id, row.payload);
      if (read.size >= mostRead) read.clear();
      const people = new Set(session?.visits?.map(({ subject }) => subject));
      read.set(id, { lastSign: row.touched_at, people });
      return session;
    },
    async save(id, session) {
      const { visits } = session;
      if (visits === undefined || visits.length === 0) return void (await keep(sql, [id, session]));
      await sql.transaction(async (queries) => {
        const subjects = new Set(visits.map(({ subject }) => subject));
        const people = [...subjects].flatMap(subjectsOf);
        const oldest = Math.min(...visits.map(({ since }) => since));
        // A save and a sign-out of the same person wait for each other, two saves do not.
        await queries.hold(locksOf(people), 'shared');
        if (await keep(queries, [id, session], { people, since: oldest })) return;
        const ends = new Map<SubjectId, number | undefined>();
        for (const subject of subjects) ends.set(subject, await signedOutAt(queries, subject));
        // A sign-out in the future (a clock was set back) ends nothing.
        const isOver = (at: number | undefined, since: number) =>
          at !== undefined && isEndedBySignOut(since, at) && at <= clock.now();
        const kept = visits.filter(({ subject, since }) => !isOver(ends.get(subject), since));
        if (kept.length < visits.length) await keep(queries, [id, { ...session, visits: kept }]);
      });
    },
    /** Writes only when 15 seconds, or a tenth of a short idle time, have passed since the last write. */
    async touch(id) {
      const now = clock.now();
      const rarely = Math.min(Math.floor(idleMs / 10), longestRarelyMs);
      const seen = read.get(id);
      if (seen !== undefined && now - seen.lastSign < rarely) return;
      if (seen !== undefined) seen.lastSign = now;
      const endsAt = now + idleMs;
      await sql.run(touch, { store, ids: idsOf(id), now, endsAt, absolute: absoluteMs, rarely });
    },
    async end(sid) {
      const now = clock.now();
      const endsAt = now + absoluteMs + idleMs;
      const [id = '', ...ids] = idsOf(sid);
      if (ids.length === 0) return void (await sql.run(bury, { store, id, now, endsAt }));
      await sql.transaction(async (queries) => {
        await queries.run(bury, { store, id, now, endsAt });
        await queries.run(buryKnown, { store, ids, endsAt });
      });
    },
    async endAllOf(subject) {
      const now = clock.now();
      const endsAt = now + absoluteMs + idleMs;
      const subjects = subjectsOf(subject);
      const ids = await sql.transaction(async (queries) => {
        await queries.hold(locksOf(subjects));
        // From here on no save keeps a visit that began before.
        await queries.run(signOut, { store, subject: subjects[0] ?? '', now });
        const found = await queries.all(ofSubject, { store, subjects });
        const all = found.map(({ session }) => session);
        await queries.run(buryKnown, { store, ids: all.slice(0, mostEnded), endsAt });
        return all;
      });
      for (let at = mostEnded; at < ids.length; at += mostEnded) {
        await endTurn();
        await sql.run(buryKnown, { store, ids: ids.slice(at, at + mostEnded), endsAt });
      }
    },
    signedOutAt: (subject) => signedOutAt(sql, subject),
    async sweep() {
      const now = clock.now();
      const ended = await sql.transaction(async (queries) => {
        const rows = await queries.all(over, { now });
        for (const [each, expired] of Map.groupBy(rows, (row) => row.store)) {
          const values = { store: each, ids: expired.map(({ id }) => id) };
          await queries.run(prune, values);
          await queries.run(remove, values);
        }
        return rows.length;
      });
      return ended + (await sql.run(forget, { store, before: now - longestIssuedMs + 1 }));
    },
  };
}
