import type { FormSnapshot, PurposeSnapshot } from '../../core/consent/form-snapshot.ts';
import { objectionIntent, someShownNowhere } from '../../core/consent/global-privacy-control.ts';
import { elementFor } from '../../core/consent/identifier-element.ts';
import type { LifeEnd } from '../../core/consent/life-end.ts';
import { shownWithin } from '../../core/consent/scope.ts';
import type { ShownAgain } from '../../core/consent/submission-plan.ts';
import { has } from '../../core/model/by-key.ts';
import {
  type Center,
  type CenterPage,
  everyPurpose,
  findPage,
  type Item,
  type Section,
} from '../../core/model/center/center.ts';
import { isSameTag } from '../../core/model/language-tag.ts';
import { recordOf, type Subject } from '../../core/model/person/subject.ts';
import type { Visit } from '../../core/model/person/visit.ts';
import { changeOf, type Intent, noIntent } from '../../core/model/submission/intent.ts';
import { nothingUnderway, type Underway } from '../../core/model/submission/underway.ts';
import { fill, messagesFor } from '../../i18n/catalogue.ts';
import { findLabel, label } from '../../i18n/label.ts';
import { chooseHtml, chooseText, type LocalizedText, matchLanguage } from '../../i18n/language.ts';
import type { FormView } from '../form.ts';
import { type Note, note } from '../layout.ts';
import { buildLayout, languageNameAmong, type PageSetting, pageName } from './layout.ts';
import { createNames, type ViewInput } from './names.ts';
import {
  buildFinder,
  type ItemView,
  markSaved,
  mistakesIn,
  readMistakes,
  type SectionView,
  titleWith,
} from './preferences-marks.ts';
import { buildPurposeView, type Standing } from './preferences-purpose.ts';
import { buildElementView } from './profile.ts';
import { partlyTakenNote, type SavedHere } from './result.ts';

/**
 * The input of the page. `draft` and the members of `ShownAgain` belong to a post that is shown again, laid
 * over the record.
 */
export interface PreferencePageInput extends PageSetting, Omit<ShownAgain, 'draft'> {
  /** The page's id; undefined for the page that `findPage` then gives. */
  readonly page: string | undefined;
  /** The current record, also when a post is shown again. */
  readonly subject: Subject;
  /** `withdraw`: values are masked and not sealed, and nothing is offered to switch on. */
  readonly scope: Visit['scope'];
  /** The address where a visitor who may only withdraw can get more rights; undefined if there is none. */
  readonly stepUpHref?: string | undefined;
  /** The address to which the form posts. */
  readonly action: string;
  readonly unsubscribeHref: string;
  readonly draft?: Intent | undefined;
  readonly notes?: readonly Note[] | undefined;
  readonly savedHere?: SavedHere | undefined;
  readonly underway?: Underway | undefined;
  /** The ends of consents by purpose, as far as they are known. */
  readonly ends?: ReadonlyMap<string, LifeEnd> | undefined;
  /**
   * The form that makes the objection of a browser permanent; undefined if the browser sends no `Sec-GPC: 1`.
   */
  readonly objection?: { readonly action: string; readonly token: string } | undefined;
}

export type PreferencePage = NonNullable<ReturnType<typeof buildPreferencePage>>['page'];

/**
 * One page of a center for one person; undefined if the center has no such page. The form has no token yet:
 * the caller seals the snapshot.
 */
export function buildPreferencePage(input: PreferencePageInput) {
  const { center, subject, language, scope } = input;
  const shownPage = findPage(center, input.page);
  if (shownPage === undefined) return undefined;
  const messages = messagesFor(language);
  const mistakeIn = readMistakes(input.mistakes ?? [], center, language);
  const viewInput: ViewInput = { center, language, messages, scope, mistakeIn };
  const draw = (what: PreferencePageInput) => ({
    ...buildSections(what, shownPage.sections, viewInput),
    keepLanguage: keepLanguageView(what),
  });
  const drawn = draw(input);
  const { purposes, dataElements, keepLanguage } = drawn;
  const marked = input.savedHere && markSaved(drawn.sections, input.savedHere, messages.states.saved);
  const sections = marked ?? drawn.sections;
  const outcome = marked && input.savedHere;
  const isObjecting = objectsToAnything(input, purposes);
  // Sealing adds the nonce, the time and the order.
  const displayed: Omit<FormSnapshot, 'nonce' | 'at' | 'order'> = {
    center: center.id,
    page: shownPage.id,
    revision: center.revision,
    subject: subject.id,
    purposes,
    dataElements,
    hidden: hiddenActive(subject, purposes),
    left: input.draft?.purposes.filter(({ kind }) => kind === 'off').map(({ purpose }) => purpose),
    chosen: input.draft?.purposes.filter(({ kind }) => kind === 'on').map(({ purpose }) => purpose),
    renewable: itemsIn(sections).flatMap((item) =>
      item.kind === 'purpose' && item.renew !== undefined ? item.value : [],
    ),
  };
  const mistakes = mistakesIn(sections);
  const title = centerTitle(center, language);
  const layout = buildLayout({ pageContext: input.pageContext, center, language, title, page: shownPage.id });
  const form: FormView & { readonly saved: string | undefined } = {
    action: input.action,
    // With a draft, a script also needs the page as it would be without the draft.
    saved: input.draft && savedBehind(drawn, draw({ ...input, draft: undefined })),
  };
  const page = {
    layout,
    titleImageUrl: center.titleImageUrl,
    /** The name of this page in a center with several pages. It is then the heading, below the title. */
    heading: center.pages.length < 2 ? undefined : pageName(center, shownPage, language),
    welcome: chooseHtml(center.welcome, language, center.defaultLanguage),
    itemStyle: center.template === 'original' ? ('plain' as const) : ('cards' as const),
    notes: notesOf(input, isObjecting),
    outcome,
    /**
     * The page's id in its address, or '': the place where a script asks for the next result, over the form.
     */
    here: input.page ?? '',
    mistakes,
    topicsLegend: label(center, language, 'topics'),
    pageTitle:
      outcome === undefined
        ? titleWith(mistakes.length > 0, layout.title, language)
        : `${outcome.title} – ${layout.title}`,
    form,
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
    keepLanguage,
  };
  return { page, snapshot: shownWithin(displayed, scope) };
}

/** The center's title: from the label set, else the center's own, else ours. */
export function centerTitle(center: Center, language: string): string {
  const named = findLabel(center, language, 'title') ?? center.title;
  return named === undefined || named.trim() === '' ? messagesFor(language).labels.title : named;
}

/** Builds the sections of a page, and the parts of the record that they show, for the snapshot. */
function buildSections(input: PreferencePageInput, shown: readonly Section[], viewInput: ViewInput) {
  const { center, subject, draft = noIntent } = input;
  const typed = new Map(draft.dataElements.map((change) => [change.element, change.value]));
  const { everything, changes, isCalled } = input.underway ?? nothingUnderway;
  const underway = Map.groupBy(changes, ({ purpose }) => purpose);
  const isLeft = (id: string) => everything !== undefined && !has(everything.but, id);
  const seen = new Set<string>();
  const purposes: PurposeSnapshot[] = [];
  const dataElements: { readonly id: string; readonly value: string }[] = [];

  const standing = (id: string): Standing => ({
    at: purposes.length,
    record: recordOf(subject, id),
    ends: input.ends?.get(id),
    draft: changeOf(draft, id),
    underway: underway.get(id) ?? (isLeft(id) ? [{ kind: 'off', purpose: id }] : []),
    isObjected: input.objection !== undefined,
    isCalled: isCalled(id, recordOf(subject, id)?.status === 'active'),
  });

  /** The view of an item. A purpose or data element that the schema lists twice is shown once. */
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
      return made?.view;
    }
    const { label: key } = item.element;
    const recorded = Object.hasOwn(subject.dataElements, key) ? (subject.dataElements[key] ?? '') : '';
    const element = elementFor(item.element, { recorded, subject: subject.id });
    const view = buildElementView(element, { recorded, typed: typed.get(id) }, viewInput);
    if (view !== undefined) dataElements.push({ id, value: recorded });
    return view;
  };

  /** A section is left out if none of its items is shown. */
  const sections = shown.flatMap((section): SectionView | [] => {
    const { id, kind, description: text } = section;
    const items = section.items.flatMap((item) => buildItemView(item) ?? []);
    const description = text && chooseHtml(text, viewInput.language, center.defaultLanguage);
    if (items.length === 0 && (section.items.length > 0 || description === undefined)) return [];
    return { id, kind, heading: sectionHeading(section, viewInput), description, items };
  });
  return { sections, purposes, dataElements };
}

/** Whether the page has purposes, and none of them can be switched on. */
function isForLeavingOnly(page: CenterPage): boolean {
  const purposes = everyPurpose({ pages: [page], hidden: [] });
  return purposes.length > 0 && purposes.every(({ leavingOnly }) => leavingOnly === true);
}

function sectionHeading({ name, kind }: Section, { center, language }: ViewInput): LocalizedText | undefined {
  const own = name && chooseText(name, language, center.defaultLanguage);
  if (name === undefined || own !== undefined) return own;
  const isNamed = kind === 'profile' || kind === 'subscription-settings';
  return isNamed ? { text: label(center, language, kind) } : undefined;
}

/** The notes above the page, which explain its state. */
function notesOf(input: PreferencePageInput, isObjecting: boolean): readonly Note[] {
  const { language, outOfSight = [] } = input;
  const { result, privacyControl } = messagesFor(language);
  const nameOf = outOfSight.length === 0 ? undefined : createNames(input);
  return [
    ...(input.notes ?? []),
    ...reviewNotes(input),
    ...(nameOf === undefined
      ? []
      : [note('info', result.inProgress, ...outOfSight.map((id) => nameOf({ what: 'purpose', id }).text))]),
    ...(isObjecting ? [note('info', privacyControl.title, privacyControl.text)] : []),
  ];
}

function reviewNotes(input: PreferencePageInput): readonly Note[] {
  const { language, review, mistakes, isPartlyTaken } = input;
  const words = messagesFor(language).review;
  const reviews = {
    'too-old': [words.tooOldTitle, words.tooOldText],
    'schema-changed': [words.changedTitle, words.changedText],
    everything: [words.tooOldTitle, words.everythingText],
  } as const;
  if (mistakes !== undefined && isPartlyTaken === true) return [note('info', words.changedTakenText)];
  if (review === undefined) return [];
  if (isPartlyTaken === true) return [partlyTakenNote(language)];
  return [note('warning', ...reviews[review])];
}

/** Other purposes that are active on record. A later reading without any of them is not trusted. */
function hiddenActive(subject: Subject, snapshot: readonly PurposeSnapshot[]): readonly string[] {
  const isShown = new Set(snapshot.map(({ id }) => id));
  return subject.purposes
    .filter(({ purpose, status }) => status === 'active' && !isShown.has(purpose))
    .map(({ purpose }) => purpose);
}

/**
 * Whether the objection of the browser has an effect: a purpose that is shown here, or on no page, would be
 * on by default.
 */
function objectsToAnything(input: PreferencePageInput, snapshot: readonly PurposeSnapshot[]): boolean {
  if (input.objection === undefined) return false;
  const shown = new Set(snapshot.map(({ id }) => id));
  const concerns = objectionIntent(input.center, input.subject).purposes.map(({ purpose }) => purpose);
  return concerns.some((id) => shown.has(id)) || someShownNowhere(concerns, input);
}

/**
 * Saved values for the script that finds unsaved changes: JSON by the ids of the controls that show another
 * value; undefined if there are none.
 */
function savedBehind(shown: Drawn, saved: Drawn): string | undefined {
  const controls = controlsOf(shown);
  const others = [...controlsOf(saved)].filter(([id, value]) => controls.get(id) !== value);
  return others.length === 0 ? undefined : JSON.stringify(Object.fromEntries(others));
}

interface Drawn {
  readonly sections: readonly SectionView[];
  readonly keepLanguage: ReturnType<typeof keepLanguageView>;
}

/** The value of each control by its id: ticked or not, chosen, or typed. */
function controlsOf({ sections, keepLanguage }: Drawn) {
  const controls = new Map<string, boolean | string>();
  const tick = ({ id, checked }: { readonly id: string; readonly checked: boolean }) =>
    controls.set(id, checked);
  for (const item of itemsIn(sections)) {
    if (item.kind === 'data-element' && item.control !== 'static') controls.set(item.id, item.value);
    if (item.kind !== 'purpose') continue;
    tick(item);
    if (item.renew !== undefined) tick(item.renew);
    item.topics.forEach(tick);
    for (const { id, type, choices } of item.preferences) {
      if (type === 'select') controls.set(id, choices.find(({ checked }) => checked)?.value ?? '');
      else choices.forEach(tick);
    }
  }
  if (keepLanguage !== undefined) tick(keepLanguage);
  return controls;
}

function itemsIn(sections: readonly SectionView[]): readonly ItemView[] {
  return sections.flatMap(({ items }) => items);
}

/** The offer to keep the page's language; only if the record would have chosen another one. */
function keepLanguageView({ center, subject, language, scope, draft }: PreferencePageInput) {
  const { languages } = center;
  if (scope !== 'manage' || languages.length < 2) return undefined;
  if (!languages.some((tag) => isSameTag(tag, language))) return undefined;
  if (subject.language !== undefined && matchLanguage(languages, subject.language) === language)
    return undefined;
  const { page } = messagesFor(language);
  return {
    id: 'keep-language',
    label: fill(page.keepLanguage, { language: languageNameAmong(languages, language) }),
    value: language,
    checked: draft?.language !== undefined && isSameTag(draft.language, language),
  };
}
