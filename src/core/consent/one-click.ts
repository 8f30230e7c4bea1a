import { grants, type Intent, noIntent } from '../model/intent.ts';
import type { CallMade, Work } from '../model/journal-entry.ts';
import type { SubjectId } from '../model/subject.ts';
import type { Outcome } from '../model/submission.ts';
import type { SubmissionRequest } from '../model/submission-request.ts';

/** What an address for unsubscribing by one click (RFC 8058) says. */
export interface OneClick {
  readonly center: string;
  readonly subject: SubjectId;
  /** undefined: everything. */
  readonly purpose: string | undefined;
}

/** One that this installation sealed. */
export interface SealedOneClick extends OneClick {
  /** Epoch milliseconds. */
  readonly madeAt: number;
}

const day = 24 * 60 * 60 * 1000;

/** Three years, in milliseconds, whoever made it: mails lie in a mailbox for long. */
export const oneClickLife = 3 * 366 * day;

export function isOver({ madeAt }: Pick<SealedOneClick, 'madeAt'>, now: number): boolean {
  return now - madeAt > oneClickLife;
}

export function oneClickIntent({ purpose }: OneClick): Intent {
  if (purpose === undefined) return { ...noIntent, everything: 'withdraw' };
  return { ...noIntent, purposes: [{ kind: 'off', purpose }] };
}

/**
 * A submission from an address that lies in mails and archives, by which anybody can only withdraw: the journal bounds
 * how often the same is written. What staff enter has a reason of its own, and is always written.
 */
export function isBounded({ channel, scope, intent, undoes, onBehalf }: SubmissionRequest): boolean {
  if (channel === 'one-click') return true;
  if (scope !== 'withdraw' || onBehalf !== undefined || undoes !== undefined) return false;
  return !grants(intent) && intent.dataElements.length === 0 && intent.language === undefined;
}

/** Mailbox providers send twice: what comes within this time while the first is still open is the same click. Milliseconds. */
const sameClick = 5_000;

/** So often within an hour a person's one-clicks of what was withdrawn already are carried out once more at once. */
export const repeatsAtOnce = 8;

/** What repeats an older one is kept for itself: with its work, which the journal keeps for 30 days, ends what it says. */
export const repeatsWithin = 28 * day;

/** After that one at a time waits this long, and stands for all that come meanwhile. Milliseconds. */
export const repeatWait = 10 * 60 * 1000;

/**
 * Whether an open bounded submission withdraws what was granted, by whatever way, until now: it has not yet looked at the
 * record, and its call is still to come. One that is being worked on, or has called, may have seen the person's record before that; one that is done
 * has, and what is looked at again of it does not stand for what was granted since.
 */
export function isStillToCome(
  open: {
    readonly work: Work | undefined;
    readonly submittedAt: number;
    readonly doneAt: number | undefined;
    readonly isBeingWorkedOn: boolean;
  },
  { channel, now }: { readonly channel: SubmissionRequest['channel']; readonly now: number },
): boolean {
  const { work, submittedAt, doneAt, isBeingWorkedOn } = open;
  if (work === undefined || doneAt !== undefined) return false;
  const age = now - submittedAt;
  if (channel === 'one-click' && age >= 0 && age < sameClick) return true;
  return !isBeingWorkedOn && work.before === undefined && work.calls.every(isToBeMadeAgain);
}

function isToBeMadeAgain({ isUnsent, problem }: CallMade): boolean {
  return isUnsent === true || problem === 'platform-busy';
}

/** After these a call surely did nothing. */
const harmless: readonly CallMade['problem'][] = [
  'platform-refused',
  'identifier-refused',
  'platform-busy',
  'quota-used-up',
];

const nothingToDo: ReadonlySet<Outcome> = new Set<Outcome>(['unchanged', 'locked', 'no-such-purpose']);

/** It found nothing to withdraw, and surely changed nothing. */
export function changedNothing({ items, calls }: Pick<Work, 'items' | 'calls'>): boolean {
  return (
    items.every(({ outcome }) => nothingToDo.has(outcome)) &&
    calls.every(({ answer, problem }) => answer !== undefined || harmless.includes(problem))
  );
}
