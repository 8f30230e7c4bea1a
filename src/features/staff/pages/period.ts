import { isoDay, readDay } from '../../../core/model/utc-time.ts';

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
