import { type Center, everyPurpose } from '../core/model/center/center.ts';
import { Problem } from '../core/model/problem.ts';
import type { Platform } from '../ports/platform.ts';
import { createLately } from './lately.ts';
import type { Settings } from './options.ts';

/** The pause before an unknown id, or a center whose renewal failed, is read again. */
const pausing = { forMs: 5_000, most: 10_000 };

interface Kept {
  readonly center: Center;
  /** Time at which the reading of the center began. */
  readonly readAt: number;
  /** True if two readings in a row gave the same center. */
  readonly isConfirmed: boolean;
}

/**
 * `known`: the center was read before; its renewal goes before look-ups of ids that may not exist. `canWait`:
 * a stale copy is served while the center is read.
 */
type Load = (id: string, options: { known: boolean; canWait: boolean }) => Promise<Center | undefined>;

export type CenterCache = ReturnType<typeof createCenterCache>;

/**
 * A cache of centers. A center counts as fresh for `centerFresh`. After that, the stale center is served
 * while it is renewed, for at most `centerKept`. Each center has one reading at a time. A reading that lacks
 * the center, or a purpose that it had before, is repeated: after one wrong answer no person could withdraw
 * from that purpose.
 */
export function createCenterCache(load: Load, { clock, log, limits }: Settings) {
  const { centerFresh: freshFor, centerKept: keptFor } = limits;
  const kept = new Map<string, Kept>();
  const unknown = createLately(clock, pausing);
  const failed = createLately(clock, pausing);
  const reading = new Map<string, { readonly since: number; readonly center: Promise<Center | undefined> }>();

  const read = (id: string, { canWait }: { canWait: boolean }): Promise<Center | undefined> => {
    const running = reading.get(id);
    if (running !== undefined) return running.center;
    const since = clock.now();
    const center = renew(id, { readAt: since, canWait }).finally(() => reading.delete(id));
    reading.set(id, { since, center });
    return center;
  };

  /** Waits for a running reading that began too early, then reads again. */
  const readAfresh = async (id: string, readSince: number): Promise<Center | undefined> => {
    const running = reading.get(id);
    if (running !== undefined && running.since < readSince) await running.center.catch(() => undefined);
    return read(id, { canWait: false });
  };

  const renew = async (id: string, { readAt, canWait }: { readAt: number; canWait: boolean }) => {
    const before = kept.get(id);
    try {
      const ask = () => load(id, { known: before !== undefined, canWait });
      let center = await ask();
      let isConfirmed = center?.revision === before?.center.revision;
      if (before !== undefined && !hasAllOf(before.center, center)) {
        const first = center;
        center = await ask();
        isConfirmed = center?.revision === first?.revision;
      }
      if (center === undefined) {
        kept.delete(id);
        unknown.note(id);
        return undefined;
      }
      kept.set(id, { center, readAt, isConfirmed });
      return center;
    } catch (fault) {
      if (before !== undefined) failed.note(id);
      throw fault;
    }
  };

  return {
    /** The cached center, fresh or stale; never asks the platform. */
    kept(id: string): Center | undefined {
      const found = kept.get(id);
      return found !== undefined && clock.now() - found.readAt < keptFor ? found.center : undefined;
    },
    /**
     * Returns a promise only if the platform must be asked first. `readWithin`: the greatest age of the
     * reading in milliseconds; an older center is read again. `isConfirmed`: a center that two readings in a
     * row did not give alike is read again, too.
     */
    find(id: string, { readWithin, isConfirmed = false }: Parameters<Platform['findCenter']>[1] = {}) {
      const now = clock.now();
      const found = kept.get(id);
      if (isConfirmed && found?.isConfirmed === false) return readAfresh(id, now);
      if (found !== undefined && readWithin !== undefined && found.readAt < now - readWithin) {
        return readAfresh(id, now - readWithin);
      }
      if (found !== undefined && now - found.readAt < keptFor) {
        if (now - found.readAt >= freshFor && !failed.has(id)) {
          read(id, { canWait: true }).catch((fault: unknown) => {
            const outcome = fault instanceof Problem ? fault.code : 'unexpected';
            const ageSeconds = Math.round((now - found.readAt) / 1_000);
            log?.warn('center not renewed', { center: id, outcome, ageSeconds });
          });
        }
        return found.center;
      }
      if (unknown.has(id)) return undefined;
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
