import type { Center } from './centers.ts';
import type { Lag } from './faults.ts';
import {
  deserialise,
  NOTHING_ON_RECORD,
  type RecordedPurpose,
  type SubjectRecord,
  serialise,
} from './record.ts';
import type { Seeds } from './seed.ts';
import type { Store } from './store.ts';
import { afterWrite } from './transitions.ts';

/** People's records, now and, while readings lag, some time ago. */
export interface SubjectRecords {
  /** Reads the record at the time of the oldest of `lags`; the present record without lags. */
  find(center: Center, identifier: string, lags?: readonly Lag[]): SubjectRecord;
  /** Number of changes so far. */
  changes(): number;
  isKnown(center: Center, identifier: string): boolean;
  /** Writes a record. `gone` holds the folded ids of deleted purposes. */
  save(center: Center, identifier: string, record: SubjectRecord, gone?: readonly string[]): void;
  /** Empties the record. */
  clear(center: Center, identifier: string): void;
  /** Calls the listener after each change of a person, in any center. */
  onChange(listener: (identifier: string) => void): void;
}

/** Whether one purpose in two centers is one consent, or two. */
export type Consent = 'shared' | 'by-center';

interface Former {
  /** Milliseconds since 1970. */
  readonly replacedAt: number;
  /** Number of the change that replaced the state. */
  readonly number: number;
  readonly record: string | undefined;
}

export function createSubjectRecords(parts: {
  store: Store;
  seeds: Seeds;
  now: () => Date;
  /** Milliseconds for which former states are kept; 0 keeps none. */
  longestLag: () => number;
  consent: Consent;
}): SubjectRecords {
  const { store, seeds, now } = parts;
  const replaced = new Map<string, Former[]>();
  let changes = 0;
  const listeners: ((identifier: string) => void)[] = [];

  function stored(center: Center, identifier: string): string | undefined {
    const known = store.findSubject(center.id, identifier);
    if (known !== undefined) return known;
    seeds.refresh(center);
    return store.findSubject(center.id, identifier);
  }

  /** Returns the record at the time of the oldest lag; `record` is the present one. */
  function former(key: string, record: string | undefined, lags: readonly Lag[]): string | undefined {
    const time = now().getTime();
    const found = replaced
      .get(key)
      ?.find(({ replacedAt, number }) =>
        lags.some(({ milliseconds, since }) => number > since && replacedAt > time - milliseconds),
      );
    return found === undefined ? record : found.record;
  }

  function find(center: Center, identifier: string, lags: readonly Lag[] = []): SubjectRecord {
    const own = stored(center, identifier);
    const record = read(former(keyOf(center.id, identifier), own, lags));
    if (parts.consent === 'by-center') return record;
    const elsewhere = [...store.recordsOf(identifier)].flatMap(([id, text]) =>
      id === center.id ? [] : [read(former(keyOf(id, identifier), text, lags))],
    );
    return withNewest(record, elsewhere, (id) => center.catalogue.has(id));
  }

  function remember(center: string, identifier: string): void {
    changes += 1;
    const lag = parts.longestLag();
    if (lag === 0) {
      replaced.clear();
      return;
    }
    const time = now().getTime();
    const key = keyOf(center, identifier);
    const kept = (replaced.get(key) ?? []).filter(({ replacedAt }) => replacedAt > time - lag);
    const record = store.findSubject(center, identifier);
    replaced.set(key, [...kept, { replacedAt: time, number: changes, record }]);
  }

  function write(center: string, identifier: string, record: SubjectRecord): void {
    remember(center, identifier);
    store.saveSubject(center, identifier, serialise(record));
  }

  function save(
    center: Center,
    identifier: string,
    { record, gone }: { record: SubjectRecord; gone: readonly string[] },
  ): void {
    store.together(() => {
      write(center.id, identifier, record);
      if (parts.consent === 'shared') takeOff(identifier, new Set(gone));
    });
    for (const listener of listeners) listener(identifier);
  }

  /** Deletes the purposes in all centers: otherwise another center would bring them back. */
  function takeOff(identifier: string, gone: ReadonlySet<string>): void {
    if (gone.size === 0) return;
    for (const [center, text] of store.recordsOf(identifier)) {
      const record = read(text);
      const purposes = record.purposes.filter(({ id }) => !gone.has(id));
      if (purposes.length < record.purposes.length) write(center, identifier, { ...record, purposes });
    }
  }

  return {
    find,
    changes: () => changes,
    isKnown: (center, identifier) => store.findSubject(center.id, identifier) !== undefined,
    save: (center, identifier, record, gone = []) => save(center, identifier, { record, gone }),
    clear(center, identifier) {
      const gone = find(center, identifier).purposes.map(({ id }) => id);
      save(center, identifier, { record: NOTHING_ON_RECORD, gone });
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

function read(record: string | undefined): SubjectRecord {
  return record === undefined ? NOTHING_ON_RECORD : deserialise(record);
}

/**
 * Treats one purpose in several centers as one consent: the newest write wins. A consent from the data folder
 * is valid for its own center until a call writes it.
 */
function withNewest(
  record: SubjectRecord,
  elsewhere: readonly SubjectRecord[],
  isShown: (id: string) => boolean,
): SubjectRecord {
  const own = new Map(record.purposes.map((purpose) => [purpose.id, purpose]));
  const newer = new Map<string, RecordedPurpose>();
  for (const purpose of elsewhere.flatMap(({ purposes }) => purposes)) {
    if (!purpose.written || purpose.id === '') continue;
    const known = newer.get(purpose.id) ?? own.get(purpose.id);
    if (known === undefined ? isShown(purpose.id) : purpose.since > known.since)
      newer.set(purpose.id, purpose);
  }
  if (newer.size === 0) return record;
  const kept = record.purposes.map((purpose) => newer.get(purpose.id) ?? purpose);
  const purposes = [...kept, ...[...newer.values()].filter(({ id }) => !own.has(id))];
  return { ...record, given: afterWrite(record.given, purposes), written: true, purposes };
}

function keyOf(center: string, identifier: string): string {
  return `${center} ${identifier}`;
}
