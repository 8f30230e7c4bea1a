import type { Request } from 'express';
import { Problem } from '../../core/problem.ts';
import type { SubjectId } from '../../core/subject.ts';

/** Counts that outlive the process. */
export interface Tallies {
  /**
   * Counts one more and gives 0; where there is no room for it, the milliseconds until there is. `within`:
   * milliseconds from the first of them.
   */
  count(use: string, key: string, allowed: { readonly most: number; readonly within: number }): number;
}

/** What signing in costs: messages to one address, messages and tries of one client. */
export interface Limits {
  /** Throws too-many-requests. The same for every address, known or not. */
  message(request: Request, address: SubjectId): void;
  attempt(request: Request): void;
}

const minute = 60_000;

const allowed = {
  'messages of a client': { most: 40, within: 60 * minute },
  'messages to an address': { most: 6, within: 60 * minute },
  'tries of a client': { most: 40, within: 10 * minute },
} as const;

export function createLimits(tallies: Tallies): Limits {
  function take(use: keyof typeof allowed, key: string): void {
    const wait = tallies.count(use, key, allowed[use]);
    if (wait > 0) throw new Problem('too-many-requests', { retryAfter: Math.ceil(wait / 1000) });
  }

  return {
    message(request, address) {
      take('messages of a client', clientOf(request));
      take('messages to an address', address);
    },
    attempt: (request) => take('tries of a client', clientOf(request)),
  };
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
