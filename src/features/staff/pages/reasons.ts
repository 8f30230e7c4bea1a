import { isoDay, writtenDay } from '../../../core/model/utc-time.ts';
import type { StaffPage } from '../../../pages/staff-page.ts';
import type { Query } from '../queries.ts';
import { cell, figure, figures, staffPage, table } from './blocks.ts';
import type { StaffPageContext } from './layout.ts';
import { centerField, dayFields, list } from './list.ts';
import { type CenterNames, centerName } from './names.ts';

export interface GivenReason {
  readonly center: string;
  /** Epoch milliseconds of a UTC midnight. */
  readonly day: number;
  /** undefined: in their own words. */
  readonly id: string | undefined;
  readonly text: string;
}

/** How often a reason was given in a center; `text` is '' for own words. */
export interface CountedReason extends Omit<GivenReason, 'day'> {
  readonly count: number;
}

/** A month of UTC, with what was given in it. */
export interface ReasonMonth extends Month {
  readonly counts: readonly CountedReason[];
}

export interface Month {
  /** Its first and its last day, `yyyy-MM-dd`. */
  readonly fromDay: string;
  readonly toDay: string;
  /** Epoch milliseconds: at or after, and before. */
  readonly from: number;
  readonly to: number;
}

export interface ReasonsPageInput {
  /** The most frequent first. */
  readonly counts: readonly CountedReason[];
  /** The latest months of the time that is asked for, the newest first. */
  readonly months: readonly ReasonMonth[];
  /** To choose from, the newest first. */
  readonly latest: readonly Month[];
  /** In their own words: the latest, newest first. */
  readonly words: readonly GivenReason[];
  readonly centers: CenterNames;
  readonly filter: Query<'reasons'>;
}

/** The month of `now` and those before it. */
export function latestMonths(now: number, count: number): readonly Month[] {
  const [year, month] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()];
  return Array.from({ length: count }, (_, back) => {
    const [from, to] = [Date.UTC(year, month - back), Date.UTC(year, month - back + 1)];
    return { fromDay: isoDay(from), toDay: isoDay(to - dayMs), from, to };
  });
}

const dayMs = 24 * 60 * 60 * 1000;
const shortMonth = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
export const mostWords = 100;

/** Why people unsubscribed from all: by center and month, and in their own words. Nothing here leads to a person. */
export function buildReasonsPage(pageContext: StaffPageContext, given: ReasonsPageInput): StaffPage {
  const { counts, words, centers } = given;
  const ownCount = sum(counts.filter(({ id }) => id === undefined));
  return staffPage(pageContext, {
    title: 'Reasons for leaving',
    section: 'submissions',
    crumbs: [{ href: '/staff/submissions', label: 'Submissions' }],
    lead: ['What people chose or wrote when they unsubscribed from all. Nothing here leads to a person.'],
    blocks: [
      ...reasonList(given),
      ...(counts.length === 0
        ? []
        : [
            table({
              id: 'words',
              heading: 'In their own words',
              caption: 'What people wrote, newest first',
              columns: ['Words', 'Center', 'Day'],
              rows: words
                .filter(({ text }) => text.trim() !== '')
                .map((reason) => [
                  cell(reason.text),
                  cell(centerName(centers, reason.center)),
                  cell(writtenDay(reason.day), { look: 'moment' }),
                ]),
              empty: 'No texts in this time.',
              about:
                ownCount > mostWords
                  ? `The last ${mostWords} of ${figures.format(ownCount)}; the CSV has them all.`
                  : undefined,
            }),
          ]),
    ],
  });
}

/** A reason has one id in every language; own words are counted by center, and stand below. */
function reasonList({ counts, months, latest, centers, filter }: ReasonsPageInput): StaffPage['blocks'] {
  const key = ({ center, id }: CountedReason) => JSON.stringify([center, id]);
  const byMonth = months.map((month) => new Map(month.counts.map((one) => [key(one), one.count])));
  const total = sum(counts);
  return list({
    path: '/staff/reasons',
    filter,
    views: [
      ['All', {}],
      ...latest.map(
        (month) => [shortMonth.format(month.from), { from: month.fromDay, to: month.toDay }] as const,
      ),
    ],
    fields: [centerField(centers, filter.center), ...dayFields(filter)],
    table: {
      id: 'reasons',
      heading: 'By center and month',
      caption: 'Reasons, and how often each was given in a month',
      columns: ['Reason', 'Center', ...months.map(({ from }) => shortMonth.format(from)), 'All', 'Share'],
      rows: counts.map((one) => [
        cell(one.id === undefined ? 'Something else, in their own words' : one.text),
        cell(centerName(centers, one.center)),
        ...byMonth.map((month) => figure(month.get(key(one)) ?? 0)),
        figure(one.count),
        cell(`${Math.round((one.count / total) * 100)} %`, { look: 'figure' }),
      ]),
      empty: 'No reasons were given in this time. Reasons are asked for only where the center enables them.',
    },
    what: 'reasons',
    files: ['/staff/reasons.csv'],
  });
}

function sum(counts: readonly CountedReason[]): number {
  return counts.reduce((all, { count }) => all + count, 0);
}

export const reasonColumns = ['day', 'center', 'center id', 'reason id', 'reason'];

export function reasonRows(reasons: readonly GivenReason[], centers: CenterNames) {
  return reasons.map(({ day, center, id, text }) => [
    new Date(day).toISOString().slice(0, 10),
    centerName(centers, center),
    center,
    id ?? 'other',
    text,
  ]);
}
