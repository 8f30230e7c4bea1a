import type { Clock, Timer } from './ports/clock.ts';

/** The only code that reads the machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** Follows elapsed time alone: setting the machine's clock does not change it while the process runs. */
export const steadyClock: Clock = { now: () => Math.floor(performance.timeOrigin + performance.now()) };

export const systemTimer: Timer = {
  after(milliseconds, run) {
    const waiting = setTimeout(run, milliseconds);
    return () => clearTimeout(waiting);
  },
};

/**
 * For lifetimes, leases and pauses. It follows the machine's clock but never goes back: when that clock is
 * set back, no lease or pause becomes longer.
 */
export function createForwardClock(
  wall: Clock = systemClock,
  elapsed: () => number = () => performance.now(),
): Clock {
  let latest = wall.now();
  let at = elapsed();
  return {
    now() {
      const then = at;
      at = elapsed();
      latest = Math.max(wall.now(), Math.round(latest + at - then));
      return latest;
    },
  };
}
