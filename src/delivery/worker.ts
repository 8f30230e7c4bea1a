import { believedFor, usualLag } from '../core/consent/call-in-doubt.ts';
import { nothingTakenBack } from '../core/consent/last-word.ts';
import type { JournalEntry, Work } from '../core/model/journal-entry.ts';
import { Problem } from '../core/model/problem.ts';
import type { ReadRecord } from '../core/model/subject.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal } from '../ports/journal.ts';
import type { Claimed, JournalChange, Saved } from '../ports/journal-queue.ts';
import type { Timer } from '../ports/timer.ts';
import { attempt } from './attempt.ts';
import { codeOf, isRefusal, retryDelay } from './backoff.ts';
import type { Ended } from './outcome.ts';
import type { Frequency } from './priority.ts';
import type { AttemptTools } from './reader.ts';
import { isGrantTold, tellOutcome } from './telling.ts';
import { finalState } from './view.ts';
import { isWatched, nextLook } from './watch.ts';
import {
  grantLife,
  isFinished,
  isGranting,
  isGrantOver,
  isSettled,
  isWithdrawing,
  receiptsOf,
  regrantedBy,
  withoutLateGrants,
} from './work.ts';

export interface WorkerTools {
  readonly platform: AttemptTools['platform'];
  readonly journal: Pick<Journal, 'renew' | 'save' | 'claim' | 'recentOf' | 'laterThan' | 'historyOf'>;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly jitter: () => number;
  readonly owner: string;
  /** Milliseconds; longer than any one call to the platform may take. */
  readonly lease: number;
  readonly readBackDelaysMs: readonly number[];
  readonly confirmAfter: number;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly noteMissing: (center: string, purpose: string) => void;
  readonly frequency: Frequency;
}

/** How a try ended, for those who wait for it. */
export interface Tried {
  /** It is finished, or goes on later and is a withdrawal only. */
  readonly isTold: boolean;
  readonly isWithdrawing: boolean;
  readonly problem: unknown;
  /** The platform was there, and answered. */
  readonly hasRead: boolean;
  /** The record as it is now that this is finished; undefined where it may still change by what was submitted. */
  readonly readBack?: ReadRecord | undefined;
}

/** The lease went to another process: whatever was found out here is its to find out again. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Works on one claimed entry, and gives it back finished or with the time of its next try. */
export async function workOn({ entry, isBehind }: Claimed, tools: WorkerTools): Promise<Tried> {
  const { journal, clock, owner } = tools;
  if (entry.work === undefined) {
    // Its key is gone. It stays, for the day the key comes back, and must not be claimed again and again.
    const now = clock.now();
    await journal.renew(entry.reference, { owner, now, until: now + 10 * 60_000 });
    return { ...untried, isTold: true, problem: new Problem('store-unavailable') };
  }

  const { work } = entry;
  if (isBehind) return expire(entry, work, tools);

  if (work.attempts === 0 && work.calls.length === 0) tools.frequency.count(work.request.subject);
  const ended = await attempt(entry, work, attemptTools(entry, work, tools));
  if (ended.problem instanceof LeaseLost) return untried;
  const isTold = await giveBack(entry, ended, tools);
  return {
    isTold,
    isWithdrawing: isWithdrawing(ended.work),
    problem: ended.problem,
    hasRead: ended.hasRead,
    readBack: isTold && nextLook(ended.work) === undefined ? ended.readBack : undefined,
  };
}

/** Who submits on and on while it is given back is looked at so often; then once its lease is over. */
const mostLooks = 20;

const untried: Tried = {
  isTold: false,
  isWithdrawing: false,
  problem: undefined,
  hasRead: false,
};

function attemptTools(entry: JournalEntry, start: Work, tools: WorkerTools): AttemptTools {
  const { platform, journal, clock, owner, lease, readBackDelaysMs, confirmAfter } = tools;
  const { reference, dueAt, doneAt } = entry;
  const { subject } = start.request;
  let regranted = regrantedBy(start).length;
  return {
    platform,
    clock,
    readBackDelaysMs,
    confirmAfter,
    timer: tools.timer,
    wait: tools.wait,
    isOften: () => tools.frequency.isOften(subject),
    keep: async (work, seen) => {
      const now = clock.now();
      const until = now + lease;
      const grants = regrantedBy(work);
      const saved = await journal.save(reference, owner, {
        work,
        state: 'pending',
        dueAt,
        doneAt,
        expiresAt: expiryOf(entry, work, now),
        isPassable: false,
        receipts: receiptsOf(work),
        lease: { now, until },
        // At once: what is still to be withdrawn by this one may take days.
        supersedes: grants.length > regranted ? grants : undefined,
        seen,
      });
      if (saved === 'lost' || clock.now() >= until) throw new LeaseLost();
      if (saved === 'saved') regranted = grants.length;
      return saved === 'saved';
    },
    readJournal: async () => {
      const since = clock.now() - believedFor;
      const formAt = start.request.form?.at;
      const [recent, later] = await Promise.all([
        // And what was done since the form was drawn.
        journal.recentOf(subject, Math.min(since, (formAt ?? since) - usualLag, entry.submittedAt)),
        // No grant is older than its minute: there is never much that came later.
        isGranting(start) ? journal.laterThan(entry, subject) : [],
      ]);
      return { recent, later };
    },
    wasOnRecord: async () => {
      const history = await journal.historyOf(entry.center, subject, { limit: remembered, offset: 0 });
      return history.some(isOnRecord);
    },
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

/** Whether those who wait for it are told. */
function giveBack(entry: JournalEntry, ended: Ended, tools: WorkerTools): Promise<boolean> {
  return ended.kind === 'finished' ? finish(entry, ended.work, tools) : postpone(entry, ended, tools);
}

/**
 * Not told where someone else has taken it over: they go on with it. Nor is a grant told as usable behind a withdrawal
 * that the person has submitted meanwhile, which may not be carried out for long.
 */
async function release(
  entry: JournalEntry,
  tools: WorkerTools,
  change: Omit<JournalChange, 'lease' | 'seen'>,
): Promise<boolean> {
  const { journal, owner, clock, noteMissing } = tools;
  const { reference, center, work: before } = entry;
  let later: readonly JournalEntry[] = [];
  let saved: Saved = 'overtaken';
  for (let looks = 0; saved === 'overtaken' && looks < mostLooks; looks += 1) {
    if (looks > 0) later = await journal.laterThan(entry, change.work.request.subject);
    const isLeftSince = (purpose: string) => later.some((each) => isLeftBy(each, { center, purpose }));
    const told = tellOutcome(change.work, reference, clock.now(), isLeftSince);
    const seen = told.events.some(isGrantTold) ? (later[0]?.reference ?? reference) : undefined;
    saved = await journal.save(reference, owner, { ...change, ...told, lease: 'released', seen });
  }
  const known = new Set(before === undefined ? [] : missingOf(before));
  if (saved === 'saved') for (const id of missingOf(change.work)) if (!known.has(id)) noteMissing(center, id);
  return saved === 'saved' && change.isTold === true;
}

/** Of one that no key opens nobody can say that it is no withdrawal. */
function isLeftBy(
  { center, work }: JournalEntry,
  left: { readonly center: string; readonly purpose: string },
): boolean {
  if (work === undefined) return true;
  const { everything, purposes } = work.request.intent;
  if (everything === 'withdraw' && center === left.center) return true;
  return purposes.some(({ kind, purpose }) => kind === 'off' && purpose === left.purpose);
}

function missingOf({ items }: Work): readonly string[] {
  return items.flatMap(({ id, outcome }) => (outcome === 'no-such-purpose' ? id : []));
}

function finish(entry: JournalEntry, found: Work, tools: WorkerTools): Promise<boolean> {
  const now = tools.clock.now();
  const work = { ...found, problem: undefined };
  const lookAt = nextLook(work);
  // What a look found to be done once more is believed from then on.
  const hasCalled = work.calls.at(-1)?.at !== entry.work?.calls.at(-1)?.at;
  return release(entry, tools, {
    work,
    state: lookAt === undefined ? finalState(work.items) : 'pending',
    dueAt: lookAt ?? now,
    doneAt: hasCalled ? now : (entry.doneAt ?? now),
    expiresAt: undefined,
    isPassable: lookAt !== undefined,
    receipts: receiptsOf(work),
    supersedes: regrantedBy(work),
    isTold: true,
  });
}

function postpone(entry: JournalEntry, { work, problem }: Ended, tools: WorkerTools): Promise<boolean> {
  const now = tools.clock.now();
  const attempts = work.attempts + 1;
  const code = problem === undefined ? undefined : codeOf(problem);
  return release(entry, tools, {
    work: { ...work, attempts, problem: code },
    state: 'pending',
    dueAt: now + retryDelay({ attempts, problem, jitter: tools.jitter }),
    doneAt: isWatched(work) ? entry.doneAt : undefined,
    expiresAt: expiryOf(entry, work, now),
    isPassable: code === undefined || isRefusal(code) || work.items.every(isSettled),
    receipts: receiptsOf(work),
    isTold: !isGranting(work),
  });
}

/** Nothing to wake up for once the minute is over: what may have arrived by then is only read back. */
function expiryOf({ submittedAt }: JournalEntry, work: Work, now: number): number | undefined {
  return isGranting(work) && !isGrantOver(submittedAt, now) ? submittedAt + grantLife : undefined;
}

/** Claimed only because its time ran out: an earlier submission of the person is still on its way. */
async function expire(entry: JournalEntry, work: Work, tools: WorkerTools): Promise<Tried> {
  const now = tools.clock.now();
  const isExpired = isGrantOver(entry.submittedAt, now);
  const left = withoutLateGrants(work, { isExpired, leftLater: new Set(), unseen: nothingTakenBack });
  const isTold = isFinished(left)
    ? await finish(entry, left, tools)
    : await release(entry, tools, {
        work: left,
        state: 'pending',
        dueAt: entry.dueAt,
        doneAt: undefined,
        expiresAt: expiryOf(entry, left, now),
        isPassable: false,
        receipts: entry.receipts,
        isTold: !isGranting(left),
      });
  return { ...untried, isTold };
}
