import { readTag } from '../core/model/language-tag.ts';
import { remembering } from '../core/model/remembering.ts';

interface Writer {
  readonly regions: Intl.DisplayNames;
  readonly dates: Intl.DateTimeFormat;
  readonly moments: Intl.DateTimeFormat;
  readonly names: Intl.Collator;
}

/** Making these is a thousand times dearer than using them; there are as many as languages of centers. */
const writer = remembering(100, (language): Writer => {
  const tag = readTag(language).html;
  return {
    regions: new Intl.DisplayNames([tag, 'en'], { type: 'region' }),
    dates: new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }),
    moments: new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
    names: new Intl.Collator([tag, 'en']),
  };
});

/** An alpha-2 code as a country's name. */
export function writtenCountry(code: string, language: string): string {
  return writer(language).regions.of(code) ?? code;
}

/** yyyy-mm-dd as a date in words. */
export function writtenDate(iso: string, language: string): string {
  const [year = 0, month = 1, day = 1] = iso.split('-').map(Number);
  return writer(language).dates.format(Date.UTC(year, month - 1, day));
}

/** Epoch milliseconds as date and time, in UTC. */
export function writtenMoment(at: number, language: string): string {
  return writer(language).moments.format(at);
}

export function compareNames(one: string, other: string, language: string): number {
  return writer(language).names.compare(one, other);
}
