import { hasZone, readDay, readPlatformMoment } from '../utc-time.ts';

const noDeadline = { date: '', time: '', zone: 'UTC' };

/**
 * A typed deadline: a day `yyyy-MM-dd`, a time `HH:mm` or `HH:mm:ss`, and their time zone: `UTC`, a name of
 * the IANA database, or `none`. With `none` it is sent without a zone, for the platform to interpret.
 */
export type TypedDeadline = Readonly<typeof noDeadline>;

/** The zones in the menu; no other zone is accepted. */
export const deadlineZones: readonly (readonly [zone: string, label: string])[] = [
  ['UTC', 'UTC'],
  ...[
    'Africa/Cairo',
    'Africa/Johannesburg',
    'Africa/Lagos',
    'America/Anchorage',
    'America/Bogota',
    'America/Chicago',
    'America/Denver',
    'America/Los_Angeles',
    'America/Mexico_City',
    'America/New_York',
    'America/Sao_Paulo',
    'America/Toronto',
    'Asia/Dubai',
    'Asia/Hong_Kong',
    'Asia/Jerusalem',
    'Asia/Kolkata',
    'Asia/Shanghai',
    'Asia/Singapore',
    'Asia/Tokyo',
    'Australia/Sydney',
    'Europe/Athens',
    'Europe/Berlin',
    'Europe/Istanbul',
    'Europe/Lisbon',
    'Europe/London',
    'Europe/Madrid',
    'Europe/Paris',
    'Europe/Rome',
    'Europe/Stockholm',
    'Europe/Warsaw',
    'Pacific/Auckland',
    'Pacific/Honolulu',
  ].map((zone): [string, string] => [zone, zone.replaceAll('_', ' ')]),
  ['none', 'No zone: the platform decides'],
];

/**
 * The deadline for the wire: in UTC, or without a zone for `none`. undefined: no deadline, or a mistake,
 * which goes to `wrong` with its field. A time that the zone skips on that day is a mistake.
 */
export function readDeadline(
  { date, time, zone }: TypedDeadline,
  wrong: (field: string, text: string) => undefined,
): string | undefined {
  if (date === '' && time === '') return undefined;
  if (date === '') return wrong('deadline', 'Enter the day, too.');
  if (readDay(date) === undefined)
    return wrong('deadline', 'Enter a day as year, month and day, such as 2027-03-31.');
  if (time === '') return wrong('deadline-time', 'Enter the time, too.');
  const match = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(time);
  if (match === null) return wrong('deadline-time', 'Enter a time of 24 hours, such as 17:30.');
  const local = `${date}T${match[1]}:${match[2]}:${match[3] ?? '00'}`;
  if (!deadlineZones.some(([name]) => name === zone))
    return wrong('deadline-zone', 'Choose a time zone of the list.');
  if (zone === 'none') return local;
  const at = instantIn(zone, local);
  if (at === undefined)
    return wrong('deadline-time', `In ${zone.replaceAll('_', ' ')} the clocks skip this time on that day.`);
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

/** The platform's deadline as form fields; empty fields for undefined or an unreadable text. */
export function typedDeadline(text: string | undefined): TypedDeadline {
  const at = readPlatformMoment(text);
  if (at === undefined || text === undefined) return noDeadline;
  const iso = new Date(at).toISOString();
  return { date: iso.slice(0, 10), time: iso.slice(11, 19), zone: hasZone(text) ? 'UTC' : 'none' };
}

/** The first instant at which the zone's clocks show `local`; undefined if they never do. */
function instantIn(zone: string, local: string): number | undefined {
  const wanted = Temporal.PlainDateTime.from(local);
  const found = wanted.toZonedDateTime(zone, { disambiguation: 'earlier' });
  return found.toPlainDateTime().equals(wanted) ? found.epochMilliseconds : undefined;
}
