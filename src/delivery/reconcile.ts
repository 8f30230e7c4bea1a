import { didNothing, isInDoubt } from '../core/consent/call-in-doubt.ts';
import type { LastWords } from '../core/consent/last-word.ts';
import { type ChangeStatus, withdrawalState } from '../core/consent/merge.ts';
import { asRecorded, saysTheSame } from '../core/consent/merge-set.ts';
import { answersAbout, updateOf } from '../core/model/consent-update.ts';
import type { CallMade, Work } from '../core/model/journal-entry.ts';
import { recordOf, type Subject } from '../core/model/subject.ts';
import type { ItemResult, Outcome } from '../core/model/submission.ts';
import { isLeft, isLeftOutSince, isWithdrawal, keyOf, type Left, lastCall, lastCallMade } from './work.ts';

export type Verdict =
  | { readonly kind: 'settled'; readonly outcome: Outcome; readonly receipt: string | undefined }
  /** A call is needed, and may be made. */
  | { readonly kind: 'call' }
  /** Left, and still assumed on by the center: a refusal must be put on record. */
  | { readonly kind: 'record-refusal' }
  /** Answer and record disagree: look again. `atLast`: what a grant is that still disagrees then. */
  | { readonly kind: 'look-again'; readonly atLast: Outcome | undefined }
  /** A withdrawal that was not confirmed now: another time. */
  | { readonly kind: 'later' };

export interface Reconciled {
  readonly change: ChangeStatus;
  readonly verdict: Verdict;
}

export interface Evidence {
  readonly work: Work;
  readonly current: Subject;
  /** The last call of this very attempt; one of an earlier attempt may have taken effect meanwhile. */
  readonly madeNow: CallMade | undefined;
  /** Nothing may be granted any more. */
  readonly isExpired: boolean;
  /** What later submissions of the same person switch off. */
  readonly leftLater: Left;
  readonly words: LastWords;
  /** Nobody knows what the center takes for on by default: what is not on record may be. */
  readonly lacksSchema: boolean;
}

export function reconcile(changes: readonly ChangeStatus[], evidence: Evidence): readonly Reconciled[] {
  return changes.map((change) => ({ change, verdict: reconcileOne(change, evidence) }));
}

/**
 * What the record, read now, says about a change, given the call that was made for it.
 * "Saved" takes both: the item was accepted, and the record agrees. Of what is on record without having been accepted
 * nobody is told that it is not. Where the answer was lost, the record alone tells, and the receipt stays unknown.
 */
function reconcileOne(change: ChangeStatus, evidence: Evidence): Verdict {
  // What was not sent since has not undone what an earlier call did.
  if (isWithdrawal(change.change))
    return reconcileWithdrawal(change, evidence, lastCallMade(evidence.work, keyOf(change)));
  const call = lastCall(evidence.work, keyOf(change));
  return reconcileGrant(change, evidence, call !== undefined && !didNothing(call) ? call : undefined);
}

function reconcileGrant(change: ChangeStatus, evidence: Evidence, call: CallMade | undefined): Verdict {
  const isLeftLater = isLeft(evidence.leftLater, change);
  // Switched on, and on now, though not with all that was chosen: nobody is told that it is off.
  const isOn =
    call !== undefined && change.change === 'on' && statusFor(evidence.current, change) === 'active';
  const otherwise = isOn ? 'unconfirmed' : 'not-saved';
  const refused = isLeftLater ? 'withdrawn-elsewhere' : otherwise;
  if (change.state === 'locked' || change.state === 'withdrawn-elsewhere') {
    const isLeftOut = call !== undefined && isLeftOutSince(evidence.work, change);
    const isAccepted = call !== undefined && itemOf(call, change)?.accepted === true;
    // Accepted: a record that shows an older withdrawal may only lag.
    if (change.state === 'withdrawn-elsewhere' && isAccepted && !isLeftOut)
      return { kind: 'look-again', atLast: 'not-saved' };
    return settled(isLeftOut || call?.answer !== undefined ? 'not-saved' : change.state);
  }
  if (call === undefined) {
    if (change.state === 'met') return settled('unchanged');
    return evidence.isExpired || isLeftLater ? settled(refused) : { kind: 'call' };
  }
  const isWaiting = waits(change, evidence);
  if (isInDoubt(call)) {
    if (change.state === 'met') return settled('saved');
    if (isWaiting) return settled('waiting');
    // It may arrive yet, or have been withdrawn elsewhere since: it is looked for, and never sent again.
    if (isLeftLater) return settled('withdrawn-elsewhere');
    return { kind: 'look-again', atLast: isOn ? 'unconfirmed' : 'in-doubt' };
  }
  const item = itemOf(call, change);
  const isSo = change.state === 'met' && isAsSent(change, evidence.current, call);
  if (change.what === 'purpose' && item?.accepted !== true) return settled(isSo ? 'unconfirmed' : otherwise);
  const receipt = change.what === 'purpose' ? item?.receipt : commonReceipt(call);
  if (isWaiting) return settled('waiting', receipt);
  // Accepted: that the record does not show it yet does not prove that it is not so.
  return isSo ? settled('saved', receipt) : { kind: 'look-again', atLast: isOn ? 'unconfirmed' : 'in-doubt' };
}

function reconcileWithdrawal(change: ChangeStatus, evidence: Evidence, call: CallMade | undefined): Verdict {
  if (change.state === 'locked') return settled(change.state);
  if (change.state === 'withdrawn-elsewhere') {
    // Accepted just now: a record that shows an older withdrawal may only lag.
    const isAccepted =
      call !== undefined && call === evidence.madeNow && itemOf(call, change)?.accepted === true;
    return isAccepted ? { kind: 'look-again', atLast: change.state } : settled(change.state);
  }
  if (change.state === 'not-agreed') return settled('not-saved');
  if (change.state === 'no-such-purpose' && call === undefined)
    return evidence.lacksSchema ? { kind: 'later' } : settled('no-such-purpose');
  const isOnRecord = statusFor(evidence.current, change) !== undefined;
  // What was there and is on no record any more was switched off.
  const isMet = change.state === 'met' || change.state === 'no-such-purpose';
  if (isMet && evidence.lacksSchema && !isOnRecord) return { kind: 'later' };
  if (call === undefined) return isMet ? settled('unchanged') : { kind: 'call' };
  const item = call.why === 'change' ? itemOf(call, change) : undefined;
  const isNow = call === evidence.madeNow;
  // A confirmation that the platform still waits for is not a consent; a PUT may leave it waiting.
  if (call.answer !== undefined && statusFor(evidence.current, change) === 'pending')
    return settled('waiting');
  // A reading may be older than what was granted here just before, and than a call whose answer was lost.
  const isSeenOff = call.answer !== undefined || !evidence.words.granted.has(change.id);
  const isOff = isMet || (change.state === 'perhaps-on' && isSeenOff);
  if (isOff) {
    if (item?.accepted === true || isInDoubt(call) || !isNow) return settled('saved', item?.receipt);
    return { kind: 'later' };
  }
  if (call.why === 'record-refusal' || isInDoubt(call)) return { kind: 'call' };
  if (item?.accepted === false) return isNow ? { kind: 'later' } : { kind: 'call' };
  if (change.state === 'refusal-missing') return { kind: 'record-refusal' };
  return isNow ? { kind: 'look-again', atLast: undefined } : { kind: 'call' };
}

/** What is always active may go along (docs/platform-api.md, Withdraw everything): the record tells. */
export function takenAlong(work: Work, current: Subject): Work {
  const call = work.calls.findLast((each) => each.kind === 'delete' && !didNothing(each));
  if (call === undefined) return work;
  const isTaken = ({ id, outcome }: ItemResult) =>
    outcome === 'locked' && withdrawalState(current, id, undefined) === 'met';
  if (!work.items.some(isTaken)) return work;
  const items = work.items.map((item): ItemResult => {
    return isTaken(item) ? { ...item, outcome: 'saved', receipt: itemOf(call, item)?.receipt } : item;
  });
  return { ...work, items };
}

/** What the platform did to purposes that no one asked about: named one by one, since it is not as it was. */
export function reconcileOthers(call: CallMade, work: Work, current: Subject): readonly ItemResult[] {
  const asked = new Set(work.items.map(keyOf));
  const kept = new Set(
    call.update?.purposes.map((purpose) => purpose.id).filter((id) => wasOn(work.before, id)),
  );
  const lost = [...kept].filter((id) => !wasOn(current, id));
  // Sent along only so that it stays on, and it has: a platform refuses that of a purpose retired since.
  const refused = (call.answer?.items ?? [])
    .filter((item) => !item.accepted && !(kept.has(item.purpose) && wasOn(current, item.purpose)))
    .map((item) => item.purpose);
  return [...new Set([...refused, ...lost])]
    .map((id): ItemResult => {
      return { what: 'purpose', id, change: 'keep', outcome: 'not-saved', receipt: undefined };
    })
    .filter((item) => !asked.has(keyOf(item)));
}

function settled(outcome: Outcome, receipt?: string): Verdict {
  return { kind: 'settled', outcome, receipt };
}

/** Double opt-in: sent, and pending on record since. */
function waits(change: ChangeStatus, { work, current }: Evidence): boolean {
  if (change.what !== 'purpose') return false;
  return statusFor(current, change) === 'pending' && statusFor(work.before, change) !== 'pending';
}

function isAsSent(change: ChangeStatus, current: Subject, call: CallMade): boolean {
  if (change.what !== 'purpose') return true;
  const record = recordOf(current, change.id);
  const sent = call.update && updateOf(call.update, change.id);
  return record !== undefined && sent !== undefined && saysTheSame(asRecorded(record), sent);
}

/** Of several about one purpose the one that says no. */
function itemOf(call: CallMade, change: Pick<ChangeStatus, 'id'>) {
  const items = call.answer === undefined ? [] : answersAbout(call.answer, change.id);
  return items.find((item) => !item.accepted) ?? items[0];
}

/** All items of one call carry the same receipt (docs/platform-api.md, Answer). */
function commonReceipt(call: CallMade): string | undefined {
  return call.answer?.items.find((item) => item.receipt !== undefined)?.receipt;
}

function statusFor(subject: Subject | undefined, change: ChangeStatus) {
  return subject === undefined ? undefined : recordOf(subject, change.id)?.status;
}

function wasOn(subject: Subject | undefined, id: string): boolean {
  const status = subject === undefined ? undefined : recordOf(subject, id)?.status;
  return status === 'active' || status === 'always-active';
}
