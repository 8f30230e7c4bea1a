import { isoDay } from './moment.ts';

/** Days of an address, both included, in UTC. */
export interface Period {
  /** `yyyy-MM-dd`; '' when it is open. */
  readonly fromDay: string;
  readonly toDay: string;
  /** Epoch milliseconds: at or after, and before. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

const day = 24 * 60 * 60 * 1000;

/** What is no day leaves the period open. */
export function readPeriod(from: string, to: string): Period {
  const start = readDay(from);
  const end = readDay(to);
  return {
    fromDay: start === undefined ? '' : isoDay(start),
    toDay: end === undefined ? '' : isoDay(end),
    from: start,
    to: end === undefined ? undefined : end + day,
  };
}

function readDay(text: string): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) || isoDay(at) !== text ? undefined : at;
}
