import {
  type CenterPage,
  forLeavingOnly,
  type Item,
  notShownBy,
  type Purpose,
  type Section,
} from '../core/model/center/center.ts';
import { isSameTag } from '../core/model/language-tag.ts';
import { meaning } from './members/member.ts';
import { type singlePageSchema, templates } from './members/schemas.ts';
import { type BuiltCenter, Notes } from './notes.ts';
import { readDataElements } from './wire-elements.ts';
import { readPurposes } from './wire-items.ts';
import { readLabels, readLanguages, readPortal, readTitles } from './wire-settings.ts';
import * as wire from './wire-shape.ts';
import { plainText } from './wire-text.ts';

type SinglePage = wire.Read<typeof singlePageSchema>;

/** `none`: the body's own Status says that there is no such center here. */
export function familyOf(wireSchema: SinglePage): 'single-page' | 'multi-page' | 'none' {
  if (wireSchema.status !== undefined && wireSchema.status >= 400) return 'none';
  return wireSchema.template?.trim().toUpperCase() === 'MULTIPAGE' ? 'multi-page' : 'single-page';
}

/** The purposes of a Multi Page center in its single-page schema, by id. */
export function purposesById(wireSchema: SinglePage, { prepared }: Pick<Notes, 'prepared'>) {
  // Notes on this schema are dropped: those on the page schemas count.
  const notes = new Notes(prepared);
  const purposes = readPurposes(wireSchema.purposes, { notes });
  return new Map(purposes.map(({ id, purpose }) => [id, purpose]));
}

export function buildSinglePage(id: string, from: SinglePage, notes: Notes): BuiltCenter {
  const settings = from.preferenceCenterSettings;
  const tags = [...settings.languages, ...from.translations].map(([language]) => language);
  const { languages, defaultLanguage } = readLanguages(from.languages, from.language, tags);
  const labels = readLabels(settings.languages, from.translations, { defaultLanguage, notes });
  const portal = readPortal(from.portalSettings, notes);
  const titles = Object.entries(labels.labelSets).map(([language, set]) => ({
    text: set.title,
    language,
    isDefault: isSameTag(language, defaultLanguage),
  }));
  const purposes = readPurposes(from.purposes, { notes }).map(({ purpose }) => purpose);
  const sections = sectionsOf(from, purposes, notes);
  const isKnown = wire.saysNothing(from.template) || meaning(from.template, templates) !== undefined;
  const shown = isKnown ? sections : sections.map(withoutGrants);
  const pages = [onlyPage({ id, name: plainText(titles, portal.title), sections: shown })];
  return {
    id,
    template: meaning(from.template, templates) ?? 'original',
    ...portal,
    ...labels,
    languages,
    defaultLanguage,
    pages,
    hidden: notShownBy(pages, purposes),
    autoCheckTopics: false,
    confirmsDefaults: false,
    unread: notes.unread,
  };
}

/** The only page of a center; everything can be withdrawn there. */
export function onlyPage(page: Pick<CenterPage, 'id' | 'name' | 'sections'>): CenterPage {
  return { ...page, navigation: false, subscribeAll: false, unsubscribeAll: true };
}

function withoutGrants(section: Section): Section {
  return { ...section, items: forLeavingOnly(section.items) };
}

function sectionsOf(from: SinglePage, purposes: readonly Purpose[], notes: Notes): Section[] {
  const isApart = ({ kind }: Purpose) => kind === 'notification';
  const ordinary = purposes.filter((each) => !isApart(each));
  const apart = from.displayNotificationPurpose === false ? [] : purposes.filter(isApart);
  const sections = [purposeSection('purposes', 'ordinary', ordinary)];
  if (apart.length > 0) sections.push(purposeSection('notification', 'notification', apart));
  const profile = profileOf(from, notes);
  if (profile === undefined) return sections;
  const { order = Number.MAX_SAFE_INTEGER } = from.preferenceCenterSettings;
  const isFirst = (from.profileSettings.order ?? Number.MAX_SAFE_INTEGER) < order;
  return isFirst ? [profile, ...sections] : [...sections, profile];
}

export function purposeSection(id: string, kind: Section['kind'], purposes: readonly Purpose[]): Section {
  const items = purposes.map((purpose): Item => ({ kind: 'purpose', purpose }));
  return { id, kind, name: undefined, description: undefined, items };
}

function profileOf({ profileSettings }: SinglePage, notes: Notes): Section | undefined {
  if (profileSettings.isEnabled !== true) return undefined;
  const elements = readDataElements(profileSettings.dataElements, notes);
  return {
    id: 'profile',
    kind: 'profile',
    name: plainText(readTitles(profileSettings.languages), profileSettings.defaultTitle),
    description: undefined,
    items: elements.map(({ element }): Item => ({ kind: 'data-element', element })),
  };
}
