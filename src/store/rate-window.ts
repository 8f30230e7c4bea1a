import type { KeyedHash } from '../ports/keyed-hash.ts';
import type { RateCounters } from '../ports/rate-counters.ts';

/** By so much, in milliseconds, what two processes take for now may differ. */
const apartMs = 1_000;

/** What is counted is found by this alone. */
export function rateId(hash: KeyedHash, use: string, key: string): string {
  return hash.hash('tally', `${use} ${key}`);
}

/** `latest`: what ends after it was begun before a clock was set back, and is over. */
export function rateWindow(now: number, withinMs: number) {
  return { now, endsAt: now + withinMs, latest: now + withinMs + apartMs };
}

/** How a counter's row stands; undefined: nothing was counted. */
export function rateOf(
  row: Readonly<Record<string, unknown>> | undefined,
  now: number,
  withinMs: number,
): Awaited<ReturnType<RateCounters['look']>> {
  const leftMs = Number(row?.['ends_at'] ?? 0) - now;
  const isOn = leftMs > 0 && leftMs <= withinMs + apartMs;
  return isOn
    ? { count: Number(row?.['count']), leftMs: Math.min(leftMs, withinMs) }
    : { count: 0, leftMs: 0 };
}
