import { has } from '../model/by-key.ts';
import {
  type Call,
  carriedBy,
  type DesiredCenter,
  type DesiredEverything,
  type DesiredItem,
  type DesiredState,
  isInDoubt,
  isTyped,
  itemAt,
} from './desired-state.ts';

/** The call in doubt that was to grant a key. */
export function doubtedGrant({ calls }: DesiredCenter, key: string): Call | undefined {
  return calls.find((call) => isInDoubt(call) && has(call.keys, key) && has(carriedBy(call), key));
}

/**
 * The order of the newest evidence, in any center, that a grant of a key landed; Infinity while one may still
 * land.
 */
export function grantedAt({ centers }: DesiredState, key: string): number {
  let last = 0;
  for (const center of centers) {
    if (doubtedGrant(center, key) !== undefined) return Number.POSITIVE_INFINITY;
    last = Math.max(last, itemAt(center, key)?.granted?.order ?? 0);
  }
  return last;
}

/** The order of our last call that removed the key; 0: no call did. */
export function takenOutAt(item: DesiredItem, everything: DesiredEverything | undefined): number {
  return Math.max(takenOutFor(item) ?? 0, everything?.call ?? 0);
}

/** The order of our last call for the key alone that removed it; a withdrawal's own call counts. */
export function takenOutFor({ want, call, takenOut }: DesiredItem): number | undefined {
  return want === 'off' ? (call ?? takenOut) : takenOut;
}

/** Facts about a key that outlive the word about it. */
export function historyOf(word: DesiredItem | undefined) {
  const { granted, withdrawn } = word ?? {};
  return { granted, withdrawn, takenOut: word && takenOutFor(word) };
}

/** True if a grant of the key may have landed, and no later call of ours removed it. */
export function mayBeOn(desired: DesiredState, { everything }: DesiredCenter, item: DesiredItem): boolean {
  return grantedAt(desired, item.key) > takenOutAt(item, everything);
}

/**
 * Ends a failed grant. It becomes a withdrawal that is watched: a late call must not switch the key on after
 * the grant was reported as failed.
 */
export function failed(item: DesiredItem): DesiredItem {
  const { key, by, at, order } = item;
  const known = { key, by, at, order, ...historyOf(item) };
  // A renewal that was never sent leaves the purpose on as before.
  if (item.renews === true && item.phase === 'open' && item.replacesWithdrawal !== true)
    return { ...known, want: 'off', by: '', phase: 'over' };
  return isTyped(item)
    ? { ...known, want: item.want, phase: 'over' }
    : { ...known, want: 'off', phase: 'verified' };
}

/** Ends a grant that failed without a reading: the withdrawal that it replaced must still be sent. */
export function failedUnread(item: DesiredItem): DesiredItem {
  return item.replacesWithdrawal === true ? { ...failed(item), phase: 'open' } : failed(item);
}
