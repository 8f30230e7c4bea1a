import type { SubjectId } from '../core/model/person/subject.ts';
import { Problem } from '../core/model/problem.ts';
import type { ClaimedPerson, People } from '../ports/people.ts';
import type { Random } from '../ports/random.ts';
import { createAvailability } from '../queue/availability.ts';
import { createClaimLoop } from '../queue/claim-loop.ts';
import { createTicks } from '../queue/ticks.ts';
import { codeOf, isRefusal } from './backoff.ts';
import { createCallers } from './callers.ts';
import { failed, type Log } from './log.ts';
import { type LoopTools, type Result, type Worked, workFor } from './person-loop.ts';

export interface DispatcherTools extends Omit<LoopTools, 'wait' | 'tell'> {
  readonly people: People;
  readonly random: Random;
  readonly log: Log;
  /** The number of people worked for at the same time. */
  readonly parallel: number;
}

const tickShortest = 250;
const tickLongest = 2_000;
/** Milliseconds of rest after each miss of a platform that is only probed. */
const cooldownMs = 1_000;
/** Milliseconds between probes while the platform is away. */
const probeEveryMs = 10_000;
/** Milliseconds over which waiting submissions are spread when the platform is back. */
const returnSpread = 20_000;
/** No person is due later than this, neither for a look nor for a retry. Milliseconds. */
const longestRest = 15 * 60_000;

/** Works on people who are due, a bounded number at a time. */
export function createDispatcher(tools: DispatcherTools) {
  const { people, clock, timer, log } = tools;
  const availability = createAvailability(clock, {
    firstMs: cooldownMs,
    longestMs: cooldownMs,
    jitter: tools.jitter,
  });
  /**
   * True if the platform was not reached several times in a row: no call is tried before the cool-down ends.
   */
  const isCoolingDown = () => clock.now() < availability.probedAt();
  const loop = createClaimLoop<ClaimedPerson>({
    clock,
    timer,
    random: tools.random,
    leaseMs: tools.lease,
    parallel: () => (availability.isProbing() ? 1 : tools.parallel),
    mayClaim: () => clock.now() >= availability.heldUntil() && !isCoolingDown(),
    claim: people.claim,
    work,
    onFault: (fault) => log.error(failed(fault), 'no due person can be claimed'),
  });
  const callers = createCallers({ people, timer, log, onDue: loop.wake });
  const ticks = createTicks(timer, tick);
  const workTools = {
    ...tools,
    people: { ...people, keep: callers.keep },
    wait: loop.rest,
    tell: callers.tell,
  };
  let lastTry = 0;

  async function work(claimed: ClaimedPerson): Promise<void> {
    lastTry = clock.now();
    try {
      const worked = await workFor(claimed, workTools);
      await trackAvailability(worked);
      // The metrics count the used-up quota: a line for each person would say no more.
      if (worked.problem !== undefined && codeOf(worked.problem) !== 'quota-used-up')
        log.warn({ references: worked.pending, ...failed(worked.problem) }, 'not delivered yet');
    } catch (fault) {
      log.error(failed(fault), 'the work for a person failed');
    }
  }

  /** Tracks whether the platform is reachable; when it comes back, all waiting work is due soon. */
  async function trackAvailability({ problem, hasRead, isWithdrawing }: Worked): Promise<void> {
    const code = codeOf(problem);
    // No call was made: other calls may find room in the quota.
    if (code === 'quota-used-up') return;
    // Only the Retry-After of a withdrawal holds all work: withdrawals go first when one ends.
    if (problem instanceof Problem && isWithdrawing) availability.hold((problem.retryAfter ?? 0) * 1_000);
    if (problem === undefined && !hasRead) return;
    if (problem !== undefined && !isRefusal(code))
      return availability.failed({ isMiss: code === 'platform-unreachable' && !hasRead });
    const isBack = availability.failingSince() !== undefined;
    availability.answered();
    if (!isBack) return;
    try {
      await people.makeDue({ now: clock.now(), spread: returnSpread, limit: 1_000_000 });
      loop.wake();
    } catch (fault) {
      availability.failed({ isMiss: false });
      throw fault;
    }
  }

  async function tick(): Promise<number> {
    const now = clock.now();
    try {
      const isAway = availability.failingSince() !== undefined;
      if (isAway && now - lastTry >= probeEveryMs && now >= availability.heldUntil())
        await people.makeDue({ now, spread: 0, limit: 1 });
    } catch (fault) {
      log.error(failed(fault), 'people cannot be made due to probe the platform');
    }
    const dueAt = await nextDueAt();
    if (dueAt <= clock.now()) loop.wake();
    await loop.claimed();
    const pause = Math.max(dueAt, availability.heldUntil(), availability.probedAt()) - clock.now();
    return Math.min(tickLongest, Math.max(tickShortest, pause));
  }

  async function nextDueAt(): Promise<number> {
    try {
      return (await people.nextDueAt()) ?? Number.POSITIVE_INFINITY;
    } catch (fault) {
      log.error(failed(fault), 'the next due time cannot be read');
      return Number.POSITIVE_INFINITY;
    }
  }

  async function resume(): Promise<void> {
    try {
      await people.resume({ now: clock.now(), lease: tools.lease, latest: longestRest });
    } catch (fault) {
      log.error(failed(fault), 'due times cannot be corrected at the start');
    }
    ticks.start();
  }

  return {
    /** Claims people while there is room, because a person has become due. */
    dispatch: loop.wake,
    /**
     * Offers a lease for a person who is about to be recorded: no claim is needed if no other person waits.
     */
    offer: loop.offer,
    endOffer: loop.endOffer,
    /** Works for a recorded person. undefined: the person is claimed in turn. */
    carryOut(claimed: ClaimedPerson | undefined): void {
      if (claimed === undefined) loop.wake();
      else loop.take(claimed);
    },
    isStopping: loop.isStopping,
    isCoolingDown,
    start: () => void resume(),
    async stop(): Promise<void> {
      ticks.stop();
      await loop.stop();
      callers.stop();
    },
    async settle(): Promise<void> {
      loop.wake();
      await loop.done();
    },
    /** Tries unfinished work for a person again now, because the person is here. */
    async wake(subject: SubjectId): Promise<void> {
      const now = clock.now();
      if (now >= availability.heldUntil()) await people.wake(subject, now);
      loop.wake();
    },
    /** Resolves with the result. It also resolves when the submission goes on later and only withdraws. */
    waitFor: async (reference: string, waitMs: number): Promise<Result | undefined> =>
      loop.isStopping() ? undefined : callers.waitFor(reference, waitMs),
  };
}
