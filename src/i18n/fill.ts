import { readTag } from '../core/model/language-tag.ts';
import { remembering } from '../core/model/remembering.ts';
import type { Plural } from './plural.ts';

const rightToLeftLetter = /[\u0590-\u08ff]/;

/**
 * Puts values into `{name}` places; a place without a value stays. Within right-to-left text a value is isolated,
 * so that a foreign name or address keeps its order and its punctuation.
 */
export function fill(message: string, values: Readonly<Record<string, string | number>>): string {
  const isolates = rightToLeftLetter.test(message);
  return message.replace(/\{([a-z]+)\}/gi, (place, name: string) => {
    if (!Object.hasOwn(values, name)) return place;
    const value = String(values[name]);
    return isolates && /\D/.test(value) ? `\u2068${value}\u2069` : value;
  });
}

/** Chooses the form for a count and puts the count, written as the language writes it, into `{count}`. */
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

/** Of the languages of the messages: there are only as many as there are catalogues. */
const counting = remembering(50, (language): Counting => {
  const tag = readTag(language).html;
  return { rules: new Intl.PluralRules(tag), numbers: new Intl.NumberFormat(tag) };
});
