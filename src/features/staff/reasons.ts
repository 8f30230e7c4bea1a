import { isoDay, writtenDay } from '../../core/model/utc-time.ts';
import type { DayPeriod, Reason, ReasonCount, ReasonFilter } from '../../ports/journal.ts';
import { endTurn } from '../../turn.ts';
import { streamCsv } from '../../web/download.ts';
import { cell, figures, table } from './blocks.ts';
import type { Call } from './guarded-router.ts';
import { centerField, dayFields, dayMs, list, type Query, queries, spanOf } from './list.ts';
import { type CenterNames, centerName } from './names.ts';
import { type Page, underSubmissions } from './page.ts';

const monthsShown = 6;
/** Number of reasons that are decrypted at a time; the process does nothing else meanwhile. */
const reasonsInPart = 500;
/** Rows of the table of counts: more than centers have. */
const mostCounted = 1_000;

export async function exportReasons({ journal, centerNames, ...call }: Call): Promise<void> {
  const filter = reasonFilter(call.asked(queries.reasons));
  async function* parts(): AsyncGenerator<readonly Reason[]> {
    let after: number | undefined;
    do {
      const { reasons, next } = await journal.reasons(filter, { after, limit: reasonsInPart });
      yield reasons;
      await endTurn();
      after = next;
    } while (after !== undefined);
  }
  const columns = reasonColumns(await centerNames());
  await streamCsv(call.response, 'reasons', { columns, parts: parts() });
}

/** Reads why people unsubscribed from all. */
export async function readReasons({ journal, centerNames, clock, ...call }: Call) {
  const filter = call.asked(queries.reasons);
  const asked = reasonFilter(filter);
  const { from = 0, to = Number.POSITIVE_INFINITY } = asked;
  const latest = latestMonths(clock.now(), monthsShown);
  const shown = latest.filter((month) => month.to > from && month.from < to);
  const inMonth = (month: DayPeriod) => ({ from: Math.max(month.from, from), to: Math.min(month.to, to) });
  const [counts = [], ...byMonth] = await Promise.all(
    [{}, ...shown.map(inMonth)].map((span) => journal.topReasons({ ...asked, ...span, limit: mostCounted })),
  );
  const wordsIn = counts.flatMap((counted) => (counted.id === undefined ? counted.center : []));
  return {
    /** The counts, the most frequent reason first. */
    counts,
    /** The latest months within the chosen period, newest first. */
    months: shown.map((month, at) => ({ ...month, counts: byMonth[at] ?? [] })),
    /** The months to choose from, newest first. */
    latest,
    /** The latest reasons in people's own words, newest first. */
    words: await journal.ownWords(asked, { centers: wordsIn, limit: mostWords }),
    centers: await centerNames(),
    filter,
  };
}

type ReasonsPageInput = Awaited<ReturnType<typeof readReasons>>;

function reasonFilter({ center, ...days }: Query<'reasons'>): ReasonFilter {
  return { center: center || undefined, ...spanOf(days) };
}

/** The month of `now` and the months before it. */
export function latestMonths(now: number, count: number): readonly DayPeriod[] {
  const [year, month] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()];
  return Array.from({ length: count }, (_, back) => ({
    from: Date.UTC(year, month - back),
    to: Date.UTC(year, month - back + 1),
  }));
}

const shortMonth = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const mostWords = 100;

/**
 * The page of reasons why people unsubscribed from all: by center and month, and in their own words. No data
 * here lead to a person.
 */
export function buildReasonsPage(given: ReasonsPageInput): Page {
  const { counts, words, centers } = given;
  const ownCount = sum(counts.filter(({ id }) => id === undefined));
  return {
    title: 'Reasons for leaving',
    ...underSubmissions,
    lead: ['What people chose or wrote when they unsubscribed from all. Nothing here leads to a person.'],
    blocks: [
      ...reasonList(given),
      counts.length > 0 &&
        table({
          id: 'words',
          heading: 'In their own words',
          caption: 'What people wrote, newest first',
          columns: {
            Words: ({ text }) => text,
            Center: ({ center }) => centerName(centers, center),
            Day: ({ day }) => cell(writtenDay(day), { look: 'moment' }),
          },
          rows: words.filter(({ text }) => text.trim() !== ''),
          empty: 'No texts in this time.',
          about:
            ownCount > mostWords &&
            `The last ${mostWords} of ${figures.format(ownCount)}; the CSV has them all.`,
        }),
    ],
  };
}

/**
 * The table of reasons. A reason has one id in every language; own words are one row for each center, and are
 * listed below.
 */
function reasonList({ counts, months, latest, centers, filter }: ReasonsPageInput) {
  const key = ({ center, id }: ReasonCount) => JSON.stringify([center, id]);
  const inMonth = months.map((month) => {
    const counted = new Map(month.counts.map((one) => [key(one), one.count]));
    return [shortMonth.format(month.from), (one: ReasonCount) => counted.get(key(one)) ?? 0] as const;
  });
  const total = sum(counts);
  return list({
    path: '/staff/reasons',
    filter,
    views: [
      ['All', {}],
      ...latest.map(({ from, to }) => {
        const days = { from: isoDay(from), to: isoDay(to - dayMs) };
        return [shortMonth.format(from), days] as const;
      }),
    ],
    fields: [centerField(centers, filter.center), ...dayFields],
    id: 'reasons',
    heading: 'By center and month',
    caption: 'Reasons, and how often each was given in a month',
    columns: {
      Reason: ({ id, text }) => (id === undefined ? 'Something else, in their own words' : text),
      Center: ({ center }) => centerName(centers, center),
      ...Object.fromEntries(inMonth),
      All: ({ count }) => count,
      Share: ({ count }) => cell(`${Math.round((count / total) * 100)} %`, { look: 'figure' }),
    },
    rows: counts,
    empty: 'No reasons were given in this time. Reasons are asked for only where the center enables them.',
    files: ['/staff/reasons.csv'],
  });
}

function sum(counts: readonly ReasonCount[]): number {
  return counts.reduce((all, { count }) => all + count, 0);
}

const reasonColumns = (centers: CenterNames) => ({
  day: ({ day }: Reason) => isoDay(day),
  center: ({ center }: Reason) => centerName(centers, center),
  'center id': ({ center }: Reason) => center,
  'reason id': ({ id = 'other' }: Reason) => id,
  reason: ({ text }: Reason) => text,
});
