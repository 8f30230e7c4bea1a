/** The platform's date-times may lack a zone (docs/platform-api.md, Notices); ours are epoch milliseconds. */

function written(style: Intl.DateTimeFormatOptions): (at: number) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (at) => {
    // The format is made at its first use: making all three takes a twentieth of the start.
    format ??= new Intl.DateTimeFormat('en-GB', { ...style, timeZone: 'UTC' });
    return format.format(at);
  };
}

/** `21 Nov 2026, 04:26:26`, without the zone, which a page names once. */
export const writtenMoment = written({ dateStyle: 'medium', timeStyle: 'medium' });
/** `21 Nov 2026`. */
export const writtenDay = written({ dateStyle: 'medium' });
/** `04:26:26`. */
export const writtenTime = written({ timeStyle: 'medium' });

/** `yyyy-MM-dd` of the day in UTC. */
export function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/**
 * The UTC midnight at which a `yyyy-MM-dd` begins, in epoch milliseconds; undefined if the text names no day.
 */
export function readDay(text: string): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) || isoDay(at) !== text ? undefined : at;
}

const dateTime = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * The date-time in epoch milliseconds, read as UTC if it has no zone; undefined if the text is no date-time
 * or names no day.
 */
export function readPlatformMoment(text: string | undefined): number | undefined {
  const match = dateTime.exec(text ?? '');
  if (match === null || text === undefined) return undefined;
  const [, day = '', , , zone] = match;
  const at = Date.parse(zone === undefined ? `${text}Z` : text);
  return Number.isNaN(at) || readDay(day) === undefined ? undefined : at;
}

/**
 * The platform's date-time in words, with a remark if it has no zone. An unreadable text is shown as it came.
 */
export function writtenPlatform(text: string | undefined): string | undefined {
  const at = readPlatformMoment(text);
  if (at === undefined || text === undefined) return text;
  return `${writtenMoment(at)} ${hasZone(text) ? 'UTC' : '(no zone given)'}`;
}

export function hasZone(text: string): boolean {
  return /(Z|[+-]\d{2}:?\d{2})$/i.test(text);
}

/** `90 seconds`, `60 minutes`: a waiting time, rounded up. */
export function writtenWait(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 120) return whole === 1 ? '1 second' : `${whole} seconds`;
  return `${Math.ceil(whole / 60)} minutes`;
}
