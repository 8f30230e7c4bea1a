import type { Visit } from '../model/person/visit.ts';
import type { Intent } from '../model/submission/intent.ts';
import type { FormSnapshot } from './form-snapshot.ts';
import type { Posted } from './posted.ts';

type Scope = Visit['scope'];

/**
 * True if a scope allows an intent. `withdraw` allows switching off, leaving everything, and reducing a
 * purpose that the person switched on. Reducing a purpose on by default would agree to it.
 */
export function withinScope(intent: Intent, scope: Scope): boolean {
  if (scope === 'manage') return true;
  if (intent.dataElements.length > 0 || intent.language !== undefined) return false;
  return intent.purposes.every((change) => change.kind === 'off' || change.kind === 'reduce');
}

/**
 * Drops data elements from the snapshot of a person who may only withdraw: even the length of the token would
 * tell the length of a value.
 */
export function shownWithin<T extends Pick<FormSnapshot, 'dataElements'>>(displayed: T, scope: Scope): T {
  return scope === 'manage' ? displayed : { ...displayed, dataElements: [] };
}

/**
 * Drops typed values from the post of a person who may only withdraw, before any comparison: a right guess is
 * answered like a wrong one. `isBeyond`: there were such values.
 */
export function postedWithin(
  posted: Posted,
  scope: Scope,
): { readonly posted: Posted; readonly isBeyond: boolean } {
  if (scope === 'manage') return { posted, isBeyond: false };
  return { posted: { ...posted, elements: {} }, isBeyond: Object.keys(posted.elements).length > 0 };
}
