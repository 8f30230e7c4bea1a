import type { Center } from './centers.ts';
import { deserialise, NOTHING_ON_RECORD, type SubjectRecord, serialise } from './record.ts';
import type { Seeds } from './seed.ts';
import type { Store } from './store.ts';

/** What the platform has on record of people, now and, while reads lag, a while ago. */
export interface SubjectRecords {
  /** As it stood `lag` milliseconds ago; now when absent. */
  find(center: Center, identifier: string, lag?: number): SubjectRecord;
  isKnown(center: Center, identifier: string): boolean;
  save(center: Center, identifier: string, record: SubjectRecord): void;
  /** Nothing is on record any more. */
  clear(center: Center, identifier: string): void;
  /** Called after each change of a person. */
  onChange(listener: (center: Center, identifier: string) => void): void;
}

interface Former {
  /** Ms since 1970. */
  readonly replacedAt: number;
  readonly record: string | undefined;
}

export function createSubjectRecords(parts: {
  store: Store;
  seeds: Seeds;
  now: () => Date;
  /** Milliseconds that former states must be kept; 0: none is. */
  longestLag: () => number;
}): SubjectRecords {
  const { store, seeds, now } = parts;
  const former = new Map<string, Former[]>();
  const listeners: ((center: Center, identifier: string) => void)[] = [];

  function stored(center: Center, identifier: string): string | undefined {
    const known = store.findSubject(center.id, identifier);
    if (known !== undefined) return known;
    seeds.refresh(center);
    return store.findSubject(center.id, identifier);
  }

  function storedBefore(center: Center, identifier: string, time: number): string | undefined {
    const found = former.get(keyOf(center, identifier))?.find(({ replacedAt }) => replacedAt > time);
    return found === undefined ? stored(center, identifier) : found.record;
  }

  function remember(center: Center, identifier: string): void {
    const lag = parts.longestLag();
    if (lag === 0) {
      former.clear();
      return;
    }
    const time = now().getTime();
    const key = keyOf(center, identifier);
    const kept = (former.get(key) ?? []).filter(({ replacedAt }) => replacedAt > time - lag);
    former.set(key, [...kept, { replacedAt: time, record: stored(center, identifier) }]);
  }

  function save(center: Center, identifier: string, record: SubjectRecord): void {
    remember(center, identifier);
    store.saveSubject(center.id, identifier, serialise(record));
    for (const listener of listeners) listener(center, identifier);
  }

  return {
    find(center, identifier, lag = 0) {
      const record =
        lag === 0 ? stored(center, identifier) : storedBefore(center, identifier, now().getTime() - lag);
      return record === undefined ? NOTHING_ON_RECORD : deserialise(record);
    },
    isKnown: (center, identifier) => store.findSubject(center.id, identifier) !== undefined,
    save,
    clear: (center, identifier) => save(center, identifier, NOTHING_ON_RECORD),
    onChange: (listener) => void listeners.push(listener),
  };
}

function keyOf(center: Center, identifier: string): string {
  return `${center.id} ${identifier}`;
}
