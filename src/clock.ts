import type { Clock } from './ports.ts';

/** The only place that asks the machine what time it is. */
export const systemClock: Clock = { now: () => Date.now() };
