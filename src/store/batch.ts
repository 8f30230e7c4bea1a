/** Rows of a first statement, and bounds of all later ones. */
const [first, least, usualMost] = [200, 50, 2_000];

/**
 * Work over many rows, in statements whose size follows what the database manages: one that takes longer than `longMs`
 * is followed by a smaller one.
 */
export function createBatch({
  longMs,
  most = usualMost,
}: {
  readonly longMs: number;
  readonly most?: number;
}) {
  let limit = Math.min(first, most);
  return {
    /** `limit`: rows of one statement. */
    async run<T>(work: (limit: number) => Promise<T>): Promise<T> {
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
