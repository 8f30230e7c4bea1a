import type { PlatformState } from '../../core/model/center/platform-state.ts';
import type { ProblemCode } from '../../core/model/problem.ts';
import type { Block, TilesView, Tone } from '../../pages/staff-page.ts';
import { amount, cell, facts, figures, moment, table, tag } from './blocks.ts';
import { buildDays, everyDay } from './days.ts';
import type { Call } from './guarded-router.ts';
import { dayMs, latestDays, withQuery } from './list.ts';
import { centerName } from './names.ts';
import { centerHref, type Page } from './page.ts';
import { problemName } from './submission-words.ts';

const daysShown = 30;
/** Limit of a count, one more than a page ever shows: beyond it, counting stops. */
export const mostCounted = 1_001;
const mostReasons = 5;

/** Reads the figures of the first page. Each figure is a counter, or found by an index. */
export async function readHome(call: Call) {
  const { member, journal, watch, centerNames, clock, hourlyQuota, findingsOf } = call;
  const now = clock.now();
  const span = latestDays(now, daysShown);
  const centers = await centerNames();
  const [waiting, failed, counted, reasons, findings] = await Promise.all([
    journal.waitingWithdrawals(mostCounted),
    journal.failedSince(now - dayMs, mostCounted),
    journal.days(span),
    journal.topReasons({ from: span.from, limit: mostReasons }),
    findingsOf(centers),
  ]);
  /** The last days, today last. */
  const days = everyDay(counted, span);
  const platform = watch.state();
  return { member, now, waiting, failed, days, reasons, centers, findings, platform, hourlyQuota };
}

export type HomeInput = Awaited<ReturnType<typeof readHome>>;

/**
 * The first page: waiting withdrawals, failures, submissions and the state of the platform, each with a link
 * to its list.
 */
export function buildHomePage(given: HomeInput): Page {
  const { name, roles } = given.member;
  return {
    title: 'Today',
    section: 'start',
    lead: [`You are ${name} (${roles.join(', ')}). What is done here is written to the audit log.`],
    blocks: [
      tiles(given),
      buildDays(given.days),
      reasonChart(given),
      centerTable(given),
      platformFacts(given),
    ],
  };
}

function counted(count: number): string {
  return count >= mostCounted ? `${figures.format(mostCounted - 1)}+` : String(count);
}

function tiles({ waiting, failed, days, platform, now }: HomeInput): TilesView {
  const today = days.at(-1);
  const [state, tone] = standing(platform);
  const { answeredAt } = platform;
  return {
    kind: 'tiles',
    tiles: [
      {
        href: withQuery('/staff/submissions', { state: 'pending', only: 'withdrawals' }),
        label: 'Withdrawals waiting',
        value: counted(waiting.count),
        more:
          waiting.oldestAt === undefined ? 'none' : `the oldest for ${writtenAge(now - waiting.oldestAt)}`,
        tone: waiting.oldestAt !== undefined && now - waiting.oldestAt > long ? 'problem' : 'neutral',
      },
      {
        href: withQuery('/staff/submissions', { state: 'failed' }),
        label: 'Failed in 24 hours',
        value: counted(failed),
        tone: failed > 0 ? 'problem' : 'neutral',
      },
      {
        href: withQuery('/staff/submissions', { within: '24h' }),
        label: 'Submissions today (UTC)',
        value: figures.format(today?.submissions ?? 0),
        more: `${today?.leavings ?? 0} unsubscribed from all`,
        tone: 'neutral',
      },
      {
        href: '#platform-block',
        label: 'Platform',
        value: state,
        more: answeredAt === undefined ? 'not asked yet' : `last answer ${writtenAge(now - answeredAt)} ago`,
        tone,
      },
    ],
  };
}

/** Milliseconds after which a waiting withdrawal is a problem; usually it is saved within minutes. */
const long = 15 * 60_000;

/** An age in whole units, rounded down: `2 minutes`. */
export function writtenAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const;
  const [size, unit] = units.find(([least]) => seconds >= 2 * least) ?? [1, 'second'];
  return amount(Math.floor(seconds / size), unit);
}

function standing({ fault, paused, limitedAt }: PlatformState): readonly [string, Tone] {
  if (fault?.code === 'platform-busy') return ['Rate limited', 'warning'];
  if (fault?.code === 'quota-used-up') return ['Quota used up', 'warning'];
  if (paused.length > 0 || fault !== undefined) return ['Errors', 'problem'];
  return limitedAt === undefined ? ['Connected', 'success'] : ['Recovered', 'warning'];
}

function reasonChart({ reasons, centers }: HomeInput): Block | undefined {
  const most = reasons[0]?.count ?? 0;
  if (most === 0) return undefined;
  const isOneCenter = new Set(reasons.map(({ center }) => center)).size === 1;
  return {
    kind: 'chart',
    id: 'reasons',
    heading: 'Why people unsubscribed',
    label: 'The most frequent reasons of these days',
    bars: reasons.map(({ center, id, text, count }) => {
      const words = id === undefined ? 'Something else, in their own words' : text;
      return {
        text: isOneCenter ? words : `${words} (${centerName(centers, center)})`,
        count,
        share: String(Math.round((count / most) * 1000) / 10),
      };
    }),
    links: [{ href: '/staff/reasons', label: 'All reasons' }],
  };
}

function centerTable({ findings, centers }: HomeInput): Block | undefined {
  if (centers.length === 0) return undefined;
  const wrong = findings
    .filter(({ problems, warnings }) => problems + warnings > 0)
    .sort((one, other) => other.problems - one.problems || other.warnings - one.warnings);
  return table({
    id: 'centers',
    heading: 'Centers with findings',
    about:
      findings.length < centers.length && `${findings.length} of ${centers.length} centers were looked at.`,
    caption: 'Centers in which something is missing or wrong',
    columns: {
      Center: ({ id, name }) => cell(name, { href: centerHref(id) }),
      Problems: ({ problems }) => problems,
      Warnings: ({ warnings }) => warnings,
      Notes: ({ notes }) => notes,
    },
    rows: wrong,
    empty: 'Nothing is missing or wrong in the centers that were looked at.',
    links: [{ href: '/staff/centers', label: 'All centers' }],
  });
}

function platformFacts({ platform, hourlyQuota }: HomeInput): Block {
  const { fault, limitedAt, paused, answeredAt, lastHour } = platform;
  const calls = figures.format(lastHour);
  const shown = facts('platform', 'Platform', [
    ['State', tag(...standing(platform))],
    ['Last answer', answeredAt === undefined ? 'none since the start' : moment(answeredAt)],
    [
      'Last error',
      fault ? moment(fault.at, { more: problemName(fault.code as ProblemCode) }) : 'none, or recovered',
    ],
    ['Paused', paused.length === 0 ? 'nothing' : paused.join(', ')],
    [
      'Calls in the last hour',
      hourlyQuota === undefined
        ? calls
        : cell(`${calls} of ${figures.format(hourlyQuota)}`, { more: 'PLATFORM_REQUESTS_PER_HOUR' }),
    ],
    ['Rate limited', limitedAt === undefined ? 'no' : moment(limitedAt, { more: 'the last time (429)' })],
  ]);
  const about =
    'As this process has seen it; other processes and other clients of the account use the same quota.';
  return { ...shown, about };
}
