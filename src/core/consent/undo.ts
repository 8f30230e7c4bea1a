import { has } from '../model/by-key.ts';
import { type Center, everyPurpose, type Purpose } from '../model/center/center.ts';
import { type ConsentRecord, recordOf, type Subject } from '../model/person/subject.ts';
import {
  adjustment,
  changeOf,
  choicesIn,
  type Intent,
  isEmptyIntent,
  noIntent,
  type OptionChange,
  type PurposeChange,
  withdrawalIn,
} from '../model/submission/intent.ts';
import { type ItemResult, itemsAbout, type Outcome } from '../model/submission/submission.ts';
import { choicesOf, holds } from './choices.ts';
import {
  askedBy,
  centerOf,
  type DesiredState,
  everythingOver,
  isPurpose,
  isSaidBy,
  itemAt,
  keyOf,
  purposeOf,
  sayersOf,
} from './desired-state.ts';
import { isIdentifierValue } from './identifier-element.ts';
import { asRecorded, isSingle, purposesOf } from './merge-set.ts';
import { consentStatus } from './status.ts';
import type { Kept, Told } from './told.ts';

/** Undo is offered for 30 minutes after a submission is done. */
export const undoLife = 30 * 60 * 1000;

/** Outcomes that may be on record, and so can be undone. */
export const undoable: ReadonlySet<Outcome> = new Set(['saved', 'unconfirmed', 'in-doubt']);

interface Undone {
  readonly center: Center;
  readonly intent: Intent;
  readonly items: readonly ItemResult[];
  readonly before: Subject;
  readonly globalPrivacyControl: boolean;
}

/**
 * The inverse of a submission, back to `before`, for the changes that reached the record. undefined: nothing to undo.
 * 1. Undoing a withdrawal is an opt-in, with the topics and options that were recorded. It needs a former agreement: a
 *    purpose that was only on by default, or that its center offers no more, is not switched on.
 * 2. A change that agreed to a purpose on by default is undone by switching it off, unless any save confirms defaults.
 *    Under Global Privacy Control the purpose counts as off before.
 * 3. A change in doubt is only withdrawn, never granted back.
 */
export function undoIntent(done: Undone): Intent | undefined {
  const { center, intent, before } = done;
  const itemsOf = (what: ItemResult['what'], id: string) =>
    itemsAbout(done.items, id).filter((item) => item.what === what);
  const saved = (what: 'data-element' | 'language', id: string) => itemsOf(what, id).some(isOnRecord);
  // A withdrawal that was repeated after a late call is not part of what was asked.
  const ofChange = ({ kind, purpose }: PurposeChange) =>
    itemsOf('purpose', purpose).filter(({ change }) => kind === 'off' || change !== 'off');

  const purposes: PurposeChange[] = [];
  const drawable = purposesOf(center);
  const changes: readonly PurposeChange[] =
    intent.everything === 'withdraw' ? agreedBefore(before) : intent.purposes;
  for (const change of changes) {
    const isSaved = ofChange(change).some(isOnRecord);
    if (!isSaved && !ofChange(change).some(({ outcome }) => outcome === 'in-doubt')) continue;
    const whole = inverseOf(change, drawable.get(change.purpose), done);
    const inverse = isSaved || whole === undefined ? whole : withdrawalIn(whole);
    if (inverse !== undefined) purposes.push(inverse);
  }
  const dataElements = intent.dataElements
    .filter(({ element, value }) => saved('data-element', element) && !isIdentifierValue(value, before.id))
    .map((change) => ({ ...change, value: before.dataElements[change.label] ?? '' }));
  const wasLanguageSaved = intent.language !== undefined && saved('language', intent.language);
  const language = wasLanguageSaved ? before.language : undefined;

  const undo = { ...noIntent, purposes, dataElements, language };
  return isEmptyIntent(undo) ? undefined : undo;
}

function isOnRecord({ outcome }: ItemResult): boolean {
  return outcome === 'saved' || outcome === 'unconfirmed';
}

function agreedBefore(before: Subject): readonly PurposeChange[] {
  return before.purposes
    .filter((record) => record.status === 'active')
    .map((record) => ({ kind: 'off', purpose: record.purpose }));
}

function inverseOf(
  change: PurposeChange,
  purpose: Purpose | undefined,
  { center, before, globalPrivacyControl }: Pick<Undone, 'center' | 'before' | 'globalPrivacyControl'>,
): PurposeChange | undefined {
  const record = recordOf(before, change.purpose);
  const was = record === undefined ? undefined : asRecorded(record);
  const options =
    was?.preferences.flatMap(({ id, options }) => options.map((option) => pair(id, option))) ?? [];
  const topics = was?.topics ?? [];
  const recorded = choicesOf(options);
  const wasAgreed = record?.status === 'active';
  const wasAssumed = !globalPrivacyControl && consentStatus(purpose, record) === 'on-by-default';

  if (change.kind === 'off') {
    if (!wasAgreed || purpose?.active !== true) return undefined;
    return { kind: 'on', purpose: change.purpose, topics, topicsOff: [], options, optionsOff: [] };
  }
  if (!wasAgreed && !(wasAssumed && center.confirmsDefaults)) return { kind: 'off', purpose: change.purpose };
  const { topics: chosenTopics, options: chosenOptions } = choicesIn(change);
  const chosen = choicesOf(chosenOptions);
  // A single choice may have replaced an option that was not un-chosen: the recorded option comes back.
  const isReplaced = ({ preference }: OptionChange) =>
    isSingle(purpose, preference) && chosen.has(preference);
  return adjustment({
    purpose: change.purpose,
    topicsOn: change.topicsOff.filter((topic) => has(topics, topic)),
    topicsOff: chosenTopics.filter((topic) => !has(topics, topic)),
    optionsOn: [
      ...options.filter(isReplaced),
      ...change.optionsOff.filter((each) => holds(recorded, each) && !isReplaced(each)),
    ],
    optionsOff: chosenOptions.filter(
      (each) => !holds(recorded, each) && !(isReplaced(each) && recorded.has(each.preference)),
    ),
  });
}

function pair(preference: string, option: string): OptionChange {
  return { preference, option };
}

export interface Undo {
  readonly intent: Intent;
  /** Items that the undo cannot restore: shown before the person confirms it. */
  readonly leavesOut: readonly ItemResult[];
}

/**
 * The undo of the words that the submission still owns, as a new submission. Later words, also of other centers, stay.
 * undefined: nothing remains.
 */
export function undoOwned(
  kept: Kept,
  desired: DesiredState,
  shown: Pick<Undone, 'center' | 'globalPrivacyControl'> & { readonly told: Told },
): Undo | undefined {
  const items = shown.told.items.flatMap((item): ItemResult | ItemResult[] => {
    const { outcome } = item;
    return outcome === 'replaced' || outcome === 'switched-off' || outcome === 'agreed'
      ? []
      : { ...item, outcome };
  });
  const done: Undone = { ...shown, intent: kept.intent, items, before: recordBefore(kept) };
  const undo = undoIntent(done);
  if (undo === undefined) return undefined;
  const owns = (key: string) => isOwned(key, kept, desired);
  const drawable = purposesOf(shown.center);
  const purposes = undo.purposes.flatMap((change): PurposeChange | [] => {
    const { kind, purpose } = change;
    if (kind === 'off' || kind === 'on') {
      if (!owns(keyOf.purpose(purpose))) return [];
      return kind === 'off' ? change : withoutWithdrawnSince(change, kept, desired);
    }
    const ownsTopic = (topic: string) => owns(keyOf.topic(purpose, topic));
    const ownsOption = ({ preference, option }: OptionChange) =>
      owns(keyOf.option(purpose, preference, option));
    const asked = changeOf(kept.intent, purpose);
    const chosen = asked === undefined ? [] : choicesIn(asked).options;
    const isChosenAnew = ({ preference }: OptionChange) =>
      isSingle(drawable.get(purpose), preference) &&
      chosen.some((each) => each.preference === preference && !ownsOption(each));
    const less = adjustment({
      purpose,
      topicsOn: kind === 'adjust' ? change.topicsOn.filter(ownsTopic) : [],
      topicsOff: change.topicsOff.filter(ownsTopic),
      optionsOn:
        kind === 'adjust' ? change.optionsOn.filter((each) => ownsOption(each) && !isChosenAnew(each)) : [],
      optionsOff: change.optionsOff.filter(ownsOption),
    });
    return sizeOf(less) === 0 ? [] : less;
  });
  const dataElements = undo.dataElements.filter(({ element }) => owns(keyOf.element(element)));
  const language = undo.language !== undefined && owns(keyOf.language) ? undo.language : undefined;
  const intent = { ...noIntent, purposes: withinOffered(purposes, shown.center), dataElements, language };
  return isEmptyIntent(intent) ? undefined : { intent, leavesOut: leftOut(done, intent) };
}

/** A leaving-only purpose is withdrawn, never granted. */
function withinOffered(purposes: readonly PurposeChange[], center: Center): readonly PurposeChange[] {
  const offered = Map.groupBy(everyPurpose(center), ({ id }) => id);
  return purposes.flatMap((change) => {
    const isClosed = offered.get(change.purpose)?.every(({ leavingOnly }) => leavingOnly === true);
    return isClosed === true ? (withdrawalIn(change) ?? []) : change;
  });
}

function leftOut(done: Undone, undo: Intent): readonly ItemResult[] {
  const drawable = purposesOf(done.center);
  return done.items.filter(({ what, id, change, outcome }) => {
    if (!undoable.has(outcome) || change === 'keep') return false;
    if (what === 'language') return undo.language === undefined;
    if (what === 'data-element') return undo.dataElements.every(({ element }) => element !== id);
    const purpose = drawable.get(id);
    const status = consentStatus(purpose, recordOf(done.before, id));
    const wasAssumed = status === 'waiting' || (status === 'on-by-default' && !done.globalPrivacyControl);
    const back = changeOf(undo, id);
    const asked = changeOf(done.intent, id);
    if (asked === undefined || asked.kind === 'off')
      return back?.kind !== 'on' && (status === 'on' || wasAssumed);
    const whole = inverseOf(asked, purpose, done);
    return sizeOf(back) !== sizeOf(whole) || (whole?.kind === 'off' && wasAssumed);
  });
}

/** Counts what a change asks for, to compare it with a part of it. */
function sizeOf(change: PurposeChange | undefined): number {
  if (change === undefined) return 0;
  if (change.kind === 'off' || change.kind === 'on') return 1;
  const { topics, options } = choicesIn(change);
  return topics.length + options.length + change.topicsOff.length + change.optionsOff.length;
}

/** A granted purpose without the choices that were withdrawn since the submission. */
function withoutWithdrawnSince(
  change: Extract<PurposeChange, { kind: 'on' }>,
  { center }: Kept,
  desired: DesiredState,
): PurposeChange {
  const { purpose } = change;
  const order = itemAt(centerOf(desired, center), keyOf.purpose(purpose))?.order ?? 0;
  const isKept = (key: string) =>
    desired.centers.every((each) => (itemAt(each, key)?.withdrawn ?? 0) <= order);
  return {
    ...change,
    topics: change.topics.filter((topic) => isKept(keyOf.topic(purpose, topic))),
    options: change.options.filter(({ preference, option }) =>
      isKept(keyOf.option(purpose, preference, option)),
    ),
  };
}

function isOwned(key: string, { reference, center }: Kept, desired: DesiredState): boolean {
  const here = centerOf(desired, center);
  const own = itemAt(here, key);
  // A single choice replaced this choice: nothing was said about it since.
  if (own === undefined) return !isPurpose(key);
  if (own.isSaidAgain === true) return false;
  // A failed undo may be tried again.
  const isLast = isSaidBy(own, reference) || askedBy(here, own.by)?.undoes === reference;
  if (!isLast) return false;
  const purpose = purposeOf(key);
  const isLeft = desired.centers.some((each) => {
    const later = purpose === '' ? undefined : everythingOver(each, purpose, center);
    return later !== undefined && later.by !== reference && later.order >= own.order;
  });
  const isObjected = sayersOf(own).some((by) => by !== reference && askedBy(here, by)?.isObjection === true);
  if (isLeft || isObjected) return false;
  const others = desired.centers.flatMap((each) => (each.center === center ? [] : (itemAt(each, key) ?? [])));
  return others.every(({ order, phase }) => order < own.order || phase === 'over');
}

/** The record before a submission, as far as its lines know it. */
export function recordBefore({ intent, lines }: Pick<Kept, 'intent' | 'lines'>): Subject {
  const purposes = new Map<string, ConsentRecord>();
  const dataElements: Record<string, string> = {};
  const labels = new Map(intent.dataElements.map(({ element, label }) => [keyOf.element(element), label]));
  let language: string | undefined;
  for (const { key, before } of lines) {
    if (typeof before === 'object' && before !== null && !purposes.has(before.purpose))
      purposes.set(before.purpose, before);
    if (typeof before === 'string' && key === keyOf.language) language = before;
    const label = labels.get(key);
    if (typeof before === 'string' && label !== undefined) dataElements[label] = before;
  }
  return { id: noSubject, language, purposes: [...purposes.values()], dataElements };
}

const noSubject = '' as Subject['id'];
