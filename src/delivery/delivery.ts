import { nonces } from '../core/consent/nonce.ts';
import { lessTakenBack, undoLife } from '../core/consent/undo.ts';
import { unsavedIntent } from '../core/consent/unsaved.ts';
import { grants } from '../core/model/intent.ts';
import type { JournalEntry } from '../core/model/journal-entry.ts';
import { Problem } from '../core/model/problem.ts';
import type { Submission } from '../core/model/submission.ts';
import type { SubmissionRequest } from '../core/model/submission-request.ts';
import type { Clock } from '../ports/clock.ts';
import type { Delivery } from '../ports/delivery.ts';
import type { Journal } from '../ports/journal.ts';
import type { Recorded } from '../ports/journal-intake.ts';
import type { Random } from '../ports/random.ts';
import type { Timer } from '../ports/timer.ts';
import { createDispatcher } from './dispatcher.ts';
import { failed, type Log } from './log.ts';
import { createFrequency } from './priority.ts';
import type { AttemptTools } from './reader.ts';
import { tellAccepted } from './telling.ts';
import { underwayOf } from './underway.ts';
import { viewOf } from './view.ts';
import { grantLife, isGranting, newWork } from './work.ts';

export interface DeliveryOptions {
  readonly platform: AttemptTools['platform'];
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly timer: Timer;
  readonly observer?: DeliveryObserver | undefined;
  /** 0 to 1; spreads retries. */
  readonly jitter?: (() => number) | undefined;
  /** People worked for at the same time. */
  readonly parallel?: number | undefined;
  /** Milliseconds; longer than any one call to the platform may take. */
  readonly lease?: number | undefined;
  /** Milliseconds before each further look at a record that does not agree with its answer yet. */
  readonly readBackDelaysMs?: readonly number[] | undefined;
  /** Milliseconds before a record that shows nothing, or too little, is read once more. */
  readonly confirmAfter?: number | undefined;
}

export interface DeliveryObserver {
  /** A withdrawal named a purpose that is neither in its center nor on the person's record. */
  noSuchPurpose(center: string): void;
}

export interface RunningDelivery extends Delivery {
  /** Takes up what is due, also from before a restart, and goes on doing so. */
  start(): void;
  /** Takes nothing new; resolves when what is being worked on has ended. */
  stop(): Promise<void>;
  /** Claims everything that is due now; resolves when no work is left in hand. */
  settle(): Promise<void>;
  /** Tries a pending submission now. False when it is not pending. */
  retry(reference: string): Promise<boolean>;
}

export function createDelivery(options: DeliveryOptions): RunningDelivery {
  const { journal, clock, timer, random } = options;
  const dispatch = createDispatcher({
    platform: options.platform,
    journal,
    clock,
    timer,
    log: options.log,
    random,
    jitter: options.jitter ?? Math.random,
    parallel: options.parallel ?? 16,
    lease: options.lease ?? 20_000,
    confirmAfter: options.confirmAfter ?? 500,
    readBackDelaysMs: options.readBackDelaysMs ?? [300, 1_000, 3_000, 6_000],
    noteMissing: missingPurposes(options),
    frequency: createFrequency(clock),
  });

  return {
    start: dispatch.start,
    stop: dispatch.stop,
    settle: dispatch.settle,
    async submit(request, { waitMs = 0 } = {}) {
      if (dispatch.isStopping()) throw new Problem('draining');
      const { kind, entry, isAlone } = await record(request);
      const { reference } = entry;
      const known = viewOf(entry, clock.now());
      const isForLater = kind === 'open' || (kind === 'new' && entry.dueAt > clock.now());
      if (known.state !== 'pending' || isForLater) return known;
      const goesOnLater = dispatch.isCoolingDown() && (entry.work === undefined || !isGranting(entry.work));
      const result = waitMs > 0 && !goesOnLater ? dispatch.waitFor(reference, waitMs) : undefined;
      try {
        if (isAlone === true) dispatch.dispatch();
        else await dispatch.wake(request.center, request.subject);
        // Who does not wait is told what was recorded.
        if (result === undefined) return known;
        const readBack = await result;
        const found = (await journal.find(reference)) ?? (await repeated(entry));
        return { ...viewOf(found ?? entry, clock.now()), readBack };
      } catch (fault) {
        // It is durable: that it cannot be looked at now is no reason to tell anybody that it failed.
        options.log.warn({ reference, ...failed(fault) }, 'a submission was taken and cannot be looked at');
        return viewOf(entry, clock.now());
      }
    },
    async isShownBy(at, { subject, but }) {
      const recent = await journal.recentOf(subject, at);
      return recent.every(({ state, reference }) => state !== 'pending' && reference === but);
    },
    async find(reference, subject) {
      const entry = await journal.findOwn(reference, subject);
      return entry === undefined ? undefined : viewOf(entry, clock.now());
    },
    async undoIntent(reference, subject) {
      const entry = await journal.findOwn(reference, subject);
      if (entry?.doneAt === undefined || entry.undoneBy !== undefined) return undefined;
      const undo = clock.now() - entry.doneAt < undoLife ? entry.work?.undo : undefined;
      if (undo === undefined) return undefined;
      const later = await journal.laterThan(entry, subject);
      return lessTakenBack(
        undo,
        later.map(({ work }) => work),
      );
    },
    async unsavedIntent(reference, subject) {
      const entry = await journal.findOwn(reference, subject);
      if (entry?.work === undefined || entry.state === 'pending') return undefined;
      return unsavedIntent(entry.work.request.intent, entry.work.items);
    },
    async underway(center, subject) {
      return underwayOf(await journal.pendingOf(center, subject), clock.now());
    },
    async history(center, subject, { limit, offset }) {
      const submissions: Submission[] = [];
      // What is shown of them is little of what is read: never all of that is held.
      for (let at = 0; at < limit; at += readAtOnce) {
        const part = { limit: Math.min(readAtOnce, limit - at), offset: offset + at };
        const entries = await journal.historyOf(center, subject, part);
        const known = new Set(submissions.map(({ reference }) => reference));
        // Whatever came in meanwhile has moved the others on.
        submissions.push(...entries.filter(({ reference }) => !known.has(reference)).map(shown));
        if (entries.length < part.limit) break;
      }
      return { submissions, total: await journal.historySize(center, subject) };
    },
    async retry(reference) {
      const isPending = await journal.retry(reference, clock.now());
      if (isPending) dispatch.dispatch();
      return isPending;
    },
  };

  function shown(entry: JournalEntry): Submission {
    return viewOf(entry, clock.now());
  }

  /** Undoing agrees to the words that were shown when it was done. */
  async function formOf({ undoes, subject, form }: SubmissionRequest): Promise<SubmissionRequest['form']> {
    if (form !== undefined || undoes === undefined) return form;
    const undone = await journal.findOwn(undoes, subject);
    const revision = undone?.work?.revision;
    if (undone?.doneAt === undefined || revision === undefined) return undefined;
    return { at: undone.doneAt, revision, onRecord: [], refused: undefined };
  }

  async function record(asked: SubmissionRequest): Promise<Recorded> {
    const order = { ...asked, form: await formOf(asked) };
    const now = clock.now();
    const reference = random.id();
    const told = tellAccepted(newWork(order), reference, now);
    const expiresAt = isGranting(told.work) ? now + grantLife : undefined;
    const recorded = await journal.record(order, { ...told, reference, now, expiresAt });
    if (recorded.kind === 'other') throw new Problem('nonce-reused');
    const since = recorded.kind === 'known' ? await grantedSince(recorded.entry, asked) : undefined;
    if (since === undefined) return recorded;
    return record({ ...asked, nonce: nonces.ofLeavingAgain(asked.nonce, since) });
  }

  /** Who leaves everything by the form of before, and has switched something on in between, leaves that, too. */
  async function grantedSince(
    entry: JournalEntry,
    { intent, subject, onBehalf }: SubmissionRequest,
  ): Promise<string | undefined> {
    if (intent.everything !== 'withdraw' || onBehalf !== undefined) return undefined;
    const later = await journal.laterThan(entry, subject);
    return later.find(({ work }) => work === undefined || grants(work.request.intent))?.reference;
  }

  /** It is not kept because all that it says was done before. */
  async function repeated({ repeats }: JournalEntry): Promise<JournalEntry | undefined> {
    return repeats === undefined ? undefined : await journal.find(repeats);
  }
}

/** Submissions of a person's history, each of which may be long. */
const readAtOnce = 50;

/** So many are warned of, once each: whoever signs one-click addresses chooses what these name. */
const mostWarned = 1_000;

function missingPurposes({ observer, log }: Pick<DeliveryOptions, 'observer' | 'log'>) {
  const warned = new Set<string>();
  return (center: string, purpose: string): void => {
    observer?.noSuchPurpose(center);
    const key = `${center} ${purpose}`;
    if (warned.has(key) || warned.size >= mostWarned) return;
    warned.add(key);
    log.warn({ center, purpose }, 'a withdrawal names a purpose that its center does not have');
  };
}
