import type { Center, SafeHtml, Text, TextEntry } from '../core/model/center/center.ts';
import { readTag, type Tag } from '../core/model/language-tag.ts';
import { remembering } from '../core/model/remembering.ts';

/** A text for a page; `lang` and `dir` are set only if they differ from the page's. */
export interface LocalizedText {
  readonly text: string;
  readonly lang?: string | undefined;
  readonly dir?: 'ltr' | 'rtl' | undefined;
}

export interface LocalizedHtml extends Omit<LocalizedText, 'text'> {
  readonly html: SafeHtml;
}

/** A person's languages, strongest first. */
export interface LanguagePreferences {
  /** The language chosen on this visit (`?lang=`). */
  readonly visit: string | undefined;
  /** The language on record. */
  readonly subject: string | undefined;
  /** The languages of the browser's Accept-Language header. */
  readonly browser: readonly string[];
}

/**
 * The best tag for a request: the exact one, then a shorter one (`fr-CA` → `fr`), then the first sibling
 * (`fr` → `fr-FR`); never another script. undefined if there is none.
 */
export function matchLanguage(tags: readonly string[], wanted: string): string | undefined {
  const index = bestIndex(tags, wanted);
  return index === undefined ? undefined : tags[index];
}

/**
 * Chooses a language of the center, in the center's spelling: the first preference that the center has, its
 * default, its first.
 */
export function choosePageLanguage(choice: {
  preferences: LanguagePreferences;
  center: Pick<Center, 'languages' | 'defaultLanguage'>;
}): string {
  const { preferences, center } = choice;
  for (const wanted of [preferences.visit, preferences.subject, ...preferences.browser]) {
    if (wanted === undefined || wanted.trim() === '') continue;
    const match = matchLanguage(center.languages, wanted);
    if (match !== undefined) return match;
  }
  if (center.defaultLanguage.trim() !== '') return center.defaultLanguage;
  return center.languages[0] ?? 'en';
}

/**
 * Chooses the text for a page: the entry of the exact language, of a shorter tag, of a sibling, the default
 * entry, the entry of the center's default, the first entry, the plain text. Blank entries are skipped.
 */
export function chooseText(
  { entries, plain }: Text,
  pageLanguage: string,
  centerDefault: string,
): LocalizedText | undefined {
  const entry = chooseEntry(entries, { pageLanguage, centerDefault, isBlank });
  if (entry !== undefined) return { text: entry.text, ...mark(entry.language, pageLanguage) };
  if (plain === undefined || isBlank(plain)) return undefined;
  return { text: plain, ...markUnknown(plain, pageLanguage) };
}

/** Chooses safe HTML, as `chooseText` chooses a text. */
export function chooseHtml(
  { entries, plain }: Text<SafeHtml>,
  pageLanguage: string,
  centerDefault: string,
): LocalizedHtml | undefined {
  const entry = chooseEntry(entries, { pageLanguage, centerDefault, isBlank: isBlankHtml });
  if (entry !== undefined) return { html: entry.text, ...mark(entry.language, pageLanguage) };
  if (plain === undefined || isBlankHtml(plain)) return undefined;
  return { html: plain, ...markUnknown(plain.replace(/<[^>]*>/g, ' '), pageLanguage) };
}

export function direction(tag: string): 'ltr' | 'rtl' {
  return readTag(tag).direction;
}

/** The tag for a `lang` attribute: `en_us` → `en-US`; a malformed one becomes `und`. */
export function htmlLanguage(tag: string): string {
  return readTag(tag).html;
}

/** True if base language and script are the same (`en-GB`, `en_us`). */
export function isSameLanguage(one: string, other: string): boolean {
  const a = readTag(one);
  const b = readTag(other);
  return a.key === b.key || (a.base === b.base && a.script === b.script);
}

/** The language's own name with a capital: `Français`, `العربية`; an unknown tag stays as it is. */
export const languageName = remembering(500, ownName);

function ownName(tag: string): string {
  const { html } = readTag(tag);
  if (html === 'und') return tag;
  const name =
    new Intl.DisplayNames([html], { type: 'language', languageDisplay: 'standard' }).of(html) ?? tag;
  const [first = '', ...rest] = name;
  return first.toLocaleUpperCase(html) + rest.join('');
}

function chooseEntry<T extends string>(
  entries: readonly TextEntry<T>[],
  by: {
    readonly pageLanguage: string;
    readonly centerDefault: string;
    readonly isBlank: (text: string) => boolean;
  },
): TextEntry<T> | undefined {
  // Most texts have the page's exact tag.
  const exact = entries.find(({ language, text }) => language === by.pageLanguage && !by.isBlank(text));
  if (exact !== undefined) return exact;
  const filled = entries.filter(({ text }) => !by.isBlank(text));
  const tags = filled.map(({ language }) => language);
  const best = bestIndex(tags, by.pageLanguage);
  if (best !== undefined) return filled[best];
  return filled.find((entry) => entry.isDefault) ?? filled[bestIndex(tags, by.centerDefault) ?? 0];
}

/** The index of the exact tag, else of the longest shorter one, else of the first sibling. */
function bestIndex(tags: readonly string[], asked: string): number | undefined {
  const wanted = readTag(asked);
  let best: number | undefined;
  let bestRank = 0;
  for (const [index, tag] of tags.entries()) {
    const rank = rankOf(readTag(tag), wanted);
    if (rank <= bestRank) continue;
    best = index;
    bestRank = rank;
  }
  return best;
}

/**
 * Rank of a tag: 0 for no match, 1 for a sibling, more for a shorter tag (the longer, the better), Infinity
 * for the exact tag.
 */
function rankOf(tag: Tag, wanted: Tag): number {
  if (tag.key === '') return 0;
  if (tag.key === wanted.key) return Number.POSITIVE_INFINITY;
  if (tag.base !== wanted.base || tag.script !== wanted.script) return 0;
  return wanted.key.startsWith(`${tag.key}-`) ? 1 + tag.key.length : 1;
}

const noMark = { lang: undefined, dir: undefined } as const;

function mark(language: string, pageLanguage: string): Pick<LocalizedText, 'lang' | 'dir'> {
  if (language === pageLanguage) return noMark;
  const tag = readTag(language);
  const page = readTag(pageLanguage);
  if (tag.key === page.key) return noMark;
  return { lang: tag.html, dir: tag.direction === page.direction ? undefined : tag.direction };
}

/** The language of a plain text is unknown, but its letters show its direction. */
function markUnknown(text: string, pageLanguage: string): Pick<LocalizedText, 'lang' | 'dir'> {
  const [letter] = firstLetter.exec(text) ?? [];
  if (letter === undefined) return noMark;
  const dir = rightToLeftLetter.test(letter) ? 'rtl' : 'ltr';
  return dir === direction(pageLanguage) ? noMark : { lang: undefined, dir };
}

const firstLetter = /\p{L}/u;
const rightToLeftLetter = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

function isBlank(text: string): boolean {
  return text.trim() === '';
}

const blankMarkup = /^(?:\s|&nbsp;|<(?!img\b)[^>]*>)*$/i;

/** Markup without content, as editors leave it (`<p>&nbsp;</p>`), is blank; a picture is not. */
function isBlankHtml(html: string): boolean {
  return blankMarkup.test(html);
}
