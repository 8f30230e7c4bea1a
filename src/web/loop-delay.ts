import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolution = 10;
/** The shortest measurement in milliseconds, and the fewest samples that it needs. */
const moment = 100;
const turns = 5;

/**
 * Measures the lateness of the event loop: this sign of overload does not depend on its cause. The measure is
 * the median, so that one long pause (garbage collection, a lock) does not count as overload.
 */
export function watchLoopDelay() {
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  let since = performance.now();
  let last = 0;
  return {
    /** Median lateness over the last moment, in milliseconds. */
    usual(): number {
      const now = performance.now();
      if (now - since < moment || histogram.count < turns) return last;
      since = now;
      last = Math.max(0, histogram.percentile(50) / 1e6 - resolution);
      histogram.reset();
      return last;
    },
    close: () => void histogram.disable(),
  };
}
