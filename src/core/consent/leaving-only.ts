import type { Purpose } from '../model/center/center.ts';
import { type PurposeChange, withdrawalIn } from '../model/submission/intent.ts';
import type { ConsentStatus } from './status.ts';

/**
 * Limits a change to those that its purpose allows. A leaving-only purpose can be switched off. It can be
 * reduced only if the person switched it on: reducing a purpose on by default would agree to it.
 */
export function withinOffer(
  change: PurposeChange | undefined,
  { purpose, status }: { readonly purpose: Purpose; readonly status: ConsentStatus },
): PurposeChange | undefined {
  if (change === undefined || purpose.leavingOnly !== true) return change;
  const back = withdrawalIn(change);
  return back?.kind === 'reduce' && status !== 'on' ? undefined : back;
}
