import type { Center, Purpose } from '../model/center.ts';
import type { ConsentUpdate, PurposeUpdate } from '../model/consent-update.ts';
import type { Intent, PurposeChange } from '../model/intent.ts';
import { isSameTag } from '../model/language-tag.ts';
import { recordOf, type Subject } from '../model/subject.ts';
import type { ChangeKind, ItemResult } from '../model/submission.ts';
import { isIdentifierValue } from './identifier-element.ts';
import { applyChange, asRecorded, isAssumed, keepSet, purposesOf, saysTheSame } from './merge-set.ts';
import { consentStatus, isShownOn, mayChange } from './status.ts';

export type PlannedCall =
  | { readonly kind: 'none' }
  | { readonly kind: 'put'; readonly update: ConsentUpdate };

/**
 * How a change stands against the record. `refusal-missing`: switched off, and assumed on by the center, because
 * nothing on record says no. `not-agreed`: to be taken out of what is only assumed, which would agree to it.
 * `no-such-purpose`: to be switched off, and neither in the center nor on record.
 */
export type ChangeState =
  | 'met'
  | 'open'
  | 'refusal-missing'
  | 'locked'
  | 'withdrawn-elsewhere'
  | 'not-agreed'
  | 'no-such-purpose';

export interface ChangeStatus {
  readonly what: ItemResult['what'];
  readonly id: string;
  readonly change: ChangeKind;
  readonly state: ChangeState;
}

export interface Merge {
  readonly call: PlannedCall;
  /** One for each change of the intent. */
  readonly changes: readonly ChangeStatus[];
}

/**
 * Intent × fresh record → call.
 * 1. What must stay stays as recorded (`keepSet`).
 * 2. Each change concerns its own purpose, as far as the record still lets it: a withdrawal from elsewhere wins.
 * 3. What is switched off goes, last of all, so that it wins over any other change.
 * 4. Nothing open: no call.
 */
export function mergeIntent(merge: {
  readonly center: Center;
  readonly current: Subject;
  readonly intent: Intent;
  /** What was shown as on by default, and is recorded beside the changes where the center's setting has it so. */
  readonly confirmable: readonly string[];
}): Merge {
  const { center, current, intent } = merge;
  const purposes = purposesOf(center);
  const set = keepSet(center, current, merge.confirmable);
  const changes: ChangeStatus[] = [];
  for (const change of intent.purposes) {
    const { state, becomes } = changePurpose(change, { current, purpose: purposes.get(change.purpose) });
    changes.push({ what: 'purpose', id: change.purpose, change: change.kind, state });
    if (becomes !== undefined) set.set(change.purpose, becomes);
  }
  for (const { change, id, state } of changes) {
    if (change === 'off' && state !== 'locked') set.delete(id);
  }

  const dataElements: Record<string, string> = {};
  for (const { element, label, value } of intent.dataElements) {
    const recorded = current.dataElements[label] ?? '';
    const state = typedState(value, recorded, current);
    changes.push({ what: 'data-element', id: element, change: 'typed', state });
    if (state === 'open') dataElements[label] = value;
  }
  let language: string | undefined;
  if (intent.language !== undefined) {
    const isMet = current.language !== undefined && isSameTag(current.language, intent.language);
    changes.push({
      what: 'language',
      id: intent.language,
      change: 'language',
      state: isMet ? 'met' : 'open',
    });
    if (!isMet) language = intent.language;
  }

  if (!changes.some(isOpen)) return { call: { kind: 'none' }, changes };
  return { call: { kind: 'put', update: { purposes: [...set.values()], dataElements, language } }, changes };
}

/** The record became the identifier since the form was shown, or an undo would take it away: it stays. */
function typedState(value: string, recorded: string, { id }: Subject): 'met' | 'locked' | 'open' {
  if (recorded === value) return 'met';
  return isIdentifierValue(recorded, id) ? 'locked' : 'open';
}

/** How switching a purpose off stands. A purpose that no center draws any more can be left like any other. */
export function withdrawalState(current: Subject, id: string, purpose: Purpose | undefined): ChangeState {
  const record = recordOf(current, id);
  if (record === undefined) return isAssumed(purpose) ? 'refusal-missing' : 'met';
  if (record.status === 'always-active') return 'locked';
  if (record.status === 'implicit') return 'refusal-missing';
  return record.status === 'active' || record.status === 'pending' ? 'open' : 'met';
}

function isOpen({ state }: ChangeStatus): boolean {
  return state === 'open' || state === 'refusal-missing';
}

interface Known {
  readonly current: Subject;
  readonly purpose: Purpose | undefined;
}

function offStanding({ current, purpose }: Known, id: string): ChangeState {
  const state = withdrawalState(current, id, purpose);
  const isNamed = purpose !== undefined || recordOf(current, id) !== undefined;
  return state === 'met' && !isNamed ? 'no-such-purpose' : state;
}

/** How a change stands, and what it makes of its purpose in the set of a PUT; undefined: it leaves the set alone. */
function changePurpose(
  change: PurposeChange,
  known: Known,
): { readonly state: ChangeState; readonly becomes?: PurposeUpdate } {
  const { current, purpose } = known;
  if (change.kind === 'off') return { state: offStanding(known, change.purpose) };
  const record = recordOf(current, change.purpose);
  const status = consentStatus(purpose, record);
  if (!mayChange(status)) return { state: 'locked' };
  const isShown = isShownOn(status);
  if (change.kind !== 'on' && !isShown) return { state: 'withdrawn-elsewhere' };
  if (change.kind === 'reduce' && record?.status !== 'active') return { state: 'not-agreed' };
  const recorded = record === undefined ? undefined : asRecorded(record);
  const becomes = applyChange(isShown ? recorded : undefined, change, purpose);
  if (change.kind === 'adjust' && change.renews === true) return { state: 'open', becomes };
  const isSo = record?.status === 'active' && saysTheSame(becomes, asRecorded(record));
  return { state: isSo ? 'met' : 'open', becomes };
}
