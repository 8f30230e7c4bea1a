import { keysOff } from '../core/consent/change-keys.ts';
import { centerOf, type DesiredItem, keyOf, usualLimits } from '../core/consent/desired-state.ts';
import { nonces } from '../core/consent/nonce.ts';
import type { SubmissionEntry } from '../core/consent/person.ts';
import { itemsOf, keptOf, viewOf } from '../core/consent/submission-view.ts';
import { told, underway } from '../core/consent/told.ts';
import { undoLife, undoOwned } from '../core/consent/undo.ts';
import { unsavedIntent } from '../core/consent/unsaved.ts';
import { withdrawnSince } from '../core/consent/withdrawn-since.ts';
import type { RecordedSubmission } from '../core/model/evidence/evidence.ts';
import { Problem } from '../core/model/problem.ts';
import { withdrawalsOf, withdraws } from '../core/model/submission/intent.ts';
import type { SubmissionRequest } from '../core/model/submission/submission-request.ts';
import { nothingUnderway } from '../core/model/submission/underway.ts';
import type { Delivery } from '../ports/delivery.ts';
import type { Recorded } from '../ports/people.ts';
import { endTurn, mapInTurns } from '../turn.ts';
import { within } from './center-look.ts';
import { createDispatcher, type DispatcherTools } from './dispatcher.ts';
import { failed } from './log.ts';
import { entryAfter } from './person-change.ts';
import { createFrequency } from './priority.ts';
import { recorded, recordedAsShown } from './recording.ts';

const usual = { jitter: Math.random, parallel: 16, lease: 20_000 };

export interface DeliveryOptions
  extends Omit<DispatcherTools, 'noteMissing' | 'isOften' | keyof typeof usual>,
    Partial<Pick<DispatcherTools, keyof typeof usual>> {
  readonly observer?: DeliveryObserver | undefined;
}

export interface DeliveryObserver {
  /** Reports a withdrawal that named a purpose neither in its center nor on the person's record. */
  noSuchPurpose(center: string): void;
}

export interface RunningDelivery extends Delivery {
  /** Works on all work that is due, also from before a restart, and continues to do so. */
  start(): void;
  /** Takes no new work; resolves when running work has ended. */
  stop(): Promise<void>;
  /** Claims all that is due now; resolves when no work is left. */
  settle(): Promise<void>;
  /** Tries a pending submission now. Resolves to false if it is not pending. */
  retry(reference: string): Promise<boolean>;
}

/** Milliseconds that recording waits for a schema that is not cached: no durable state depends on it. */
const schemaAtHand = 50;

export function createDelivery(options: DeliveryOptions): RunningDelivery {
  const { people, platform, clock, timer, random } = options;
  const frequency = createFrequency(clock);
  const dispatch = createDispatcher({
    ...usual,
    ...options,
    noteMissing: missingPurposes(options),
    isOften: frequency.isOften,
  });

  const delivery: RunningDelivery = {
    start: dispatch.start,
    stop: dispatch.stop,
    settle: dispatch.settle,
    async submit(request, { waitMs = 0 } = {}) {
      if (dispatch.isStopping()) throw new Problem('draining');
      const { kind, entry, claimed } = await record(request);
      const { reference } = entry;
      await endTurn();
      const known = viewOf(entry, clock.now());
      if (kind === 'new') frequency.count(request.subject);
      if (known.state !== 'pending' || kind === 'open') {
        dispatch.carryOut(claimed);
        return known;
      }
      const isGranting = known.items.some(({ outcome }) => outcome === 'in-progress');
      const goesOnLater = dispatch.isCoolingDown() && !isGranting;
      const result = waitMs > 0 && !goesOnLater ? dispatch.waitFor(reference, waitMs) : undefined;
      try {
        if (kind === 'new') dispatch.carryOut(claimed);
        else await dispatch.wake(request.subject);
        // A caller that does not wait gets the submission as it was recorded.
        if (result === undefined) return known;
        const ended = await result;
        const now = ended === undefined ? await people.find(reference) : entryAfter(entry, ended.change);
        return { ...viewOf(now ?? entry, clock.now()), readBack: ended?.readBack };
      } catch (fault) {
        // The submission is durable: a failed look-up must not report it as failed.
        options.log.warn(
          { reference, ...failed(fault) },
          'a submission is recorded, but its result cannot be read',
        );
        return viewOf(entry, clock.now());
      }
    },
    async postAsShown(request) {
      const submission = { request, reference: random.id(), now: clock.now() };
      const { kind } = await people.record(submission, (person) => recordedAsShown(person, submission));
      if (kind !== 'open') throw new Problem('nonce-reused');
    },
    async again(reference, subject, options) {
      const request = (await people.findOwn(reference, subject))?.work?.request;
      return request === undefined ? delivery.find(reference, subject) : delivery.submit(request, options);
    },
    async find(reference, subject) {
      const entry = await people.findOwn(reference, subject);
      return entry === undefined ? undefined : viewOf(entry, clock.now());
    },
    async undoOf(reference, subject) {
      const entry = await people.findOwn(reference, subject);
      const kept = entry && keptOf(entry);
      if (entry?.doneAt === undefined || entry.undoneBy !== undefined || kept === undefined) return undefined;
      if (entry.work === undefined || clock.now() - entry.doneAt >= undoLife) return undefined;
      const center = await platform.findCenter(entry.center);
      if (center === undefined) return undefined;
      const { desired, request } = entry.work;
      const { globalPrivacyControl } = request;
      return undoOwned(kept, desired, {
        center,
        globalPrivacyControl,
        told: told(kept, desired, clock.now()),
      });
    },
    async unsavedIntent(reference, subject) {
      const entry = await people.findOwn(reference, subject);
      const kept = entry && keptOf(entry);
      if (entry?.work === undefined || kept === undefined || entry.state === 'pending') return undefined;
      const { desired, request } = entry.work;
      const isWithdrawn = withdrawnSince(desired, { form: request.form, center: entry.center });
      return unsavedIntent(kept.intent, itemsOf(told(kept, desired, clock.now())), (purpose) =>
        isWithdrawn({ key: keyOf.purpose(purpose) }),
      );
    },
    async underway(center, subject) {
      const person = await people.personOf(subject);
      if (person === undefined) return nothingUnderway;
      return underway(person, center, clock.now());
    },
    async history(center, subject, { limit, offset }) {
      const submissions: RecordedSubmission[] = [];
      // The pages show little of each submission, so not all of them are held at once.
      for (let at = 0; at < limit; at += readAtOnce) {
        const part = { limit: Math.min(readAtOnce, limit - at), offset: offset + at };
        const entries = await people.historyOf(center, subject, part);
        const known = new Set(submissions.map(({ reference }) => reference));
        // A submission that came meanwhile has moved the others on.
        const others = entries.filter(({ reference }) => !known.has(reference));
        const viewed = (entry: SubmissionEntry) => ({
          ...viewOf(entry, clock.now()),
          evidence: entry.evidence,
        });
        submissions.push(...(await mapInTurns(others, viewed)));
        if (entries.length < part.limit) break;
      }
      return { submissions, total: await people.historySize(center, subject) };
    },
    async retry(reference) {
      const isPending = await people.retry(reference, clock.now());
      if (isPending) dispatch.dispatch();
      return isPending;
    },
  };
  return delivery;

  /**
   * An undo agrees to the words of the submission that it undoes, and knows all words up to then. A word that
   * was said again since no longer belongs to that submission.
   */
  async function wordsOf({
    undoes,
    subject,
    form,
    shown,
  }: SubmissionRequest): Promise<Pick<SubmissionRequest, 'form' | 'shown'>> {
    if (form !== undefined || undoes === undefined) return { form, shown };
    const undone = await people.findOwn(undoes, subject);
    const { work, doneAt } = undone ?? {};
    const shownThen = work?.request.shown;
    const again = shownThen && {
      ...shownThen,
      by: 'undone' as const,
      purposes: shownThen.purposes?.map(({ purpose, version }) => ({ purpose, version })),
    };
    if (work === undefined || doneAt === undefined) return { form: undefined, shown: again };
    const { items } = centerOf(work.desired, undone?.center ?? '');
    const words = items.filter(({ by, isSaidAgain }) => by === undoes && isSaidAgain !== true);
    const order = Math.max(0, ...words.map((word) => word.order));
    return { form: { ...work.request.form, at: doneAt, order, drawn: undefined }, shown: again };
  }

  /** `isRepeated`: the person posted the same form again. */
  async function record(asked: SubmissionRequest, { isRepeated = false } = {}): Promise<Recorded> {
    const request = { ...asked, ...(await wordsOf(asked)) };
    // The schema tells which purposes "everything" reaches. The withdrawal is recorded without it, too.
    const finding = within(schemaAtHand, platform.findCenter(request.center), timer);
    const schema = await finding.catch(() => undefined);
    const submission = { request, reference: random.id(), now: clock.now() };
    const lease = dispatch.offer();
    const made = await people
      .record(submission, (person) => recorded(person, submission, { schema, isRepeated }), lease)
      .finally(() => dispatch.endOffer(lease));
    if (made.kind === 'other') {
      await recordWithdrawals(asked);
      throw new Problem('nonce-reused');
    }
    if (made.kind !== 'known') return made;
    const { granted, left } = await since(made.entry, asked);
    const last = left === undefined ? undefined : await people.findOwn(left, asked.subject);
    const { doneAt } = made.entry;
    const now = clock.now();
    // A while after its result a purpose may be on again by another system.
    const isOld = doneAt !== undefined && now - doneAt >= usualLimits.lag;
    if (granted !== undefined || (isOld && withdraws(asked.intent))) {
      const nonce = nonces.ofWithdrawingAgain(asked.nonce, granted ?? `${Math.floor(now / usualLimits.lag)}`);
      const again = { ...asked, nonce, intent: withdrawalsOf(asked.intent), undoes: undefined };
      const isRepeated = granted === undefined;
      const { kind, entry, claimed } = await record(again, { isRepeated });
      // The form shows its own result: the submission that it repeats may tell of more.
      return { kind, entry: isRepeated && kind === 'open' ? (last ?? made.entry) : entry, claimed };
    }
    return last === undefined ? made : { kind: 'known', entry: last };
  }

  async function recordWithdrawals({ nonce, intent, ...asked }: SubmissionRequest): Promise<void> {
    if (!withdraws(intent)) return;
    const keys = intent.purposes.flatMap(keysOff);
    const own = nonces.ofWithdrawingAgain(nonce, keys.join(' '));
    const { claimed } = await record({
      ...asked,
      nonce: own,
      intent: withdrawalsOf(intent),
      undoes: undefined,
    });
    dispatch.carryOut(claimed);
  }

  /**
   * Looks for later words about withdrawals that one form posted twice. `granted`: a grant made in between,
   * which must be withdrawn, too. `left`: a later submission that already withdrew everything.
   */
  async function since(
    { reference, submittedAt, center }: SubmissionEntry,
    { intent, subject }: SubmissionRequest,
  ) {
    if (!withdraws(intent)) return {};
    const person = await people.personOf(subject);
    if (person === undefined) return {};
    const { items, everything } = centerOf(person.desired, center);
    const isAll = intent.everything === 'withdraw';
    const keys = new Set(intent.purposes.flatMap(keysOff));
    const isGrantedSince = ({ want, at, phase, key }: DesiredItem) =>
      want === 'on' && phase !== 'over' && at >= submittedAt && (isAll || keys.has(key));
    const granted = items.find(isGrantedSince)?.by;
    if (!isAll) return { granted };
    const isLater = everything !== undefined && everything.by !== reference && everything.at >= submittedAt;
    return { granted, left: isLater ? everything.by : undefined };
  }
}

/** The number of submissions that are read at once: each may be long. */
const readAtOnce = 50;

/** The most warnings, one for each purpose: the signer of one-click addresses chooses the names. */
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
