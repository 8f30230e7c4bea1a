import { setImmediate as immediate } from 'node:timers/promises';

/** Work that takes longer than this ends the turn, so that other requests run. Milliseconds. */
const longMs = 10;

/** A text of this many bytes is work for a turn of its own. */
export const longBytes = 256 * 1_024;

/**
 * Lets other events run first. A resolved promise alone does not do that. It waits twice: the first
 * `setImmediate` after received data still runs before the next data is read.
 */
export async function endTurn(): Promise<void> {
  await immediate();
  await immediate();
}

/** This many purposes and choices are work for a turn of their own. */
export const manyItems = 1_000;

/** Runs a generator that yields how many items each step handled, and ends the turn after `manyItems`. */
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

/** For loops that are long only with unusual input: the caller asks `isLong` and then ends the turn. */
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
