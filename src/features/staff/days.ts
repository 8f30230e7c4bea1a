import { isoDay, writtenDay } from '../../core/model/utc-time.ts';
import type { DaysView } from '../../pages/staff-page.ts';
import type { DayCount, DayPeriod } from '../../ports/journal.ts';
import { cell, figures, table } from './blocks.ts';
import { dayMs, withQuery } from './list.ts';

/** Every day of the period, including days without submissions. */
export function everyDay(counted: readonly DayCount[], { from, to }: DayPeriod): readonly DayCount[] {
  const known = new Map(counted.map((one) => [one.day, one]));
  return Array.from({ length: (to - from) / dayMs }, (_, at) => {
    const day = from + at * dayMs;
    return known.get(day) ?? { day, submissions: 0, leavings: 0 };
  });
}

/** A chart of submissions by day, and of those that unsubscribed from all. */
export function buildDays(days: readonly DayCount[]): DaysView {
  const top = roundUp(Math.max(...days.map(({ submissions }) => submissions)));
  const sum = (of: 'submissions' | 'leavings') => days.reduce((all, one) => all + one[of], 0);
  const [all, left] = [sum('submissions'), sum('leavings')];
  return {
    kind: 'days',
    id: 'days',
    heading: 'Submissions by day',
    about:
      all > 0 &&
      `${figures.format(all)} in the last ${days.length} days (UTC), ${figures.format(left)} unsubscribed from all.`,
    empty:
      all === 0 &&
      `No submissions in the last ${days.length} days. As soon as someone saves their choices, the day has a bar here.`,
    ticks: [1, 0.5, 0].map((share) => ({ y: percent(1 - share), text: figures.format(top * share) })),
    bars: days.map((one, at) => bar(one, { at, of: days.length, top })),
    table: table({
      id: 'days-table',
      caption: 'Submissions by day, newest first',
      columns: {
        Day: ({ day }) =>
          cell(writtenDay(day), {
            look: 'moment',
            href: withQuery('/staff/submissions', { from: isoDay(day), to: isoDay(day) }),
          }),
        Submissions: ({ submissions }) => submissions,
        'Unsubscribed from all': ({ leavings }) => leavings,
      },
      rows: days.toReversed(),
    }),
  };
}

/** Days between two labels of the axis: one week, counted back from today. */
const tickEvery = 7;
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function bar(
  { day, submissions, leavings }: DayCount,
  { at, of, top }: { readonly at: number; readonly of: number; readonly top: number },
): DaysView['bars'][number] {
  /** A count above zero always has a visible column. */
  const column = (count: number) => {
    const share = count === 0 ? 0 : Math.max(0.02, Math.min(count / top, 1));
    return { y: percent(1 - share), height: percent(share) };
  };
  return {
    x: percent((at + 0.1) / of),
    width: percent(0.8 / of),
    middle: percent((at + 0.5) / of),
    whole: column(submissions),
    part: column(leavings),
    value: submissions === 0 ? undefined : figures.format(submissions),
    tick: (of - 1 - at) % tickEvery === 0 ? shortDay.format(day) : undefined,
    text: `${writtenDay(day)}: ${figures.format(submissions)}, ${figures.format(leavings)} unsubscribed from all`,
  };
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}

/**
 * Rounds up to an even figure of one or two digits and zeros, so that half of it is whole, too: 2, 4, 10, 20,
 * 40, 100, …
 */
function roundUp(most: number): number {
  for (let size = 1; ; size *= 10) {
    const found = [2, 4, 10].find((step) => step * size >= most);
    if (found !== undefined) return found * size;
  }
}
