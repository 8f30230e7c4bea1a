import { setTimeout as pause } from 'node:timers/promises';

/** What was asked for, or `otherwise` where it fails or takes longer. Milliseconds. */
export async function within<T, U>(longestMs: number, asked: Promise<T>, otherwise: U): Promise<T | U> {
  const waiting = new AbortController();
  const answer = await Promise.race([
    asked.catch(() => otherwise),
    pause(longestMs, otherwise, { signal: waiting.signal }).catch(() => otherwise),
  ]);
  waiting.abort();
  return answer;
}
