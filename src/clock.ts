import type { Clock, Timer } from './ports/clock.ts';

/** The only place that asks the machine what time it is. */
export const systemClock: Clock = { now: () => Date.now() };

/** The time of day at which this process began, and what has passed since. */
export const steadyClock: Clock = { now: () => Math.floor(performance.timeOrigin + performance.now()) };

export const systemTimer: Timer = {
  after(milliseconds, run) {
    const waiting = setTimeout(run, milliseconds);
    return () => clearTimeout(waiting);
  },
};

/**
 * For lifetimes, leases and pauses: the machine's time, but when that is set back it goes on from where it was, so
 * that nothing lives longer or waits longer than it should.
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
