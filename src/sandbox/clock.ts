/** The default clock. */
export function systemTime(): Date {
  return new Date();
}

/** Formats a date-time as the platform does: no zone, three fraction digits, in UTC. */
export function localTime(date: Date): string {
  return date.toISOString().slice(0, 23);
}

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?$/i;

/** Reads an ISO date-time; without a zone it is UTC. Returns undefined for a day that does not exist. */
export function readInstant(source: string): Date | undefined {
  const parts = INSTANT.exec(source);
  if (parts === null) return undefined;
  const [, day = '', time = '', zone = 'Z'] = parts;
  if (!isDay(day)) return undefined;
  const date = new Date(`${day}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Reads a bare date as midnight UTC. */
export function readDay(source: string): Date | undefined {
  return isDay(source) ? new Date(`${source}T00:00:00Z`) : undefined;
}

function isDay(source: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(source)) return false;
  const date = new Date(`${source}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(source);
}
