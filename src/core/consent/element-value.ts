import type { DataElement } from '../model/center/center.ts';
import { countryCode, writeCountry } from '../model/person/country.ts';
import { isMailAddress } from '../model/person/mail-address.ts';
import { readDay } from '../model/utc-time.ts';

/** The platform keeps at most 750 characters (docs/platform-api.md, Data elements). */
export const longestValue = 750;

export type ElementMistake =
  | 'email'
  | 'phone'
  | 'number'
  | 'date'
  | 'too-long'
  | 'characters'
  | 'not-offered'
  | 'required';

export type ReadValue =
  /** The value as it goes over the wire; '' for none. */
  | { readonly kind: 'value'; readonly value: string }
  /** The value is the same as on record: it is no change, even if the recorded value is invalid. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'mistake'; readonly mistake: ElementMistake };

/**
 * Converts a wire value for an input: dates to yyyy-mm-dd, countries without options to an alpha-2 code.
 * Other values, and unreadable ones, stay as they are.
 */
export function toInput(element: DataElement, wire: string): string {
  if (element.type === 'date') return isoDate(wire) ?? wire;
  if (isOpenCountry(element)) return countryCode(wire) ?? wire;
  return wire;
}

/** Converts typed text to its wire value. `recorded`: the wire value that the page showed. */
export function readInput(element: DataElement, typed: string, recorded: string): ReadValue {
  if (showsTheSame(element, typed, recorded)) return { kind: 'unchanged' };
  const text = typed.trim().normalize('NFC');
  if (text === '') return element.required ? mistake('required') : value('');
  // U+FFFD stands for bytes that are no UTF-8: the typed text is lost.
  if (!typed.isWellFormed() || /[\p{Cc}\u2028\u2029\ufffd]/u.test(text)) return mistake('characters');
  const read = readKind(element, text, recorded);
  if (read.kind === 'value' && read.value.length > longestValue) return mistake('too-long');
  return read;
}

/** True if an input shows both texts alike: browsers drop line breaks and outer blanks from an input. */
function showsTheSame(element: DataElement, typed: string, recorded: string): boolean {
  const inInput = (text: string) => text.replace(/[\r\n]/g, '').trim();
  return inInput(typed) === inInput(toInput(element, recorded));
}

function readKind(element: DataElement, text: string, recorded: string): ReadValue {
  if (element.options.length > 0) {
    return element.options.some((option) => option.value === text) ? value(text) : mistake('not-offered');
  }
  switch (element.type) {
    case 'email':
      return isMailAddress(text) ? value(text) : mistake('email');
    case 'phone':
      return isPhone(asciiDigits(text)) ? value(asciiDigits(text)) : mistake('phone');
    case 'number':
      return isNumber(asciiDigits(text)) ? value(asciiDigits(text)) : mistake('number');
    case 'date':
      return readDate(text);
    case 'country':
    case 'country-code': {
      const code = countryCode(text);
      return code === undefined ? mistake('not-offered') : value(writeCountry(code, recorded));
    }
    default:
      return value(text);
  }
}

function value(text: string): ReadValue {
  return { kind: 'value', value: text };
}

function mistake(kind: ElementMistake): ReadValue {
  return { kind: 'mistake', mistake: kind };
}

function isOpenCountry(element: DataElement): boolean {
  return (element.type === 'country' || element.type === 'country-code') && element.options.length === 0;
}

/** True for 4 to 15 digits (E.164). The marks between them are kept. */
function isPhone(text: string): boolean {
  const digits = text.replace(/[^0-9]/g, '').length;
  return digits >= 4 && digits <= 15 && /^\+?[0-9 ()./-]+$/.test(text);
}

function isNumber(text: string): boolean {
  return /^[+-]?[0-9]+(\.[0-9]+)?$/.test(text);
}

/** Converts Arabic-Indic and Persian digits. */
function asciiDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

/** yyyy-mm-dd → month/day/year. */
function readDate(text: string): ReadValue {
  const [year, month, day] = text.split('-');
  return isDate(text) ? value(`${month}/${day}/${year}`) : mistake('date');
}

/** Reads month/day/year, or an ISO date or date-time, as yyyy-mm-dd: a browser shows no other date. */
export function isoDate(wire: string): string | undefined {
  const iso = wire
    .trim()
    .replace(/([0-9]{1,2})\/([0-9]{1,2})\/([0-9]{4})$/, (_, month: string, day: string, year: string) => {
      return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    })
    .replace(/T.*/, '');
  return isDate(iso) ? iso : undefined;
}

function isDate(text: string): boolean {
  return readDay(text) !== undefined && !text.startsWith('0000');
}
