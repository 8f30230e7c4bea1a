import { join } from 'node:path';
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
import { openEvents } from '../store/sqlite/events.ts';
import { openJournal } from '../store/sqlite/journal.ts';
import { openPasscodes } from '../store/sqlite/passcodes.ts';
import { openQuotaStore } from '../store/sqlite/quota-store.ts';
import { openRateCounters } from '../store/sqlite/rate-counters.ts';
import { openRecordKeys } from '../store/sqlite/record-keys.ts';
import { openReplayGuard } from '../store/sqlite/replay-guard.ts';
import { openSessionStore } from '../store/sqlite/sessions.ts';
import { openStaffLog } from '../store/sqlite/staff-log.ts';
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

/** The only place that knows which store it is. */
export function openStores(deps: StoresDeps): Promise<Stores> {
  const { database } = deps.config;
  return database === undefined ? openEmbedded(deps) : openShared(deps, database);
}

function hasStaff({ staff, platform }: Config): boolean {
  return staff !== undefined || platform === undefined;
}

/** Files in the data folder. */
async function openEmbedded({ config, seal }: StoresDeps): Promise<Stores> {
  const clock = systemClock;
  const inFolder = (name: string) => join(config.dataDir, name);
  const common = { seal, hash: seal, clock };

  const file = inFolder('journal.sqlite');
  const journal = openJournal({ file, seal, clock, routes: eventRoutes(config.centers) });
  const events = openEvents({ file, seal, clock });
  const sessions = openSessionStore({
    ...common,
    ...sessionTimes.visitors,
    file: inFolder('sessions.sqlite'),
  });
  const passcodes = openPasscodes({ ...common, file: inFolder('passcodes.sqlite') });
  const replayGuard = openReplayGuard({ ...common, file: inFolder('spent.sqlite') });
  const rateCounters = openRateCounters({ ...common, file: inFolder('tallies.sqlite') });
  const recordKeys = openRecordKeys({
    file: inFolder('record-keys.sqlite'),
    list: inFolder('record-keys.json'),
  });
  const quotaStore = openQuotaStore({ ...common, file: inFolder('quota.sqlite') });
  const staff = hasStaff(config)
    ? {
        sessions: openSessionStore({
          ...common,
          ...sessionTimes.staff,
          file: inFolder('staff-sessions.sqlite'),
        }),
        log: openStaffLog({ clock, file: inFolder('staff.sqlite'), auditMs: config.auditDays * day }),
      }
    : undefined;
  const ofStaff = staff === undefined ? [] : [staff.sessions, staff.log];
  const maintained = [events, sessions, passcodes, replayGuard, rateCounters, quotaStore, ...ofStaff];

  return {
    clock,
    forwardClock: createForwardClock(),
    quotaClock: steadyClock,
    journal,
    events,
    sessions,
    passcodes,
    replayGuard,
    rateCounters,
    recordKeys,
    quotaStore,
    staff,
    maintained,
    async check() {
      await Promise.all([journal, sessions, ...ofStaff].map((store) => store.check()));
    },
    async close() {
      for (const store of [...maintained, recordKeys, journal]) await store.close();
    },
  };
}

/** One PostgreSQL. It is not loaded where there is none. */
async function openShared(
  { config, seal, random, observer }: StoresDeps,
  { url, poolSize, deadlineMs }: DatabaseSettings,
): Promise<Stores> {
  const { openSharedStores } = await import('../store/postgres/stores.ts');
  const { staffSessions, staffLog, ...shared } = await openSharedStores({
    url: url.reveal(),
    poolSize,
    deadlineMs,
    seal,
    random,
    routes: eventRoutes(config.centers),
    sessionTimes,
    auditMs: config.auditDays * day,
    onChange: (state, code) => observer?.available(state, code),
    onStatement: () => observer?.statement(),
    onWrong: (text, fault) => observer?.wrong(text, fault),
  });
  const { clock, journal, events, sessions, passcodes, replayGuard, rateCounters, quotaStore } = shared;
  const staff = hasStaff(config) ? { sessions: staffSessions, log: staffLog } : undefined;
  return {
    ...shared,
    forwardClock: clock,
    quotaClock: clock,
    staff,
    maintained: [events, sessions, passcodes, replayGuard, rateCounters, quotaStore, staffSessions, staffLog],
    // All are one database, and this writes to it.
    check: () => journal.check(),
  };
}
