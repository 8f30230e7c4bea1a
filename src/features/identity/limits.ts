import type { Request } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../../core/problem.ts';

const hour = 60 * 60;

/** What signing in costs: messages to one address, messages and tries of one client. */
export interface Limits {
  /** Throws too-many-requests. The same for every address, known or not. */
  message(request: Request, address: string): Promise<void>;
  attempt(request: Request): Promise<void>;
}

export interface Allowances {
  readonly messagesPerAddress: number;
  readonly messagesPerClient: number;
  readonly attemptsPerClient: number;
}

/** Per hour; tries per ten minutes. */
export const allowances: Allowances = { messagesPerAddress: 6, messagesPerClient: 40, attemptsPerClient: 40 };

/** Counts in memory, by whatever `key` makes of an address. */
export function createLimits(key: (address: string) => string, allowed: Allowances = allowances): Limits {
  const perAddress = new RateLimiterMemory({ points: allowed.messagesPerAddress, duration: hour });
  const perClient = new RateLimiterMemory({ points: allowed.messagesPerClient, duration: hour });
  const attempts = new RateLimiterMemory({ points: allowed.attemptsPerClient, duration: 600 });
  return {
    async message(request, address) {
      await consume(perClient, clientOf(request));
      await consume(perAddress, key(address));
    },
    attempt: (request) => consume(attempts, clientOf(request)),
  };
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (fault) {
    if (!(fault instanceof RateLimiterRes)) throw fault;
    throw new Problem('too-many-requests', { retryAfter: Math.ceil(fault.msBeforeNext / 1000) });
  }
}

/** Who has one address of IPv6 has its whole /64. */
export function clientOf(request: Pick<Request, 'ip'>): string {
  const ip = request.ip ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  return ip.includes(':') ? `${expand(ip).slice(0, 4).join(':')}::/64` : ip;
}

function expand(ip: string): readonly string[] {
  const [head = '', tail] = ip.split('::');
  const before = head === '' ? [] : head.split(':');
  if (tail === undefined) return before;
  const after = tail === '' ? [] : tail.split(':');
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
}
