import { Problem } from '../core/model/problem.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Lease } from '../ports/people.ts';
import type { Random } from '../ports/random.ts';
import { createSingleRun } from './single-run.ts';

export interface ClaimLoopOptions<Claimed> {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Random;
  /** Longer than any call. */
  readonly leaseMs: number;
  /** The number of things that are worked on at a time. */
  readonly parallel: () => number;
  /** False: nothing is claimed now, for another reason than room. */
  readonly mayClaim: () => boolean;
  readonly claim: (lease: Lease) => Promise<Claimed | undefined>;
  /** Never rejects. */
  readonly work: (claimed: Claimed) => Promise<void>;
  readonly onFault: (fault: unknown) => void;
}

/** The most things in work at a time, including what rests. */
const mostAtWork = 1_000;

/** Claims what is due in a queue that several processes share, and works on it until it is stopped. */
export function createClaimLoop<Claimed>(options: ClaimLoopOptions<Claimed>) {
  const { clock, timer } = options;
  const atWork = new Set<Promise<void>>();
  const resting = new Set<(fault: Problem) => void>();
  const claims = createSingleRun(claimAll);
  let isStopping = false;
  let offers = 0;
  /** The last claim found something, or something has become due since. */
  let mayBeDue = true;

  /** Resting things do not count towards `parallel`. */
  function mayClaim(): boolean {
    const taken = atWork.size + offers;
    const hasRoom = taken - resting.size < options.parallel() && taken < mostAtWork;
    return !isStopping && hasRoom && options.mayClaim();
  }

  /** A claimed thing is worked on even if this process began to stop meanwhile. */
  async function claimAll(): Promise<void> {
    try {
      while (mayBeDue && mayClaim()) {
        mayBeDue = false;
        const claimed = await options.claim(newLease());
        if (claimed === undefined) continue;
        mayBeDue = true;
        take(claimed);
      }
    } catch (fault) {
      mayBeDue = true;
      options.onFault(fault);
    }
  }

  function newLease(): Lease {
    const now = clock.now();
    // Each claim has its own owner: a process that hung past its lease must not work beside the next one.
    return { owner: options.random.id(), now, until: now + options.leaseMs };
  }

  function take(claimed: Claimed): void {
    const work = options.work(claimed).finally(() => {
      atWork.delete(work);
      claims.ask();
    });
    atWork.add(work);
  }

  async function done(): Promise<void> {
    await claims.ended();
    while (atWork.size > 0 || claims.isRunning()) {
      await Promise.all(atWork);
      await claims.ended();
    }
  }

  return {
    /** Something may be due: claims while there is room. */
    wake(): void {
      mayBeDue = true;
      claims.ask();
    },
    /** Works on what was claimed by an offer. */
    take,
    /** A lease for what is about to be queued; undefined: it waits for its turn. */
    offer(): Lease | undefined {
      if (mayBeDue || claims.isRunning() || !mayClaim()) return undefined;
      offers += 1;
      return newLease();
    },
    endOffer(lease: Lease | undefined): void {
      if (lease !== undefined) offers -= 1;
    },
    /** Waits within the work, while others are worked on. Rejects with `draining` when the process stops. */
    rest(milliseconds: number): Promise<void> {
      if (isStopping) return Promise.reject(new Problem('draining'));
      return new Promise((resolve, reject) => {
        resting.add(reject);
        timer.after(milliseconds, () => {
          resting.delete(reject);
          resolve();
        });
        claims.ask();
      });
    },
    isStopping: () => isStopping,
    claimed: claims.ended,
    /** Resolves when nothing is worked on. */
    done,
    /** Claims nothing more; resolves when nothing is worked on. */
    stop(): Promise<void> {
      isStopping = true;
      for (const reject of resting) reject(new Problem('draining'));
      resting.clear();
      return done();
    },
  };
}
