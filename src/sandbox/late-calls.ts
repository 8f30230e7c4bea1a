/** Waits the given milliseconds; rejects once the signal is aborted. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Delayed calls, which take effect after calls that came later. */
export interface LateCalls {
  /** Runs the work after the delay, or earlier when it is released. */
  add<T>(milliseconds: number, work: () => T | Promise<T>): Promise<T>;
  /** Number of waiting calls. */
  count(): number;
  /** Runs all waiting calls in the order in which they came; resolves when they are done. */
  release(): Promise<void>;
}

export function createLateCalls(wait: Wait, closing: AbortSignal): LateCalls {
  const waiting = new Map<AbortController, Promise<unknown>>();

  async function run<T>(released: AbortController, milliseconds: number, work: () => T | Promise<T>) {
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
      const done = run(released, milliseconds, work);
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
