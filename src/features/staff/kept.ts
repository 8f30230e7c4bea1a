import type { Clock } from '../../ports/clock.ts';
import { within } from '../../web/within.ts';

/** Number of calls that one page makes at a time, so that other pages get their turn. */
const atOnce = 4;
const usualWaitMs = 1_500;

/**
 * Reads things of the platform for a page, a few at a time, and returns what was read within `waitMs`. After
 * the first failure, or after that time, no further read begins; a read that has begun goes on.
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

/**
 * A cache of things of the platform by id. A reading is used until it is old; the last one is kept while the
 * platform is away.
 */
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

  /** Reads a thing once, even if several requests ask for it at the same time. */
  function readOnce(thing: Thing): Promise<void> {
    return reading.getOrInsertComputed(thing.id, (id) => keep(thing).finally(() => reading.delete(id)));
  }

  return {
    /**
     * Reads the things whose readings are old, as far as possible in a moment: a list that opens late is
     * worse than one with gaps.
     */
    refresh: (things: readonly Thing[]) =>
      inOneGo(
        things.filter((thing) => !isFresh(thing)),
        readOnce,
      ),
    /** The last reading, however old. */
    last: (id: string) => kept.get(id)?.value,
  };
}

const mostKept = 1_000;

/** Puts a value as the newest. If there are more than `most`, the oldest goes. */
export function put<Value>(kind: Map<string, Value>, id: string, value: Value, most: number): void {
  kind.delete(id);
  kind.set(id, value);
  const [oldest] = kind.keys();
  if (kind.size > most && oldest !== undefined) kind.delete(oldest);
}
