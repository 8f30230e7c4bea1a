import { formats } from './format.ts';
import { direction, matchLanguage } from './language.ts';
import ar from './messages/ar.json' with { type: 'json' };
import de from './messages/de.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import fr from './messages/fr.json' with { type: 'json' };
import he from './messages/he.json' with { type: 'json' };
import it from './messages/it.json' with { type: 'json' };
import ja from './messages/ja.json' with { type: 'json' };
import nl from './messages/nl.json' with { type: 'json' };
import pl from './messages/pl.json' with { type: 'json' };
import pt from './messages/pt.json' with { type: 'json' };
import sv from './messages/sv.json' with { type: 'json' };
import zhHans from './messages/zh-Hans.json' with { type: 'json' };

/** A text with a count, in the plural forms of its language (Intl.PluralRules); `other` is always there. */
type Plural = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;

/**
 * The texts of a catalogue, under the keys of English. A text with a count has the plural forms of its
 * language.
 */
export type Messages = Texts<typeof en>;
type Texts<T> = T extends string
  ? string
  : keyof T extends Intl.LDMLPluralRule
    ? Plural
    : { readonly [K in keyof T]: Texts<T[K]> };

/** All built-in languages. English is the source of the keys and `{placeholders}`. */
export const catalogues: Readonly<Record<string, Messages>> = {
  en,
  fr,
  de,
  es,
  it,
  pt,
  nl,
  pl,
  sv,
  ja,
  'zh-Hans': zhHans,
  ar,
  he,
};

/** The languages of pages without a center, in the form that `choosePageLanguage` takes. */
export const builtIn = { languages: Object.keys(catalogues), defaultLanguage: 'en' } as const;

/** The built-in texts in the page's language, or in English. */
export function messagesFor(pageLanguage: string): Messages {
  const tag = matchLanguage(builtIn.languages, pageLanguage);
  if (tag !== undefined) return catalogues[tag] ?? en;
  return direction(pageLanguage) === 'rtl' ? isolatedEnglish : en;
}

/** The language of `messagesFor`. */
export function messageLanguage(pageLanguage: string): string {
  return matchLanguage(builtIn.languages, pageLanguage) ?? 'en';
}

/** English texts for a right-to-left page. Each text is isolated, so that its full stop stays at its end. */
const isolatedEnglish: Messages = JSON.parse(JSON.stringify(en), (_key, value: unknown) =>
  typeof value === 'string' ? `\u2066${value}\u2069` : value,
);

const rightToLeftLetter = /[\u0590-\u08ff]/;

/**
 * Replaces `{name}` by its value; a name without a value stays. In right-to-left text each value is isolated,
 * so that foreign names and addresses keep their order.
 */
export function fill(message: string, values: Readonly<Record<string, string | number>>): string {
  const isolates = rightToLeftLetter.test(message);
  return message.replace(/\{([a-z]+)\}/gi, (place, name: string) => {
    if (!Object.hasOwn(values, name)) return place;
    const value = String(values[name]);
    return isolates && /\D/.test(value) ? `\u2068${value}\u2069` : value;
  });
}

/**
 * Chooses the plural form of a count and writes the count, in the digits of the built-in texts, into
 * `{count}`.
 */
export function fillCount(message: Plural, pageLanguage: string, count: number): string {
  const { plurals, numbers } = formats(messageLanguage(pageLanguage));
  return fill(message[plurals.select(count)] ?? message.other, { count: numbers.format(count) });
}
