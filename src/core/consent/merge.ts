import type { Center, Purpose } from '../model/center/center.ts';
import { isSameTag } from '../model/language-tag.ts';
import { type ConsentRecord, recordOf, type Subject } from '../model/person/subject.ts';
import type { ConsentUpdate, PurposeUpdate } from '../model/submission/consent-update.ts';
import type { Intent, PurposeChange } from '../model/submission/intent.ts';
import { isIdentifierValue } from './identifier-element.ts';
import { applyChange, asRecorded, isAssumed, keepSet, purposesOf, saysTheSame } from './merge-set.ts';
import { consentStatus, isShownOn, mayChange } from './status.ts';

export type PlannedCall =
  | { readonly kind: 'none' }
  | { readonly kind: 'put'; readonly update: ConsentUpdate };

/**
 * The call that carries out an intent on a fresh record.
 * 1. Purposes that must stay are sent as recorded (`keepSet`).
 * 2. Each change applies to its own purpose, if the record still allows it: a withdrawal made elsewhere wins.
 * 3. Purposes switched off are dropped last, so that this wins over any other change.
 * 4. If nothing differs from the record, there is no call.
 */
export function mergeIntent(merge: {
  readonly center: Center;
  readonly current: Subject;
  readonly intent: Intent;
  /** Purposes shown as on by default. They are recorded with the call if the center's setting says so. */
  readonly confirmable: readonly string[];
}): PlannedCall {
  const { center, current, intent } = merge;
  const purposes = purposesOf(center);
  const set = keepSet(center, current, merge.confirmable);
  const off = new Set<string>();
  let hasNews = false;
  for (const change of intent.purposes) {
    const id = change.purpose;
    const record = recordOf(current, id);
    if (change.kind === 'off') {
      if (record?.status === 'always-active') continue;
      off.add(id);
      hasNews ||= isToSwitchOff(record, purposes.get(id));
      continue;
    }
    const becomes = changed(change, record, purposes.get(id));
    if (becomes === undefined) continue;
    set.set(id, becomes);
    const isSame = record?.status === 'active' && saysTheSame(becomes, asRecorded(record));
    hasNews ||= change.renews === true || !isSame;
  }
  for (const id of off) set.delete(id);

  const dataElements: Record<string, string> = {};
  for (const { label, value } of intent.dataElements) {
    const recorded = current.dataElements[label] ?? '';
    // The recorded value may have become the identifier since the form was shown.
    if (recorded !== value && !isIdentifierValue(recorded, current.id)) dataElements[label] = value;
  }
  const { language: asked } = intent;
  const isMet = current.language !== undefined && asked !== undefined && isSameTag(current.language, asked);
  const language = isMet ? undefined : asked;

  if (!hasNews && language === undefined && Object.keys(dataElements).length === 0) return { kind: 'none' };
  return { kind: 'put', update: { purposes: [...set.values()], dataElements, language } };
}

/**
 * True if the purpose must be switched off by a call. A purpose on by default needs a call, too: its refusal
 * must be put on record.
 */
function isToSwitchOff(record: ConsentRecord | undefined, purpose: Purpose | undefined): boolean {
  if (record === undefined) return isAssumed(purpose);
  return record.status === 'active' || record.status === 'pending' || record.status === 'implicit';
}

/**
 * Returns the purpose with its change; undefined if the record does not allow it: locked, or withdrawn
 * elsewhere.
 */
function changed(
  change: Exclude<PurposeChange, { kind: 'off' }>,
  record: ConsentRecord | undefined,
  purpose: Purpose | undefined,
): PurposeUpdate | undefined {
  const status = consentStatus(purpose, record);
  const isShown = isShownOn(status);
  if (!mayChange(status) || (change.kind !== 'on' && !isShown)) return undefined;
  // Reducing a purpose that is only on by default would agree to it.
  if (change.kind === 'reduce' && record?.status !== 'active') return undefined;
  return applyChange(isShown && record !== undefined ? asRecorded(record) : undefined, change, purpose);
}
