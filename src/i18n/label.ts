import type { Center } from '../core/model/center/center.ts';
import { type AnyLabel, generalTexts } from '../core/model/center/general-texts.ts';
import { isSameTag } from '../core/model/language-tag.ts';
import { type Messages, messagesFor } from './catalogue.ts';
import { matchLanguage } from './language.ts';

type GeneralLabel = keyof Messages['labels'];

/**
 * A label in the page's language, never blank: the center's text, else the built-in one, as without a center.
 */
export function label(center: Center | undefined, language: string, name: GeneralLabel): string {
  const own = center && findLabel(center, language, name);
  return own ?? messagesFor(language).labels[name];
}

/**
 * The center's own text: the label set of this language, then its translation, then the same of a related
 * language. undefined if there is none.
 */
export function findLabel(center: Center, language: string, name: AnyLabel): string | undefined {
  for (const isNear of [isSameTag, () => true]) {
    const find = (sets: Readonly<Record<string, Texts>>, key: string) => {
      const tags = Object.keys(sets).filter((tag) => sets[tag]?.[key]?.trim() && isNear(tag, language));
      const tag = matchLanguage(tags, language);
      return tag === undefined ? undefined : sets[tag]?.[key];
    };
    const [, ...keys]: readonly string[] = generalTexts[name];
    const translated = keys.values().map((key) => find(center.translations, key));
    const own = find(center.labelSets, name) ?? translated.find((text) => text !== undefined);
    if (own !== undefined) return own;
  }
  return undefined;
}

type Texts = Readonly<Record<string, string | undefined>>;
