import { aCenter, aPurpose } from '../core/center-builder.ts';

/** How much faster than the world's the clock of the process that is killed runs: a minute passes in 0.6 s. */
export const speed = 100;

export const killCenter = aCenter([aPurpose('a'), aPurpose('b'), aPurpose('d', { onByDefault: true })]);
