import { randomUUID } from 'node:crypto';
import type { Operation } from './operations.ts';
import { Refusal } from './refusal.ts';

/** Calls allowed: per minute for each client and operation, per hour for each client. */
export interface Quota {
  readonly perMinute?: number | undefined;
  readonly perHour?: number | undefined;
  /** Whether every answer states the quota, or only a 429. */
  readonly headers?: 'always' | 'when-limited' | undefined;
}

export type HeaderPrefix = 'svc' | 'ot';

export interface Limit {
  readonly period: 'MINUTE' | 'HOUR';
  readonly retryAfter: number;
  readonly made: number;
  readonly allowed: number;
}

/** Builds the 429 with its five headers. */
export function tooMany(prefix: HeaderPrefix, limit: Limit): Refusal {
  return new Refusal(429, 'Too many requests', {
    headers: {
      'Retry-After': String(limit.retryAfter),
      [`${prefix}-ratelimit-event-id`]: randomUUID(),
      ...countHeaders(prefix, limit),
    },
  });
}

function countHeaders(
  prefix: HeaderPrefix,
  { period, made, allowed }: Pick<Limit, 'period' | 'made' | 'allowed'>,
): Record<string, string> {
  return {
    [`${prefix}-period`]: period,
    [`${prefix}-request-made`]: String(made),
    [`${prefix}-requests-allowed`]: String(allowed),
  };
}

const PERIOD_MS = { MINUTE: 60_000, HOUR: 3_600_000 } as const;

/** Counts calls in windows that start on the full minute and hour. */
export interface QuotaGuard {
  /** Counts a call and returns the headers that state the quota; throws 429 once it is used up. */
  admit(client: string, operation: Operation, now: Date): Record<string, string>;
  /** Replaces the quota; the counts stay. */
  change(quota: Quota): void;
  /** Counts calls of another program of the same client, for one operation or for the hour alone. */
  useUp(client: string, calls: number, operation: Operation | undefined, now: Date): void;
}

export function createQuotaGuard(given: Quota, prefix: HeaderPrefix): QuotaGuard {
  const windows = new Map<string, { index: number; made: number }>();
  let quota = given;

  function count(key: string, period: 'MINUTE' | 'HOUR', calls: number, now: Date): number {
    const index = Math.floor(now.getTime() / PERIOD_MS[period]);
    const before = windows.get(key);
    const made = (before?.index === index ? before.made : 0) + calls;
    windows.set(key, { index, made });
    return made;
  }

  function check(key: string, period: 'MINUTE' | 'HOUR', allowed: number, now: Date): Limit {
    const made = count(key, period, 1, now);
    const left = PERIOD_MS[period] - (now.getTime() % PERIOD_MS[period]);
    const limit = { period, made, allowed, retryAfter: Math.max(1, Math.ceil(left / 1000)) };
    if (made > allowed) throw tooMany(prefix, limit);
    return limit;
  }

  return {
    admit(client, operation, now) {
      const { perMinute, perHour } = quota;
      const limits = [
        ...(perMinute === undefined ? [] : [check(`${client} ${operation}`, 'MINUTE', perMinute, now)]),
        ...(perHour === undefined ? [] : [check(client, 'HOUR', perHour, now)]),
      ];
      const least = limits.sort(
        (a, b) => (a.allowed - a.made) / a.allowed - (b.allowed - b.made) / b.allowed,
      )[0];
      return least === undefined || quota.headers !== 'always' ? {} : countHeaders(prefix, least);
    },
    change(next) {
      quota = next;
    },
    useUp(client, calls, operation, now) {
      count(client, 'HOUR', calls, now);
      if (operation !== undefined) count(`${client} ${operation}`, 'MINUTE', calls, now);
    },
  };
}
