import type { HostedCount, HostedOutcome } from '../../core/model/person/hosted-link.ts';
import { writtenDay } from '../../core/model/utc-time.ts';
import { cell, figures, shortId, table } from './blocks.ts';
import type { GuardedRouter } from './guarded-router.ts';
import { latestDays } from './list.ts';
import { type CenterNames, centerName } from './names.ts';
import { type Page, underSubmissions } from './page.ts';
import type { NamingParts } from './parts.ts';

const daysShown = 30;

/** Which links of the platform's hosted pages still come. */
export function addHostedLinks(
  guarded: GuardedRouter,
  { hostedLinks, centerNames, clock }: NamingParts,
): void {
  guarded.get('/hosted-links', 'viewer', 'looked at the links of hosted pages', async (call) => {
    const { from } = latestDays(clock.now(), daysShown);
    const [counts, centers] = await Promise.all([hostedLinks.counts(from), centerNames()]);
    await call.show(hostedLinksPage(counts, centers));
  });
}

const outcomes: readonly (readonly [HostedOutcome, column: string])[] = [
  ['opened', 'Opened'],
  ['ended', 'Ended'],
  ['unknown', 'Unknown'],
  ['sign-in', 'To the sign-in'],
];

/** How many links still come, so that one knows when the hosted pages can go. `counts`: newest first. */
function hostedLinksPage(counts: readonly HostedCount[], centers: CenterNames): Page {
  const sums = (of: readonly HostedCount[]) =>
    outcomes.map(([outcome]) => {
      const found = of.filter((one) => one.outcome === outcome);
      return cell(figures.format(found.reduce((all, { count }) => all + count, 0)));
    });
  const columns = outcomes.map(([, column]) => column);
  const byCenter = Map.groupBy(counts, ({ center }) => center);
  const byDay = Map.groupBy(counts, ({ day }) => day);
  return {
    title: 'Links of hosted pages',
    ...underSubmissions,
    lead: [
      `Links in old messages that led to the platform’s own pages, and came here in the last ${daysShown} days. Links that are followed without script are not counted.`,
      'Ended: too old, or no longer this person’s. Unknown: not imported. Both lead to the sign-in.',
    ],
    blocks: [
      table({
        id: 'centers',
        caption: 'By center',
        columns: ['Center', ...columns, 'Last one'],
        rows: [...byCenter].map(([center, of]) => [
          cell(shortId(centerName(centers, center))),
          ...sums(of),
          cell(of[0] && writtenDay(of[0].day)),
        ]),
        empty: 'No such link came.',
      }),
      table({
        id: 'days',
        caption: 'By day',
        columns: ['Day', ...columns],
        rows: [...byDay].map(([day, of]) => [cell(writtenDay(day)), ...sums(of)]),
        empty: 'No such link came.',
      }),
    ],
  };
}
