import type { Clock } from '../ports/clock.ts';

/**
 * Remembers ids for `forMs` milliseconds after each was noted. `most`: number of ids remembered; the oldest
 * is forgotten first.
 */
export function createLately(clock: Clock, { forMs, most }: { forMs: number; most: number }) {
  const noted = new Map<string, number>();
  return {
    has(id: string): boolean {
      const at = noted.get(id);
      return at !== undefined && clock.now() - at < forMs;
    },
    note(id: string): void {
      noted.delete(id);
      const oldest = noted.keys().next();
      if (noted.size >= most && oldest.done !== true) noted.delete(oldest.value);
      noted.set(id, clock.now());
    },
  };
}
