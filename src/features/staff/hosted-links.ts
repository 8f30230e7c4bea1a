import type { HostedCount, HostedOutcome } from '../../core/model/person/hosted-link.ts';
import { writtenDay } from '../../core/model/utc-time.ts';
import { figures, shortId, table } from './blocks.ts';
import type { Call } from './guarded-router.ts';
import { latestDays } from './list.ts';
import { centerName } from './names.ts';
import { underSubmissions } from './page.ts';

const daysShown = 30;

const outcomes: readonly (readonly [HostedOutcome, column: string])[] = [
  ['opened', 'Opened'],
  ['ended', 'Ended'],
  ['unknown', 'Unknown'],
  ['sign-in', 'To the sign-in'],
];

/**
 * Shows how many links to the platform's hosted pages are still opened, so that an operator knows when these
 * pages can go.
 */
export async function showHostedLinks(call: Call): Promise<void> {
  const { from } = latestDays(call.clock.now(), daysShown);
  /** The counts are newest first. */
  const [counts, centers] = await Promise.all([call.hostedLinks.counts(from), call.centerNames()]);
  type Group = readonly [of: unknown, counts: readonly HostedCount[]];
  const sum =
    (outcome: HostedOutcome) =>
    ([, of]: Group) =>
      figures.format(of.reduce((all, one) => all + (one.outcome === outcome ? one.count : 0), 0));
  const sums = Object.fromEntries(outcomes.map(([outcome, column]) => [column, sum(outcome)]));
  await call.show({
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
        columns: {
          Center: ([center]) => shortId(centerName(centers, center)),
          ...sums,
          'Last one': ([, [newest]]) => newest && writtenDay(newest.day),
        },
        rows: [...Map.groupBy(counts, ({ center }) => center)],
        empty: 'No such link came.',
      }),
      table({
        id: 'days',
        caption: 'By day',
        columns: { Day: ([day]) => writtenDay(day), ...sums },
        rows: [...Map.groupBy(counts, ({ day }) => day)],
        empty: 'No such link came.',
      }),
    ],
  });
}
