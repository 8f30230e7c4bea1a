import type { AuditEntry } from '../core/model/audit-entry.ts';
import { failedSignInLimits } from '../core/model/failed-sign-in.ts';
import type { AuditFilter } from '../ports/staff-log.ts';

type Row = Readonly<Record<string, unknown>>;

/** So many tasks of each member of staff are remembered. */
export const mostRecent = 20;
/** Lines that are read at a time. */
export const mostInPart = 1_000;
/** A form's token is refused long before. Milliseconds. */
export const formLifeMs = 7 * 24 * 60 * 60 * 1000;

/** Failed sign-ins of a kind since the first of them, for an hour at the most. */
export interface FailureHour {
  readonly startedAt: number;
  readonly lines: number;
  /** Of those without a line of their own. */
  readonly count: number;
  /** Of the line with that number. */
  readonly sequence: number | null;
}

/** A clock that was set back begins another one. */
export function readHour(row: Row | undefined, now: number): FailureHour {
  const startedAt = Number(row?.['started_at']);
  if (row === undefined || Math.abs(now - startedAt) >= failedSignInLimits.withinMs)
    return { startedAt: now, lines: 0, count: 0, sequence: null };
  const { lines, count, sequence } = row;
  return {
    startedAt,
    lines: Number(lines),
    count: Number(count),
    sequence: typeof sequence === 'number' ? sequence : null,
  };
}

export function entryValues({ staff, about, ...entry }: AuditEntry) {
  return { ...entry, staff: staff ?? null, about: about ?? null };
}

export function filterValues({ staff, text, from, to }: Omit<AuditFilter, 'limit' | 'offset'>) {
  return { staff: staff ?? null, text: text ?? null, from: from ?? null, to: to ?? null };
}

export function readEntry(row: Row): AuditEntry {
  const optional = (column: string) => (row[column] === null ? undefined : String(row[column]));
  return {
    at: Number(row['at']),
    staff: optional('staff'),
    name: String(row['name']),
    does: String(row['does']),
    about: optional('about'),
    outcome: String(row['outcome']) as AuditEntry['outcome'],
  };
}

export function readRecentTask(row: Row) {
  return { id: String(row['task']), name: String(row['name']), at: Number(row['at']) };
}
