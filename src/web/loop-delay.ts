import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolution = 10;
/** Milliseconds over which it is looked at, and how often it must have turned meanwhile. */
const moment = 100;
const turns = 5;

/**
 * How late the event loop is: the one sign of overload that does not depend on what overloads it. The median, so
 * that one long pause (a collection of garbage, a lock that was waited for) is no overload.
 */
export function watchLoopDelay() {
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  let since = performance.now();
  let last = 0;
  return {
    /** Milliseconds by which the event loop usually was late over the last moment. */
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
