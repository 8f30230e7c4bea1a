import type { Clock } from '../../ports/clock.ts';
import type { EventRoutes } from '../../ports/event-routes.ts';
import type { Events } from '../../ports/events.ts';
import type { Journal } from '../../ports/journal.ts';
import type { KeyedHash } from '../../ports/keyed-hash.ts';
import type { Passcodes } from '../../ports/passcodes.ts';
import type { QuotaStore } from '../../ports/quota-store.ts';
import type { Random } from '../../ports/random.ts';
import type { RateCounters } from '../../ports/rate-counters.ts';
import type { RecordKeys } from '../../ports/record-keys.ts';
import type { ReplayGuard } from '../../ports/replay-guard.ts';
import type { Seal } from '../../ports/seal.ts';
import type { SessionStore } from '../../ports/session-store.ts';
import type { StaffLog } from '../../ports/staff-log.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { openEvents } from './events.ts';
import { openJournal } from './journal.ts';
import { openPasscodes } from './passcodes.ts';
import { openQuotaStore } from './quota-store.ts';
import { openRateCounters } from './rate-counters.ts';
import { openRecordKeys } from './record-keys.ts';
import { openReplayGuard } from './replay-guard.ts';
import { openSessionStore, type SessionStoreOptions } from './sessions.ts';
import { openStaffLog } from './staff-log.ts';
import { statement } from './statement.ts';

type SessionTimes = Pick<SessionStoreOptions, 'idleMs' | 'absoluteMs' | 'longestIssuedMs'>;

export interface SharedStoresOptions extends DatabaseOptions {
  readonly seal: Seal & KeyedHash;
  readonly random: Random;
  readonly routes: EventRoutes;
  readonly sessionTimes: { readonly visitors: SessionTimes; readonly staff: SessionTimes };
  readonly auditMs: number;
}

export interface SharedStores {
  /** The database's time. */
  readonly clock: Clock;
  readonly journal: Journal;
  readonly events: Events;
  readonly sessions: SessionStore;
  readonly staffSessions: SessionStore;
  readonly passcodes: Passcodes;
  readonly replayGuard: ReplayGuard;
  readonly rateCounters: RateCounters;
  readonly recordKeys: RecordKeys;
  readonly quotaStore: QuotaStore;
  readonly staffLog: StaffLog;
  close(): Promise<void>;
}

const serve = statement(`UPDATE moved SET state = 'served' WHERE state <> 'moving'`);
const moveState = statement('SELECT state FROM moved');

/** Every store of a node, on one database. */
export async function openSharedStores(options: SharedStoresOptions): Promise<SharedStores> {
  const { seal, random, routes, sessionTimes, auditMs } = options;
  const database = await openDatabase(options);
  const common = { database, seal, hash: seal };
  try {
    await takeMoved(database);
    const journal = await openJournal({ database, seal, random, routes });
    return {
      clock: database.clock,
      journal,
      events: await openEvents({ database, seal }),
      sessions: openSessionStore({ ...common, store: 'visitors', ...sessionTimes.visitors }),
      staffSessions: openSessionStore({ ...common, store: 'staff', ...sessionTimes.staff }),
      passcodes: openPasscodes(common),
      replayGuard: openReplayGuard(common),
      rateCounters: openRateCounters(common),
      recordKeys: openRecordKeys(common),
      quotaStore: openQuotaStore(common),
      staffLog: openStaffLog({ database, auditMs }),
      async close() {
        await journal.close();
        await database.close();
      },
    };
  } catch (fault) {
    await database.close();
    throw fault;
  }
}

/** From now on what stands there may have changed: a move into it must not begin anew. */
async function takeMoved(database: Database): Promise<void> {
  await database.run(serve);
  if ((await database.get(moveState))?.['state'] === 'moving')
    throw new Error(
      'A move into the database of DATABASE_URL did not end: run it again (npm run move -- --to postgres)',
    );
}
