import { type Center, everyPurpose, type Purpose } from '../model/center.ts';
import { type Intent, isEmptyIntent, type PurposeChange, takenBack } from '../model/intent.ts';
import type { ConsentStatus } from './status.ts';

/**
 * A change as its purpose is open for it. One that is open for leaving only can be switched off, and choices be taken
 * out of what is on by the person's own choice; of what is on by default that would be an agreement.
 */
export function withinOffer(
  change: PurposeChange | undefined,
  { purpose, status }: { readonly purpose: Purpose; readonly status: ConsentStatus },
): PurposeChange | undefined {
  if (change === undefined || purpose.leavingOnly !== true) return change;
  const back = takenBack(change);
  return back?.kind === 'reduce' && status !== 'on' ? undefined : back;
}

/**
 * What undoes a submission, as far as the center still offers it; of a schema that cannot be had nothing is known, so
 * that only what takes back goes on. undefined when nothing of it remains.
 */
export function undoWithinOffer(undo: Intent, center: Center | undefined): Intent | undefined {
  const offered = Map.groupBy(center === undefined ? [] : everyPurpose(center), ({ id }) => id);
  const isClosed = (id: string) =>
    center === undefined || offered.get(id)?.every(({ leavingOnly }) => leavingOnly === true) === true;
  const purposes = undo.purposes.flatMap((change) =>
    isClosed(change.purpose) ? (takenBack(change) ?? []) : change,
  );
  const rest = { ...undo, purposes };
  return isEmptyIntent(rest) ? undefined : rest;
}
