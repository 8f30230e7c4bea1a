import { type Center, everyPurpose } from '../core/model/center.ts';
import { Problem } from '../core/model/problem.ts';
import type { Clock } from '../ports/clock.ts';
import type { PlatformLog } from './options.ts';

/** Milliseconds for which an unknown id is not asked for again, and how many such ids are remembered. */
const unknownFor = 5_000;
const mostUnknown = 1_000;
/** Milliseconds between attempts to renew a center that could not be renewed. */
const pauseAfterFailure = 5_000;

interface Kept {
  readonly center: Center;
  /** When its reading began. */
  readonly readAt: number;
  /** By the reading before it. */
  readonly isConfirmed: boolean;
  /** Of the last failed renewal. */
  readonly failedAt: number | undefined;
}

export interface CenterCache {
  /**
   * A promise only where the platform must be asked first. `readWithin`: a reading that began longer ago than so many
   * milliseconds is not good enough, and there is none but a fresh one. `isConfirmed`: nor is one that differs from
   * the reading before it, or was the first; one more is made then.
   */
  find(
    id: string,
    options?: { readWithin?: number | undefined; isConfirmed?: boolean },
  ): Center | undefined | Promise<Center | undefined>;
  /** What is there already, fresh or not; nothing is asked for. */
  kept(id: string): Center | undefined;
}

/**
 * Centers, kept: fresh for a while, then served as they are while they are read again, and so for up to a day when
 * the platform cannot be asked. One reading at a time for each. A center or a purpose that is gone is looked for once
 * more: after one wrong answer no person could withdraw from it.
 */
export function createCenterCache({
  load,
  clock,
  log,
  freshFor,
  keptFor,
}: {
  /**
   * `known`: it was there before, so that its renewal goes before the search for ids that may not exist. `canWait`:
   * meanwhile it is served as it was.
   */
  load: (id: string, options: { known: boolean; canWait: boolean }) => Promise<Center | undefined>;
  clock: Clock;
  log: PlatformLog | undefined;
  freshFor: number;
  keptFor: number;
}): CenterCache {
  const kept = new Map<string, Kept>();
  const unknown = new Map<string, number>();
  const reading = new Map<string, { readonly since: number; readonly center: Promise<Center | undefined> }>();

  const read = (id: string, { canWait }: { canWait: boolean }): Promise<Center | undefined> => {
    const running = reading.get(id);
    if (running !== undefined) return running.center;
    const since = clock.now();
    const center = renew(id, { readAt: since, canWait }).finally(() => reading.delete(id));
    reading.set(id, { since, center });
    return center;
  };

  /** Who joins a reading that began too early waits for the next one. */
  const readAfresh = async (id: string, readSince: number): Promise<Center | undefined> => {
    const running = reading.get(id);
    if (running !== undefined && running.since < readSince) await running.center.catch(() => undefined);
    return read(id, { canWait: false });
  };

  const renew = async (
    id: string,
    { readAt, canWait }: { readAt: number; canWait: boolean },
  ): Promise<Center | undefined> => {
    const before = kept.get(id);
    try {
      const ask = () => load(id, { known: before !== undefined, canWait });
      let center = await ask();
      let isConfirmed = center?.revision === before?.center.revision;
      if (before !== undefined && !hasAllOf(before.center, center)) {
        const once = center;
        center = await ask();
        isConfirmed = center?.revision === once?.revision;
      }
      if (center === undefined) {
        kept.delete(id);
        forgetLater(id);
        return undefined;
      }
      kept.set(id, { center, readAt, isConfirmed, failedAt: undefined });
      unknown.delete(id);
      return center;
    } catch (fault) {
      if (before !== undefined) kept.set(id, { ...before, failedAt: clock.now() });
      throw fault;
    }
  };

  const forgetLater = (id: string) => {
    unknown.delete(id);
    const oldest = unknown.keys().next();
    if (unknown.size >= mostUnknown && oldest.done !== true) unknown.delete(oldest.value);
    unknown.set(id, clock.now());
  };

  return {
    kept(id) {
      const found = kept.get(id);
      return found !== undefined && clock.now() - found.readAt < keptFor ? found.center : undefined;
    },
    find(id, { readWithin, isConfirmed = false } = {}) {
      const now = clock.now();
      const found = kept.get(id);
      if (isConfirmed && found?.isConfirmed === false) return readAfresh(id, now);
      if (found !== undefined && readWithin !== undefined && found.readAt < now - readWithin) {
        return readAfresh(id, now - readWithin);
      }
      if (found !== undefined && now - found.readAt < keptFor) {
        const mayTry = found.failedAt === undefined || Math.abs(now - found.failedAt) >= pauseAfterFailure;
        if (Math.abs(now - found.readAt) >= freshFor && mayTry) {
          read(id, { canWait: true }).catch((fault: unknown) => {
            const outcome = fault instanceof Problem ? fault.code : 'unexpected';
            log?.warn('center not renewed', {
              center: id,
              outcome,
              ageSeconds: Math.round((now - found.readAt) / 1_000),
            });
          });
        }
        return found.center;
      }
      const missedAt = unknown.get(id);
      if (missedAt !== undefined && Math.abs(now - missedAt) < unknownFor) return undefined;
      return readWithin === undefined ? read(id, { canWait: false }) : readAfresh(id, now - readWithin);
    },
  };
}

function hasAllOf(before: Center, center: Center | undefined): boolean {
  if (center === undefined) return false;
  if (center.revision === before.revision) return true;
  const now = new Set(everyPurpose(center).map(({ id }) => id));
  return everyPurpose(before).every(({ id }) => now.has(id));
}
