import type { PlatformState } from '../../../core/model/center/platform-state.ts';
import type { ProblemCode } from '../../../core/model/problem.ts';
import type { Block, StaffPage, TilesView, Tone } from '../../../pages/staff-page.ts';
import { cell, facts, figure, figures, moment, staffPage, table, tag } from './blocks.ts';
import { centerHref } from './center-list.ts';
import { buildDays, type CountedDay } from './days.ts';
import type { StaffPageContext } from './layout.ts';
import { withQuery } from './list.ts';
import { type CenterNames, centerName } from './names.ts';
import { problemName } from './submission-words.ts';

/** What a center's linter found, by weight. */
export interface CenterFindings {
  readonly id: string;
  readonly name: string;
  readonly problems: number;
  readonly warnings: number;
  readonly notes: number;
}

export interface HomeInput {
  readonly now: number;
  readonly waiting: { readonly count: number; readonly oldestAt: number | undefined };
  readonly failed: number;
  /** More than so many are not counted. */
  readonly mostCounted: number;
  /** Each of the last days, today last. */
  readonly days: readonly CountedDay[];
  readonly reasons: readonly {
    readonly center: string;
    /** undefined: in their own words. */
    readonly id: string | undefined;
    readonly text: string;
    readonly count: number;
  }[];
  readonly centers: CenterNames;
  /** Of the centers that could be looked at in time. */
  readonly findings: readonly CenterFindings[];
  readonly platform: PlatformState;
  /** Calls that PLATFORM_REQUESTS_PER_HOUR allows; undefined: nothing is limited here. */
  readonly hourlyQuota: number | undefined;
}

/** What waits, what failed, what came, and whether the platform answers: each leads to its list. */
export function buildHomePage(pageContext: StaffPageContext, given: HomeInput): StaffPage {
  const { member } = pageContext;
  return staffPage(pageContext, {
    title: 'Today',
    section: 'start',
    lead: [
      `${member === undefined ? '' : `You are ${member.name} (${member.roles.join(', ')}). `}What is done here is written to the audit log.`,
    ],
    blocks: [
      tiles(given),
      buildDays(given.days),
      ...reasonBlocks(given),
      ...centerBlocks(given),
      platformBlock(given),
    ],
  });
}

function counted(count: number, most: number): string {
  return count >= most ? `${figures.format(most - 1)}+` : String(count);
}

function tiles({ waiting, failed, mostCounted, days, platform, now }: HomeInput): TilesView {
  const today = days.at(-1);
  const [state, tone] = standing(platform);
  return {
    kind: 'tiles',
    tiles: [
      {
        href: withQuery('/staff/submissions', { state: 'pending', only: 'withdrawals' }),
        label: 'Withdrawals waiting',
        value: counted(waiting.count, mostCounted),
        more:
          waiting.oldestAt === undefined ? 'none' : `the oldest for ${writtenAge(now - waiting.oldestAt)}`,
        tone: waiting.oldestAt !== undefined && now - waiting.oldestAt > long ? 'problem' : 'neutral',
      },
      {
        href: withQuery('/staff/submissions', { state: 'failed' }),
        label: 'Failed in 24 hours',
        value: counted(failed, mostCounted),
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
        more:
          platform.answeredAt === undefined
            ? 'not asked yet'
            : `last answer ${writtenAge(now - platform.answeredAt)} ago`,
        tone,
      },
    ],
  };
}

/** A withdrawal is carried out within minutes, unless something is wrong. */
const long = 15 * 60_000;

/** Whole units, never too young. */
export function writtenAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const;
  const [size, unit] = units.find(([least]) => seconds >= 2 * least) ?? [1, 'second'];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function standing({ fault, paused, limitedAt }: PlatformState): readonly [string, Tone] {
  if (fault?.code === 'platform-busy') return ['Rate limited', 'warning'];
  if (fault?.code === 'quota-used-up') return ['Quota used up', 'warning'];
  if (paused.length > 0 || fault !== undefined) return ['Errors', 'problem'];
  return limitedAt === undefined ? ['Connected', 'success'] : ['Recovered', 'warning'];
}

function reasonBlocks({ reasons, centers }: HomeInput): readonly Block[] {
  const most = reasons[0]?.count ?? 0;
  if (most === 0) return [];
  const isOneCenter = new Set(reasons.map(({ center }) => center)).size === 1;
  return [
    {
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
    },
  ];
}

function centerBlocks({ findings, centers }: HomeInput): readonly Block[] {
  if (centers.length === 0) return [];
  const wrong = findings
    .filter(({ problems, warnings }) => problems + warnings > 0)
    .sort((one, other) => other.problems - one.problems || other.warnings - one.warnings);
  return [
    table({
      id: 'centers',
      heading: 'Centers with findings',
      about:
        findings.length < centers.length
          ? `${findings.length} of ${centers.length} centers were looked at.`
          : undefined,
      caption: 'Centers in which something is missing or wrong',
      columns: ['Center', 'Problems', 'Warnings', 'Notes'],
      rows: wrong.map(({ id, name, problems, warnings, notes }) => [
        cell(name, { href: centerHref(id) }),
        figure(problems),
        figure(warnings),
        figure(notes),
      ]),
      empty: 'Nothing is missing or wrong in the centers that were looked at.',
      links: [{ href: '/staff/centers', label: 'All centers' }],
    }),
  ];
}

function platformBlock({ platform, hourlyQuota }: HomeInput): Block {
  const { fault, limitedAt, paused, answeredAt, lastHour } = platform;
  return facts(
    'platform',
    'Platform',
    [
      ['State', tag(...standing(platform))],
      ['Last answer', answeredAt === undefined ? 'none since the start' : moment(answeredAt)],
      [
        'Last error',
        fault === undefined
          ? 'none, or recovered'
          : moment(fault.at, { more: problemName(fault.code as ProblemCode) }),
      ],
      ['Paused', paused.length === 0 ? 'nothing' : paused.join(', ')],
      [
        'Calls in the last hour',
        hourlyQuota === undefined
          ? figures.format(lastHour)
          : cell(`${figures.format(lastHour)} of ${figures.format(hourlyQuota)}`, {
              more: 'PLATFORM_REQUESTS_PER_HOUR',
            }),
      ],
      ['Rate limited', limitedAt === undefined ? 'no' : moment(limitedAt, { more: 'the last time (429)' })],
    ],
    'As this process has seen it; other processes and other clients of the account use the same quota.',
  );
}
