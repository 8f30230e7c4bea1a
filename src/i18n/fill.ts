import { readTag } from '../core/model/language-tag.ts';
import { remembering } from '../core/model/remembering.ts';
import type { Plural } from './plural.ts';

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

/** Chooses the plural form of a count and writes the count, in the language's digits, into `{count}`. */
export function fillCount(
  message: Plural,
  language: string,
  count: number,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const { rules, numbers } = counting(language);
  const form = message[rules.select(count)] ?? message.other;
  return fill(form, { ...values, count: numbers.format(count) });
}

interface Counting {
  readonly rules: Intl.PluralRules;
  readonly numbers: Intl.NumberFormat;
}

/** At most one entry for each catalogue. */
const counting = remembering(50, (language): Counting => {
  const tag = readTag(language).html;
  return { rules: new Intl.PluralRules(tag), numbers: new Intl.NumberFormat(tag) };
});
