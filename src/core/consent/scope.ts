import type { Intent } from '../model/intent.ts';
import type { Visit } from '../model/visit.ts';
import type { FormSnapshot } from './form-snapshot.ts';
import type { Posted } from './posted.ts';

type Scope = Visit['scope'];

/**
 * Whether a channel lets this in. `withdraw`: switching off, leaving everything, and taking topics and options out of
 * a purpose that is on by the person's own choice. Of one that is only on by default that would be an agreement.
 */
export function withinScope(intent: Intent, scope: Scope): boolean {
  if (scope === 'manage') return true;
  if (intent.dataElements.length > 0 || intent.language !== undefined) return false;
  return intent.purposes.every((change) => change.kind === 'off' || change.kind === 'reduce');
}

/**
 * What a channel seals into its forms: a person who may only withdraw is shown no data element to change, so no value of one goes
 * out, not even sealed; the token's length would tell how long it is.
 */
export function shownWithin<T extends Pick<FormSnapshot, 'dataElements'>>(displayed: T, scope: Scope): T {
  return scope === 'manage' ? displayed : { ...displayed, dataElements: [] };
}

/**
 * A post as a channel lets it be read. Who may only withdraw has every value of a data element taken out before anything
 * is compared with it, so that a right guess is answered like a wrong one. `isBeyond`: there were such values.
 */
export function postedWithin(
  posted: Posted,
  scope: Scope,
): { readonly posted: Posted; readonly isBeyond: boolean } {
  if (scope === 'manage') return { posted, isBeyond: false };
  return { posted: { ...posted, elements: {} }, isBeyond: Object.keys(posted.elements).length > 0 };
}
