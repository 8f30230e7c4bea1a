import { isEndedBySignOut } from '../../core/model/sign-out.ts';
import type { SubjectId } from '../../core/model/subject.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import { endTurn } from '../../turn.ts';
import { readSession } from '../earlier-names.ts';
import { openRow, sealRow } from '../sealed-row.ts';
import { bindRows } from './bind-rows.ts';
import { bite, type Migration, openDatabase, upkeep } from './database.ts';

export interface SessionStoreOptions {
  readonly file: string;
  readonly seal: Seal & KeyedHash;
  readonly clock: Clock;
  /** Without a request after which a session is gone. */
  readonly idleMs: number;
  /** After which it is gone whatever happens. */
  readonly absoluteMs: number;
  /** That anything may live by which somebody gets in: a sign-out on all devices is kept so long. */
  readonly longestIssuedMs: number;
}

const sealed = { purpose: 'session' };

const migrations = (seal: Seal): readonly Migration[] => [
  `CREATE TABLE session (
     id TEXT PRIMARY KEY,
     payload TEXT,
     made_at INTEGER NOT NULL,
     touched_at INTEGER NOT NULL,
     ends_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX session_end ON session (ends_at)`,
  `CREATE TABLE session_subject (
     subject TEXT NOT NULL,
     session TEXT NOT NULL,
     PRIMARY KEY (subject, session)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX session_subject_session ON session_subject (session)`,
  `CREATE TABLE farewell (subject TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  bindRows(seal, { ...sealed, table: 'session', id: 'id', column: 'payload' }),
  `CREATE INDEX farewell_at ON farewell (at)`,
];

/** A sign of life is written at most this often; a session may end that much too early. */
const longestRarelyMs = 15_000;

/** Of a person, so many sessions are ended at a time: the process stands still meanwhile. */
const mostEnded = 1_000;

/** Of so many sessions that are being read, the last sign of life is remembered. */
const mostRead = 10_000;

/**
 * Sessions in one SQLite file, sealed, found by a keyed hash of their id. One that has ended stays as a tombstone (no
 * payload) until nothing that began before could still write to it, so that a racing save never brings it back.
 */
export function openSessionStore(options: SessionStoreOptions): SessionStore {
  const { seal, clock, idleMs, absoluteMs, longestIssuedMs } = options;
  const database = openDatabase(options.file, migrations(seal));
  const { prepare, together } = database;
  const isAlive = 'payload IS NOT NULL AND ends_at > :now AND made_at > :now - :absolute';
  const find = prepare(
    `SELECT id, payload, touched_at FROM session WHERE id IN (SELECT value FROM json_each(:ids)) AND ${isAlive}
     ORDER BY touched_at DESC LIMIT 1`,
  );
  const write = prepare(
    `INSERT INTO session (id, payload, made_at, touched_at, ends_at) VALUES (:id, :payload, :now, :now, :endsAt)
     ON CONFLICT (id) DO UPDATE SET payload = :payload, touched_at = :now, ends_at = :endsAt
     WHERE ${isAlive}`,
  );
  const touch = prepare(
    `UPDATE session SET touched_at = :now, ends_at = :endsAt
     WHERE id IN (SELECT value FROM json_each(:ids)) AND ${isAlive} AND touched_at <= :now - :rarely`,
  );
  const keepTombstone = prepare(
    `INSERT INTO session (id, payload, made_at, touched_at, ends_at) VALUES (:id, NULL, :now, :now, :endsAt)
     ON CONFLICT (id) DO UPDATE SET payload = NULL, ends_at = :endsAt`,
  );
  const buryKnown = prepare('UPDATE session SET payload = NULL, ends_at = :endsAt WHERE id = :id');
  const buried = prepare(
    'SELECT 1 FROM session WHERE id IN (SELECT value FROM json_each(:ids)) AND payload IS NULL',
  );
  const ended = prepare(`SELECT id FROM session WHERE ends_at <= :now ORDER BY ends_at LIMIT ${bite}`);
  const sweep = prepare('DELETE FROM session WHERE id IN (SELECT value FROM json_each(:ids))');
  const index = prepare('INSERT OR IGNORE INTO session_subject (subject, session) VALUES (:subject, :id)');
  const ofSubject = prepare(
    'SELECT session FROM session_subject WHERE subject IN (SELECT value FROM json_each(:subjects))',
  );
  const prune = prepare('DELETE FROM session_subject WHERE session IN (SELECT value FROM json_each(:ids))');
  const revoke = prepare(
    'INSERT INTO farewell (subject, at) VALUES (:subject, :now) ON CONFLICT (subject) DO UPDATE SET at = max(at, :now)',
  );
  const revokedAt = prepare(
    'SELECT max(at) AS at FROM farewell WHERE subject IN (SELECT value FROM json_each(:subjects))',
  );
  const forget = prepare('DELETE FROM farewell WHERE at <= :before');
  /** Session id → when its last sign of life was written, as far as this process has seen. */
  const lastSign = new Map<string, number>();

  const idOf = (id: string) => seal.hash('session', id);
  const idsOf = (id: string) => JSON.stringify(seal.hashes('session', id));
  const subjectsOf = (subject: SubjectId) => JSON.stringify(seal.hashes('session subject', subject));

  function signedOutAt(subject: SubjectId): number | undefined {
    const at = revokedAt.get({ subjects: subjectsOf(subject) })?.['at'];
    return typeof at === 'number' ? at : undefined;
  }

  /** A sign-out that is still to come, because a clock was set back, shuts nobody out. */
  function isOver(subject: SubjectId, since: number): boolean {
    const at = signedOutAt(subject);
    return isEndedBySignOut(since, at) && at !== undefined && at <= clock.now();
  }

  return {
    async find(id) {
      const row = find.get({ ids: idsOf(id), now: clock.now(), absolute: absoluteMs });
      if (row === undefined) return undefined;
      if (lastSign.size >= mostRead) lastSign.clear();
      lastSign.set(id, Number(row['touched_at']));
      return readSession(openRow(seal, { ...sealed, row: String(row['id']) }, row['payload']));
    },
    async save(sid, session) {
      const now = clock.now();
      const [id = '', ...earlier] = seal.hashes('session', sid);
      together(() => {
        // Ended by a process that knows no newer secret.
        if (earlier.length > 0 && buried.get({ ids: JSON.stringify(earlier) }) !== undefined) return;
        // Asked while nobody else can write: a sign-out on all devices ends what is on its way here too.
        const visits = session.visits?.filter(({ subject, since }) => !isOver(subject, since));
        const kept = visits === undefined ? session : { ...session, visits };
        const payload = sealRow(seal, { ...sealed, row: id }, kept);
        if (write.run({ id, payload, now, endsAt: now + idleMs, absolute: absoluteMs }) === 0) return;
        for (const { subject } of visits ?? []) {
          index.run({ id, subject: seal.hash('session subject', subject) });
        }
      });
    },
    async touch(id) {
      const now = clock.now();
      const rarely = Math.min(Math.floor(idleMs / 10), longestRarelyMs);
      const last = lastSign.get(id);
      // Even a statement that finds nothing to write waits for its turn to write.
      if (last !== undefined && now - last < rarely) return;
      lastSign.set(id, now);
      touch.run({ ids: idsOf(id), now, endsAt: now + idleMs, absolute: absoluteMs, rarely });
    },
    async end(sid) {
      const now = clock.now();
      const endsAt = now + absoluteMs + idleMs;
      together(() => {
        // What still runs would be saved under the newest secret.
        keepTombstone.run({ id: idOf(sid), now, endsAt });
        for (const id of seal.hashes('session', sid).slice(1)) buryKnown.run({ id, endsAt });
      });
    },
    async endAllOf(subject) {
      const now = clock.now();
      const endsAt = now + absoluteMs + idleMs;
      // From here on nothing that began before is saved any more.
      revoke.run({ subject: seal.hash('session subject', subject), now });
      const rows = ofSubject.all({ subjects: subjectsOf(subject) });
      for (let at = 0; at < rows.length; at += mostEnded) {
        if (at > 0) await endTurn();
        together(() => {
          for (const row of rows.slice(at, at + mostEnded))
            keepTombstone.run({ id: String(row['session']), now, endsAt });
        });
      }
    },
    signedOutAt: async (subject) => signedOutAt(subject),
    async sweep() {
      const now = clock.now();
      return together(() => {
        const ids = JSON.stringify(ended.all({ now }).map(({ id }) => id));
        prune.run({ ids });
        return sweep.run({ ids }) + forget.run({ before: now - longestIssuedMs });
      });
    },
    ...upkeep(database),
  };
}
