import { isWithin, tolerance } from '../model/age.ts';
import type { Center, DataElement, Purpose } from '../model/center/center.ts';
import { isSameTag } from '../model/language-tag.ts';
import type { SubjectId } from '../model/person/subject.ts';
import type { Intent, PurposeChange } from '../model/submission/intent.ts';
import type { FormSnapshot } from './form-snapshot.ts';
import type { Mistake } from './mistake.ts';
import type { Posted } from './posted.ts';
import { isShownOn, mayChange } from './status.ts';
import { readElements } from './submission-elements.ts';
import { isLockedUntouched, purposeChange, purposeMistakes, readTicks } from './submission-purpose.ts';

/**
 * The result of reading a post. A draft is a difference, too: a purpose that a stale page showed as on does
 * not become a change when the page is shown again.
 */
export type ReadSubmission =
  | { readonly kind: 'intent'; readonly intent: Intent }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly Mistake[]; readonly draft: Intent }
  | {
      readonly kind: 'review';
      readonly reason: Review;
      readonly draft: Intent;
      /**
       * Purposes that were switched off and that the page shows no more: showing the form again would lose
       * them.
       */
      readonly outOfSight: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: Refusal };

/**
 * The reason why a post without mistakes is shown again. `everything`: it asked for all of a page at once.
 */
export type Review = 'too-old' | 'schema-changed' | 'everything';

/**
 * The reason why a post is refused. `from-the-future`: the clock was set back since, so the age of the form
 * is unknown.
 */
export type Refusal =
  | 'other-subject'
  | 'other-center'
  | 'other-page'
  | 'from-the-future'
  | 'hidden'
  | 'locked';

/** A posted form, with the schema and the time to read it by. */
export interface PostedForm {
  readonly center: Center;
  readonly page: string;
  readonly snapshot: FormSnapshot;
  readonly posted: Posted;
  readonly now: number;
  readonly subject: SubjectId;
}

const lifeOfAPage = 24 * 60 * 60 * 1000;

/**
 * Reads a post as the difference between what was shown and what was posted, and nothing else. First come
 * refusals, then reviews (page too old, schema changed), then mistakes. "Subscribe all" is confirmed like
 * leaving everything: neither is harder than the other.
 */
export function readSubmission(form: PostedForm): ReadSubmission {
  const { center, snapshot, posted } = form;
  if (snapshot.subject !== form.subject) return refused('other-subject');
  if (snapshot.center !== center.id) return refused('other-center');
  if (snapshot.page !== form.page) return refused('other-page');
  if (snapshot.at > form.now + tolerance) return refused('from-the-future');

  const isSameSchema = snapshot.revision === center.revision;
  const shown = itemsOf(center, form.page);
  if (holdsUnknown(snapshot, posted)) return refused('hidden');
  const ticks = readTicks(shown.purposes, posted);
  if (isSameSchema && ticks.hasUnknown) return refused('hidden');

  const changes: PurposeChange[] = [];
  const mistakes: Mistake[] = [];
  const left = new Set(snapshot.left);
  const chosen = new Set(snapshot.chosen);
  const renewed = new Set(posted.renewed);
  for (const line of snapshot.purposes) {
    const ticked = ticks.byPurpose.get(line.id);
    if (ticked === undefined) continue;
    if (!isLockedUntouched(line, ticked)) return refused('locked');
    const change = purposeChange({
      snapshot: line,
      wasLeft: left.has(line.id),
      wasChosen: chosen.has(line.id),
      isRenewed: renewed.has(line.id),
      ticks: ticked,
      center,
    });
    if (change === undefined) continue;
    changes.push(change);
    mistakes.push(...purposeMistakes({ snapshot: line, ticks: ticked }, change));
  }

  const mayLackValues = !changes.some((change) => change.kind === 'on');
  const typed = readElements({
    elements: shown.elements,
    snapshot,
    typed: posted.elements,
    mayLackValues,
    subject: form.subject,
  });
  if (isSameSchema && typed.hasUnknown) return refused('hidden');
  const language = readLanguage(center, posted.language ?? '');
  if (isSameSchema && language.isUnknown) return refused('hidden');

  const draft: Intent = {
    purposes: changes,
    dataElements: typed.changes,
    language: language.tag,
    everything: undefined,
  };
  if (!isSameSchema) {
    const outOfSight = leftOutOfSight(snapshot, posted, shown.purposes);
    return { kind: 'review', reason: 'schema-changed', draft, outOfSight };
  }
  if (!isWithin(lifeOfAPage, { at: snapshot.at, now: form.now }))
    return { kind: 'review', reason: 'too-old', draft, outOfSight: [] };
  mistakes.push(...typed.mistakes);
  if (mistakes.length > 0) return { kind: 'mistakes', mistakes, draft };
  if (posted.subscribeAll && changes.length > 0) {
    return { kind: 'review', reason: 'everything', draft, outOfSight: [] };
  }
  return { kind: 'intent', intent: draft };
}

function refused(reason: Refusal): ReadSubmission {
  return { kind: 'refused', reason };
}

function leftOutOfSight(
  snapshot: FormSnapshot,
  posted: Posted,
  shown: ReadonlyMap<string, Purpose>,
): readonly string[] {
  if (posted.subscribeAll) return [];
  const ticked = new Set(posted.purposes);
  return snapshot.purposes
    .filter(({ status }) => isShownOn(status) && mayChange(status))
    .map(({ id }) => id)
    .filter((id) => !ticked.has(id) && shown.get(id)?.active !== true);
}

function itemsOf(center: Center, id: string) {
  const purposes = new Map<string, Purpose>();
  const elements = new Map<string, DataElement>();
  for (const section of center.pages.find((page) => page.id === id)?.sections ?? []) {
    for (const item of section.items) {
      if (item.kind === 'purpose') purposes.set(item.purpose.id, item.purpose);
      if (item.kind === 'data-element') elements.set(item.element.id, item.element);
    }
  }
  return { purposes, elements };
}

/**
 * True if the post names a purpose that the page did not show. The time is linear in the size of the post.
 */
function holdsUnknown(snapshot: FormSnapshot, posted: Posted): boolean {
  const purposes = new Set(snapshot.purposes.map((purpose) => purpose.id));
  const named = [...posted.purposes, ...Object.keys(posted.topics)];
  // An id that is no GUID may hold dots: the first dot of a key need not end its purpose.
  const lengths = [...new Set(snapshot.purposes.map(({ id }) => id.length))];
  const isOfSnapshot = (key: string) =>
    lengths.some((length) => key.charAt(length) === '.' && purposes.has(key.slice(0, length)));
  const renewable = new Set(snapshot.renewable);
  if (posted.renewed?.some((id) => !renewable.has(id)) === true) return true;
  return named.some((id) => !purposes.has(id)) || !Object.keys(posted.options).every(isOfSnapshot);
}

/** Reads a language, in the center's own spelling. */
function readLanguage(center: Center, change: string): { tag: string | undefined; isUnknown: boolean } {
  const tag = center.languages.find((language) => isSameTag(language, change));
  return { tag, isUnknown: change !== '' && tag === undefined };
}
