import { byKey, has } from '../model/by-key.ts';
import type { Center, Purpose } from '../model/center.ts';
import type { ConsentUpdate, PurposeUpdate } from '../model/consent-update.ts';
import type { Intent, PurposeChange } from '../model/intent.ts';
import { isSameTag } from '../model/language-tag.ts';
import { type ConsentRecord, recordOf, type Subject } from '../model/subject.ts';
import type { ChangeKind, ItemResult } from '../model/submission.ts';
import type { RawStatus, ShownForm } from '../model/submission-request.ts';
import { believedRecord, isKnownOff, isTakenBack } from './believed-reading.ts';
import { usualLag } from './call-in-doubt.ts';
import { isIdentifierValue } from './identifier-element.ts';
import { type LastWords, noWords } from './last-word.ts';
import {
  applyChange,
  asRecorded,
  assumedPurposes,
  isAssumed,
  keepSet,
  purposesOf,
  saysTheSame,
} from './merge-set.ts';
import { consentStatus, isShownOn, mayChange } from './status.ts';

export type PlannedCall =
  | { readonly kind: 'none' }
  | { readonly kind: 'put'; readonly update: ConsentUpdate }
  | { readonly kind: 'delete' };

/**
 * How a change stands against the record. `refusal-missing`: switched off, and assumed on by the center, because
 * nothing on record says no. `not-agreed`: to be taken out of what is only assumed, which would agree to it.
 * `perhaps-on`: switched off, and this reading shows it off, though it was seen on, here or by the form, since.
 * `no-such-purpose`: to be switched off, and neither in the center nor on record.
 */
export type ChangeState =
  | 'met'
  | 'open'
  | 'refusal-missing'
  | 'perhaps-on'
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
  /** One for each change of the intent, and for "everything" one for each purpose it reaches. */
  readonly changes: readonly ChangeStatus[];
}

/**
 * Intent × fresh record → call.
 * 1. What must stay stays as recorded (`keepSet`).
 * 2. Each change concerns its own purpose, as far as the record still lets it: a withdrawal from elsewhere wins.
 * 3. What is switched off goes, last of all, so that it wins over any other change.
 * 4. Nothing open: no call. Everything is left by a DELETE, whatever the record shows.
 */
export function mergeIntent(merge: {
  readonly center: Center;
  readonly current: Subject;
  readonly intent: Intent;
  /** What was drawn as on by default, and is recorded beside the changes where the center's setting has it so. */
  readonly confirmable: readonly string[];
  /** What else the person was the last to say here. */
  readonly words?: LastWords | undefined;
  /** What the form knew that the intent was read from. */
  readonly form?: ShownForm | undefined;
}): Merge {
  const { center, current, intent, words = noWords, form } = merge;
  if (intent.everything === 'withdraw') return withdrawEverything(center, current, words);

  const purposes = purposesOf(center);
  const set = keepSet(center, current, merge.confirmable, words);
  const changes: ChangeStatus[] = [];
  for (const change of intent.purposes) {
    const known = { current, words, form, purpose: purposes.get(change.purpose) };
    const { state, becomes } = changePurpose(change, known);
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

/** The record became the identifier since the form was drawn, or an undo would take it away: it stays. */
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

export function isOpen(change: ChangeStatus): boolean {
  const { state } = change;
  return state === 'open' || state === 'refusal-missing' || state === 'perhaps-on';
}

/** Always a DELETE: what a reading does not show may be on all the same. */
function withdrawEverything(center: Center, current: Subject, words: LastWords): Merge {
  const purposes = purposesOf(center);
  const ids = new Set([
    ...current.purposes.map((record) => record.purpose),
    ...assumedPurposes(center, current).map((purpose) => purpose.id),
    ...words.granted.keys(),
  ]);
  const changes = [...ids].map((id): ChangeStatus => {
    const state = knownOffStanding({ current, words, form: undefined, purpose: purposes.get(id) }, id);
    return { what: 'purpose', id, change: 'off', state };
  });
  return { call: { kind: 'delete' }, changes };
}

interface Known {
  readonly current: Subject;
  readonly words: LastWords;
  readonly form: ShownForm | undefined;
  readonly purpose: Purpose | undefined;
}

/** A reading that shows it off is not enough where it was seen on since, and nothing here switched it off. */
function knownOffStanding({ current, words, form, purpose }: Known, id: string): ChangeState {
  const state = withdrawalState(current, id, purpose);
  if (state !== 'met') return state;
  const wasDrawnOn = form?.refused !== undefined && has(form.onRecord, id) && !has(form.refused, id);
  const wasSeenOn = words.granted.has(id) || (wasDrawnOn && !isTakenBack(words, id));
  return wasSeenOn ? 'perhaps-on' : 'met';
}

function offStanding(known: Known, id: string): ChangeState {
  const state = knownOffStanding(known, id);
  const isNamed = known.purpose !== undefined || recordOf(known.current, id) !== undefined;
  return state === 'met' && !isNamed ? 'no-such-purpose' : state;
}

/** How a change stands, and what it makes of its purpose in the set of a PUT; undefined: it leaves the set alone. */
function changePurpose(
  change: PurposeChange,
  known: Known,
): { readonly state: ChangeState; readonly becomes?: PurposeUpdate } {
  const { current, words, purpose } = known;
  if (change.kind === 'off') return { state: offStanding(known, change.purpose) };

  const read = recordOf(current, change.purpose);
  const record = read && believedRecord(read, words);
  const status = consentStatus(purpose, record);
  if (!mayChange(status)) return { state: 'locked' };
  const isShown = isShownOn(status) && !isKnownOff(words, change.purpose);
  if (change.kind !== 'on' && !isShown) return { state: 'withdrawn-elsewhere' };
  if (wasWithdrawnSince(read, known)) return { state: 'withdrawn-elsewhere' };
  if (change.kind === 'reduce' && record?.status !== 'active') return { state: 'not-agreed' };

  const recorded = record === undefined ? undefined : asRecorded(record);
  const becomes = applyChange(isShown ? recorded : undefined, change, purpose);
  // Compared with what was read: two who each take for done what the other is to do would leave it undone.
  const readOn = record?.status === 'active' ? read : undefined;
  const isSo = readOn !== undefined && saysTheSame(becomes, asRecorded(readOn));
  return { state: isSo ? 'met' : 'open', becomes };
}

const rawStatusesOf = byKey<RawStatus>(({ purpose }) => purpose);

/**
 * Off now, and not off in the same way when the form was drawn: that was said elsewhere since, and wins. The status
 * that the form showed is another, or a submission of the person saw it on since. The form may itself have been drawn
 * from a reading that was older by the usual lag.
 */
function wasWithdrawnSince(read: ConsentRecord | undefined, { form, words }: Known): boolean {
  if (read?.status !== 'off' || form === undefined) return false;
  const { purpose, rawStatus } = read;
  const seenOnAt = words.seenOn.get(purpose);
  if (seenOnAt !== undefined && seenOnAt > form.at - usualLag) return true;
  if (form.refused === undefined) return false;
  if (!has(form.refused, purpose)) return true;
  const [shown] = rawStatusesOf(form.rawStatuses ?? [], purpose);
  return shown !== undefined && rawStatus !== undefined && shown.status !== rawStatus;
}
