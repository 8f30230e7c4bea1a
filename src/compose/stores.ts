import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Config } from '../config/environment.ts';
import { longestLinkDays } from '../features/identity/link-token.ts';
import type { KeyedHash } from '../ports/keyed-hash.ts';
import type { Maintained } from '../ports/maintained.ts';
import type { Passcodes } from '../ports/passcodes.ts';
import type { RateCounters } from '../ports/rate-counters.ts';
import type { RecordKeys } from '../ports/record-keys.ts';
import type { ReplayGuard } from '../ports/replay-guard.ts';
import type { Seal } from '../ports/seal.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { StaffLog } from '../ports/staff-log.ts';
import { openPasscodes } from '../store/sqlite/passcodes.ts';
import { openRateCounters } from '../store/sqlite/rate-counters.ts';
import { openRecordKeys } from '../store/sqlite/record-keys.ts';
import { openReplayGuard } from '../store/sqlite/replay-guard.ts';
import { openSessionStore } from '../store/sqlite/sessions.ts';
import { openStaffLog } from '../store/sqlite/staff-log.ts';

/** What is kept beside the journal. */
export interface Stores {
  readonly sessions: SessionStore;
  readonly passcodes: Passcodes;
  readonly replayGuard: ReplayGuard;
  readonly rateCounters: RateCounters;
  readonly recordKeys: RecordKeys;
  /** undefined where nobody of the staff can sign in. */
  readonly staff: { readonly sessions: SessionStore; readonly log: StaffLog } | undefined;
  /** All of them that something in is over some day. */
  readonly maintained: readonly Maintained[];
  /** Rejects unless they answer. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const minute = 60_000;
const day = 24 * 60 * minute;

export const sessionLife = { idleMs: 30 * minute, absoluteMs: 12 * 60 * minute } as const;
export const staffSessionLife = { idleMs: 15 * minute, absoluteMs: 8 * 60 * minute } as const;

/** What can be issued to a person lives no longer than this: a link of ours, of its last day and hour of life. */
const longestIssuedMs = (longestLinkDays + 1) * day;

/** The only place that knows which store it is. */
export function openStores(config: Config, seal: Seal & KeyedHash): Stores {
  const clock = systemClock;
  const inFolder = (name: string) => join(config.dataDir, name);
  const common = { seal, hash: seal, clock };
  const hasStaff = config.staff !== undefined || config.platform === undefined;

  const sessions = openSessionStore({
    ...common,
    ...sessionLife,
    file: inFolder('sessions.sqlite'),
    longestIssuedMs,
  });
  const passcodes = openPasscodes({ ...common, file: inFolder('passcodes.sqlite') });
  const replayGuard = openReplayGuard({ ...common, file: inFolder('spent.sqlite') });
  const rateCounters = openRateCounters({ ...common, file: inFolder('tallies.sqlite') });
  const recordKeys = openRecordKeys({
    file: inFolder('record-keys.sqlite'),
    list: inFolder('record-keys.json'),
  });
  const staff = hasStaff
    ? {
        sessions: openSessionStore({
          ...common,
          ...staffSessionLife,
          file: inFolder('staff-sessions.sqlite'),
          longestIssuedMs: staffSessionLife.absoluteMs,
        }),
        log: openStaffLog({ clock, file: inFolder('staff.sqlite'), auditMs: config.auditDays * day }),
      }
    : undefined;
  const ofStaff = staff === undefined ? [] : [staff.sessions, staff.log];
  const maintained = [sessions, passcodes, replayGuard, rateCounters, ...ofStaff];

  return {
    sessions,
    passcodes,
    replayGuard,
    rateCounters,
    recordKeys,
    staff,
    maintained,
    async check() {
      await Promise.all([sessions, ...ofStaff].map((store) => store.check()));
    },
    async close() {
      for (const store of [...maintained, recordKeys]) await store.close();
    },
  };
}
