import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** How many seconds pass for a product with `fastTime` in one of ours. Not more: its pages are not shown any faster. */
export const pace = 4;

/** Settings under which a product's clocks and timers run fast, but for how long a call may take. */
export const fastTime: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'scaled-clock.ts')).href}`,
  SCALED_CLOCK: String(pace),
  // Said, so that a product that is started again does not go back in time.
  SCALED_CLOCK_ORIGIN: String(Date.now()),
  SCALED_DEADLINES: 'off',
};
