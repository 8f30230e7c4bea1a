/** Waits so many milliseconds; rejects once the signal is aborted. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Calls that are carried out later than the calls that came after them. */
export interface LateCalls {
  /** Carries the work out after the delay or when it is released, whichever is first. */
  add<T>(milliseconds: number, work: () => T | Promise<T>): Promise<T>;
  /** How many wait. */
  count(): number;
  /** Carries out all that wait, in the order in which they came; ends when that is done. */
  release(): Promise<void>;
}

export function createLateCalls(wait: Wait, closing: AbortSignal): LateCalls {
  const waiting = new Map<AbortController, Promise<unknown>>();

  async function carryOut<T>(released: AbortController, milliseconds: number, work: () => T | Promise<T>) {
    try {
      await wait(milliseconds, AbortSignal.any([closing, released.signal]));
    } catch (fault) {
      if (closing.aborted || !released.signal.aborted) throw fault;
    } finally {
      waiting.delete(released);
    }
    return work();
  }

  return {
    add(milliseconds, work) {
      const released = new AbortController();
      const done = carryOut(released, milliseconds, work);
      waiting.set(released, done);
      return done;
    },
    count: () => waiting.size,
    async release() {
      const all = [...waiting];
      for (const [released] of all) released.abort();
      await Promise.allSettled(all.map(([, done]) => done));
    },
  };
}
