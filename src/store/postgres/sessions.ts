import { isEndedBySignOut } from '../../core/model/sign-out.ts';
import type { SubjectId } from '../../core/model/subject.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import type { SessionStore, StoredSession } from '../../ports/session-store.ts';
import { readSession } from '../earlier-names.ts';
import { openRow, sealRow } from '../sealed-row.ts';
import type { Database, Queries } from './database.ts';
import { bite, deleteSome, upkeep } from './maintained.ts';
import { statement } from './statement.ts';

export interface SessionStoreOptions {
  readonly database: Database;
  readonly store: 'visitors' | 'staff';
  readonly seal: Seal & KeyedHash;
  readonly clock?: Clock;
  /** Without a request after which a session is gone. */
  readonly idleMs: number;
  /** After which it is gone whatever happens. */
  readonly absoluteMs: number;
  /** That anything may live by which somebody gets in: a sign-out on all devices is kept so long. */
  readonly longestIssuedMs: number;
}

const sealed = { purpose: 'session' };

/** A sign of life is written at most this often; a session may end that much too early. */
const longestRarelyMs = 15_000;

/** Of so many sessions that are being read, the last sign of life is remembered. */
const mostRead = 10_000;

const isAlive = (of = 'session') =>
  `${of}.payload IS NOT NULL AND ${of}.ends_at > :now AND ${of}.made_at > :now - :absolute`;
const find = statement(
  `SELECT id, payload, touched_at FROM session WHERE store = :store AND id = ANY (:ids) AND ${isAlive()}
   ORDER BY touched_at DESC LIMIT 1`,
);
const write = statement(
  `WITH written AS (
     INSERT INTO session AS s (store, id, payload, made_at, touched_at, ends_at)
     SELECT :store, :id, :payload, :now, :now, :endsAt
     WHERE NOT EXISTS (
       SELECT 1 FROM session e WHERE e.store = :store AND e.id = ANY (:earlier) AND NOT (${isAlive('e')}))
     ON CONFLICT (store, id) DO UPDATE SET payload = :payload, touched_at = :now, ends_at = :endsAt
     WHERE ${isAlive('s')}
     RETURNING id)
   INSERT INTO session_subject (store, subject, session)
   SELECT :store, subject, written.id FROM written, unnest(:subjects::text[]) AS subject
   ON CONFLICT DO NOTHING`,
);
const touch = statement(
  `UPDATE session SET touched_at = :now, ends_at = :endsAt
   WHERE store = :store AND id = ANY (:ids) AND ${isAlive()} AND touched_at <= :now - :rarely`,
);
// What still runs would be saved under the newest secret: a tombstone stands there even when nothing was.
const keepTombstone = statement(
  `WITH known AS (
     UPDATE session SET payload = NULL, ends_at = :endsAt WHERE store = :store AND id = ANY (:earlier))
   INSERT INTO session (store, id, payload, made_at, touched_at, ends_at)
   VALUES (:store, :id, NULL, :now, :now, :endsAt)
   ON CONFLICT (store, id) DO UPDATE SET payload = NULL, ends_at = :endsAt`,
);
const buryAllOf = statement(
  `INSERT INTO session (store, id, payload, made_at, touched_at, ends_at)
   SELECT store, session, NULL, :now, :now, :endsAt FROM session_subject
   WHERE store = :store AND subject = ANY (:subjects) ORDER BY session
   ON CONFLICT (store, id) DO UPDATE SET payload = NULL, ends_at = :endsAt`,
);
const signOut = statement(
  `INSERT INTO sign_out AS o (store, subject, at) VALUES (:store, :subject, :now)
   ON CONFLICT (store, subject) DO UPDATE SET at = greatest(o.at, :now)`,
);
/** Until the transaction ends: a sign-out waits for a save, and the save for a sign-out. */
const hold = (mode: '' | '_shared') =>
  statement(
    `SELECT pg_advisory_xact_lock${mode}(hashtextextended(:store || ' ' || subject, 0))
     FROM (SELECT unnest(:subjects::text[]) AS subject ORDER BY 1) AS subjects`,
  );
const holdToSave = hold('_shared');
const holdToEnd = hold('');
const signedOut = statement(
  'SELECT max(at) AS at FROM sign_out WHERE store = :store AND subject = ANY (:subjects)',
);
const sweep = statement(
  `WITH ended AS MATERIALIZED (
     SELECT id FROM session WHERE store = :store AND ends_at <= :now ORDER BY ends_at LIMIT ${bite}
     FOR UPDATE SKIP LOCKED),
   pruned AS (DELETE FROM session_subject WHERE store = :store AND session = ANY (ARRAY(SELECT id FROM ended)))
   DELETE FROM session WHERE store = :store AND id = ANY (ARRAY(SELECT id FROM ended))`,
);
const forget = deleteSome('sign_out', 'at', 'store = :store');

/**
 * Sessions, sealed, found by a keyed hash of their id. One that has ended stays as a tombstone (no payload) until
 * nothing that began before could still write to it, so that a racing save never brings it back.
 */
export function openSessionStore(options: SessionStoreOptions): SessionStore {
  const { database, store, seal, idleMs, absoluteMs, longestIssuedMs } = options;
  const clock = options.clock ?? database.clock;
  /** Session id → when its last sign of life was written, as far as this process has seen. */
  const lastSign = new Map<string, number>();

  const idsOf = (id: string) => seal.hashes('session', id);
  const subjectOf = (subject: SubjectId) => seal.hash('session subject', subject);
  /** Under every secret: while these are rotated, that of another node may be another one. */
  const subjectsOf = (subject: SubjectId) => seal.hashes('session subject', subject);

  async function signedOutAt(queries: Queries, subject: SubjectId): Promise<number | undefined> {
    const subjects = subjectsOf(subject);
    const at = (await queries.get(signedOut, { store, subjects }))?.['at'];
    return typeof at === 'number' ? at : undefined;
  }

  async function keep(queries: Queries, sid: string, session: StoredSession): Promise<void> {
    const now = clock.now();
    const [id = '', ...earlier] = idsOf(sid);
    const subjects = [...new Set((session.visits ?? []).map(({ subject }) => subjectOf(subject)))];
    const payload = sealRow(seal, { ...sealed, row: id }, session);
    await queries.run(write, {
      ...{ store, id, earlier, payload, subjects, now },
      ...{ endsAt: now + idleMs, absolute: absoluteMs },
    });
  }

  return {
    async find(id) {
      const row = await database.get(find, { store, ids: idsOf(id), now: clock.now(), absolute: absoluteMs });
      if (row === undefined) return undefined;
      if (lastSign.size >= mostRead) lastSign.clear();
      lastSign.set(id, Number(row['touched_at']));
      return readSession(openRow(seal, { ...sealed, row: String(row['id']) }, row['payload']));
    },
    async save(id, session) {
      const { visits } = session;
      if (visits === undefined || visits.length === 0) return keep(database, id, session);
      await database.together(async (queries) => {
        const subjects = [...new Set(visits.flatMap(({ subject }) => subjectsOf(subject)))];
        await queries.run(holdToSave, { store, subjects });
        const ends = new Map<SubjectId, number | undefined>();
        for (const { subject } of visits) {
          if (!ends.has(subject)) ends.set(subject, await signedOutAt(queries, subject));
        }
        // A sign-out that is still to come, because a clock was set back, shuts nobody out.
        const isOver = (at: number | undefined, since: number) =>
          at !== undefined && isEndedBySignOut(since, at) && at <= clock.now();
        const kept = visits.filter(({ subject, since }) => !isOver(ends.get(subject), since));
        await keep(queries, id, { ...session, visits: kept });
      });
    },
    /** Writes only when 15 seconds, or a tenth of a short idle time, have passed since the last write. */
    async touch(id) {
      const now = clock.now();
      const rarely = Math.min(Math.floor(idleMs / 10), longestRarelyMs);
      const last = lastSign.get(id);
      if (last !== undefined && now - last < rarely) return;
      lastSign.set(id, now);
      const endsAt = now + idleMs;
      await database.run(touch, { store, ids: idsOf(id), now, endsAt, absolute: absoluteMs, rarely });
    },
    async end(sid) {
      const now = clock.now();
      const [id = '', ...earlier] = idsOf(sid);
      await database.run(keepTombstone, { store, id, earlier, now, endsAt: now + absoluteMs + idleMs });
    },
    async endAllOf(subject) {
      const now = clock.now();
      const subjects = subjectsOf(subject);
      await database.together(async (queries) => {
        await queries.run(holdToEnd, { store, subjects });
        await queries.run(signOut, { store, subject: subjectOf(subject), now });
        await queries.run(buryAllOf, { store, subjects, now, endsAt: now + absoluteMs + idleMs });
      });
    },
    signedOutAt: (subject) => signedOutAt(database, subject),
    async sweep() {
      const now = clock.now();
      const ended = await database.run(sweep, { store, now });
      return ended + (await database.run(forget, { store, before: now - longestIssuedMs + 1 }));
    },
    ...upkeep(database),
  };
}
