import type { Clock } from '../ports/clock.ts';

/** Ids of which something happened lately. */
export interface Lately {
  has(id: string): boolean;
  note(id: string): void;
  forget(id: string): void;
}

/** `most`: ids that are remembered; the oldest goes first. */
export function createLately(clock: Clock, { forMs, most }: { forMs: number; most: number }): Lately {
  const noted = new Map<string, number>();
  return {
    has(id) {
      const at = noted.get(id);
      return at !== undefined && clock.now() - at < forMs;
    },
    note(id) {
      noted.delete(id);
      const oldest = noted.keys().next();
      if (noted.size >= most && oldest.done !== true) noted.delete(oldest.value);
      noted.set(id, clock.now());
    },
    forget: (id) => void noted.delete(id),
  };
}
