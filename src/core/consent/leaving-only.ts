import type { Purpose } from '../model/center.ts';
import { type PurposeChange, takenBack } from '../model/intent.ts';
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
