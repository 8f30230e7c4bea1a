import { Problem } from '../core/model/problem.ts';
import type { ReadRecord, SubjectId } from '../core/model/subject.ts';
import type { Journal } from '../ports/journal.ts';
import type { Random } from '../ports/random.ts';
import { codeOf, isRefusal } from './backoff.ts';
import { failed, type Log } from './log.ts';
import { type Tried, type WorkerTools, workOn } from './worker.ts';

export interface DispatcherTools extends Omit<WorkerTools, 'wait' | 'owner'> {
  readonly journal: Journal;
  readonly random: Random;
  readonly log: Log;
  readonly parallel: number;
}

export interface Dispatcher {
  start(): void;
  stop(): Promise<void>;
  settle(): Promise<void>;
  isStopping(): boolean;
  /** Claims what is due, as far as there is room. */
  dispatch(): void;
  /** The person is here: what is still on its way for them is tried again now, in order. */
  wake(center: string, subject: SubjectId): Promise<void>;
  /**
   * Resolves when it is finished, or known to go on later and to be a withdrawal only, or after `waitMs`; with the
   * record as it was read back, where it was finished here.
   */
  waitFor(reference: string, waitMs: number): Promise<ReadRecord | undefined>;
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
/** How often the journal is asked for what somebody waits for here, should the news of it be lost. */
const lookEveryMs = 1_000;

/** Keeps the work going: takes up what is due, a bounded number of people at a time. */
export function createDispatcher(tools: DispatcherTools): Dispatcher {
  const { journal, clock, timer, log, parallel } = tools;
  const waiting = new Map<string, Set<() => void>>();
  const inHand = new Map<string, Promise<Tried>>();
  const atWork = new Set<Promise<void>>();
  const pausing = new Set<(fault: Problem) => void>();
  let isStopping = false;
  let isClaiming = false;
  let isAskedAgain = false;
  let claiming: Promise<void> = Promise.resolve();
  let isAway = false;
  let heldUntil = 0;
  let misses = 0;
  let cooldownUntil = 0;
  let lastTry = 0;
  let isTicking = false;
  let cancelTick: (() => void) | undefined;
  let cancelLook: (() => void) | undefined;

  const ignoreNews = journal.onNews((news) => {
    if (news.kind === 'told') tell(news.reference);
    else dispatch();
  });

  const isCoolingDown = () => clock.now() < cooldownUntil;

  /** Who only waits before another look, as on a platform that lags, holds nobody up. */
  const hasRoom = () => {
    const most = misses < missesBeforeCooldown ? parallel : 1;
    return atWork.size - pausing.size < most && atWork.size < mostAtWork;
  };

  /** Whoever waits while this process ends goes on in another one. */
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
        while (mayClaim()) if (!(await claimNext())) break;
      } catch (fault) {
        log.error(failed(fault), 'the journal cannot be claimed from');
      }
    }
    isClaiming = false;
  }

  function mayClaim(): boolean {
    return !isStopping && hasRoom() && clock.now() >= heldUntil && !isCoolingDown();
  }

  /** False when nothing is due. What was claimed is worked on, also when this process began to stop meanwhile. */
  async function claimNext(): Promise<boolean> {
    const now = clock.now();
    // Of each claim its own: whoever was stopped for longer than its lease must not go on beside who began anew.
    const owner = tools.random.id();
    const claimed = await journal.claim({ owner, now, until: now + tools.lease });
    if (claimed === undefined) return false;
    lastTry = now;
    const { reference } = claimed.entry;
    const tried = workOn(claimed, { ...tools, owner, wait });
    inHand.set(reference, tried);
    const work = take(reference, tried).finally(() => {
      if (inHand.get(reference) === tried) inHand.delete(reference);
      atWork.delete(work);
      dispatch();
    });
    atWork.add(work);
    return true;
  }

  async function take(reference: string, work: Promise<Tried>): Promise<void> {
    try {
      const tried = await work;
      await trackAvailability(tried);
      // One line for each of thousands would say no more than the metrics do.
      if (tried.problem !== undefined && codeOf(tried.problem) !== 'quota-used-up')
        log.warn({ reference, ...failed(tried.problem) }, 'not delivered yet');
      if (tried.isTold) tell(reference);
    } catch (fault) {
      log.error({ reference, ...failed(fault) }, 'a submission could not be kept');
      tell(reference);
    }
  }

  /** Remembers whether the platform is there at all; when it comes back, all that waits goes on soon. */
  async function trackAvailability({ problem, hasRead, isWithdrawing }: Tried): Promise<void> {
    // Nobody was asked; and there may be room for other calls than this one's.
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
      await journal.makeDue({ now: clock.now(), spread: returnSpread, limit: 1_000_000 });
    } catch (fault) {
      isAway = true;
      throw fault;
    }
  }

  function tell(reference: string): void {
    for (const resolve of waiting.get(reference) ?? []) resolve();
  }

  async function tick(): Promise<void> {
    const now = clock.now();
    try {
      if (isAway && now - lastTry >= probeEveryMs && now >= heldUntil) {
        await journal.makeDue({ now, spread: 0, limit: 1 });
      }
    } catch (fault) {
      log.error(failed(fault), 'the journal cannot be kept');
    }
    dispatch();
    await claiming;
    const pause = await nextTick();
    if (!isStopping) cancelTick = timer.after(pause, () => void tick());
  }

  async function nextTick(): Promise<number> {
    try {
      const due = Math.max((await journal.nextDueAt()) ?? Number.POSITIVE_INFINITY, heldUntil, cooldownUntil);
      return Math.min(tickLongest, Math.max(tickShortest, due - clock.now()));
    } catch (fault) {
      log.error(failed(fault), 'the journal does not tell what is next');
      return tickLongest;
    }
  }

  async function begin(): Promise<void> {
    try {
      await journal.resume({ now: clock.now(), lease: tools.lease });
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
      for (const reference of await journal.finishedOf([...waiting.keys()])) tell(reference);
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
    dispatch,
    isStopping: () => isStopping,
    isCoolingDown,
    start() {
      if (isTicking) return;
      isTicking = true;
      void begin();
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
      dispatch();
      await allDone();
    },
    async wake(center, subject) {
      const now = clock.now();
      if (now >= heldUntil) await journal.wake(center, subject, now);
      dispatch();
    },
    waitFor(reference, waitMs) {
      if (isStopping) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const end = (readBack?: ReadRecord) => {
          cancel();
          const others = waiting.get(reference);
          others?.delete(told);
          if (others?.size === 0) waiting.delete(reference);
          if (waiting.size === 0) stopLooking();
          resolve(readBack);
        };
        // The news of it comes before the work itself has ended.
        const told = () => {
          const tried = inHand.get(reference);
          if (tried === undefined) end();
          else tried.then(({ readBack }) => end(readBack)).catch(() => end());
        };
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
