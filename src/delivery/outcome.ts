import { usualLag } from '../core/consent/call-in-doubt.ts';
import { isOpen, withdrawalState } from '../core/consent/merge.ts';
import { undoIntent } from '../core/consent/undo.ts';
import type { Center } from '../core/model/center.ts';
import type { JournalEntry, Work } from '../core/model/journal-entry.ts';
import type { ReadRecord } from '../core/model/subject.ts';
import type { Reading } from './plan.ts';
import type { Reconciled, Verdict } from './reconcile.ts';
import { watchFor } from './watch.ts';
import { hasLeft, isFinished, isPerhapsSent, keyOf, lastCall, settle, settleEach } from './work.ts';

/**
 * `later`: something is still to be withdrawn, or granted within its minute; `problem` when a fault stopped it.
 * `finished`: all is settled; it may still have to be watched.
 */
export interface Ended {
  readonly kind: 'finished' | 'later';
  readonly work: Work;
  readonly problem: unknown;
  /** The platform was there, and answered. */
  readonly hasRead: boolean;
  /** Of what is finished: the reading that showed it. */
  readonly readBack?: ReadRecord | undefined;
}

/** After this long leaving everything is done without anybody knowing what the center takes for on by default. */
const schemaAwaited = 24 * 3_600_000;

/** Leaving everything includes what is only on by default, which nobody knows without a schema. `age` in milliseconds. */
export function isDone(work: Work, center: Center | undefined, age: number): boolean {
  if (!isFinished(work)) return false;
  if (work.request.intent.everything === undefined) return true;
  return center !== undefined || work.revision !== undefined || age >= schemaAwaited;
}

export function settleJudged(work: Work, reconciled: readonly Reconciled[]): Work {
  const verdicts = verdictsOf(reconciled);
  return settleEach(work, (item) => {
    const verdict = verdicts.get(keyOf(item));
    return verdict?.kind === 'settled' ? verdict : undefined;
  });
}

/** What still disagrees when nobody looks again. */
export function settleAtLast(work: Work, reconciled: readonly Reconciled[]): Work {
  const verdicts = verdictsOf(reconciled);
  return settleEach(work, (item) => {
    const verdict = verdicts.get(keyOf(item));
    if (verdict?.kind !== 'look-again' || verdict.atLast === undefined) return undefined;
    return { outcome: verdict.atLast };
  });
}

function verdictsOf(reconciled: readonly Reconciled[]): ReadonlyMap<string, Verdict> {
  return new Map(reconciled.map(({ change, verdict }) => [keyOf(change), verdict]));
}

/** Called so long ago that no platform still shows what was before. */
export function isLongAgo(work: Work, key: string, now: number): boolean {
  return now - (lastCall(work, key)?.at ?? 0) >= usualLag;
}

/** What may have arrived is left until it is read back. */
export function withoutUnsentGrants(work: Work, outcome: 'not-saved' | 'reworded'): Work {
  return settle(work, (item) => item.outcome === 'in-progress' && !isPerhapsSent(work, item), outcome);
}

/** "Everything" always sends its call, whatever the record shows. */
export function mustLeave(work: Work): boolean {
  return work.request.intent.everything === 'withdraw' && !hasLeft(work);
}

/**
 * One click for everything is a DELETE whatever the record shows, and offers no undo: nothing needs to be read before
 * it, unless something was granted again since.
 */
export function mayLeaveUnread(work: Work): boolean {
  const { request, before, superseded } = work;
  return (
    request.channel === 'one-click' && mustLeave(work) && before === undefined && superseded.length === 0
  );
}

/**
 * Mailbox providers send twice: what was left, and seen to be, only just before needs no other call. Who asks for it
 * once more by hand may know of something that a reading does not show yet.
 */
export function isLeftAlready(work: Work, { current, words }: Reading, now: number): boolean {
  if (work.request.channel !== 'one-click') return false;
  const { leftAt } = words;
  if (leftAt === undefined || now - leftAt >= usualLag || current.purposes.length === 0) return false;
  const isOn = current.purposes.some(({ purpose }) => {
    const state = withdrawalState(current, purpose, undefined);
    return isOpen({ what: 'purpose', id: purpose, change: 'off', state });
  });
  return !isOn && work.items.every(({ outcome }) => outcome !== 'being-carried-out');
}

/** Done: what takes it back, the words that this would agree to, and whether it has to be looked at again. */
export function withEnd(
  work: Work,
  {
    center,
    entries,
    now,
  }: {
    readonly center: Center | undefined;
    readonly entries: readonly JournalEntry[];
    readonly now: number;
  },
): Work {
  const { request, before, items } = work;
  const { intent, globalPrivacyControl } = request;
  const undo =
    center === undefined || before === undefined
      ? work.undo
      : undoIntent({ center, intent, items, before, globalPrivacyControl });
  const done = { ...work, undo, revision: center?.revision ?? work.revision };
  return { ...done, watch: watchFor(done, entries, now) };
}
