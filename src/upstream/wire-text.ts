import type { Text, TextEntry } from '../core/model/center/center.ts';
import { readTag } from '../core/model/language-tag.ts';
import { isPlainKey, text } from './wire-shape.ts';

const longestName = 2_000;
/** The most languages of a center. Every page lists them; platforms know a few hundred. */
export const mostLanguages = 500;

/** A translation as the platform sent it. */
export interface RawEntry {
  readonly text: string | undefined;
  readonly language: string | undefined;
  readonly isDefault: boolean;
}

/** Plain text for names and labels: not decoded, without control characters; undefined if empty. */
export function plain(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value
    .slice(0, longestName)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
  return text === '' ? undefined : text;
}

/** `plain` as a reader. */
export const line = { read: (value: unknown) => plain(text.read(value)) };

/** The text, if it can be a language tag. */
export function languageTag(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const tag = value.trim();
  return tag.length <= 35 && /^[a-z]{2,8}([-_][a-z0-9]{1,8})*$/i.test(tag) && isPlainKey(tag)
    ? tag
    : undefined;
}

export function plainText(raw: readonly RawEntry[], untranslated: string | undefined): Text {
  return assemble(raw, untranslated, plain);
}

/**
 * Joins translations into a text. An entry without a language replaces a missing untranslated text; the first
 * entry of a language wins.
 */
export function assemble<T extends string>(
  raw: readonly RawEntry[],
  untranslated: string | undefined,
  clean: (value: string | undefined) => T | undefined,
): Text<T> {
  const entries = new Map<string, TextEntry<T>>();
  let withoutLanguage: T | undefined;
  for (const { text, language, isDefault } of raw) {
    const cleaned = clean(text);
    if (cleaned === undefined) continue;
    const tag = languageTag(language);
    if (tag === undefined) withoutLanguage ??= cleaned;
    else entries.getOrInsert(readTag(tag).key, { language: tag, text: cleaned, isDefault });
  }
  return { entries: [...entries.values()], plain: clean(untranslated) ?? withoutLanguage };
}

export function hasText(text: Text): boolean {
  return text.entries.length > 0 || text.plain !== undefined;
}
