import { createForwardClock, steadyClock, systemClock } from '../clock.ts';
import type { Config, DatabaseSettings } from '../config/environment.ts';
import { longestLinkDays } from '../features/identity/link-token.ts';
import type { Maintained } from '../ports/maintained.ts';
import type { PersonData } from '../ports/person-data.ts';
import type { RecordSigner } from '../ports/signed-records.ts';
import { random } from '../random-bytes.ts';
import { openDataFolder } from '../store/data-folder.ts';
import { openDayRoots } from '../store/day-roots.ts';
import type { DatabaseOptions } from '../store/drivers/postgres/database.ts';
import { assertLayout } from '../store/drivers/sqlite/file.ts';
import { openSqlite } from '../store/drivers/sqlite/sqlite.ts';
import { rootNews } from '../store/event-news.ts';
import { openEvents } from '../store/events.ts';
import { evidenceChecks } from '../store/evidence-check.ts';
import { evidenceReport } from '../store/evidence-report.ts';
import { openHostedLinks } from '../store/hosted-links.ts';
import { embeddedFiles, postgresLayout } from '../store/layouts.ts';
import { openMessages } from '../store/messages.ts';
import { openPasscodes } from '../store/passcodes.ts';
import { openPeople } from '../store/people.ts';
import { personErasure } from '../store/person-erasure.ts';
import { personExport } from '../store/person-export.ts';
import { openQuotaStore } from '../store/quota-store.ts';
import { openRateCounters } from '../store/rate-counters.ts';
import { openRecordKeys } from '../store/record-signer.ts';
import { openReplayGuard } from '../store/replay-guard.ts';
import { createSeal } from '../store/seal.ts';
import { openSessionStore } from '../store/sessions.ts';
import type { Sql, StoreParts } from '../store/sql.ts';
import { openStaffLog } from '../store/staff-log.ts';
import { openStuckTasks } from '../store/stuck-tasks.ts';
import { openWordings } from '../store/wordings.ts';
import { eventRoutes, messageRule } from './receivers.ts';
import { readSecrets } from './secret.ts';

export interface StoresDeps {
  readonly config: Config;
  readonly seal: StoreParts['seal'];
  /** Observes the database, if there is one. */
  readonly observer?: Pick<DatabaseOptions, 'onChange' | 'onStatement' | 'onWrong'>;
}

const minute = 60_000;
const day = 24 * 60 * minute;

export const sessionLife = { idleMs: 30 * minute, absoluteMs: 12 * 60 * minute } as const;
export const staffSessionLife = { idleMs: 15 * minute, absoluteMs: 8 * 60 * minute } as const;

/** The longest life of anything issued to a person: our longest link, and a day. */
const longestIssuedMs = (longestLinkDays + 1) * day;

const staffTimes = { ...staffSessionLife, longestIssuedMs: staffSessionLife.absoluteMs };

/** The database of each store; it may be the same one. */
type Databases = ReturnType<typeof openFiles>;

export type Stores = Awaited<ReturnType<typeof storesOver>>;

/** The only code that knows which database is used. */
export async function openStores(deps: StoresDeps): Promise<Stores> {
  const { database, dataDir } = deps.config;
  const opened = database === undefined ? openFiles(dataDir) : await openShared(deps, database);
  return storesOver(deps, opened).catch(async (fault: unknown) => {
    await closeAll(opened);
    throw fault;
  });
}

/** Opens the stores for a command. */
export async function withStores<T>(
  config: Config,
  use: (
    stores: Stores,
    opened: { readonly secrets: readonly string[]; readonly seal: StoreParts['seal'] },
  ) => Promise<T>,
): Promise<T> {
  if (config.database === undefined) openDataFolder(config.dataDir);
  const secrets = readSecrets(config);
  const seal = createSeal(secrets);
  const stores = await openStores({ config, seal });
  try {
    return await use(stores, { secrets, seal });
  } finally {
    await stores.close();
  }
}

function openFiles(dataDir: string) {
  const files = embeddedFiles(dataDir);
  // Checks every file before creating one: a folder of another layout stays unchanged.
  for (const { file, layout } of files) assertLayout(file, layout);
  const open = (file: (typeof files)[number]): Sql => openSqlite({ ...file, clock: systemClock });
  const [journal, sessions, quota, hostedLinks] = files;
  return {
    journal: open(journal),
    sessions: open(sessions),
    quota: open(quota),
    hostedLinks: open(hostedLinks),
    /** The journal's time, which never goes back: for leases and lifetimes. */
    forwardClock: createForwardClock(),
    /** Elapsed time: it is never set while the process runs. */
    quotaClock: steadyClock,
  };
}

/** Opens one PostgreSQL. Its driver is loaded only if it is used. */
async function openShared({ observer }: StoresDeps, database: DatabaseSettings): Promise<Databases> {
  const { openDatabase } = await import('../store/drivers/postgres/database.ts');
  const sql = await openDatabase({
    ...database,
    url: database.url.reveal(),
    layout: postgresLayout,
    ...observer,
  });
  const { clock } = sql;
  return {
    journal: sql,
    sessions: sql,
    quota: sql,
    hostedLinks: sql,
    forwardClock: clock,
    quotaClock: clock,
  };
}

function each({ journal, sessions, quota, hostedLinks }: Databases): ReadonlySet<Sql> {
  return new Set([sessions, quota, hostedLinks, journal]);
}

async function closeAll(databases: Databases): Promise<void> {
  for (const sql of each(databases)) await sql.close();
}

async function storesOver({ config, seal }: StoresDeps, databases: Databases) {
  const inJournal = { sql: databases.journal, seal };
  const inSessions = { sql: databases.sessions, seal };
  const routes = eventRoutes(config.centers);
  const { events, newsWrites } = await openEvents({ ...inJournal, routes });
  const { messages, messageWrites } = openMessages({ ...inJournal, isTold: messageRule(config) });
  const journal = openPeople({ ...inJournal, random, newsWrites, messageWrites });
  const wordings = openWordings(inJournal);
  const staff = {
    sessions: openSessionStore({ ...inSessions, store: 'staff', ...staffTimes }),
    log: openStaffLog({ sql: databases.journal, auditMs: config.auditDays * day }),
  };
  const parts = { ...databases, seal, centers: (config.centers ?? []).map(({ center }) => center) };
  const personData: PersonData = {
    ...personErasure(parts),
    exported: personExport({ ...parts, people: journal, staffLog: staff.log }),
  };
  /** The stores with rows that expire. */
  const expiring = {
    events,
    messages,
    wordings,
    sessions: openSessionStore({ ...inSessions, store: 'visitors', ...sessionLife, longestIssuedMs }),
    passcodes: openPasscodes(inSessions),
    hostedLinks: openHostedLinks({ sql: databases.hostedLinks, seal }),
    replayGuard: openReplayGuard(inSessions),
    rateCounters: openRateCounters(inSessions),
    quotaStore: openQuotaStore({ sql: databases.quota, seal }),
    stuckTasks: openStuckTasks(inJournal),
  };
  const others = [staff.sessions, staff.log, { sweep: personData.finish }];
  const maintained: readonly Maintained[] = [...Object.values(expiring), ...others];
  return {
    ...expiring,
    journal,
    staff,
    personData,
    maintained,
    recordKeys: openRecordKeys(inJournal),
    dayRoots: openDayRoots(databases.journal, rootNews({ ...inJournal, routes })),
    evidenceChecks: (signer: Pick<RecordSigner, 'open'>) => evidenceChecks(inJournal, signer),
    evidenceReport: evidenceReport(inJournal, wordings),
    /** The time of day for stored rows. Times compared with them must come from this clock. */
    clock: databases.sessions.clock,
    forwardClock: databases.forwardClock,
    quotaClock: databases.quotaClock,
    /** Rejects unless the databases answer and the journal can be written. */
    async check(): Promise<void> {
      const { sessions } = databases;
      await Promise.all([journal.check(), sessions === databases.journal ? undefined : sessions.check()]);
    },
    /** Removes deleted rows from log files. */
    async emptyLogs(): Promise<void> {
      for (const database of each(databases)) await database.emptyLog();
    },
    async close(): Promise<void> {
      await journal.close();
      await closeAll(databases);
    },
  };
}
