/** Rows of a first statement, and bounds of all later ones. */
const [first, least, usualMost] = [200, 50, 2_000];

/** Work over many rows, in statements whose size follows what the database manages in `longMs`. */
export interface Batch {
  /** `limit`: rows of one statement. */
  run<T>(work: (limit: number) => Promise<T>): Promise<T>;
}

/** A statement that takes longer than `longMs` is followed by a smaller one. */
export function createBatch({
  longMs,
  most = usualMost,
}: {
  readonly longMs: number;
  readonly most?: number;
}): Batch {
  let limit = Math.min(first, most);
  return {
    async run(work) {
      const began = performance.now();
      try {
        const result = await work(limit);
        const ms = performance.now() - began;
        if (ms > longMs) limit = Math.max(least, Math.floor(limit / 2));
        else if (ms < longMs / 2) limit = Math.min(most, limit * 2);
        return result;
      } catch (fault) {
        limit = least;
        throw fault;
      }
    },
  };
}
