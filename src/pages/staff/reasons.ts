import { writtenDay } from '../../core/model/utc-time.ts';
import { cell, filterOf, staffPage, table } from './blocks.ts';
import type { Block, StaffPage } from './every-page.ts';
import type { StaffPageContext } from './layout.ts';
import { withQuery } from './paging.ts';
import type { Period } from './period.ts';
import { type CenterNames, centerField, centerName, periodFields } from './submission-list.ts';

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

export interface ReasonsPageInput {
  /** The most frequent first. */
  readonly counts: readonly CountedReason[];
  /** In their own words: the latest, newest first. */
  readonly words: readonly GivenReason[];
  readonly centers: CenterNames;
  readonly filter: Period & { readonly center: string };
}

/** More bars say less. */
const mostBars = 12;
export const mostWords = 100;

/** Why people left: by count, as bars, and in their own words. Nothing here leads to a person. */
export function buildReasonsPage(
  pageContext: StaffPageContext,
  { counts, words, centers, filter }: ReasonsPageInput,
): StaffPage {
  const total = sum(counts);
  const groups = groupsOf(counts);
  const ownCount = sum(counts.filter(({ id }) => id === undefined));
  const query = { center: filter.center, from: filter.fromDay, to: filter.toDay };
  const most = groups[0]?.count ?? 0;
  const chart: readonly Block[] =
    groups.length === 0
      ? []
      : [
          {
            kind: 'chart',
            id: 'chart',
            heading: 'At a glance',
            about: undefined,
            label: 'Reasons and how often each was given',
            bars: groups.slice(0, mostBars).map(({ text, count }) => ({
              text,
              count,
              share: String(Math.round((count / most) * 1000) / 10),
            })),
            links: [],
          },
        ];
  const ownWords: readonly Block[] =
    total === 0
      ? []
      : [
          table({
            id: 'words',
            heading: 'In their own words',
            caption: 'What people wrote, newest first',
            columns: ['Day', 'Center', 'Words'],
            rows: words
              .filter(({ text }) => text.trim() !== '')
              .map((reason) => [
                cell(writtenDay(reason.day), { look: 'moment' }),
                cell(centerName(centers, reason.center)),
                cell(reason.text),
              ]),
            empty: 'Nobody wrote anything.',
            about:
              ownCount > mostWords
                ? `The last ${mostWords} of ${ownCount}; the CSV has them all.`
                : undefined,
          }),
        ];
  return staffPage(pageContext, {
    title: 'Reasons for leaving',
    section: 'submissions',
    crumbs: [{ href: '/staff/submissions', label: 'Submissions' }],
    lead: [
      'What people chose or wrote when they unsubscribed from everything. Nothing here leads to a person.',
    ],
    blocks: [
      filterOf({
        action: '/staff/reasons',
        isSet: Object.values(query).some((value) => value !== ''),
        fields: [centerField(centers, filter.center), ...periodFields(filter)],
      }),
      ...chart,
      table({
        id: 'reasons',
        heading: 'By count',
        caption: 'Reasons and how often each was given',
        columns: ['Reason', 'Times', 'Share'],
        rows: groups.map(({ text, count }) => [
          cell(text),
          cell(String(count)),
          cell(`${Math.round((count / total) * 100)} %`),
        ]),
        empty:
          'Nobody has given a reason in this time. Reasons are asked for only where the center enables them.',
        links:
          total === 0
            ? []
            : [{ href: withQuery('/staff/reasons.csv', query), label: 'Download all of these as CSV' }],
      }),
      ...ownWords,
    ],
  });
}

/** A reason has one id in every language; own words of all centers count together. */
function groupsOf(counts: readonly CountedReason[]): readonly Pick<CountedReason, 'text' | 'count'>[] {
  const own = sum(counts.filter(({ id }) => id === undefined));
  const groups: Pick<CountedReason, 'text' | 'count'>[] = counts.filter(({ id }) => id !== undefined);
  if (own > 0) groups.push({ text: 'Something else, in their own words', count: own });
  return groups.sort((one, other) => other.count - one.count);
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
