import { Problem } from '../core/model/problem.ts';
import type { SubjectId } from '../core/model/subject.ts';
import { codeOf, isRefusal } from './backoff.ts';
import type { Log } from './log.ts';
import { isWatched } from './watch.ts';
import { type Tried, type WorkerTools, workOn } from './worker.ts';

export interface DispatcherTools extends Omit<WorkerTools, 'wait'> {
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
  wake(center: string, subject: SubjectId): void;
  /** Resolves when it is finished, or known to go on later and to be a withdrawal only, or after `waitMs`. */
  waitFor(reference: string, waitMs: number): Promise<void>;
  /** The platform was not reached several times in a row: nothing is tried before the rest is over. */
  isCoolingDown(): boolean;
}

/** People in hand, those included of whom the next look is waited for. */
const mostAtWork = 1_000;
const tickShortest = 250;
const tickLongest = 2_000;
/** So often in a row the platform was not reached, and for so long nothing is tried: what comes in meanwhile waits. */
const missesBeforeCooldown = 5;
const cooldownMs = 1_000;
/** While the platform is away, how often it is probed. */
const probeEveryMs = 10_000;
/** Over how long waiting submissions are spread when it is back. */
const returnSpread = 20_000;

/** Keeps the work going: takes up what is due, a bounded number of people at a time. */
export function createDispatcher(tools: DispatcherTools): Dispatcher {
  const { journal, clock, timer, log, parallel } = tools;
  const waiting = new Map<string, Set<() => void>>();
  const atWork = new Set<Promise<void>>();
  const pausing = new Set<(fault: Problem) => void>();
  let isStopping = false;
  let isAway = false;
  let heldUntil = 0;
  let misses = 0;
  let cooldownUntil = 0;
  let lastTry = 0;
  let cancelTick: (() => void) | undefined;

  const isCoolingDown = () => clock.now() < cooldownUntil;

  /** Who only waits before another look, as on a platform that lags, holds nobody up. */
  const hasRoom = () => atWork.size - pausing.size < parallel && atWork.size < mostAtWork;

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

  function dispatch(): void {
    try {
      while (!isStopping && hasRoom() && clock.now() >= heldUntil && !isCoolingDown()) {
        const now = clock.now();
        const entry = journal.claim({ owner: tools.owner, now, until: now + tools.lease });
        if (entry === undefined) return;
        lastTry = now;
        const work = take(entry.reference, workOn(entry, { ...tools, wait })).finally(() => {
          atWork.delete(work);
          dispatch();
        });
        atWork.add(work);
      }
    } catch (fault) {
      log.error({ code: codeOf(fault) }, 'the journal cannot be claimed from');
    }
  }

  async function take(reference: string, work: Promise<Tried>): Promise<void> {
    try {
      const tried = await work;
      trackAvailability(tried);
      if (tried.problem !== undefined)
        log.warn({ reference, code: codeOf(tried.problem) }, 'not delivered yet');
      if (tried.isFinished || !tried.isGranting) tell(reference);
    } catch (fault) {
      log.error({ reference, code: codeOf(fault), fault: nameOf(fault) }, 'a submission could not be kept');
      tell(reference);
    }
  }

  /** Remembers whether the platform is there at all; when it comes back, all that waits goes on soon. */
  function trackAvailability({ problem, hasRead, isWithdrawing }: Tried): void {
    // Withdrawals go first when a Retry-After ends: what an ordinary call is told to wait does not hold them up.
    if (problem instanceof Problem && isWithdrawing) {
      heldUntil = Math.max(heldUntil, clock.now() + (problem.retryAfter ?? 0) * 1_000);
    }
    if (problem === undefined && !hasRead) return;
    misses = codeOf(problem) === 'platform-unreachable' && !hasRead ? misses + 1 : 0;
    cooldownUntil = misses >= missesBeforeCooldown ? clock.now() + cooldownMs : 0;
    const isThere = problem === undefined || isRefusal(codeOf(problem));
    if (isThere && isAway) journal.makeDue({ now: clock.now(), spread: returnSpread, limit: 1_000_000 });
    isAway = !isThere;
  }

  function tell(reference: string): void {
    for (const resolve of waiting.get(reference) ?? []) resolve();
  }

  function tick(): void {
    const now = clock.now();
    try {
      if (isAway && now - lastTry >= probeEveryMs && now >= heldUntil) {
        journal.makeDue({ now, spread: 0, limit: 1 });
      }
    } catch (fault) {
      log.error({ code: codeOf(fault) }, 'the journal cannot be kept');
    }
    dispatch();
    cancelTick = timer.after(nextTick(), tick);
  }

  function nextTick(): number {
    try {
      const due = Math.max(journal.nextDueAt() ?? Number.POSITIVE_INFINITY, heldUntil, cooldownUntil);
      return Math.min(tickLongest, Math.max(tickShortest, due - clock.now()));
    } catch {
      return tickLongest;
    }
  }

  return {
    dispatch,
    isStopping: () => isStopping,
    isCoolingDown,
    start() {
      if (cancelTick !== undefined) return;
      try {
        journal.resume({ now: clock.now(), lease: tools.lease });
      } catch (fault) {
        log.error({ code: codeOf(fault) }, 'the journal cannot be resumed');
      }
      tick();
    },
    async stop() {
      isStopping = true;
      cancelTick?.();
      for (const reject of pausing) reject(new Problem('draining'));
      pausing.clear();
      while (atWork.size > 0) await Promise.all(atWork);
      for (const reference of waiting.keys()) tell(reference);
    },
    async settle() {
      dispatch();
      while (atWork.size > 0) await Promise.all(atWork);
    },
    wake(center, subject) {
      const now = clock.now();
      if (now >= heldUntil) {
        for (const { reference, dueAt, work } of journal.pendingOf(center, subject)) {
          const isWaiting = dueAt > now && (work === undefined || !isWatched(work));
          if (isWaiting) journal.makeDue({ now, spread: 0, limit: 1, reference });
        }
      }
      dispatch();
    },
    waitFor(reference, waitMs) {
      return new Promise((resolve) => {
        const done = () => {
          cancel();
          const others = waiting.get(reference);
          others?.delete(done);
          if (others?.size === 0) waiting.delete(reference);
          resolve();
        };
        const cancel = timer.after(waitMs, done);
        waiting.set(reference, (waiting.get(reference) ?? new Set()).add(done));
      });
    },
  };
}

function nameOf(fault: unknown): string {
  return fault instanceof Error ? fault.name : typeof fault;
}
