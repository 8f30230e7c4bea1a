/** The slowest speed of the clock, as a part of real time, while it is ahead of the database's time. */
const slowest = 0.5;

/** Milliseconds of a reading after which only its bounds count: its middle says nothing if something hung. */
const longestReading = 100;

export type DatabaseClock = ReturnType<typeof createDatabaseClock>;

/**
 * The database's time, continued by the time that has elapsed here since the last reading: the same on every
 * node, whatever the node's clock says. It never goes back: while it is ahead it runs at half speed.
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
    /** `at`: the database's time, epoch milliseconds, between two readings of `elapsed`. */
    measure({ at, from, to }: { at: number; from: number; to: number }): void {
      if (offset !== undefined) settle(elapsed());
      const isSharp = offset === undefined || to - from <= longestReading;
      target = isSharp ? at - (from + to) / 2 : Math.min(Math.max(target, at - to), at - from);
      if (offset === undefined) last = elapsed();
      offset = Math.max(offset ?? target, target);
    },
  };
}
