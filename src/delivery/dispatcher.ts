import type { SubjectId } from '../core/model/person/subject.ts';
import { Problem } from '../core/model/problem.ts';
import type { ClaimedPerson, Lease, People } from '../ports/people.ts';
import type { Random } from '../ports/random.ts';
import { codeOf, isRefusal } from './backoff.ts';
import { failed, type Log } from './log.ts';
import { type LoopTools, type Result, type Worked, workFor } from './person-loop.ts';

export interface DispatcherTools extends Omit<LoopTools, 'wait' | 'tell'> {
  readonly people: People;
  readonly random: Random;
  readonly log: Log;
  readonly parallel: number;
}

export interface Dispatcher {
  start(): void;
  stop(): Promise<void>;
  settle(): Promise<void>;
  isStopping(): boolean;
  /** A person is due: claims while there is room. */
  dispatch(): void;
  /** A lease for a person who is about to be recorded: no claim is needed if no other person waits. */
  offer(): Lease | undefined;
  /** Ends the offer when the recording is over. */
  endOffer(lease: Lease | undefined): void;
  /** Works for a recorded person; undefined: the person is claimed in turn. */
  carryOut(claimed: ClaimedPerson | undefined): void;
  /** The person is here: unfinished work for the person is tried again now. */
  wake(subject: SubjectId): Promise<void>;
  /**
   * Resolves when the submission is finished, or goes on later and only withdraws, or after `waitMs`; with its result,
   * if this process knows it.
   */
  waitFor(reference: string, waitMs: number): Promise<Result | undefined>;
  /** The platform was not reached several times in a row: nothing is tried before the cool-down ends. */
  isCoolingDown(): boolean;
}

/** People worked for, including those who wait for another reading. */
const mostAtWork = 1_000;
const tickShortest = 250;
const tickLongest = 2_000;
/**
 * After so many failures to reach the platform in a row nothing is tried for `cooldownMs`; then one person at a time,
 * until it is reached.
 */
const missesBeforeCooldown = 5;
const cooldownMs = 1_000;
/** How often the platform is probed while it is away. */
const probeEveryMs = 10_000;
/** How long waiting submissions are spread over when it is back. */
const returnSpread = 20_000;
/** No person is due later than this, neither for a look nor for a retry. Milliseconds. */
const longestRest = 15 * 60_000;
/** How often the journal is asked about submissions that callers here wait for, in case news of it is lost. */
const lookEveryMs = 1_000;

/** Works on people who are due, a bounded number at a time. */
export function createDispatcher(tools: DispatcherTools): Dispatcher {
  const { people, clock, timer, log, parallel } = tools;
  const waiting = new Map<string, Set<(result?: Result) => void>>();
  /** References whose news this process caused. */
  const own = new Set<string>();
  const atWork = new Set<Promise<void>>();
  const pausing = new Set<(fault: Problem) => void>();
  let isStopping = false;
  let isClaiming = false;
  let isAskedAgain = false;
  /** The last claim found a person, or a person has become due since. */
  let mayBeDue = true;
  let offers = 0;
  let claiming: Promise<void> = Promise.resolve();
  let isAway = false;
  let heldUntil = 0;
  let misses = 0;
  let cooldownUntil = 0;
  let lastTry = 0;
  let isTicking = false;
  let cancelTick: (() => void) | undefined;
  let cancelLook: (() => void) | undefined;

  const ignoreNews = people.onNews((news) => {
    if (news.kind === 'due') noteDue();
    else if (!own.has(news.reference)) tell(news.reference);
  });

  const isCoolingDown = () => clock.now() < cooldownUntil;

  /** People who wait before another reading do not count towards `parallel`. */
  const hasRoom = () => {
    const most = misses < missesBeforeCooldown ? parallel : 1;
    return atWork.size - pausing.size + offers < most && atWork.size + offers < mostAtWork;
  };

  /** A person who waits while this process ends goes on in another one. */
  function wait(milliseconds: number): Promise<void> {
    if (isStopping) return Promise.reject(new Problem('draining'));
    return new Promise((resolve, reject) => {
      pausing.add(reject);
      timer.after(milliseconds, () => {
        pausing.delete(reject);
        resolve();
      });
      dispatch();
    });
  }

  function noteDue(): void {
    mayBeDue = true;
    dispatch();
  }

  /** One run at a time; an event meanwhile makes it claim once more. */
  function dispatch(): void {
    isAskedAgain = true;
    if (isClaiming) return;
    isClaiming = true;
    claiming = claimAll();
  }

  async function claimAll(): Promise<void> {
    while (isAskedAgain) {
      isAskedAgain = false;
      try {
        while (mayBeDue && mayClaim()) await claimNext();
      } catch (fault) {
        mayBeDue = true;
        log.error(failed(fault), 'no due person can be claimed');
      }
    }
    isClaiming = false;
  }

  function mayClaim(): boolean {
    return !isStopping && hasRoom() && clock.now() >= heldUntil && !isCoolingDown();
  }

  /** A claimed person is worked for even if this process began to stop meanwhile. */
  async function claimNext(): Promise<void> {
    mayBeDue = false;
    const claimed = await people.claim(newLease());
    if (claimed === undefined) return;
    mayBeDue = true;
    begin(claimed);
  }

  function newLease(): Lease {
    const now = clock.now();
    // Each claim has its own owner: a process that hung past its lease must not work beside the next one.
    return { owner: tools.random.id(), now, until: now + tools.lease };
  }

  function begin(claimed: ClaimedPerson): void {
    lastTry = clock.now();
    const work = take(workFor(claimed, { ...tools, people: { ...people, keep }, wait, tell })).finally(() => {
      atWork.delete(work);
      dispatch();
    });
    atWork.add(work);
  }

  async function keep(...[held, change, lease]: Parameters<People['keep']>): ReturnType<People['keep']> {
    for (const reference of change.told) own.add(reference);
    try {
      return await people.keep(held, change, lease);
    } finally {
      for (const reference of change.told) own.delete(reference);
    }
  }

  async function take(work: Promise<Worked>): Promise<void> {
    try {
      const worked = await work;
      await trackAvailability(worked);
      // The metrics count these: a line for each person would say no more.
      if (worked.problem !== undefined && codeOf(worked.problem) !== 'quota-used-up')
        log.warn({ references: worked.pending, ...failed(worked.problem) }, 'not delivered yet');
    } catch (fault) {
      log.error(failed(fault), 'the work for a person failed');
    }
  }

  /** Tracks whether the platform is reachable; when it comes back, all waiting work is due soon. */
  async function trackAvailability({ problem, hasRead, isWithdrawing }: Worked): Promise<void> {
    // No call was made: other calls may find room in the quota.
    if (codeOf(problem) === 'quota-used-up') return;
    // Only the Retry-After of a withdrawal holds all work: withdrawals go first when one ends.
    if (problem instanceof Problem && isWithdrawing) {
      heldUntil = Math.max(heldUntil, clock.now() + (problem.retryAfter ?? 0) * 1_000);
    }
    if (problem === undefined && !hasRead) return;
    misses = codeOf(problem) === 'platform-unreachable' && !hasRead ? misses + 1 : 0;
    cooldownUntil = misses >= missesBeforeCooldown ? clock.now() + cooldownMs : 0;
    const isThere = problem === undefined || isRefusal(codeOf(problem));
    const isBack = isThere && isAway;
    isAway = !isThere;
    if (!isBack) return;
    try {
      await people.makeDue({ now: clock.now(), spread: returnSpread, limit: 1_000_000 });
      mayBeDue = true;
    } catch (fault) {
      isAway = true;
      throw fault;
    }
  }

  function tell(reference: string, result?: Result): void {
    for (const resolve of waiting.get(reference) ?? []) resolve(result);
  }

  async function tick(): Promise<void> {
    const now = clock.now();
    try {
      if (isAway && now - lastTry >= probeEveryMs && now >= heldUntil) {
        await people.makeDue({ now, spread: 0, limit: 1 });
      }
    } catch (fault) {
      log.error(failed(fault), 'people cannot be made due to probe the platform');
    }
    const dueAt = await nextDueAt();
    if (dueAt <= clock.now()) noteDue();
    await claiming;
    const pause = Math.max(dueAt, heldUntil, cooldownUntil) - clock.now();
    if (isStopping) return;
    cancelTick = timer.after(Math.min(tickLongest, Math.max(tickShortest, pause)), () => void tick());
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
    await tick();
  }

  /** Runs while a caller waits. */
  function lookLater(): void {
    cancelLook ??= timer.after(lookEveryMs, () => void look());
  }

  async function look(): Promise<void> {
    try {
      for (const reference of await people.finishedOf([...waiting.keys()])) tell(reference);
    } catch (fault) {
      log.error(failed(fault), 'finished submissions cannot be read');
    }
    cancelLook = undefined;
    if (waiting.size > 0 && !isStopping) lookLater();
  }

  async function allDone(): Promise<void> {
    await claiming;
    while (atWork.size > 0 || isClaiming) {
      await Promise.all(atWork);
      await claiming;
    }
  }

  return {
    dispatch: noteDue,
    offer() {
      if (mayBeDue || isClaiming || !mayClaim()) return undefined;
      offers += 1;
      return newLease();
    },
    endOffer(lease) {
      if (lease !== undefined) offers -= 1;
    },
    carryOut(claimed) {
      if (claimed === undefined) noteDue();
      else begin(claimed);
    },
    isStopping: () => isStopping,
    isCoolingDown,
    start() {
      if (isTicking) return;
      isTicking = true;
      void resume();
    },
    async stop() {
      isStopping = true;
      cancelTick?.();
      for (const reject of pausing) reject(new Problem('draining'));
      pausing.clear();
      await allDone();
      ignoreNews();
      cancelLook?.();
      for (const reference of waiting.keys()) tell(reference);
    },
    async settle() {
      noteDue();
      await allDone();
    },
    async wake(subject) {
      const now = clock.now();
      if (now >= heldUntil) await people.wake(subject, now);
      noteDue();
    },
    waitFor(reference, waitMs) {
      if (isStopping) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const end = (result?: Result) => {
          cancel();
          const others = waiting.get(reference);
          others?.delete(end);
          if (others?.size === 0) waiting.delete(reference);
          if (waiting.size === 0) stopLooking();
          resolve(result);
        };
        const cancel = timer.after(waitMs, () => end());
        waiting.set(reference, (waiting.get(reference) ?? new Set()).add(end));
        lookLater();
      });
    },
  };

  function stopLooking(): void {
    cancelLook?.();
    cancelLook = undefined;
  }
}
