import { DatabaseFault } from './fault.ts';

/** Whose a connection is to be: those of withdrawals may be any, so that some are left whatever all others ask. */
export type Lane = 'ordinary' | 'withdrawals';

/** Of so many connections those that only withdrawals get. */
export function keptForWithdrawals(size: number): number {
  return size < 2 ? 0 : Math.max(1, Math.floor(size / 4));
}

export const allInUse = 'every connection of the pool is in use';

/** Lends places in the order in which they are asked for. */
export function createPlaces(size: number) {
  let free = size;
  const waiting = new Set<() => void>();

  function giveBack(): void {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  }

  return {
    /** Resolves with what gives the place back. Rejects when none is free within `waitMs`. */
    async take(waitMs: number): Promise<() => void> {
      if (free > 0) {
        free -= 1;
        return giveBack;
      }
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const get = () => {
        clearTimeout(timer);
        waiting.delete(get);
        resolve(giveBack);
      };
      const timer = setTimeout(() => {
        waiting.delete(get);
        reject(new DatabaseFault(allInUse, { kind: 'refused' }));
      }, waitMs);
      waiting.add(get);
      return promise;
    },
  };
}
