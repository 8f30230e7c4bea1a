import { within } from '../../web/within.ts';

/** Calls of one page at a time; others want their turn, too. */
const atOnce = 4;
const usualWaitMs = 1_500;

/**
 * Runs what is asked of the platform for the sake of a page, a few at a time, and waits no longer than a moment. What
 * has begun goes on by itself; after the first that fails, or that moment, no other begins.
 */
export async function inOneGo(tasks: readonly (() => Promise<unknown>)[], waitMs = usualWaitMs) {
  if (tasks.length === 0) return;
  const line = tasks.values();
  let isOver = false;
  async function work(): Promise<void> {
    for (const task of line) {
      if (isOver) return;
      try {
        await task();
      } catch {
        isOver = true;
      }
    }
  }
  await within(waitMs, Promise.all(Array.from({ length: atOnce }, work)), () => undefined);
  isOver = true;
}
