import { isoDay, writtenDay } from '../../core/model/utc-time.ts';
import { cell, table } from './blocks.ts';
import type { DaysView } from './every-page.ts';
import { withQuery } from './paging.ts';

export interface CountedDay {
  /** The epoch milliseconds of its UTC midnight. */
  readonly day: number;
  readonly submissions: number;
  readonly leavings: number;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Of the drawing, for each day; a bar takes 8 of it. */
const slot = 10;

/** As many days up to and with `today`, those without anything included. */
export function everyDay(counted: readonly CountedDay[], today: number, days: number): readonly CountedDay[] {
  const known = new Map(counted.map((one) => [one.day, one]));
  return Array.from({ length: days }, (_, at) => {
    const day = today - (days - 1 - at) * dayMs;
    return known.get(day) ?? { day, submissions: 0, leavings: 0 };
  });
}

/** Submissions by day, and how many of them left everything. */
export function buildDays(days: readonly CountedDay[]): DaysView {
  const most = Math.max(1, ...days.map(({ submissions }) => submissions));
  const sum = (of: 'submissions' | 'leavings') => days.reduce((all, one) => all + one[of], 0);
  const [all, left] = [sum('submissions'), sum('leavings')];
  const words = ({ day, submissions, leavings }: CountedDay) =>
    `${writtenDay(day)}: ${submissions}, of which ${leavings} left everything`;
  return {
    kind: 'days',
    id: 'days',
    heading: 'Submissions by day',
    about:
      all === 0
        ? `Nothing came in the last ${days.length} days.`
        : `${all} in the last ${days.length} days (UTC), of which ${left} left everything.`,
    legend: { whole: 'Submissions', part: 'Of these, left everything' },
    width: String(days.length * slot),
    bars: days.map((one, at) => ({
      x: String(at * slot + 1),
      ...heights('whole', one.submissions / most),
      ...heights('part', one.leavings / most),
      text: words(one),
    })),
    most: String(most),
    from: writtenDay(days[0]?.day ?? 0),
    to: writtenDay(days.at(-1)?.day ?? 0),
    tableLabel: 'As a table',
    table: table({
      id: 'days-table',
      caption: 'Submissions and leavings by day, newest first',
      columns: ['Day', 'Submissions', 'Left everything'],
      rows: days.toReversed().map(({ day, submissions, leavings }) => [
        cell(writtenDay(day), {
          look: 'moment',
          href: withQuery('/staff/submissions', { from: isoDay(day), to: isoDay(day) }),
        }),
        cell(String(submissions)),
        cell(String(leavings)),
      ]),
      empty: '',
    }),
  };
}

/** From the bottom of the drawing, which is 100 high; what is there at all is seen. */
function heights<P extends 'whole' | 'part'>(of: P, share: number) {
  const height = share === 0 ? 0 : Math.max(2, Math.round(Math.min(share, 1) * 1000) / 10);
  return { [`${of}Y`]: String(100 - height), [`${of}Height`]: String(height) } as Record<
    `${P}Y` | `${P}Height`,
    string
  >;
}
