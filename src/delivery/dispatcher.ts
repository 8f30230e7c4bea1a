import { Problem } from '../core/model/problem.ts';
import type { SubjectId } from '../core/model/subject.ts';
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
  /** Somebody is due: claims, as far as there is room. */
  dispatch(): void;
  /** For a person who is about to be recorded: no claim is needed where no other person waits. */
  offer(): Lease | undefined;
  /** The recording is over for which it was offered. */
  endOffer(lease: Lease | undefined): void;
  /** Works for somebody who was recorded; undefined: they are claimed in their turn. */
  carryOut(claimed: ClaimedPerson | undefined): void;
  /** The person is here: what is still on its way for them is tried again now, in order. */
  wake(subject: SubjectId): Promise<void>;
  /**
   * Resolves when it is finished, or known to go on later and to be a withdrawal only, or after `waitMs`; with what
   * became of it, where that is known here.
   */
  waitFor(reference: string, waitMs: number): Promise<Result | undefined>;
  /** The platform was not reached several times in a row: nothing is tried before the rest is over. */
  isCoolingDown(): boolean;
}

/** People in hand, those included of whom the next look is waited for. */
const mostAtWork = 1_000;
const tickShortest = 250;
const tickLongest = 2_000;
/**
 * So often in a row the platform was not reached, and for so long nothing is tried: what comes in meanwhile waits. Then one
 * at a time is, until it was reached.
 */
const missesBeforeCooldown = 5;
const cooldownMs = 1_000;
/** While the platform is away, how often it is probed. */
const probeEveryMs = 10_000;
/** Over how long waiting submissions are spread when it is back. */
const returnSpread = 20_000;
/** Nothing is due later than a look at a call in doubt, or a retry. Milliseconds. */
const longestRest = 15 * 60_000;
/** How often the journal is asked for what somebody waits for here, should the news of it be lost. */
const lookEveryMs = 1_000;

/** Keeps the work going: takes up what is due, a bounded number of people at a time. */
export function createDispatcher(tools: DispatcherTools): Dispatcher {
  const { people, clock, timer, log, parallel } = tools;
  const waiting = new Map<string, Set<(result?: Result) => void>>();
  /** References that this process is about to tell itself. */
  const own = new Set<string>();
  const atWork = new Set<Promise<void>>();
  const pausing = new Set<(fault: Problem) => void>();
  let isStopping = false;
  let isClaiming = false;
  let isAskedAgain = false;
  /** The last claim found somebody, or somebody has become due since. */
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

  /** One run at a time: whatever happens meanwhile has it look once more. */
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
        log.error(failed(fault), 'the journal cannot be claimed from');
      }
    }
    isClaiming = false;
  }

  function mayClaim(): boolean {
    return !isStopping && hasRoom() && clock.now() >= heldUntil && !isCoolingDown();
  }

  /** What was claimed is worked on, also when this process began to stop meanwhile. */
  async function claimNext(): Promise<void> {
    mayBeDue = false;
    const claimed = await people.claim(newLease());
    if (claimed === undefined) return;
    mayBeDue = true;
    begin(claimed);
  }

  function newLease(): Lease {
    const now = clock.now();
    // Each claim has its own: a process that stood still past its lease must not go on beside the next one.
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
      // One line for each of thousands would say no more than the metrics do.
      if (worked.problem !== undefined && codeOf(worked.problem) !== 'quota-used-up')
        log.warn({ references: worked.pending, ...failed(worked.problem) }, 'not delivered yet');
    } catch (fault) {
      log.error(failed(fault), 'a person could not be kept');
    }
  }

  /** Remembers whether the platform is there at all; when it comes back, all that waits goes on soon. */
  async function trackAvailability({ problem, hasRead, isWithdrawing }: Worked): Promise<void> {
    // No call was made, and there may be room for other calls.
    if (codeOf(problem) === 'quota-used-up') return;
    // Withdrawals go first when a Retry-After ends: what an ordinary call is told to wait does not hold them up.
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
      log.error(failed(fault), 'the journal cannot be kept');
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
      log.error(failed(fault), 'the journal does not tell what is next');
      return Number.POSITIVE_INFINITY;
    }
  }

  async function resume(): Promise<void> {
    try {
      await people.resume({ now: clock.now(), lease: tools.lease, latest: longestRest });
    } catch (fault) {
      log.error(failed(fault), 'the journal cannot be resumed');
    }
    await tick();
  }

  /** As long as anybody waits. */
  function lookLater(): void {
    cancelLook ??= timer.after(lookEveryMs, () => void look());
  }

  async function look(): Promise<void> {
    try {
      for (const reference of await people.finishedOf([...waiting.keys()])) tell(reference);
    } catch (fault) {
      log.error(failed(fault), 'the journal cannot be read');
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
          others?.delete(told);
          if (others?.size === 0) waiting.delete(reference);
          if (waiting.size === 0) stopLooking();
          resolve(result);
        };
        const told = end;
        const cancel = timer.after(waitMs, () => end());
        waiting.set(reference, (waiting.get(reference) ?? new Set()).add(told));
        lookLater();
      });
    },
  };

  function stopLooking(): void {
    cancelLook?.();
    cancelLook = undefined;
  }
}
