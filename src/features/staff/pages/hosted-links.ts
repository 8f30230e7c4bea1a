import type { HostedCount, HostedOutcome } from '../../../core/model/person/hosted-link.ts';
import { writtenDay } from '../../../core/model/utc-time.ts';
import type { StaffPage } from '../../../pages/staff-page.ts';
import { cell, figures, shortId, staffPage, table } from './blocks.ts';
import type { StaffPageContext } from './layout.ts';
import { type CenterNames, centerName } from './names.ts';

export interface HostedLinksPageInput {
  /** Newest first. */
  readonly counts: readonly HostedCount[];
  readonly centers: CenterNames;
  readonly days: number;
}

/** How many links of the platform's hosted pages still come, so that one knows when those pages can go. */
export function buildHostedLinksPage(
  pageContext: StaffPageContext,
  { counts, centers, days }: HostedLinksPageInput,
): StaffPage {
  const name = (center: string) => shortId(centerName(centers, center));
  const sum = (of: readonly HostedCount[], outcome: HostedOutcome) =>
    cell(
      figures.format(of.filter((one) => one.outcome === outcome).reduce((all, { count }) => all + count, 0)),
    );
  const outcomesOf = (of: readonly HostedCount[]) => [
    sum(of, 'opened'),
    sum(of, 'ended'),
    sum(of, 'unknown'),
    sum(of, 'sign-in'),
  ];
  const columns = ['Opened', 'Ended', 'Unknown', 'To the sign-in'];
  const byCenter = Map.groupBy(counts, ({ center }) => center);
  const byDay = Map.groupBy(counts, ({ day }) => day);
  return staffPage(pageContext, {
    title: 'Links of hosted pages',
    section: 'submissions',
    lead: [
      `Links in old messages that led to the platform’s own pages, and came here in the last ${days} days. Links that are followed without script are not counted.`,
      'Ended: too old, or no longer this person’s. Unknown: not imported. Both lead to the sign-in.',
    ],
    crumbs: [{ href: '/staff/submissions', label: 'Submissions' }],
    blocks: [
      table({
        id: 'centers',
        caption: 'By center',
        columns: ['Center', ...columns, 'Last one'],
        rows: [...byCenter].map(([center, of]) => [
          cell(name(center)),
          ...outcomesOf(of),
          cell(of[0] && writtenDay(of[0].day)),
        ]),
        empty: 'No such link came.',
      }),
      table({
        id: 'days',
        caption: 'By day',
        columns: ['Day', ...columns],
        rows: [...byDay].map(([day, of]) => [cell(writtenDay(day)), ...outcomesOf(of)]),
        empty: 'No such link came.',
      }),
    ],
  });
}
