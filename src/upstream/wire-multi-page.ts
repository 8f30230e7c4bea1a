import {
  type CenterPage,
  everyPurpose,
  forLeavingOnly,
  type Item,
  notShownBy,
  type Purpose,
  type Section,
} from '../core/model/center/center.ts';
import { endTurn } from '../turn.ts';
import { translation } from './members/items.ts';
import { pageEntry, type pageSchema, type rootSchema, section, sectionText } from './members/schemas.ts';
import type { BuiltCenter, Notes } from './notes.ts';
import { readDataElements } from './wire-elements.ts';
import { htmlText } from './wire-html.ts';
import { readPurposes, textsOf } from './wire-items.ts';
import { readLabels, readLanguages, readPortal } from './wire-settings.ts';
import * as wire from './wire-shape.ts';
import { onlyPage, purposeSection } from './wire-single-page.ts';
import { hasText, plainText } from './wire-text.ts';

type RootSchema = wire.Read<typeof rootSchema>;
type PageEntry = wire.Read<typeof pageEntry>;
type PageSchema = wire.Read<typeof pageSchema>;

/** The pages that the root names, each id once. */
export function readPageEntries(root: RootSchema, notes: Notes): PageEntry[] {
  const from = { items: root.pages, as: pageEntry, notes, what: 'A page' };
  return wire.firstOfEach(wire.readEach(from), from);
}

/** True if no section has an item. */
export function hasNoItems({ sections }: PageSchema): boolean {
  const read = wire.readable(sections, section);
  const lists = read.flatMap((each) => [each.purposes, each.customDataElements, each.elements]);
  return lists.every(({ length }) => length === 0);
}

interface MultiPageParts {
  readonly root: RootSchema;
  readonly pages: readonly { readonly entry: PageEntry; readonly schema: PageSchema }[];
  readonly known: ReadonlyMap<string, Purpose> | undefined;
}

export async function buildMultiPage(id: string, parts: MultiPageParts, notes: Notes): Promise<BuiltCenter> {
  const { root } = parts;
  const settings = root.preferenceCenterSettings.languages;
  const listed = wire.readable(root.languages, translation);
  const declared = root.defaultLanguage ?? listed.find(({ isDefault }) => isDefault === true)?.language;
  const tags = [...settings, ...root.translations].map(([language]) => language);
  const named = [...listed.map(({ language }) => language), ...root.languages];
  const { languages, defaultLanguage } = readLanguages(named, declared, tags);
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

async function purposesOf(id: string, { root, pages, known }: MultiPageParts, notes: Notes) {
  const read = async (page: Page, apart: Reading['apart']) => {
    await endTurn();
    return pageOf(page, { root, known, apart, notes });
  };
  const apart = new Map<string, Purpose>();
  const { notificationPurpose } = root;
  const notification = notificationPurpose === undefined ? [] : [notificationPurpose];
  for (const { id, purpose } of readPurposes(notification, { notes, known }))
    apart.set(id, { ...purpose, kind: 'notification' });
  const all = pages.map(joined);
  const displayed: CenterPage[] = [];
  for (const page of wire.inOrder(all.filter(({ isHidden }) => isHidden !== true)))
    displayed.push(await read(page, apart));
  if (displayed.length === 0) {
    notes.say('The center has no page that can be shown');
    displayed.push(onlyPage({ id, name: plainText([], undefined), sections: [] }));
  }
  const shown =
    root.displayNotificationPurpose === false ? displayed : withNotification(displayed, [...apart.values()]);
  const others: Purpose[] = [];
  for (const page of all.filter(({ isHidden }) => isHidden === true)) {
    const own = new Map<string, Purpose>();
    others.push(...everyPurpose({ pages: [await read(page, own)], hidden: [...own.values()] }));
  }
  others.push(...apart.values(), ...(known?.values() ?? []));
  await endTurn();
  return { pages: shown, hidden: notShownBy(shown, others) };
}

type Page = ReturnType<typeof joined>;

/** Joins the schema of a page with its entry in the root. The schema counts before the entry. */
function joined({ entry, schema }: MultiPageParts['pages'][number]) {
  const languages = wire.readable(schema.languages, translation);
  return {
    ...schema,
    id: entry.id,
    order: schema.order ?? entry.order,
    languages: languages.length > 0 ? languages : wire.readable(entry.languages, translation),
    navigationEnabled: schema.navigationEnabled ?? entry.navigationEnabled,
    displaySubscribeSettings: schema.displaySubscribeSettings ?? entry.displaySubscribeSettings,
    displayUnsubscribeAll: schema.displayUnsubscribeAll ?? entry.displayUnsubscribeAll,
    displaySubscribeAll: schema.displaySubscribeAll ?? entry.displaySubscribeAll,
  };
}

/**
 * Builds a page. The root decides about its settings, unless it leaves this to the pages. By default a page
 * offers to withdraw all purposes, and does not offer to grant all.
 */
function pageOf(page: Page, reading: Reading): CenterPage {
  const { root } = reading;
  const own = root.displayPageLevelSubscribeSettings === true ? page : undefined;
  const showsSettings = own?.displaySubscribeSettings ?? root.displaySubscribeSettings ?? true;
  return {
    id: page.id,
    name: plainText(textsOf(page.languages, 'name'), undefined),
    navigation: page.navigationEnabled ?? true,
    unsubscribeAll: own?.displayUnsubscribeAll ?? root.displayUnsubscribeAll ?? true,
    subscribeAll: showsSettings && (own?.displaySubscribeAll ?? root.displaySubscribeAll ?? false),
    sections: sectionsOf(page, reading, showsSettings),
  };
}

/**
 * Adds a section of notification purposes to the first page with subscription settings, else to the first
 * page.
 */
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

interface Reading extends Omit<MultiPageParts, 'pages'> {
  /** Notification purposes, which are shown in a section of their own. */
  readonly apart: Map<string, Purpose>;
  readonly notes: Notes;
}

function sectionsOf(page: PageSchema, reading: Reading, showsSettings: boolean): Section[] {
  const { notes } = reading;
  const taken = new Set<string>();
  const onPage = new Set<string>();
  const raws = wire.inOrder(wire.readEach({ items: page.sections, as: section, notes, what: 'A section' }));
  return raws.map((raw, place) => {
    const name = plainText(textsOf(raw.languages, 'name'), undefined);
    const description = htmlText(textsOf(raw.languages, 'description'), undefined, {
      notes,
      what: `the description of the section “${name.entries[0]?.text ?? place + 1}”`,
    });
    const id = raw.id !== undefined && !taken.has(raw.id) ? raw.id : `section-${place + 1}`;
    taken.add(id);
    const isSettings = raw.isSubscriptionSettings === true;
    const isQuiet = isSettings && !showsSettings;
    return {
      id,
      kind: isSettings ? 'subscription-settings' : 'ordinary',
      name: raw.isHeaderHidden === true || isQuiet || !hasText(name) ? undefined : name,
      description: hasText(description) && !isQuiet ? description : undefined,
      items: itemsOf(raw, { ...reading, onPage }),
    };
  });
}

type RawSection = wire.Read<typeof section>;
type Placed = { readonly order: number | undefined; readonly item: Item };

function itemsOf(
  raw: RawSection,
  { known, apart, notes, onPage }: Reading & { readonly onPage: Set<string> },
): readonly Item[] {
  /** A page shows each purpose and data element once: a form cannot hold two answers to one question. */
  const once = (what: string, { id, ...placed }: Placed & { readonly id: string }): Placed[] => {
    const key = `${what} ${id}`;
    if (!onPage.has(key)) {
      onPage.add(key);
      return [placed];
    }
    notes.drop(`${what} that stands on the same page twice was shown once`);
    return [];
  };
  const isConditional = !wire.saysNothing(raw.conditionalRules);
  const purposes = readPurposes(raw.purposes, { notes, known }).flatMap(({ id, order, purpose: read }) => {
    const purpose = isConditional ? { ...read, leavingOnly: true as const } : read;
    if (purpose.kind !== 'notification' && !apart.has(id))
      return once('A purpose', { id, order, item: { kind: 'purpose', purpose } });
    apart.getOrInsert(id, purpose);
    return [];
  });
  const elements = readDataElements(raw.customDataElements, notes).flatMap(({ id, order, element }) =>
    once('A data element', { id, order, item: { kind: 'data-element', element } }),
  );
  const placed = wire.inOrder([...purposes, ...elements, ...textsIn(raw, notes)]);
  const items = placed.map(({ item }) => item);
  return isConditional ? forLeavingOnly(items) : items;
}

function textsIn(raw: RawSection, notes: Notes): Placed[] {
  const texts = wire.inOrder(wire.readEach({ items: raw.elements, as: sectionText, notes, what: 'A text' }));
  return texts.flatMap(({ id, order, languages }, place) => {
    const html = htmlText(textsOf(languages, 'content'), undefined, { notes, what: 'a text' });
    return hasText(html) ? [{ order, item: { kind: 'text', id: id ?? `text-${place + 1}`, html } }] : [];
  });
}
