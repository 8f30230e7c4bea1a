import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Seconds that pass for a product with `fastTime` in one real second; no more, for its pages are no faster.
 */
export const pace = 4;

/** Settings that make a product's clocks and timers run fast, but not the deadlines of its calls. */
export const fastTime: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'scaled-clock.ts')).href}`,
  SCALED_CLOCK: String(pace),
  // Fixed, so that a product that is started again does not go back in time.
  SCALED_CLOCK_ORIGIN: String(Date.now()),
  SCALED_DEADLINES: 'off',
};
