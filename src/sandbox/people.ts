import { createHash } from 'node:crypto';
import type { JsonObject } from './json.ts';
import { deserialise, type RecordedPurpose } from './record.ts';
import type { Seeds } from './seed.ts';
import type { Store } from './store.ts';

/** One person with the purposes of all centers. */
export interface Person {
  readonly id: string;
  readonly identifier: string;
  readonly language: string | undefined;
  /** Each purpose once, in its newest state. */
  readonly purposes: readonly RecordedPurpose[];
  readonly elements: JsonObject;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly updated: number;
}

export interface People {
  /** Finds a person; undefined when nothing is on record. */
  find(identifier: string): Person | undefined;
  /** Lists all people, or only the given one. */
  list(identifier: string | undefined): readonly Person[];
}

export function createPeople({ store, seeds }: { store: Store; seeds: Seeds }): People {
  function find(identifier: string): Person | undefined {
    const records = [...store.recordsOf(identifier).values()].map(deserialise);
    const newest = new Map<string, RecordedPurpose>();
    for (const purpose of records.flatMap(({ purposes }) => purposes)) {
      const known = newest.get(purpose.id);
      if (purpose.id !== '' && (known === undefined || purpose.since > known.since))
        newest.set(purpose.id, purpose);
    }
    if (newest.size === 0) return undefined;
    const times = [...newest.values()].map(({ since }) => since);
    return {
      id: guidOf(identifier),
      identifier,
      language: records.map(({ language }) => language).find((language) => language !== undefined),
      purposes: [...newest.values()],
      elements: Object.assign({}, ...records.map(({ elements }) => elements)),
      created: Math.min(...times),
      updated: Math.max(...times),
    };
  }

  return {
    find,
    list(identifier) {
      seeds.plant();
      const wanted = identifier === undefined ? store.identifiers() : [identifier];
      return wanted.flatMap((each) => find(each) ?? []);
    },
  };
}

/** Derives an id from a text: the same text always has the same id. */
export function guidOf(source: string): string {
  const digits = createHash('sha256').update(source).digest('hex');
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(13, 16), digits.slice(17, 20)];
  return `${parts[0]}-${parts[1]}-4${parts[2]}-8${parts[3]}-${digits.slice(20, 32)}`;
}
