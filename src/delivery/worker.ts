import { believedFor } from '../core/consent/last-word.ts';
import type { JournalEntry, Work } from '../core/model/journal-entry.ts';
import { Problem } from '../core/model/problem.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal } from '../ports/journal.ts';
import type { Timer } from '../ports/timer.ts';
import { attempt } from './attempt.ts';
import { codeOf, isRefusal, retryDelay } from './backoff.ts';
import type { Ended } from './outcome.ts';
import type { AttemptTools } from './reader.ts';
import { finalState } from './view.ts';
import { isWatched, nextLook } from './watch.ts';
import {
  grantLife,
  isFinished,
  isGranting,
  isGrantOver,
  isSettled,
  isWithdrawing,
  leftSince,
  receiptsOf,
  regrantedBy,
  withoutLateGrants,
} from './work.ts';

export interface WorkerTools {
  readonly platform: AttemptTools['platform'];
  readonly journal: Journal;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly jitter: () => number;
  readonly owner: string;
  /** Milliseconds; longer than any one call to the platform may take. */
  readonly lease: number;
  readonly readBackDelaysMs: readonly number[];
  readonly confirmAfter: number;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** How a try ended, for those who wait for it. */
export interface Tried {
  readonly isFinished: boolean;
  readonly isGranting: boolean;
  readonly isWithdrawing: boolean;
  readonly problem: unknown;
  /** The platform was there, and answered. */
  readonly hasRead: boolean;
}

/** The lease went to another process: whatever was found out here is its to find out again. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Works on one claimed entry, and gives it back finished or with the time of its next try. */
export async function workOn(entry: JournalEntry, tools: WorkerTools): Promise<Tried> {
  const { journal, clock, owner } = tools;
  const { reference } = entry;
  if (entry.work === undefined) {
    // Its key is gone. It stays, for the day the key comes back, and must not be claimed again and again.
    const now = clock.now();
    journal.renew(reference, { owner, now, until: now + 10 * 60_000 });
    return { ...untried, problem: new Problem('store-unavailable') };
  }

  const { work } = entry;
  if (earlierThan(entry, work, journal).some((each) => each.blocks)) return expire(entry, work, tools);

  const ended = await attempt(entry, work, attemptTools(entry, work, tools));
  if (ended.problem instanceof LeaseLost) return untried;
  giveBack(entry, ended, tools);
  return {
    isFinished: ended.kind === 'finished',
    isGranting: isGranting(ended.work),
    isWithdrawing: isWithdrawing(ended.work),
    problem: ended.problem,
    hasRead: ended.hasRead,
  };
}

const untried: Tried = {
  isFinished: false,
  isGranting: false,
  isWithdrawing: false,
  problem: undefined,
  hasRead: false,
};

function attemptTools(entry: JournalEntry, start: Work, tools: WorkerTools): AttemptTools {
  const { platform, journal, clock, owner, lease, readBackDelaysMs, confirmAfter } = tools;
  const { reference, dueAt } = entry;
  let regranted = regrantedBy(start).length;
  return {
    platform,
    clock,
    readBackDelaysMs,
    confirmAfter,
    timer: tools.timer,
    wait: tools.wait,
    keep: (work) => {
      const now = clock.now();
      const isOurs = journal.renew(reference, { owner, now, until: now + lease });
      const expiresAt = expiryOf(entry, work, now);
      const change = { work, dueAt, expiresAt, receipts: receiptsOf(work), isPassable: false };
      const { doneAt } = entry;
      const isKept =
        isOurs && journal.save(reference, owner, { ...change, state: 'pending', doneAt, release: false });
      if (!isKept) throw new LeaseLost();
      // At once: what is still to be withdrawn by this one may take days.
      if (regrantedBy(work).length > regranted) supersedeEarlier(entry, work, journal);
      regranted = regrantedBy(work).length;
    },
    recent: () => journal.recentOf(start.request.subject, clock.now() - believedFor),
    // No grant is older than its minute: there is never much that came later.
    leftSince: () =>
      isGranting(start)
        ? leftSince(journal.laterThan(entry, start.request.subject).map((later) => later.work))
        : new Set(),
    wasOnRecord: () =>
      journal
        .historyOf(entry.center, start.request.subject, { limit: remembered, offset: 0 })
        .some(isOnRecord),
  };
}

/** How many of a person's submissions are asked for what was ever on record. */
const remembered = 20;

function isOnRecord({ work, evidence }: JournalEntry): boolean {
  const wasWritten = (work ?? evidence)?.items.some(
    ({ what, outcome }) => what === 'purpose' && outcome === 'saved',
  );
  return wasWritten === true || (work?.before?.purposes.length ?? 0) > 0;
}

function giveBack(entry: JournalEntry, ended: Ended, tools: WorkerTools): void {
  if (ended.kind === 'finished') finish(entry, ended.work, tools);
  else postpone(entry, ended, tools);
}

function finish(entry: JournalEntry, found: Work, { journal, clock, owner }: WorkerTools): void {
  const now = clock.now();
  const work = { ...found, problem: undefined };
  supersedeEarlier(entry, work, journal);
  const lookAt = nextLook(work);
  journal.save(entry.reference, owner, {
    work,
    state: lookAt === undefined ? finalState(work.items) : 'pending',
    dueAt: lookAt ?? now,
    doneAt: entry.doneAt ?? now,
    expiresAt: undefined,
    isPassable: lookAt !== undefined,
    receipts: receiptsOf(work),
    release: true,
  });
}

function postpone(entry: JournalEntry, { work, problem }: Ended, tools: WorkerTools): void {
  const now = tools.clock.now();
  const attempts = work.attempts + 1;
  const code = problem === undefined ? undefined : codeOf(problem);
  tools.journal.save(entry.reference, tools.owner, {
    work: { ...work, attempts, problem: code },
    state: 'pending',
    dueAt: now + retryDelay({ attempts, problem, jitter: tools.jitter }),
    doneAt: isWatched(work) ? entry.doneAt : undefined,
    expiresAt: expiryOf(entry, work, now),
    isPassable: code === undefined || isRefusal(code) || work.items.every(isSettled),
    receipts: receiptsOf(work),
    release: true,
  });
}

/** Nothing to wake up for once the minute is over: what may have arrived by then is only read back. */
function expiryOf({ submittedAt }: JournalEntry, work: Work, now: number): number | undefined {
  return isGranting(work) && !isGrantOver(submittedAt, now) ? submittedAt + grantLife : undefined;
}

/** What is on or chosen now by this change is no longer for an earlier, refused withdrawal to take back. */
function supersedeEarlier(entry: JournalEntry, work: Work, journal: Journal): void {
  const regranted = regrantedBy(work);
  if (regranted.length === 0) return;
  const references = earlierThan(entry, work, journal).map((each) => each.reference);
  for (const what of regranted) journal.supersede(references, what);
}

/** What else of the same person is on its way, before this. */
function earlierThan({ reference, center }: JournalEntry, { request }: Work, journal: Journal) {
  const pending = journal.pendingOf(center, request.subject);
  const index = pending.findIndex((each) => each.reference === reference);
  return pending.slice(0, Math.max(0, index));
}

/** Claimed only because its time ran out: an earlier submission of the person is still on its way. */
function expire(entry: JournalEntry, work: Work, tools: WorkerTools): Tried {
  const now = tools.clock.now();
  const isExpired = isGrantOver(entry.submittedAt, now);
  const left = withoutLateGrants(work, { isExpired, leftLater: new Set() });
  const isOver = isFinished(left);
  if (isOver) finish(entry, left, tools);
  else {
    tools.journal.save(entry.reference, tools.owner, {
      work: left,
      state: 'pending',
      dueAt: entry.dueAt,
      doneAt: undefined,
      expiresAt: expiryOf(entry, left, now),
      isPassable: false,
      receipts: entry.receipts,
      release: true,
    });
  }
  return { ...untried, isFinished: isOver, isGranting: isGranting(left) };
}
