import { setImmediate as immediate } from 'node:timers/promises';

/** Work that takes longer than this ends the turn, so that other requests run. Milliseconds. */
const longMs = 10;

/**
 * Lets other events run first. A resolved promise alone does not do that. It waits twice: the first
 * `setImmediate` after received data still runs before the next data is read.
 */
export async function endTurn(): Promise<void> {
  await immediate();
  await immediate();
}

/** Maps the items one after the other. Other requests run in between. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  make: (item: Item, place: number) => Result,
): Promise<Result[]> {
  const made: Result[] = [];
  let begun = performance.now();
  for (const [place, item] of items.entries()) {
    made.push(make(item, place));
    if (performance.now() - begun < longMs) continue;
    await endTurn();
    begun = performance.now();
  }
  return made;
}
