import { Problem } from '../core/model/problem.ts';
import type { SubjectId } from '../core/model/subject.ts';
import type { Visit } from '../core/model/visit.ts';

/** Readings of a person's record for their own pages, each of which is a call of the platform. */
export interface PageReads {
  /** Counts one, and gives what takes it back. Throws too-many-requests. */
  take(use: 'page' | 'objection', reader: Reader): () => void;
}

export interface Reader {
  readonly center: string;
  readonly subject: SubjectId;
  /** Who has a forwarded link for withdrawing does not keep the person out who may do more. */
  readonly scope: Visit['scope'];
}

const minute = 60_000;
/** Of what the platform allows all people together in a minute, so much is one person's. */
const share = 30;
/** However little that is: a few pages of a center, one after the other. */
const least = 12;
const mostCounted = 20_000;

interface Counted {
  count: number;
  readonly endsAt: number;
}

/**
 * Bounds what one person's pages take of the quota, in this process: a holder of a link could else ask for pages
 * until there is nothing left for anybody's. `perMinute`: undefined where the platform allows any number.
 */
export function createPageReads({
  perMinute,
  elapsed = () => performance.now(),
}: {
  readonly perMinute: number | undefined;
  readonly elapsed?: (() => number) | undefined;
}): PageReads {
  const most =
    perMinute === undefined ? Number.POSITIVE_INFINITY : Math.max(least, Math.ceil(perMinute / share));
  const counted = new Map<string, Counted>();

  function forget(now: number): void {
    for (const [key, { endsAt }] of counted) {
      if (endsAt > now && counted.size < mostCounted) return;
      counted.delete(key);
    }
  }

  return {
    take(use, { center, subject, scope }) {
      const now = elapsed();
      const key = JSON.stringify([use, center, scope, subject]);
      forget(now);
      const found = counted.get(key) ?? { count: 0, endsAt: now + minute };
      if (found.count >= most)
        throw new Problem('too-many-requests', { retryAfter: Math.ceil((found.endsAt - now) / 1_000) });
      found.count += 1;
      counted.set(key, found);
      return () => {
        found.count -= 1;
      };
    },
  };
}
