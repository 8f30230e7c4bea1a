import { createForwardClock, steadyClock, systemClock } from '../clock.ts';
import type { DatabaseSettings } from '../config/database.ts';
import type { Config } from '../config/environment.ts';
import { longestLinkDays } from '../features/identity/link-token.ts';
import type { Clock } from '../ports/clock.ts';
import type { Events } from '../ports/events.ts';
import type { HostedLinks } from '../ports/hosted-links.ts';
import type { Journal } from '../ports/journal.ts';
import type { KeyedHash } from '../ports/keyed-hash.ts';
import type { Maintained } from '../ports/maintained.ts';
import type { Passcodes } from '../ports/passcodes.ts';
import type { PersonData } from '../ports/person-data.ts';
import type { QuotaStore } from '../ports/quota-store.ts';
import type { Random } from '../ports/random.ts';
import type { RateCounters } from '../ports/rate-counters.ts';
import type { RecordKeys } from '../ports/record-keys.ts';
import type { ReplayGuard } from '../ports/replay-guard.ts';
import type { Seal } from '../ports/seal.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { StaffLog } from '../ports/staff-log.ts';
import type { StuckTasks } from '../ports/stuck-tasks.ts';
import type { WordingStore } from '../ports/wording-store.ts';
import { assertLayout } from '../store/drivers/sqlite/file.ts';
import { openSqlite } from '../store/drivers/sqlite/sqlite.ts';
import { openEvents } from '../store/events.ts';
import { openHostedLinks } from '../store/hosted-links.ts';
import { openPasscodes } from '../store/passcodes.ts';
import { openPeople } from '../store/people.ts';
import { personErasure } from '../store/person-erasure.ts';
import { personExport } from '../store/person-export.ts';
import { openQuotaStore } from '../store/quota-store.ts';
import { openRateCounters } from '../store/rate-counters.ts';
import { openRecordKeys } from '../store/record-keys.ts';
import { openReplayGuard } from '../store/replay-guard.ts';
import { openSessionStore } from '../store/sessions.ts';
import type { Sql } from '../store/sql.ts';

import { embeddedFiles } from '../store/sqlite/files.ts';
import { openStaffLog } from '../store/staff-log.ts';
import { openStuckTasks } from '../store/stuck-tasks.ts';
import { upkeep } from '../store/upkeep.ts';
import { openWordings } from '../store/wordings.ts';
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
  readonly hostedLinks: HostedLinks;
  readonly replayGuard: ReplayGuard;
  readonly rateCounters: RateCounters;
  readonly recordKeys: RecordKeys;
  readonly stuckTasks: StuckTasks;
  readonly wordings: WordingStore;
  readonly personData: PersonData;
  readonly quotaStore: QuotaStore;
  readonly staff: { readonly sessions: SessionStore; readonly log: StaffLog };
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
  const { config } = deps;
  const clock = systemClock;
  const files = embeddedFiles(config.dataDir);
  // All of them before the first is made: a folder of another version stays as it is.
  for (const { file, layout } of files) assertLayout(file, layout);
  const [journal, sessions, quota, hostedLinks] = files.map((file) => openSqlite({ ...file, clock })) as [
    Sql,
    Sql,
    Sql,
    Sql,
  ];
  const stores = await storesOver(deps, { journal, sessions, quota, hostedLinks });
  return {
    ...stores,
    forwardClock: createForwardClock(),
    quotaClock: steadyClock,
    async check() {
      await Promise.all([stores.journal.check(), sessions.check()]);
    },
    async close() {
      await stores.journal.close();
      for (const sql of [sessions, quota, hostedLinks, journal]) await sql.close();
    },
  };
}

/** One PostgreSQL. It is not loaded where there is none. */
async function openShared(
  deps: StoresDeps,
  { url, poolSize, deadlineMs }: DatabaseSettings,
): Promise<Stores> {
  const { observer } = deps;
  const [{ openDatabase }, { postgresLayout }] = await Promise.all([
    import('../store/drivers/postgres/database.ts'),
    import('../store/postgres/stores.ts'),
  ]);
  const sql = await openDatabase({
    ...{ url: url.reveal(), poolSize, deadlineMs, layout: postgresLayout },
    onChange: (state, code) => observer?.available(state, code),
    onStatement: () => observer?.statement(),
    onWrong: (text, fault) => observer?.wrong(text, fault),
  });
  try {
    const stores = await storesOver(deps, { journal: sql, sessions: sql, quota: sql, hostedLinks: sql });
    return {
      ...stores,
      forwardClock: sql.clock,
      quotaClock: sql.clock,
      // All are one database, and this writes to it.
      check: () => stores.journal.check(),
      async close() {
        await stores.journal.close();
        await sql.close();
      },
    };
  } catch (fault) {
    await sql.close();
    throw fault;
  }
}

/** All may be one database. */
async function storesOver(
  { config, seal, random }: StoresDeps,
  {
    journal: journalSql,
    sessions: sql,
    quota,
    hostedLinks: hostedLinkSql,
  }: { journal: Sql; sessions: Sql; quota: Sql; hostedLinks: Sql },
) {
  const { events, newsWrites } = await openEvents({
    sql: journalSql,
    seal,
    routes: eventRoutes(config.centers),
  });
  const journal = openPeople({ sql: journalSql, seal, random, newsWrites });
  const sessions = openSessionStore({ sql, seal, store: 'visitors', ...sessionTimes.visitors });
  const passcodes = openPasscodes({ sql, seal });
  const hostedLinks = openHostedLinks({ sql: hostedLinkSql, seal });
  const replayGuard = openReplayGuard({ sql, hash: seal });
  const rateCounters = openRateCounters({ sql, hash: seal });
  const quotaStore = openQuotaStore({ sql: quota, hash: seal });
  const wordings = openWordings({ sql: journalSql });
  const staff = {
    sessions: openSessionStore({ sql, seal, store: 'staff', ...sessionTimes.staff }),
    log: openStaffLog({ sql: journalSql, auditMs: config.auditDays * day }),
  };
  const parts = {
    ...{ journal: journalSql, sessions: sql, hostedLinks: hostedLinkSql, seal },
    centers: (config.centers ?? []).map(({ center }) => center),
  };
  const personData: PersonData = {
    ...personErasure(parts),
    exported: personExport({ ...parts, people: journal, staffLog: staff.log }),
  };
  const stuckTasks = openStuckTasks({ sql: journalSql });
  return {
    clock: sql.clock,
    journal,
    events,
    sessions,
    passcodes,
    hostedLinks,
    replayGuard,
    rateCounters,
    quotaStore,
    recordKeys: openRecordKeys({ sql: journalSql }),
    stuckTasks,
    wordings,
    personData,
    staff,
    maintained: [
      events,
      wordings,
      sessions,
      passcodes,
      hostedLinks,
      replayGuard,
      rateCounters,
      quotaStore,
      staff.sessions,
      staff.log,
      stuckTasks,
      { ...upkeep(journalSql), sweep: personData.finish },
    ],
  };
}
