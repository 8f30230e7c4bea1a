import {
  type Center,
  type CenterPage,
  forLeavingOnly,
  type Item,
  notShownBy,
  type Purpose,
  type Section,
} from '../core/model/center/center.ts';
import { endTurn } from '../turn.ts';
import { pageEntry, pageSchema, rootSchema, section, sectionText } from './members/schemas.ts';
import type { BuiltCenter, Notes } from './notes.ts';
import { readDataElements } from './wire-elements.ts';
import { htmlText } from './wire-html.ts';
import { readPurposes, readTranslations, textsOf } from './wire-items.ts';
import { readLabels, readLanguages, readPortal } from './wire-settings.ts';
import * as wire from './wire-shape.ts';
import { purposeSection } from './wire-single-page.ts';
import { hasText, plainText } from './wire-text.ts';

type RootSchema = wire.Read<typeof rootSchema>;
export type PageEntry = wire.Read<typeof pageEntry>;
export type PageSchema = wire.Read<typeof pageSchema>;

export function readRoot(body: unknown): RootSchema {
  return wire.parse(body, rootSchema, 'a root schema');
}

/** The pages that the root names, each id once. */
export function readPageEntries(root: RootSchema, notes: Notes): PageEntry[] {
  const about = { notes, what: 'A page' };
  return wire.firstOfEach(wire.readEach(root.pages, pageEntry, about), about);
}

export function readPage(body: unknown): PageSchema {
  return wire.parse(body, pageSchema, 'a page schema');
}

/** Whether no section has an item. */
export function hasNoItems({ sections }: PageSchema): boolean {
  return wire
    .readable(sections, section)
    .every(
      ({ purposes, customDataElements, elements }) =>
        purposes.length + customDataElements.length + elements.length === 0,
    );
}

export interface MultiPageParts {
  readonly root: RootSchema;
  readonly pages: readonly { readonly entry: PageEntry; readonly schema: PageSchema }[];
  readonly known: ReadonlyMap<string, Purpose> | undefined;
}

export async function buildMultiPage(id: string, parts: MultiPageParts, notes: Notes): Promise<BuiltCenter> {
  const { root } = parts;
  const settings = root.preferenceCenterSettings.languages;
  const listed = readTranslations(root.languages);
  const declared = root.defaultLanguage ?? listed.find(({ isDefault }) => isDefault === true)?.language;
  const tags = [...settings, ...root.translations].map(([language]) => language);
  const { languages, defaultLanguage } = readLanguages(
    [...listed.map(({ language }) => language), ...root.languages],
    declared,
    tags,
  );
  return {
    id,
    template: 'multipage',
    ...readPortal(root.portalSettings, notes),
    ...readLabels(settings, root.translations, { defaultLanguage, notes }),
    languages,
    defaultLanguage,
    ...(await purposesOf(id, parts, notes)),
    autoCheckTopics: root.autoCheckTopics ?? false,
    confirmsDefaults: root.updateNotOptedOutToActiveStatus ?? false,
    unread: notes.unread,
  };
}

async function purposesOf(
  id: string,
  { root, pages, known }: MultiPageParts,
  notes: Notes,
): Promise<Pick<Center, 'pages' | 'hidden'>> {
  const apart = new Map<string, Purpose>();
  const { notificationPurpose } = root;
  const notification = notificationPurpose === undefined ? [] : [notificationPurpose];
  for (const { id, purpose } of readPurposes(notification, { notes, known }))
    apart.set(id, { ...purpose, kind: 'notification' });
  const read = pages.map(joined);
  const displayed: CenterPage[] = [];
  for (const page of wire.inOrder(read.filter(({ isHidden }) => isHidden !== true))) {
    await endTurn();
    const { showsSettings, ...controls } = controlsOf(root, page);
    displayed.push({
      id: page.id,
      name: plainText(textsOf(readTranslations(page.languages), 'name'), undefined),
      navigation: page.navigationEnabled ?? true,
      ...controls,
      sections: sectionsOf(page, { known, apart, notes }, showsSettings),
    });
  }
  if (displayed.length === 0) {
    notes.say('The center has no page that can be shown');
    displayed.push(emptyPage(id));
  }
  const shown =
    root.displayNotificationPurpose === false ? displayed : withNotification(displayed, [...apart.values()]);
  const others: Purpose[] = [];
  for (const page of read.filter(({ isHidden }) => isHidden === true)) {
    await endTurn();
    others.push(...purposesIn(page, { known, notes }));
  }
  others.push(...apart.values(), ...(known?.values() ?? []));
  await endTurn();
  return { pages: shown, hidden: notShownBy(shown, others) };
}

function purposesIn(
  page: PageSchema,
  { known, notes }: { known: MultiPageParts['known']; notes: Notes },
): readonly Purpose[] {
  const apart = new Map<string, Purpose>();
  const sections = sectionsOf(page, { known, apart, notes }, true);
  const items = sections.flatMap((section) => section.items);
  return [...items.flatMap((item) => (item.kind === 'purpose' ? [item.purpose] : [])), ...apart.values()];
}

/** A center always has a page, so that everything can be withdrawn. */
function emptyPage(id: string): CenterPage {
  const name = plainText([], undefined);
  return { id, name, navigation: false, subscribeAll: false, unsubscribeAll: true, sections: [] };
}

type Page = ReturnType<typeof joined>;

/** What the schema of a page says of it counts before what the root says. */
function joined({ entry, schema }: MultiPageParts['pages'][number]) {
  return {
    ...schema,
    id: entry.id,
    order: schema.order ?? entry.order,
    languages: schema.languages.length > 0 ? schema.languages : entry.languages,
    navigationEnabled: schema.navigationEnabled ?? entry.navigationEnabled,
    displaySubscribeSettings: schema.displaySubscribeSettings ?? entry.displaySubscribeSettings,
    displayUnsubscribeAll: schema.displayUnsubscribeAll ?? entry.displayUnsubscribeAll,
    displaySubscribeAll: schema.displaySubscribeAll ?? entry.displaySubscribeAll,
  };
}

/** The root decides, unless it leaves this to the pages. By default withdrawing is offered, and granting is not. */
function controlsOf(root: RootSchema, page: Page) {
  const own = root.displayPageLevelSubscribeSettings === true ? page : undefined;
  const showsSettings = own?.displaySubscribeSettings ?? root.displaySubscribeSettings ?? true;
  return {
    showsSettings,
    unsubscribeAll: own?.displayUnsubscribeAll ?? root.displayUnsubscribeAll ?? true,
    subscribeAll: showsSettings && (own?.displaySubscribeAll ?? root.displaySubscribeAll ?? false),
  };
}

/** On the first page with subscription settings, after them; else at the end of the first page. */
function withNotification(pages: CenterPage[], purposes: readonly Purpose[]): CenterPage[] {
  if (purposes.length === 0) return pages;
  const section = purposeSection('notification', 'notification', purposes);
  const host = pages.findIndex(({ sections }) =>
    sections.some(({ kind }) => kind === 'subscription-settings'),
  );
  return pages.map((page, place) =>
    place === Math.max(host, 0) ? { ...page, sections: [...page.sections, section] } : page,
  );
}

interface Reading {
  readonly known: ReadonlyMap<string, Purpose> | undefined;
  /** Notification purposes, which are shown in a section of their own. */
  readonly apart: Map<string, Purpose>;
  readonly notes: Notes;
}

function sectionsOf(page: PageSchema, reading: Reading, showsSettings: boolean): Section[] {
  const { notes } = reading;
  const taken = { purposes: new Set<string>(), elements: new Set<string>(), sections: new Set<string>() };
  const raws = wire.inOrder(wire.readEach(page.sections, section, { notes, what: 'A section' }));
  const sections: Section[] = [];
  for (const [place, raw] of raws.entries()) {
    const translations = readTranslations(raw.languages);
    const name = plainText(textsOf(translations, 'name'), undefined);
    const description = htmlText(textsOf(translations, 'description'), undefined, {
      notes,
      what: `the description of the section “${name.entries[0]?.text ?? place + 1}”`,
    });
    const id = raw.id !== undefined && !taken.sections.has(raw.id) ? raw.id : `section-${place + 1}`;
    taken.sections.add(id);
    const isSettings = raw.isSubscriptionSettings === true;
    const isQuiet = isSettings && !showsSettings;
    sections.push({
      id,
      kind: isSettings ? 'subscription-settings' : 'ordinary',
      name: raw.isHeaderHidden === true || isQuiet || !hasText(name) ? undefined : name,
      description: hasText(description) && !isQuiet ? description : undefined,
      items: itemsOf(raw, { reading, taken }),
    });
  }
  return sections;
}

type RawSection = wire.Read<typeof section>;

function itemsOf(
  raw: RawSection,
  { reading, taken }: { reading: Reading; taken: { purposes: Set<string>; elements: Set<string> } },
): readonly Item[] {
  const { known, apart, notes } = reading;
  const isConditional = !wire.saysNothing(raw.conditionalRules);
  const read = readPurposes(raw.purposes, { notes, known }).map((each) =>
    isConditional ? { ...each, purpose: { ...each.purpose, leavingOnly: true as const } } : each,
  );
  const purposes = read.flatMap(({ order, purpose }) => {
    if (purpose.kind === 'notification' || apart.has(purpose.id)) {
      if (!apart.has(purpose.id)) apart.set(purpose.id, purpose);
      return [];
    }
    if (!takes(taken.purposes, purpose.id, { notes, what: 'A purpose' })) return [];
    return [{ order, item: { kind: 'purpose', purpose } satisfies Item }];
  });
  const elements = readDataElements(raw.customDataElements, notes).flatMap(({ order, element }) => {
    if (!takes(taken.elements, element.id, { notes, what: 'A data element' })) return [];
    return [{ order, item: { kind: 'data-element', element } satisfies Item }];
  });
  const items = wire
    .inOrder<{ order: number | undefined; item: Item }>([...purposes, ...elements, ...textsIn(raw, notes)])
    .map(({ item }) => item);
  return isConditional ? forLeavingOnly(items) : items;
}

/** A page shows each purpose and data element once: a form cannot hold two answers to one question. */
function takes(taken: Set<string>, id: string, { notes, what }: { notes: Notes; what: string }): boolean {
  if (taken.has(id)) {
    notes.drop(`${what} that stands on the same page twice was shown once`);
    return false;
  }
  taken.add(id);
  return true;
}

function textsIn(raw: RawSection, notes: Notes): { order: number | undefined; item: Item }[] {
  const texts = wire.inOrder(wire.readEach(raw.elements, sectionText, { notes, what: 'A text' }));
  return texts.flatMap((text, place) => {
    const html = htmlText(textsOf(readTranslations(text.languages), 'content'), undefined, {
      notes,
      what: 'a text',
    });
    if (!hasText(html)) return [];
    return [
      { order: text.order, item: { kind: 'text', id: text.id ?? `text-${place + 1}`, html } satisfies Item },
    ];
  });
}
