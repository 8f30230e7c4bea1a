import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Seconds that pass for a product with `fastTime` in a real one. With more its pages, no faster, would be
 * late.
 */
export const pace = 4;

/**
 * Settings that make a product's clocks and timers run fast, but leave deadlines of calls as long as ever.
 */
export const fastTime: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'scaled-clock.ts')).href}`,
  SCALED_CLOCK: String(pace),
  // Fixed, so that a product that is started again does not go back in time.
  SCALED_CLOCK_ORIGIN: String(Date.now()),
  SCALED_DEADLINES: 'off',
};
