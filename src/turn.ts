import { setImmediate as immediate } from 'node:timers/promises';

/** Milliseconds of work after which others should have their turn. */
const longMs = 10;

/** A text from so many bytes on is work enough for a turn of its own. */
export const longBytes = 256 * 1_024;

/**
 * Ends this turn of the event loop, for a promise that is kept at once does not: what others have sent meanwhile goes
 * first. Twice, for what began with something received is followed by the first of these before anything else is
 * received.
 */
export async function endTurn(): Promise<void> {
  await immediate();
  await immediate();
}

/** Of so many purposes and choices a step is work enough for a turn of its own. */
export const manyItems = 1_000;

/** Steps that each tell of how many items they were. */
export async function inTurns<Result>(steps: Generator<number, Result>): Promise<Result> {
  let looked = 0;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    looked += step.value;
    if (looked < manyItems) continue;
    await endTurn();
    looked = 0;
  }
}

/** For work in a loop, or in steps, that is long only where somebody else made it so. */
export function createTurn() {
  let begun = performance.now();
  return {
    isLong: () => performance.now() - begun >= longMs,
    async end(): Promise<void> {
      await endTurn();
      begun = performance.now();
    },
  };
}
