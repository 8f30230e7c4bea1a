import { randomUUID } from 'node:crypto';
import type { Operation } from './operations.ts';
import { Refusal } from './refusal.ts';

/** Calls allowed: a minute for each client and operation, an hour for each client altogether. */
export interface Quota {
  readonly perMinute?: number | undefined;
  readonly perHour?: number | undefined;
}

export type HeaderPrefix = 'svc' | 'ot';

export interface Limit {
  readonly period: 'MINUTE' | 'HOUR';
  readonly retryAfter: number;
  readonly made: number;
  readonly allowed: number;
}

/** 429 with its five headers. */
export function tooMany(prefix: HeaderPrefix, limit: Limit): Refusal {
  return new Refusal(429, 'Too many requests', {
    headers: {
      'Retry-After': String(limit.retryAfter),
      [`${prefix}-period`]: limit.period,
      [`${prefix}-ratelimit-event-id`]: randomUUID(),
      [`${prefix}-request-made`]: String(limit.made),
      [`${prefix}-requests-allowed`]: String(limit.allowed),
    },
  });
}

const PERIOD_MS = { MINUTE: 60_000, HOUR: 3_600_000 } as const;

/** Counts calls in windows that start on the full minute and hour; throws once one is used up. */
export function createQuotaGuard(
  quota: Quota,
  prefix: HeaderPrefix,
): (client: string, operation: Operation, now: Date) => void {
  const windows = new Map<string, { index: number; made: number }>();

  function count(key: string, period: 'MINUTE' | 'HOUR', allowed: number, now: Date): void {
    const index = Math.floor(now.getTime() / PERIOD_MS[period]);
    const before = windows.get(key);
    const made = before?.index === index ? before.made + 1 : 1;
    windows.set(key, { index, made });
    if (made <= allowed) return;
    const left = (index + 1) * PERIOD_MS[period] - now.getTime();
    throw tooMany(prefix, { period, made, allowed, retryAfter: Math.max(1, Math.ceil(left / 1000)) });
  }

  return (client, operation, now) => {
    if (quota.perMinute !== undefined) count(`${client} ${operation}`, 'MINUTE', quota.perMinute, now);
    if (quota.perHour !== undefined) count(client, 'HOUR', quota.perHour, now);
  };
}
