import { createForwardClock, steadyClock, systemClock } from '../clock.ts';
import type { DatabaseSettings } from '../config/database.ts';
import type { Config } from '../config/environment.ts';
import { longestLinkDays } from '../features/identity/link-token.ts';
import type { Clock } from '../ports/clock.ts';
import type { Events } from '../ports/events.ts';
import type { Journal } from '../ports/journal.ts';
import type { KeyedHash } from '../ports/keyed-hash.ts';
import type { Maintained } from '../ports/maintained.ts';
import type { Passcodes } from '../ports/passcodes.ts';
import type { QuotaStore } from '../ports/quota-store.ts';
import type { Random } from '../ports/random.ts';
import type { RateCounters } from '../ports/rate-counters.ts';
import type { RecordKeys } from '../ports/record-keys.ts';
import type { ReplayGuard } from '../ports/replay-guard.ts';
import type { Seal } from '../ports/seal.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { StaffLog } from '../ports/staff-log.ts';
import { assertLayout } from '../store/drivers/sqlite/file.ts';
import { openSqlite } from '../store/drivers/sqlite/sqlite.ts';
import { openPasscodes } from '../store/passcodes.ts';
import { openQuotaStore } from '../store/quota-store.ts';
import { openRateCounters } from '../store/rate-counters.ts';
import { openRecordKeys } from '../store/record-keys.ts';
import { openReplayGuard } from '../store/replay-guard.ts';
import { openSessionStore } from '../store/sessions.ts';
import type { Sql } from '../store/sql.ts';
import { openEvents } from '../store/sqlite/events.ts';
import { embeddedFiles } from '../store/sqlite/files.ts';
import { openJournal } from '../store/sqlite/journal.ts';
import { openStaffLog } from '../store/staff-log.ts';
import { eventRoutes } from './event-routes.ts';

/** Everything that is kept. */
export interface Stores {
  /** The time of day of what is kept: what else is compared with it must be of the same clock. */
  readonly clock: Clock;
  /** The same, but never back: for leases and lifetimes. */
  readonly forwardClock: Clock;
  /** Passes as fast as time does, and is set by nobody while a process runs. */
  readonly quotaClock: Clock;
  readonly journal: Journal;
  readonly events: Events;
  readonly sessions: SessionStore;
  readonly passcodes: Passcodes;
  readonly replayGuard: ReplayGuard;
  readonly rateCounters: RateCounters;
  readonly recordKeys: RecordKeys;
  readonly quotaStore: QuotaStore;
  /** undefined where nobody of the staff can sign in. */
  readonly staff: { readonly sessions: SessionStore; readonly log: StaffLog } | undefined;
  /** All of them, but the journal, that something in is over some day. */
  readonly maintained: readonly Maintained[];
  /** Rejects unless they answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface StoresDeps {
  readonly config: Config;
  readonly seal: Seal & KeyedHash;
  readonly random: Random;
  readonly observer?: StoreObserver;
}

/** Hears of the database, where there is one. */
export interface StoreObserver {
  available(state: 'away' | 'back', code: string | undefined): void;
  statement(): void;
  /** One that can never go well, as it is written, without its values. */
  wrong(text: string, fault: Error): void;
}

const minute = 60_000;
const day = 24 * 60 * minute;

export const sessionLife = { idleMs: 30 * minute, absoluteMs: 12 * 60 * minute } as const;
export const staffSessionLife = { idleMs: 15 * minute, absoluteMs: 8 * 60 * minute } as const;

/** What can be issued to a person lives no longer than this: a link of ours, of its last day and hour of life. */
const longestIssuedMs = (longestLinkDays + 1) * day;

const sessionTimes = {
  visitors: { ...sessionLife, longestIssuedMs },
  staff: { ...staffSessionLife, longestIssuedMs: staffSessionLife.absoluteMs },
} as const;

/** The only place that knows which database it is. */
export function openStores(deps: StoresDeps): Promise<Stores> {
  const { database } = deps.config;
  return database === undefined ? openEmbedded(deps) : openShared(deps, database);
}

/** Files in the data folder. */
async function openEmbedded(deps: StoresDeps): Promise<Stores> {
  const { config, seal } = deps;
  const clock = systemClock;
  const files = embeddedFiles(config.dataDir);
  // All of them before the first is made: a folder of another version stays as it is.
  for (const { file, layout } of files) assertLayout(file, layout);
  const [{ file }, sessionFile, staffFile, quotaFile] = files;
  const journal = openJournal({ file, seal, clock, routes: eventRoutes(config.centers) });
  const events = openEvents({ file, seal, clock });
  const quota = openSqlite({ ...quotaFile, clock });
  const sessions = openSqlite({ ...sessionFile, clock });
  const staff = openSqlite({ ...staffFile, clock });
  return {
    ...storesOver(deps, { sessions, staff, quota, events }),
    forwardClock: createForwardClock(),
    quotaClock: steadyClock,
    journal,
    async check() {
      await Promise.all([journal, sessions, staff].map((store) => store.check()));
    },
    async close() {
      for (const store of [sessions, staff, quota, events, journal]) await store.close();
    },
  };
}

/** One PostgreSQL. It is not loaded where there is none. */
async function openShared(
  deps: StoresDeps,
  { url, poolSize, deadlineMs }: DatabaseSettings,
): Promise<Stores> {
  const { config, seal, random, observer } = deps;
  const { openSharedStores } = await import('../store/postgres/stores.ts');
  const { sql, journal, events, close } = await openSharedStores({
    url: url.reveal(),
    poolSize,
    deadlineMs,
    seal,
    random,
    routes: eventRoutes(config.centers),
    onChange: (state, code) => observer?.available(state, code),
    onStatement: () => observer?.statement(),
    onWrong: (text, fault) => observer?.wrong(text, fault),
  });
  return {
    ...storesOver(deps, { sessions: sql, staff: sql, quota: sql, events }),
    forwardClock: sql.clock,
    quotaClock: sql.clock,
    journal,
    // All are one database, and this writes to it.
    check: () => journal.check(),
    close,
  };
}

/** The stores that are written once. `sessions`, `staff` and `quota` may be one database. */
function storesOver(
  { config, seal }: StoresDeps,
  {
    sessions: sql,
    staff: staffSql,
    quota,
    events,
  }: { sessions: Sql; staff: Sql; quota: Sql; events: Events },
) {
  const sessions = openSessionStore({ sql, seal, store: 'visitors', ...sessionTimes.visitors });
  const passcodes = openPasscodes({ sql, seal });
  const replayGuard = openReplayGuard({ sql, hash: seal });
  const rateCounters = openRateCounters({ sql, hash: seal });
  const quotaStore = openQuotaStore({ sql: quota, hash: seal });
  const staff = {
    sessions: openSessionStore({ sql, seal, store: 'staff', ...sessionTimes.staff }),
    log: openStaffLog({ sql: staffSql, auditMs: config.auditDays * day }),
  };
  return {
    clock: sql.clock,
    events,
    sessions,
    passcodes,
    replayGuard,
    rateCounters,
    quotaStore,
    recordKeys: openRecordKeys({ sql: staffSql }),
    staff: config.staff !== undefined || config.platform === undefined ? staff : undefined,
    maintained: [
      events,
      sessions,
      passcodes,
      replayGuard,
      rateCounters,
      quotaStore,
      staff.sessions,
      staff.log,
    ],
  };
}
