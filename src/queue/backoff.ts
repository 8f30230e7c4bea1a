export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
  /** A number from 0 to 1, which spreads tries. */
  readonly jitter: () => number;
}

/**
 * Milliseconds to the next try: the ceiling doubles with each attempt before it, with full jitter below it.
 */
export function backoffMs({ firstMs, longestMs, jitter }: Backoff, attempts: number): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** Math.min(attempts, 20));
  return firstMs + jitter() * (ceiling - firstMs);
}
