/** So fast it runs at least, as a part of real time, while it is ahead of the database's. */
const slowest = 0.5;

/** A reading that took longer says where the time lies, but its middle says nothing: something hung. Milliseconds. */
const longestReading = 100;

export type DatabaseClock = ReturnType<typeof createDatabaseClock>;

/**
 * The database's time, carried on by what has elapsed here since it was last asked: the same on every node, whatever
 * their clocks say. Never back: when it was ahead it runs at half speed until it no longer is.
 */
export function createDatabaseClock(elapsed: () => number = () => performance.now()) {
  let offset: number | undefined;
  let target = 0;
  let last = 0;

  function settle(at: number): number {
    const ahead = Math.max(0, (offset ?? target) - target);
    offset = target + Math.max(0, ahead - (at - last) * (1 - slowest));
    last = at;
    return offset;
  }

  return {
    now(): number {
      const at = elapsed();
      return Math.floor(at + settle(at));
    },
    /** `at`: what the database said, epoch milliseconds, between two readings of `elapsed`. */
    measure({ at, from, to }: { at: number; from: number; to: number }): void {
      if (offset !== undefined) settle(elapsed());
      const isSharp = offset === undefined || to - from <= longestReading;
      target = isSharp ? at - (from + to) / 2 : Math.min(Math.max(target, at - to), at - from);
      if (offset === undefined) last = elapsed();
      offset = Math.max(offset ?? target, target);
    },
  };
}
