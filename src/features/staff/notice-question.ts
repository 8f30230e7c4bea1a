import { readDay, writtenDay, writtenTime } from '../../core/model/utc-time.ts';
import type { Query } from './queries.ts';

/**
 * "Which version was active on …". `date`: `yyyy-MM-dd`, empty when nothing was asked; `time`: `HH:mm` or `HH:mm:ss`,
 * empty for the whole day. `before`: strictly before that instant, as the platform answers; `through`: what came at it
 * counts too.
 */
type NoticeQuestion = Pick<Query<'versions'>, 'date' | 'time' | 'count'>;

export type ReadQuestion =
  | { readonly kind: 'none' }
  | { readonly kind: 'mistake'; readonly field: 'date' | 'time'; readonly text: string }
  /** `ask`: the date that goes to the platform; `meaning`: in words. */
  | { readonly kind: 'question'; readonly ask: string; readonly meaning: string };

const day = 24 * 60 * 60 * 1000;

/**
 * The platform gives the version that was active strictly before a date, and takes a bare date for midnight
 * (docs/platform-api.md, Notices): what was published on that day would be missed. "Through" therefore asks for the
 * next instant: the midnight after the day, or the second after the time.
 */
export function readQuestion({ date, time, count }: NoticeQuestion): ReadQuestion {
  if (date === '') {
    return time === '' ? { kind: 'none' } : mistake('date', 'Enter the day, too.');
  }
  const midnight = readDay(date);
  if (midnight === undefined) {
    return mistake('date', 'Enter a day as year, month and day, such as 2026-03-31.');
  }
  if (time === '') {
    if (count === 'before') return question(midnight, 'bare', `just before ${writtenDay(midnight)} began`);
    return question(midnight + day, 'bare', `at the end of ${writtenDay(midnight)}`);
  }
  const match = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(time);
  if (match === null) return mistake('time', 'Enter a time of 24 hours, such as 17:30 or 17:30:15.');
  const [, hours, minutes, seconds = 0] = match;
  const at = midnight + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  const said = `${writtenDay(at)}, ${writtenTime(at)}`;
  if (count === 'before') return question(at, 'full', `just before ${said}`);
  return question(at + 1000, 'full', `on ${said}`);
}

function question(at: number, form: 'bare' | 'full', meaning: string): ReadQuestion {
  const iso = new Date(at).toISOString();
  // A year of five digits is written with a sign, which the platform does not read.
  if (iso.startsWith('+')) return mistake('date', 'Enter a day before 9999-12-31.');
  return { kind: 'question', ask: form === 'bare' ? iso.slice(0, 10) : iso.slice(0, 19), meaning };
}

function mistake(field: 'date' | 'time', text: string): ReadQuestion {
  return { kind: 'mistake', field, text };
}
