import type { FormSnapshot, PurposeSnapshot } from '../../core/consent/form-snapshot.ts';
import { objectionIntent, someShownNowhere } from '../../core/consent/global-privacy-control.ts';
import { elementFor } from '../../core/consent/identifier-element.ts';
import type { LifeEnd } from '../../core/consent/life-end.ts';
import type { Mistake } from '../../core/consent/mistake.ts';
import { shownWithin } from '../../core/consent/scope.ts';
import type { Review } from '../../core/consent/submission.ts';
import { has } from '../../core/model/by-key.ts';
import {
  type Center,
  type CenterPage,
  findPage,
  type Item,
  itemsOf,
  type Section,
} from '../../core/model/center/center.ts';
import { isSameTag } from '../../core/model/language-tag.ts';
import type { ConsentRecord, Subject } from '../../core/model/person/subject.ts';
import type { Visit } from '../../core/model/person/visit.ts';
import type { Intent, PurposeChange } from '../../core/model/submission/intent.ts';
import { nothingUnderway, type Underway } from '../../core/model/submission/underway.ts';
import { fill, messagesFor } from '../../i18n/catalogue.ts';
import { findLabel, label } from '../../i18n/label.ts';
import { chooseHtml, chooseText, type LocalizedText, matchLanguage } from '../../i18n/language.ts';
import type { Note } from '../layout.ts';
import { buildLayout, languageNameAmong, type PageContext, pageName } from './layout.ts';
import { createNames } from './names.ts';
import type { SavedHere } from './outcome.ts';
import { buildFinder, markSaved, readMistakes, summariseMistakes, titleWith } from './preferences-marks.ts';
import { buildPurposeView, type PurposeBuilt, type Standing } from './preferences-purpose.ts';
import type { ItemView, PreferencePage, SectionView, ViewInput } from './preferences-view.ts';
import { buildElementView } from './profile.ts';
import { partlyTakenNote } from './result.ts';

/** What a page showed; sealing it adds the nonce and the time. */
export type SnapshotState = Omit<FormSnapshot, 'nonce' | 'at' | 'order'>;

export interface PreferencePageInput {
  readonly pageContext: PageContext;
  readonly center: Center;
  /** An id; undefined: as `findPage` says. */
  readonly page: string | undefined;
  /** The record as it is now, also when a post is shown again. */
  readonly subject: Subject;
  readonly language: string;
  /** `withdraw`: data masked, nothing offered that can be switched on, and no value sealed. */
  readonly scope: Visit['scope'];
  /** Where somebody who may only withdraw is offered more; undefined where they cannot be. */
  readonly stepUpHref?: string | undefined;
  /** Where the form posts to. */
  readonly action: string;
  readonly unsubscribeHref: string;
  /** A post that is shown again: what it newly wanted, laid over the record. */
  readonly draft?: Intent | undefined;
  readonly mistakes?: readonly Mistake[] | undefined;
  /** Why a post is shown again though nothing was wrong with it. */
  readonly review?: Review | undefined;
  /** What a post switched off that is not shown any more: named, since it cannot be shown. */
  readonly outOfSight?: readonly string[] | undefined;
  /** What it switched off goes its way already. */
  readonly isPartlyTaken?: boolean | undefined;
  readonly notes?: readonly Note[] | undefined;
  readonly savedHere?: SavedHere | undefined;
  readonly underway?: Underway | undefined;
  /** By purpose, as far as they are known. */
  readonly ends?: ReadonlyMap<string, LifeEnd> | undefined;
  /** Where the objection of a browser that sends `Sec-GPC: 1` is made to last; undefined where it sends none. */
  readonly objection?: { readonly action: string; readonly token: string } | undefined;
}

export interface BuiltPreferences {
  /** Its form has no token yet: the caller seals the snapshot. */
  readonly page: PreferencePage;
  readonly snapshot: SnapshotState;
}

/** One page of a center for one person. undefined when the center has no such page. */
export function buildPreferencePage(input: PreferencePageInput): BuiltPreferences | undefined {
  const { center, subject, language, scope } = input;
  const shownPage = findPage(center, input.page);
  if (shownPage === undefined) return undefined;
  const messages = messagesFor(language);
  const mistakeIn = readMistakes(input.mistakes ?? [], center, language);
  const viewInput: ViewInput = { center, language, messages, scope, mistakeIn };
  const builder = createSectionBuilder(input, viewInput);
  const shown = shownPage.sections.flatMap((section) => builder.buildSectionView(section) ?? []);
  const { sections, outcome } = withSaved(shown, input.savedHere, messages.states.saved);
  const kept = keepLanguageView(input);
  const isObjecting = objectsToAnything(input, builder.purposes);
  const displayed: SnapshotState = {
    center: center.id,
    page: shownPage.id,
    revision: center.revision,
    subject: subject.id,
    purposes: builder.purposes,
    dataElements: builder.dataElements,
    hidden: hiddenActive(subject, builder.purposes),
    left: input.draft?.purposes.filter(({ kind }) => kind === 'off').map(({ purpose }) => purpose),
    chosen: input.draft?.purposes.filter(({ kind }) => kind === 'on').map(({ purpose }) => purpose),
    renewable: builder.renewable,
  };
  const mistakes = summariseMistakes(sections, language);
  const title = centerTitle(center, language);
  const layout = buildLayout({ pageContext: input.pageContext, center, language, title, page: shownPage.id });
  const page: BuiltPreferences['page'] = {
    layout,
    titleImageUrl: center.titleImageUrl,
    heading: center.pages.length < 2 ? undefined : pageName(center, shownPage, language),
    welcome: chooseHtml(center.welcome, language, center.defaultLanguage),
    itemStyle: center.template === 'original' ? 'plain' : 'cards',
    notes: [
      ...(input.notes ?? []),
      ...reviewNotes(input),
      ...outOfSightNotes(input),
      ...(isObjecting ? [objectionNote(language)] : []),
    ],
    outcome,
    here: input.page ?? '',
    mistakes,
    topicsLegend: label(center, language, 'topics'),
    pageTitle:
      outcome === undefined
        ? titleWith(mistakes, layout.title, language)
        : `${outcome.title} – ${layout.title}`,
    form: {
      action: input.action,
      saved: savedBehind([...builder.saved, ...(kept?.checked === true ? [[kept.id, false] as const] : [])]),
    },
    sections,
    finder: buildFinder(sections, language),
    actions: {
      save: label(center, language, 'change-preferences'),
      undo: label(center, language, 'undo-changes'),
      subscribeAll:
        shownPage.subscribeAll && scope === 'manage' && !isForLeavingOnly(shownPage)
          ? label(center, language, 'subscribe-all')
          : undefined,
      unsubscribeAll: shownPage.unsubscribeAll
        ? { href: input.unsubscribeHref, label: label(center, language, 'unsubscribe-all') }
        : undefined,
    },
    scope,
    stepUpHref: input.stepUpHref,
    objection: isObjecting ? input.objection : undefined,
    keepLanguage: kept,
  };
  return { page, snapshot: shownWithin(displayed, scope) };
}

function withSaved(sections: readonly SectionView[], savedHere: SavedHere | undefined, text: string) {
  if (savedHere === undefined) return { sections };
  const marked = sections.flatMap((section) => {
    const items = markSaved(section.items, savedHere, text);
    return items === undefined ? [] : { ...section, items };
  });
  return marked.length < sections.length ? { sections } : { sections: marked, outcome: savedHere };
}

/** The label set's title, the center's own, ours. */
export function centerTitle(center: Center, language: string): string {
  const named = findLabel(center, language, 'title') ?? center.title;
  return named === undefined || named.trim() === '' ? messagesFor(language).labels.title : named;
}

/** Draws the items of a page one after the other and remembers what it drew. */
function createSectionBuilder(input: PreferencePageInput, viewInput: ViewInput) {
  const { center, subject, draft } = input;
  const records = new Map<string, ConsentRecord>();
  for (const record of subject.purposes)
    if (!records.has(record.purpose)) records.set(record.purpose, record);
  const drafts = new Map(draft?.purposes.map((change): [string, PurposeChange] => [change.purpose, change]));
  const typed = new Map(draft?.dataElements.map((change) => [change.element, change.value]));
  const { everything, changes } = input.underway ?? nothingUnderway;
  const underway = Map.groupBy(changes, ({ purpose }) => purpose);
  const isLeft = (id: string) => everything !== undefined && !has(everything.but, id);
  const seen = new Set<string>();
  const purposes: PurposeSnapshot[] = [];
  const dataElements: { readonly id: string; readonly value: string }[] = [];
  const saved: PurposeBuilt['saved'][number][] = [];
  const renewable: string[] = [];

  const standing = (id: string): Standing => ({
    at: purposes.length,
    record: records.get(id),
    ends: input.ends?.get(id),
    draft: drafts.get(id),
    underway: underway.get(id) ?? (isLeft(id) ? [{ kind: 'off', purpose: id }] : []),
    isObjected: input.objection !== undefined,
    isCalled: input.underway?.isCalled(id) === true,
  });

  /** A purpose or data element that the schema lists twice is shown once. */
  const buildItemView = (item: Item): ItemView | undefined => {
    if (item.kind === 'text') {
      const html = chooseHtml(item.html, viewInput.language, center.defaultLanguage);
      return html === undefined ? undefined : { kind: 'text', html };
    }
    const id = item.kind === 'purpose' ? item.purpose.id : item.element.id;
    if (seen.has(`${item.kind} ${id}`)) return undefined;
    seen.add(`${item.kind} ${id}`);
    if (item.kind === 'purpose') {
      const made = buildPurposeView(item.purpose, standing(id), viewInput);
      if (made !== undefined) purposes.push(made.snapshot);
      saved.push(...(made?.saved ?? []));
      if (made?.view.renew !== undefined) renewable.push(id);
      return made?.view;
    }
    const { label: key } = item.element;
    const recorded = Object.hasOwn(subject.dataElements, key) ? (subject.dataElements[key] ?? '') : '';
    const element = elementFor(item.element, { recorded, subject: subject.id });
    const made = buildElementView(element, { recorded, typed: typed.get(id) }, viewInput);
    if (made !== undefined) dataElements.push(made.displayed);
    saved.push(...(made?.saved ?? []));
    return made?.view;
  };

  /** A section whose items are all out of sight is out of sight. */
  const buildSectionView = (section: Section): SectionView | undefined => {
    const items = section.items.flatMap((item) => buildItemView(item) ?? []);
    const description =
      section.description && chooseHtml(section.description, viewInput.language, center.defaultLanguage);
    if (items.length === 0 && (section.items.length > 0 || description === undefined)) return undefined;
    return {
      id: section.id,
      kind: section.kind,
      heading: sectionHeading(section, viewInput),
      description,
      items,
    };
  };
  return { buildSectionView, purposes, dataElements, saved, renewable };
}

/** Nothing on it can be switched on, though there are purposes. */
function isForLeavingOnly(page: CenterPage): boolean {
  const purposes = itemsOf({ pages: [page] }).filter(({ kind }) => kind === 'purpose');
  return (
    purposes.length > 0 &&
    purposes.every((item) => item.kind === 'purpose' && item.purpose.leavingOnly === true)
  );
}

function sectionHeading(section: Section, { center, language }: ViewInput): LocalizedText | undefined {
  if (section.name === undefined) return undefined;
  const name = chooseText(section.name, language, center.defaultLanguage);
  if (name !== undefined) return name;
  if (section.kind === 'profile') return { text: label(center, language, 'profile') };
  if (section.kind === 'subscription-settings') {
    return { text: label(center, language, 'subscription-settings') };
  }
  return undefined;
}

function reviewNotes({ review, mistakes, isPartlyTaken, language }: PreferencePageInput): readonly Note[] {
  if (mistakes !== undefined && isPartlyTaken === true) {
    const title = messagesFor(language).review.changedTakenText;
    return [{ tone: 'info', title, lines: [] }];
  }
  if (review === undefined) return [];
  if (isPartlyTaken === true) return [partlyTakenNote(language)];
  const words = messagesFor(language).review;
  const [title, text] = {
    'too-old': [words.tooOldTitle, words.tooOldText] as const,
    'schema-changed': [words.changedTitle, words.changedText] as const,
    everything: [words.tooOldTitle, words.everythingText] as const,
  }[review];
  return [{ tone: 'warning', title, lines: [text] }];
}

function outOfSightNotes({
  outOfSight = [],
  center,
  language,
  subject,
}: PreferencePageInput): readonly Note[] {
  if (outOfSight.length === 0) return [];
  const { result } = messagesFor(language);
  const nameOf = createNames({ center, language, subject });
  const lines = outOfSight.map((id) => nameOf({ what: 'purpose', id }).text);
  return [{ tone: 'info', title: result.inProgress, lines }];
}

/** What else is active on record: a reading that shows none of it later is no reading. */
function hiddenActive(subject: Subject, snapshot: readonly PurposeSnapshot[]): readonly string[] {
  const isShown = new Set(snapshot.map(({ id }) => id));
  return subject.purposes
    .filter(({ purpose, status }) => status === 'active' && !isShown.has(purpose))
    .map(({ purpose }) => purpose);
}

/** Only where it makes a difference: where something would be on by default that is shown here, or on no page. */
function objectsToAnything(input: PreferencePageInput, snapshot: readonly PurposeSnapshot[]): boolean {
  if (input.objection === undefined) return false;
  const shown = new Set(snapshot.map(({ id }) => id));
  const concerns = objectionIntent(input.center, input.subject).purposes.map(({ purpose }) => purpose);
  return concerns.some((id) => shown.has(id)) || someShownNowhere(concerns, input);
}

function objectionNote(language: string): Note {
  const { title, text } = messagesFor(language).privacyControl;
  return { tone: 'info', title, lines: [text] };
}

/** For the script that tells whether there is something to save; undefined where the page shows what is saved. */
function savedBehind(saved: PurposeBuilt['saved']): string | undefined {
  return saved.length === 0 ? undefined : JSON.stringify(Object.fromEntries(saved));
}

function keepLanguageView(input: PreferencePageInput): PreferencePage['keepLanguage'] {
  const { center, language, draft } = input;
  if (!keepsAnother(input)) return undefined;
  const { page } = messagesFor(language);
  return {
    id: 'keep-language',
    label: fill(page.keepLanguage, { language: languageNameAmong(center.languages, language) }),
    value: language,
    checked: draft?.language !== undefined && isSameTag(draft.language, language),
  };
}

/** Offered when the page is in another language than the one the record would have chosen. */
function keepsAnother({ center, subject, language, scope }: PreferencePageInput): boolean {
  if (scope !== 'manage') return false;
  if (center.languages.length < 2) return false;
  if (!center.languages.some((tag) => isSameTag(tag, language))) return false;
  if (subject.language === undefined) return true;
  return matchLanguage(center.languages, subject.language) !== language;
}
