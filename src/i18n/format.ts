import { readTag } from '../core/model/language-tag.ts';
import { remembering } from '../core/model/remembering.ts';

/** The formats of a language. Creating them costs a thousand times more than using them. */
export const formats = remembering(100, (language) => {
  const tag = readTag(language).html;
  return {
    numbers: new Intl.NumberFormat(tag),
    plurals: new Intl.PluralRules(tag),
    regions: new Intl.DisplayNames([tag, 'en'], { type: 'region' }),
    days: new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }),
    moments: new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
    times: new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone: 'UTC' }),
    zones: new Intl.DateTimeFormat(tag, { timeZoneName: 'long', timeZone: 'UTC' }),
    names: new Intl.Collator([tag, 'en']),
  };
});

/** The name of a country, by its alpha-2 code. */
export function writtenCountry(code: string, language: string): string {
  return formats(language).regions.of(code) ?? code;
}

/** Writes epoch milliseconds as date and time, with the zone. */
export function writtenUtc(at: number, language: string): string {
  return `${formats(language).moments.format(at)} UTC`;
}

/** The name of UTC. */
export function writtenZone(language: string): string {
  const parts = formats(language).zones.formatToParts(0);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
}

const day = 86_400;
const unitSeconds = { year: 365.25 * day, month: 30.4375 * day, day, hour: 3_600 } as const;

/** Number formats by language tag and unit. Creating one costs as much as a tenth of a page. */
const counts = remembering(200, (tagAndUnit) => {
  const [tag, unit = ''] = tagAndUnit.split(' ');
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' });
});

/** Writes seconds in the largest unit that fits nearly, because platforms count a year as 365 days. */
export function writtenDuration(seconds: number, language: string): string {
  const tag = readTag(language).html;
  const write = (count: number, unit: keyof typeof unitSeconds) => counts(`${tag} ${unit}`).format(count);
  for (const unit of ['year', 'month'] as const) {
    const count = seconds / unitSeconds[unit];
    const isWhole = count >= 0.97 && Math.abs(count - Math.round(count)) < 0.03 * count;
    if (isWhole && Math.round(count) < (unit === 'year' ? 1_000 : 24)) return write(Math.round(count), unit);
  }
  return seconds < 2 * day
    ? write(Math.max(1, Math.round(seconds / unitSeconds.hour)), 'hour')
    : write(Math.round(seconds / day), 'day');
}
