import type { Visit } from '../core/model/person/visit.ts';
import { createMemoryCounters, orRefuse } from '../web/client-rates.ts';

export type PageReads = ReturnType<typeof createPageReads>;

/**
 * Scopes are counted apart: the holder of a forwarded withdraw link must not use up the person's own limit.
 */
export interface Reader extends Pick<Visit, 'subject' | 'scope'> {
  readonly center: string;
}

const minute = 60_000;
/** One person may use one part in this many of the quota of a minute. */
const share = 30;
/** The lowest limit: a few pages of a center, one after the other. */
const least = 12;

/**
 * Limits the reads of one person's record for pages, in this process: each is a call of the platform, and the
 * holder of one link could use the whole quota. `perMinute` is undefined if the platform has no quota.
 */
export function createPageReads(perMinute: number | undefined, now = () => performance.now()) {
  const most =
    perMinute === undefined ? Number.POSITIVE_INFINITY : Math.max(least, Math.ceil(perMinute / share));
  const counters = createMemoryCounters({ now });
  return {
    /** Counts one read and returns a function that undoes the count. Throws too-many-requests. */
    take(use: 'page' | 'objection', { center, subject, scope }: Reader): () => void {
      const key = JSON.stringify([center, scope, subject]);
      const counted = orRefuse(counters.count(use, key, { most, withinMs: minute }));
      return () => counters.giveBack(use, key, counted);
    },
  };
}
