import session, { type SessionData } from 'express-session';
import { isEndedBySignOut } from '../../core/model/sign-out.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Seal } from '../../ports/seal.ts';
import { bite, type Database, type Migration, openDatabase, type Statement } from './database.ts';
import { readSession } from './earlier-names.ts';
import { bindRows, openRow, sealRow } from './sealed-row.ts';

export interface SessionStoreOptions {
  readonly file: string;
  readonly seal: Seal & KeyedHash;
  readonly clock: Clock;
  /** Milliseconds without a request after which a session is gone. */
  readonly idle: number;
  /** Milliseconds after which it is gone whatever happens. */
  readonly absolute: number;
  /** Milliseconds that anything may live by which somebody gets in: a sign-out on all devices is kept so long. */
  readonly longestIssued: number;
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

/** A sign of life is written at most this often. Milliseconds; a session may end that much too early. */
const longestRarely = 15_000;

/** Of so many sessions that are being read, the last sign of life is remembered. */
const mostRead = 10_000;

type Done = (fault?: unknown) => void;

/**
 * Sessions in one SQLite file, sealed, found by a keyed hash of their id. A destroyed id stays as a tombstone (no
 * payload) until nothing that began before could still write to it, so that a racing save never brings it back.
 */
export class SessionStore extends session.Store {
  readonly #options: SessionStoreOptions;
  readonly #database: Database;
  readonly #find: Statement;
  readonly #write: Statement;
  readonly #touch: Statement;
  readonly #tombstone: Statement;
  readonly #buryKnown: Statement;
  readonly #ended: Statement;
  readonly #sweep: Statement;
  readonly #index: Statement;
  readonly #ofSubject: Statement;
  readonly #prune: Statement;
  readonly #revoke: Statement;
  readonly #revokedAt: Statement;
  readonly #forget: Statement;
  /** Session id → when its last sign of life was written, as far as this process has seen. */
  readonly #lastSign = new Map<string, number>();

  constructor(options: SessionStoreOptions) {
    super();
    this.#options = options;
    this.#database = openDatabase(options.file, migrations(options.seal));
    const { prepare } = this.#database;
    const isAlive = 'payload IS NOT NULL AND ends_at > :now AND made_at > :now - :absolute';
    this.#find = prepare(
      `SELECT id, payload, touched_at FROM session WHERE id IN (SELECT value FROM json_each(:ids)) AND ${isAlive}
       ORDER BY touched_at DESC LIMIT 1`,
    );
    this.#write = prepare(
      `INSERT INTO session (id, payload, made_at, touched_at, ends_at) VALUES (:id, :payload, :now, :now, :endsAt)
       ON CONFLICT (id) DO UPDATE SET payload = :payload, touched_at = :now, ends_at = :endsAt
       WHERE ${isAlive}`,
    );
    this.#touch = prepare(
      `UPDATE session SET touched_at = :now, ends_at = :endsAt
       WHERE id IN (SELECT value FROM json_each(:ids)) AND ${isAlive} AND touched_at <= :now - :rarely`,
    );
    this.#tombstone = prepare(
      `INSERT INTO session (id, payload, made_at, touched_at, ends_at) VALUES (:id, NULL, :now, :now, :endsAt)
       ON CONFLICT (id) DO UPDATE SET payload = NULL, ends_at = :endsAt`,
    );
    this.#buryKnown = prepare('UPDATE session SET payload = NULL, ends_at = :endsAt WHERE id = :id');
    this.#ended = prepare(`SELECT id FROM session WHERE ends_at <= :now ORDER BY ends_at LIMIT ${bite}`);
    this.#sweep = prepare('DELETE FROM session WHERE id IN (SELECT value FROM json_each(:ids))');
    this.#index = prepare('INSERT OR IGNORE INTO session_subject (subject, session) VALUES (:subject, :id)');
    this.#ofSubject = prepare(
      'SELECT session FROM session_subject WHERE subject IN (SELECT value FROM json_each(:subjects))',
    );
    this.#revoke = prepare(
      'INSERT INTO farewell (subject, at) VALUES (:subject, :now) ON CONFLICT (subject) DO UPDATE SET at = max(at, :now)',
    );
    this.#revokedAt = prepare(
      'SELECT max(at) AS at FROM farewell WHERE subject IN (SELECT value FROM json_each(:subjects))',
    );
    this.#forget = prepare('DELETE FROM farewell WHERE at <= :before');
    this.#prune = prepare('DELETE FROM session_subject WHERE session IN (SELECT value FROM json_each(:ids))');
  }

  override get(sid: string, done: (fault: unknown, session?: SessionData | null) => void): void {
    const { seal, clock, absolute } = this.#options;
    try {
      const row = this.#find.get({ ids: this.#ids(sid), now: clock.now(), absolute });
      const found =
        row === undefined ? undefined : openRow(seal, { ...sealed, row: String(row['id']) }, row['payload']);
      if (this.#lastSign.size >= mostRead) this.#lastSign.clear();
      if (row !== undefined) this.#lastSign.set(sid, Number(row['touched_at']));
      done(undefined, readSession(found) ?? null);
    } catch (fault) {
      done(fault);
    }
  }

  override set(sid: string, data: SessionData, done?: Done): void {
    const { seal, clock, idle, absolute } = this.#options;
    const now = clock.now();
    const id = this.#id(sid);
    this.#settle(() => {
      this.#database.together(() => {
        // Asked while nobody else can write: a sign-out on all devices ends what is on its way here too.
        const visits = data.visits?.filter(({ subject, since }) => !this.#isOver(subject, since));
        const kept = visits === undefined ? data : { ...data, visits };
        const payload = sealRow(seal, { ...sealed, row: id }, kept);
        if (this.#write.run({ id, payload, now, endsAt: now + idle, absolute }) === 0) return;
        for (const { subject } of visits ?? []) {
          this.#index.run({ id, subject: seal.hash('session subject', subject) });
        }
      });
    }, done);
  }

  /** Writes only when 15 seconds, or a tenth of a short idle time, have passed since the last write. */
  override touch(sid: string, _data: SessionData, done?: Done): void {
    const { clock, idle, absolute } = this.#options;
    const now = clock.now();
    const rarely = Math.min(Math.floor(idle / 10), longestRarely);
    const last = this.#lastSign.get(sid);
    // Even a statement that finds nothing to write waits for its turn to write.
    if (last !== undefined && now - last < rarely) {
      done?.();
      return;
    }
    this.#lastSign.set(sid, now);
    this.#settle(
      () => this.#touch.run({ ids: this.#ids(sid), now, endsAt: now + idle, absolute, rarely }),
      done,
    );
  }

  override destroy(sid: string, done?: Done): void {
    const { seal, clock, absolute, idle } = this.#options;
    const now = clock.now();
    this.#settle(() => {
      this.#database.together(() => {
        const endsAt = now + absolute + idle;
        // What still runs would be saved under the newest secret.
        this.#tombstone.run({ id: this.#id(sid), now, endsAt });
        for (const id of seal.hashes('session', sid).slice(1)) this.#buryKnown.run({ id, endsAt });
      });
    }, done);
  }

  /** Ends every session in which this person is signed in, on whatever device, and what asks `leftAt`. */
  destroyOf(subject: string): void {
    const { seal, clock, absolute, idle } = this.#options;
    const endsAt = clock.now() + absolute + idle;
    this.#database.together(() => {
      this.#revoke.run({ subject: seal.hash('session subject', subject), now: clock.now() });
      const subjects = JSON.stringify(seal.hashes('session subject', subject));
      for (const row of this.#ofSubject.all({ subjects })) {
        this.#tombstone.run({ id: String(row['session']), now: clock.now(), endsAt });
      }
    });
  }

  /** When this person last ended all of them, epoch milliseconds; for what is not kept here. */
  leftAt(subject: string): number | undefined {
    const subjects = JSON.stringify(this.#options.seal.hashes('session subject', subject));
    const at = this.#revokedAt.get({ subjects })?.['at'];
    return typeof at === 'number' ? at : undefined;
  }

  /** Deletes some of what has ended; returns how many rows, 0 when there is no more. */
  sweep(): number {
    const { clock, longestIssued } = this.#options;
    return this.#database.together(() => {
      const ended = this.#ended.all({ now: clock.now() });
      const ids = JSON.stringify(ended.map(({ id }) => id));
      this.#prune.run({ ids });
      return this.#sweep.run({ ids }) + this.#forget.run({ before: clock.now() - longestIssued });
    });
  }

  emptyLog(): void {
    this.#database.emptyLog();
  }

  /** Throws unless the store answers: for readiness. */
  check(): void {
    this.#find.get({ ids: '[]', now: 0, absolute: 0 });
  }

  close(): void {
    this.#database.close();
  }

  /** A sign-out that is still to come, because a clock was set back, shuts nobody out. */
  #isOver(subject: string, since: number): boolean {
    const at = this.leftAt(subject);
    return isEndedBySignOut(since, at) && at !== undefined && at <= this.#options.clock.now();
  }

  #id(sid: string): string {
    return this.#options.seal.hash('session', sid);
  }

  #ids(sid: string): string {
    return JSON.stringify(this.#options.seal.hashes('session', sid));
  }

  #settle(write: () => unknown, done: Done | undefined): void {
    try {
      write();
    } catch (fault) {
      done?.(fault);
      return;
    }
    done?.();
  }
}
