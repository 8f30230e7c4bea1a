import {
  type Center,
  type LabelName,
  labelNames,
  type Text,
  type UnsubscribeReasons,
} from '../core/model/center/center.ts';
import { eachName } from '../core/model/each-name.ts';
import { isSameTag, readTag } from '../core/model/language-tag.ts';
import { webOrigin } from '../core/model/web-address.ts';
import { foldedName } from './members/member.ts';
import { type portal, profileTitle } from './members/settings.ts';
import type { Notes } from './notes.ts';
import { htmlText } from './wire-html.ts';
import { entryOf } from './wire-items.ts';
import * as wire from './wire-shape.ts';
import { hasText, languageTag, line, mostLanguages, plain, plainText, type RawEntry } from './wire-text.ts';

const prefix = 'Consent.Ds.Portal.';
const nameOf: Readonly<Record<string, LabelName>> = labelNames;

/** Reads label sets and `Consent.Ds.Portal.*` texts by language, and the welcome text from either. */
export function readLabels(
  sets: readonly [string, unknown][],
  portal: readonly [string, unknown][],
  { defaultLanguage, notes }: { defaultLanguage: string; notes: Notes },
) {
  const welcome: RawEntry[] = [];
  const addWelcome = (language: string, text: unknown) => {
    if (typeof text !== 'string') return;
    welcome.push({ text, language, isDefault: isSameTag(language, defaultLanguage) });
  };
  const byLanguage = <T>(all: typeof sets, words: string, read: (language: string, texts: object) => T) => {
    const found = all.slice(0, mostLanguages).flatMap(([language, texts]): [string, T][] => {
      if (languageTag(language) !== undefined && wire.isRecord(texts))
        return [[language.trim(), read(language, texts)]];
      notes.say(words);
      return [];
    });
    return Object.fromEntries(found);
  };
  const labelSets = byLanguage(sets, 'A label set that cannot be read was left out', (language, set) => {
    const labels: Partial<Record<LabelName, string>> = {};
    for (const [member, value] of Object.entries(set)) {
      const name = foldedName(member);
      const label = line.read(value);
      const known = Object.hasOwn(nameOf, name) ? nameOf[name] : undefined;
      if (known !== undefined && label !== undefined) labels[known] = label;
      if (name === 'welcomeMessage') addWelcome(language, value);
    }
    return labels;
  });
  const unread = 'Translations that cannot be read were left out';
  const translations = byLanguage(portal, unread, (language, texts) => {
    const read = Object.entries(texts).flatMap(([key, value]): [string, string][] => {
      const name = key.startsWith(prefix) ? key.slice(prefix.length) : key;
      if (key === `${prefix}WelcomeMessage`) addWelcome(language, value);
      const text = line.read(value);
      return text === undefined || !wire.isPlainKey(name) ? [] : [[name, text]];
    });
    return Object.fromEntries(read);
  });
  // Label sets and translations have added their welcome texts by now.
  return {
    labelSets,
    translations,
    welcome: htmlText(welcome, undefined, { notes, what: 'the welcome text' }),
  };
}

/** The languages of a center, each once, its default among them. */
export function readLanguages(tags: readonly unknown[], declared: unknown, also: readonly string[]) {
  const listed = eachOnce(tags).slice(0, mostLanguages);
  const declaredToo = eachOnce([...listed, declared]);
  const unlisted = eachOnce(also).slice(0, mostLanguages);
  const languages = [declaredToo, unlisted].find(({ length }) => length > 0) ?? ['en'];
  const wanted = languageTag(declared);
  const defaultLanguage = languages.find((tag) => wanted !== undefined && isSameTag(tag, wanted));
  return { languages, defaultLanguage: defaultLanguage ?? languages[0] ?? 'en' };
}

/** The first spelling of each language. Of a list that is too long, the end is not read. */
function eachOnce(tags: readonly unknown[]): string[] {
  const read = tags.slice(0, 2 * mostLanguages).flatMap((tag) => languageTag(tag) ?? []);
  return [...Map.groupBy(read, (tag) => readTag(tag).key).values()].flatMap(([first]) => first ?? []);
}

type Portal = wire.Read<typeof portal>;

export function readPortal(portal: Portal, notes: Notes) {
  const titleImageUrl = portal.useTitleImage === true ? imageAddress(portal.titleImageUrl) : undefined;
  if (portal.useTitleImage === true && titleImageUrl === undefined)
    notes.say('The title image has no usable address');
  return {
    title: plain(portal.title),
    titleImageUrl,
    // LOCK by default: the person then sees why the purpose is off.
    hardOptOut: portal.hardOptOutFormat ?? 'lock',
    reasons: portal.enableReasons === true ? readReasons(portal, notes) : undefined,
  } satisfies Partial<Center>;
}

function imageAddress(value: string | undefined): string | undefined {
  if (value === undefined || value.length > 2_000 || webOrigin(value) === undefined) return undefined;
  const url = new URL(value);
  return url.username === '' ? url.href : undefined;
}

const reasonTexts = ['id', 'reasonId', 'language', 'name', 'text', 'label', 'reason'] as const;
/** A reason, or a translation of it. */
const reasonShape = wire.shape({
  ...eachName(reasonTexts, () => wire.text),
  languages: wire.list,
  isDefault: wire.flag,
  default: wire.flag,
});

/** The most reasons that are read, more than a center has. */
const mostReasons = 1_000;

/**
 * A reason is a string, or an object with a text or with translations (docs/platform-api.md, Root schema).
 */
function readReasons(portal: Portal, notes: Notes): UnsubscribeReasons {
  const format = portal.reasonsDisplayFormat;
  const choices = portal.unsubscribeReasons
    .slice(0, mostReasons)
    .flatMap((item, place): { id: string; name: Text }[] => {
      const { id, name } = readReason(item) ?? {};
      if (name !== undefined && hasText(name)) return [{ id: id ?? `reason-${place + 1}`, name }];
      notes.drop('A reason for unsubscribing without a text was left out');
      return [];
    });
  return {
    choices: wire.firstOfEach(choices, { notes, what: 'A reason for unsubscribing' }),
    allowOther: portal.reasonsAllowOther ?? false,
    ...(format === undefined || format === 'check-boxes' ? {} : { format }),
  };
}

function readReason(item: unknown): { readonly id?: string | undefined; readonly name: Text } | undefined {
  if (typeof item === 'string') return { name: plainText([], item) };
  const read = reasonShape.read(item);
  if (read === undefined) return undefined;
  const translations = wire.readable(read.languages, reasonShape);
  const entries = translations.map((entry) => entryOf(entry, reasonText(entry)));
  return { id: wire.readId(read.id ?? read.reasonId), name: plainText(entries, reasonText(read)) };
}

function reasonText({ name, text, label, reason }: wire.Read<typeof reasonShape>): string | undefined {
  return name ?? text ?? label ?? reason;
}

/** Titles by language of the single-page profile settings: `Title`, in some tenants `Name`. */
export function readTitles(byLanguage: readonly [string, unknown][]): RawEntry[] {
  return byLanguage.slice(0, mostLanguages).map(([language, value]) => {
    const { title, name } = profileTitle.read(value) ?? {};
    return { text: wire.text.read(value) ?? title ?? name, language, isDefault: false };
  });
}
