import type { Clock } from '../../ports/clock.ts';
import { within } from '../../web/within.ts';

/** Calls of one page at a time; others want their turn, too. */
const atOnce = 4;
const usualWaitMs = 1_500;

/**
 * Reads things of the platform for the sake of a page, a few at a time, and waits no longer than a moment: what was read
 * by then. What has begun goes on by itself; after the first that fails, or that moment, no other begins.
 */
export async function inOneGo<Thing, Value>(
  things: readonly Thing[],
  read: (thing: Thing) => Promise<Value>,
  waitMs = usualWaitMs,
): Promise<ReadonlyMap<Thing, Value>> {
  const found = new Map<Thing, Value>();
  const line = things.values();
  let isOver = false;
  async function work(): Promise<void> {
    for (const thing of line) {
      if (isOver) return;
      try {
        found.set(thing, await read(thing));
      } catch {
        isOver = true;
      }
    }
  }
  await within(waitMs, Promise.all(Array.from({ length: atOnce }, work)), () => undefined);
  isOver = true;
  return new Map(found);
}

/** Things of the platform by their ids: each read once in a while, and the last reading kept while it is away. */
export function createKept<Thing extends { readonly id: string }, Value>(given: {
  readonly clock: Clock;
  readonly freshMs: number;
  readonly read: (thing: Thing) => Promise<Value>;
  /** A thing with another stamp is read again. */
  readonly stampOf?: (thing: Thing) => string;
}) {
  const { clock, freshMs, read, stampOf = () => '' } = given;
  const kept = new Map<string, { readonly stamp: string; readonly value: Value; readonly at: number }>();
  const reading = new Map<string, Promise<void>>();

  function isFresh(thing: Thing): boolean {
    const found = kept.get(thing.id);
    const age = clock.now() - (found?.at ?? 0);
    return found !== undefined && found.stamp === stampOf(thing) && age >= 0 && age < freshMs;
  }

  async function keep(thing: Thing): Promise<void> {
    const value = await read(thing);
    put(kept, thing.id, { stamp: stampOf(thing), value, at: clock.now() }, mostKept);
  }

  /** What several requests ask for at once is read once. */
  function readOnce(thing: Thing): Promise<void> {
    return reading.getOrInsertComputed(thing.id, (id) => keep(thing).finally(() => reading.delete(id)));
  }

  return {
    /** Reads of these things what can be had in a moment: a list that opens late is worse than one without some. */
    refresh: (things: readonly Thing[]) =>
      inOneGo(
        things.filter((thing) => !isFresh(thing)),
        readOnce,
      ),
    /** As it was read last, however long ago. */
    last: (id: string) => kept.get(id)?.value,
  };
}

const mostKept = 1_000;

/** What was put last stays. */
export function put<Value>(kind: Map<string, Value>, id: string, value: Value, most: number): void {
  kind.delete(id);
  kind.set(id, value);
  const [oldest] = kind.keys();
  if (kind.size > most && oldest !== undefined) kind.delete(oldest);
}
