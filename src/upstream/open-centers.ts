import type { Center } from '../core/model/center/center.ts';
import { Problem, type ProblemCode } from '../core/model/problem.ts';
import type { CenterCache } from './center-cache.ts';
import { createLately } from './lately.ts';
import type { PlatformOptions } from './options.ts';

/** Milliseconds between two readings of the list, and after a reading that failed. */
const listEvery = 60_000;
const pauseAfterFailure = 5_000;
/** The pause before a listed id without a schema is read again. */
const pausing = { forMs: 60_000, most: 10_000 };
/** Milliseconds for which a center that left the list is still open. */
const missingFor = 24 * 3_600_000;
/** One of this many requests of strangers may renew a center, which takes several calls. */
const renewEvery = 180;

/**
 * `passing`: codes that one wrong answer can cause. `refusals`: codes after which another try would soon
 * fail, too.
 */
const passing: readonly ProblemCode[] = ['platform-refused', 'platform-unreadable'];
const refusals: readonly ProblemCode[] = ['platform-denied', ...passing];

interface Sources extends Pick<PlatformOptions, 'clock' | 'log'> {
  readonly cache: CenterCache;
  /** Reads the list of the platform; undefined if only ids of a centers file are asked for. */
  readonly list: (() => Promise<readonly { readonly id: string }[]>) | undefined;
}

/**
 * Finds centers for visitors who are not signed in, and who may name any id. Only centers that the platform
 * lists, or that were read for a signed-in person, are open. A cached center is shown as it is, so that
 * strangers cause almost no calls. The last list stays in use while a new one cannot be read.
 */
export function createOpenCenters({ cache, list, clock, log }: Sources) {
  /** Ids of the list, each with the time at which the list first lacked it; undefined if the list has it. */
  const listed = new Map<string, number | undefined>();
  const empty = createLately(clock, pausing);
  let failure: unknown;
  let nextLookAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  let requests = 0;

  const isListed = (id: string): boolean => {
    const missingSince = listed.get(id) ?? Number.POSITIVE_INFINITY;
    return listed.has(id) && clock.now() - missingSince < missingFor;
  };

  /**
   * Reads the list. While no center is known, an empty or unreadable list is read twice: one wrong answer
   * would stop every sign-in for a minute.
   */
  const askTwice = async (ask: NonNullable<Sources['list']>) => {
    if (listed.size > 0) return ask();
    const once = await ask().catch((fault: unknown) => {
      if (isProblem(fault, passing)) return [];
      throw fault;
    });
    return once.length > 0 ? once : ask();
  };

  const read = async (ask: NonNullable<Sources['list']>): Promise<void> => {
    try {
      const ids = new Set((await askTwice(ask)).map(({ id }) => id.toLowerCase()));
      const now = clock.now();
      for (const [id, missingSince = now] of listed) listed.set(id, missingSince);
      for (const id of ids) listed.set(id, undefined);
      for (const id of [...listed.keys()]) if (!isListed(id)) listed.delete(id);
      failure = undefined;
      nextLookAt = now + listEvery;
    } catch (fault) {
      failure = fault;
      // Without a list no person can sign in: it is read again soon, unless the platform refuses.
      nextLookAt =
        clock.now() + (listed.size > 0 || isProblem(fault, refusals) ? listEvery : pauseAfterFailure);
      const outcome = fault instanceof Problem ? fault.code : 'unexpected';
      log?.warn('list of centers not read', { outcome, known: listed.size });
    }
  };

  /** Reads the list if it was not read lately. Throws the failure while no list is known. */
  const look = async (): Promise<void> => {
    if (list === undefined) return;
    if (clock.now() >= nextLookAt) looking ??= read(list).finally(() => (looking = undefined));
    await looking;
    if (failure !== undefined && listed.size === 0) throw failure;
  };

  const readListed = (id: string): Center | undefined | Promise<Center | undefined> => {
    if (empty.has(id)) return undefined;
    const found = cache.find(id);
    if (!(found instanceof Promise)) return found;
    return found.then((center) => {
      if (center === undefined) empty.note(id);
      return center;
    });
  };

  return {
    look,
    /** The ids of the list. Throws the failure while no list is known. */
    async ids(): Promise<readonly string[]> {
      await look();
      return [...listed.keys()].filter(isListed);
    },
    /** Returns a promise only if the platform must be asked first. */
    find(id: string): Center | undefined | Promise<Center | undefined> {
      requests += 1;
      const kept = cache.kept(id);
      if (kept !== undefined) {
        if (requests < renewEvery) return kept;
        requests = 0;
        return cache.find(id);
      }
      if (list === undefined || isListed(id)) return readListed(id);
      return look().then(() => (isListed(id) ? readListed(id) : undefined));
    },
  };
}

function isProblem(fault: unknown, codes: readonly ProblemCode[]): boolean {
  return fault instanceof Problem && codes.includes(fault.code);
}
