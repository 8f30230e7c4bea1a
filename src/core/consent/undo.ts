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
import { keysOff, keysOn } from './change-keys.ts';
import { choicesOf, holds } from './choices.ts';
import {
  askedBy,
  centerOf,
  type DesiredItem,
  type DesiredState,
  everythingOver,
  isSaidBy,
  itemAt,
  keyOf,
  purposeOf,
  sayersOf,
} from './desired-state.ts';
import { isIdentifierValue } from './identifier-element.ts';
import { isSingle, purposesOf } from './merge-set.ts';
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
 * The inverse of a submission, back to `before`, for the changes that reached the record. undefined: nothing
 * to undo.
 * 1. Undoing a withdrawal is an opt-in, with the topics and options that were recorded. It needs a former
 *    agreement: a purpose that was only on by default, or that its center offers no more, is not switched on.
 * 2. A change that agreed to a purpose on by default is undone by switching it off, unless any save confirms
 *    defaults. Under Global Privacy Control the purpose counts as off before.
 * 3. A change in doubt is only withdrawn, never granted back.
 */
export function undoIntent(done: Undone): Intent | undefined {
  const { center, intent, before } = done;
  const saved = (id: string) =>
    itemsAbout(done.items, id).some((item) => item.what === 'data-element' && isOnRecord(item));
  // A withdrawal that was repeated after a late call is not part of what was asked.
  const ofChange = ({ kind, purpose }: PurposeChange) =>
    itemsAbout(done.items, purpose).filter(
      ({ what, change }) => what === 'purpose' && (kind === 'off' || change !== 'off'),
    );

  const purposes: PurposeChange[] = [];
  const drawable = purposesOf(center);
  const changes: readonly PurposeChange[] =
    intent.everything === 'withdraw' ? onRecordBefore(before) : intent.purposes;
  for (const change of changes) {
    const isSaved = ofChange(change).some(isOnRecord);
    if (!isSaved && !ofChange(change).some(({ outcome }) => outcome === 'in-doubt')) continue;
    const whole = inverseOf(change, drawable.get(change.purpose), done);
    const inverse = whole && !isSaved ? withdrawalIn(whole) : whole;
    if (inverse !== undefined) purposes.push(inverse);
  }
  const dataElements = intent.dataElements
    .filter(({ element, value }) => saved(element) && !isIdentifierValue(value, before.id))
    .map((change) => ({ ...change, value: before.dataElements[change.label] ?? '' }));
  const wasLanguageSaved = done.items.some((item) => item.what === 'language' && isOnRecord(item));
  const language = wasLanguageSaved ? before.language : undefined;

  const undo = { ...noIntent, purposes, dataElements, language };
  return isEmptyIntent(undo) ? undefined : undo;
}

function isOnRecord({ outcome }: ItemResult): boolean {
  return outcome === 'saved' || outcome === 'unconfirmed';
}

function onRecordBefore(before: Subject): readonly PurposeChange[] {
  return before.purposes.map(({ purpose }) => ({ kind: 'off', purpose }));
}

type Before = Pick<Undone, 'center' | 'before' | 'globalPrivacyControl'>;

function inverseOf(
  change: PurposeChange,
  purpose: Purpose | undefined,
  done: Before,
): PurposeChange | undefined {
  if (change.kind !== 'off') return inverseOfGrant(change, purpose, done);
  const record = recordOf(done.before, change.purpose);
  if (record?.status !== 'active' || purpose?.active !== true) return undefined;
  const { topics } = record;
  return {
    kind: 'on',
    purpose: change.purpose,
    topics,
    topicsOff: [],
    options: optionsIn(record),
    optionsOff: [],
  };
}

function inverseOfGrant(
  change: Exclude<PurposeChange, { kind: 'off' }>,
  purpose: Purpose | undefined,
  { center, before, globalPrivacyControl }: Before,
): PurposeChange {
  const record = recordOf(before, change.purpose);
  const wasAssumed = !globalPrivacyControl && consentStatus(purpose, record) === 'on-by-default';
  if (record?.status !== 'active' && !(wasAssumed && center.confirmsDefaults))
    return { kind: 'off', purpose: change.purpose };
  const records = record === undefined ? [] : [record];
  const topics = records.flatMap((each) => each.topics);
  const options = records.flatMap(optionsIn);
  const recorded = choicesOf(options);
  const { topics: chosenTopics, options: chosenOptions } = choicesIn(change);
  const chosen = choicesOf(chosenOptions);
  // A single choice may have replaced an option that was not un-chosen: the recorded option is restored.
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

function optionsIn({ preferences }: ConsentRecord): readonly OptionChange[] {
  return preferences.flatMap(({ id, options }) => options.map((option) => ({ preference: id, option })));
}

export interface Undo {
  readonly intent: Intent;
  /** Items that the undo cannot restore. They are shown before the person confirms it. */
  readonly leavesOut: readonly ItemResult[];
}

/**
 * The undo of the words that the submission still owns, as a new submission. Later words, also of other
 * centers, stay. undefined: no word remains.
 */
export function undoOwned(
  kept: Kept,
  desired: DesiredState,
  shown: Pick<Undone, 'center' | 'globalPrivacyControl'> & { readonly told: Told },
): Undo | undefined {
  const done: Undone = {
    ...shown,
    intent: kept.intent,
    items: shown.told.items,
    before: recordBefore(kept),
  };
  const undo = undoIntent(done);
  if (undo === undefined) return undefined;
  const here = centerOf(desired, kept.center);
  // A single choice may have replaced a choice about which no word was said since.
  const owns = (key: string) => {
    const word = itemAt(here, key);
    return word === undefined || isOwned(word, kept, desired);
  };
  const drawable = purposesOf(shown.center);
  const purposes = undo.purposes.flatMap((change): PurposeChange | [] => {
    const { kind, purpose } = change;
    if (kind === 'off' || kind === 'on') {
      const word = itemAt(here, keyOf.purpose(purpose));
      if (word === undefined || !isOwned(word, kept, desired)) return [];
      return kind === 'off' ? change : withoutWithdrawnSince(change, word, desired);
    }
    const ownsTopic = (topic: string) => owns(keyOf.topic(purpose, topic));
    const ownsOption = ({ preference, option }: OptionChange) =>
      owns(keyOf.option(purpose, preference, option));
    const { options: chosen } = choicesIn(changeOf(kept.intent, purpose) ?? change);
    const isChosenAnew = ({ preference }: OptionChange) =>
      isSingle(drawable.get(purpose), preference) &&
      chosen.some((each) => each.preference === preference && !ownsOption(each));
    const { topics, options } = choicesIn(change);
    const less = adjustment({
      purpose,
      topicsOn: topics.filter(ownsTopic),
      topicsOff: change.topicsOff.filter(ownsTopic),
      optionsOn: options.filter((each) => ownsOption(each) && !isChosenAnew(each)),
      optionsOff: change.optionsOff.filter(ownsOption),
    });
    return sizeOf(less) === 0 ? [] : less;
  });
  const dataElements = undo.dataElements.filter(({ element }) => owns(keyOf.element(element)));
  const language = owns(keyOf.language) ? undo.language : undefined;
  const intent = { ...noIntent, purposes: withinOffered(purposes, shown.center), dataElements, language };
  return isEmptyIntent(intent) ? undefined : { intent, leavesOut: leftOut(done, intent) };
}

/** A leaving-only purpose is withdrawn, never granted. */
function withinOffered(purposes: readonly PurposeChange[], center: Center): readonly PurposeChange[] {
  const offered = Map.groupBy(everyPurpose(center), ({ id }) => id);
  return purposes.flatMap((change) => {
    const isClosed = offered.get(change.purpose)?.every(({ leavingOnly }) => leavingOnly);
    return isClosed ? (withdrawalIn(change) ?? []) : change;
  });
}

function leftOut(done: Undone, undo: Intent): readonly ItemResult[] {
  const drawable = purposesOf(done.center);
  return done.items.filter(({ what, id, outcome }) => {
    if (!undoable.has(outcome)) return false;
    if (what === 'language') return undo.language === undefined;
    if (what === 'data-element') return undo.dataElements.every(({ element }) => element !== id);
    const purpose = drawable.get(id);
    const status = consentStatus(purpose, recordOf(done.before, id));
    const wasAssumed = status === 'waiting' || (status === 'on-by-default' && !done.globalPrivacyControl);
    const back = changeOf(undo, id);
    const asked = changeOf(done.intent, id);
    if (asked === undefined || asked.kind === 'off')
      return back?.kind !== 'on' && (status === 'on' || wasAssumed);
    const whole = inverseOfGrant(asked, purpose, done);
    return sizeOf(back) !== sizeOf(whole) || (whole.kind === 'off' && wasAssumed);
  });
}

/** The number of choices that a change asks for, to compare it with a part of it. */
function sizeOf(change: PurposeChange | undefined): number {
  return change === undefined ? 0 : keysOn(change).length + keysOff(change).length;
}

/** A granted purpose without the choices that were withdrawn since the submission's `word` about it. */
function withoutWithdrawnSince(
  change: Extract<PurposeChange, { kind: 'on' }>,
  { order }: DesiredItem,
  desired: DesiredState,
): PurposeChange {
  const { purpose } = change;
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

function isOwned(own: DesiredItem, { reference, center }: Kept, desired: DesiredState): boolean {
  const here = centerOf(desired, center);
  // A failed undo may be tried again.
  const isLast = isSaidBy(own, reference) || askedBy(here, own.by)?.undoes === reference;
  if (own.isSaidAgain === true || !isLast) return false;
  if (sayersOf(own).some((by) => by !== reference && askedBy(here, by)?.isObjection)) return false;
  const purpose = purposeOf(own.key);
  const isSince = (word: Pick<DesiredItem, 'order'> | undefined) =>
    word !== undefined && word !== own && word.order >= own.order;
  return desired.centers.every((each) => {
    const word = itemAt(each, own.key);
    const everything = purpose === '' ? undefined : everythingOver(each, purpose, center);
    const isLeft = everything?.by !== reference && isSince(everything);
    return !isLeft && (word?.phase === 'over' || !isSince(word));
  });
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
