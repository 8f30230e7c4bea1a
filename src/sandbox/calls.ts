import type { Json } from './json.ts';
import type { Operation } from './operations.ts';

/** One call as it came in and was answered; `status` 0 means that no answer was sent. */
export interface CallEntry {
  readonly number: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly identifier: string | undefined;
  readonly body: Json | undefined;
  readonly status: number;
}

/** The most recent calls, oldest first. */
export interface CallLog {
  record(call: Omit<CallEntry, 'number'>): void;
  list(): CallEntry[];
  clear(): void;
}

export function createCallLog(capacity = 2000): CallLog {
  let ring: CallEntry[] = [];
  let next = 0;
  let number = 0;
  return {
    record(call) {
      number += 1;
      ring[next] = { number, ...call };
      next = (next + 1) % capacity;
    },
    list: () => (ring.length < capacity ? [...ring] : [...ring.slice(next), ...ring.slice(0, next)]),
    clear() {
      ring = [];
      next = 0;
    },
  };
}
