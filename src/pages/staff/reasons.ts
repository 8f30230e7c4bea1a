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

/** What the page says of all reasons, however many: it can be made from one part of them after the other. */
export interface ReasonSummary {
  readonly total: number;
  /** A reason has one id in every language; own words count together. */
  readonly groups: ReadonlyMap<string, { readonly text: string; readonly count: number }>;
  /** In their own words: how many, and the latest of them, newest first. */
  readonly words: number;
  readonly latest: readonly GivenReason[];
}

export interface ReasonsPageInput {
  readonly reasons: ReasonSummary;
  readonly centers: CenterNames;
  readonly filter: Period & { readonly center: string };
}

/** More bars say less. */
const mostBars = 12;
const mostWords = 100;

/** Why people left: by count, as bars, and in their own words. Nothing here leads to a person. */
export function buildReasonsPage(
  pageContext: StaffPageContext,
  { reasons, centers, filter }: ReasonsPageInput,
): StaffPage {
  const groups = [...reasons.groups.values()].sort((one, other) => other.count - one.count);
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
  const words: readonly Block[] =
    reasons.total === 0
      ? []
      : [
          table({
            id: 'words',
            heading: 'In their own words',
            caption: 'What people wrote, newest first',
            columns: ['Day', 'Center', 'Words'],
            rows: reasons.latest.map((reason) => [
              cell(writtenDay(reason.day), { look: 'moment' }),
              cell(centerName(centers, reason.center)),
              cell(reason.text),
            ]),
            empty: 'Nobody wrote anything.',
            about:
              reasons.words > mostWords
                ? `The last ${mostWords} of ${reasons.words}; the CSV has them all.`
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
          cell(`${Math.round((count / reasons.total) * 100)} %`),
        ]),
        empty:
          'Nobody has given a reason in this time. Reasons are asked for only where the center enables them.',
        links:
          reasons.total === 0
            ? []
            : [{ href: withQuery('/staff/reasons.csv', query), label: 'Download all of these as CSV' }],
      }),
      ...words,
    ],
  });
}

export const noReasons: ReasonSummary = { total: 0, groups: new Map(), words: 0, latest: [] };

/** With the next part of them, in the order in which they were given. */
export function withReasons(summary: ReasonSummary, reasons: readonly GivenReason[]): ReasonSummary {
  const groups = new Map(summary.groups);
  for (const { center, id, text } of reasons) {
    const key = id === undefined ? 'own words' : `${center} ${id}`;
    const count = (groups.get(key)?.count ?? 0) + 1;
    groups.set(key, { text: id === undefined ? 'Something else, in their own words' : text, count });
  }
  const own = reasons.filter(({ id, text }) => id === undefined && text.trim() !== '').toReversed();
  return {
    total: summary.total + reasons.length,
    groups,
    words: summary.words + own.length,
    latest: [...own, ...summary.latest].slice(0, mostWords),
  };
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
