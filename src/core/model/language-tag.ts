import { remembering } from './remembering.ts';

/** A parsed language tag. Tags compare case-insensitively, and `_` counts as `-`. */
export type Tag = Readonly<ReturnType<typeof parse>>;

const longestTag = 100;
/** More tags than a schema may have: each text of a schema looks up all of them in turn. */
const mostTags = 2_000;
const readOnce = remembering(mostTags, parse);

/** Parses any text as a tag; never throws. */
export function readTag(tag: string): Tag {
  return tag.length > longestTag ? parse(tag) : readOnce(tag);
}

function parse(tag: string) {
  const key = tag.slice(0, longestTag).trim().toLowerCase().replaceAll('_', '-');
  const whole = locale(key);
  const base = key.split('-', 1)[0] ?? '';
  const used = whole ?? locale(base);
  return {
    /** Lower case, with hyphens; '' for an empty tag. */
    key,
    /** The base language, canonical (`iw` is `he`). */
    base: used?.language ?? base,
    /** The script in which the language is most likely written (`Latn`); '' when unknown. */
    script: used?.maximize().script ?? '',
    direction: used?.getTextInfo().direction ?? 'ltr',
    /** The value for a `lang` attribute; `und` when the tag is malformed. */
    html: whole?.baseName ?? used?.language ?? 'und',
  };
}

function locale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}

export function isSameTag(one: string, other: string): boolean {
  return readTag(one).key === readTag(other).key;
}
