import type { ReadRecord, SubjectId } from '../core/model/person/subject.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * A record as read, and the submission for which it was read back; `reference` is undefined if a page read
 * it.
 */
export interface RecentRecord extends ReadRecord {
  readonly reference: string | undefined;
  /** Times at which granted purposes end, if they were asked for. */
  readonly ends?: ReadonlyMap<string, number> | undefined;
}

export type RecentRecords = ReturnType<typeof createRecentRecords>;

/** Milliseconds for which a record is shown. */
const shownFor = 10_000;
/** The limit of all records together, in purposes. */
const mostPurposes = 50_000;

/**
 * Keeps records that were read a few seconds ago. They only show the next page of the same session; no
 * decision uses them. They stay in this process: another node reads the record again.
 */
export function createRecentRecords({ clock }: { readonly clock: Clock }) {
  const records = new Map<string, { readonly record: RecentRecord; readonly forgetting: NodeJS.Timeout }>();
  let purposes = 0;

  function drop(key: string): void {
    const found = records.get(key);
    if (found === undefined) return;
    records.delete(key);
    purposes -= sizeOf(found.record);
    clearTimeout(found.forgetting);
  }

  return {
    keep(session: string, center: string, record: RecentRecord): void {
      const key = keyOf(session, center);
      // Readings may overlap: keep the newer one.
      if ((records.get(key)?.record.at ?? record.at) > record.at) return;
      drop(key);
      if (sizeOf(record) > mostPurposes) return;
      records.set(key, { record, forgetting: setTimeout(() => drop(key), shownFor).unref() });
      purposes += sizeOf(record);
      // Drops the oldest first.
      for (const each of records.keys()) {
        if (purposes <= mostPurposes) break;
        drop(each);
      }
    },
    find(session: string, center: string, subject: SubjectId): RecentRecord | undefined {
      const record = records.get(keyOf(session, center))?.record;
      if (record?.subject.id !== subject) return undefined;
      const age = clock.now() - record.at;
      return age >= 0 && age <= shownFor ? record : undefined;
    },
  };
}

function keyOf(session: string, center: string): string {
  return JSON.stringify([session, center]);
}

function sizeOf({ subject: { purposes, dataElements } }: RecentRecord): number {
  return 10 + purposes.length + Object.keys(dataElements).length;
}
