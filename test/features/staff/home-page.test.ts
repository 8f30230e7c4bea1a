import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PlatformState } from '../../../src/core/model/center/platform-state.ts';
import { buildDays, everyDay } from '../../../src/features/staff/days.ts';
import { buildHomePage, type HomeInput, writtenAge } from '../../../src/features/staff/home.ts';
import { latestDays } from '../../../src/features/staff/list.ts';
import { listed } from '../../../src/features/staff/page.ts';
import { noon, quietHome } from '../../samples/staff.ts';

const dayMs = 86_400_000;
const now = noon;
const today = now - dayMs / 2;
const answers: PlatformState = { ...quietHome.platform, answeredAt: now - 1_000, lastHour: 7 };

function pageOf(given: Partial<HomeInput>) {
  const { blocks = [] } = buildHomePage({ ...quietHome, platform: answers, ...given });
  const tiles = listed(blocks).flatMap((block) => (block.kind === 'tiles' ? block.tiles : []));
  return { blocks: listed(blocks), tiles };
}

describe('The first page', () => {
  test('each figure of the first page leads to its list', () => {
    const { tiles } = pageOf({ waiting: { count: 2, oldestAt: now - 120_000 }, failed: 1 });
    const figures = tiles.map(({ label, value, href }) => [label, value, href]);
    assert.deepEqual(figures, [
      ['Withdrawals waiting', '2', '/staff/submissions?state=pending&only=withdrawals'],
      ['Failed in 24 hours', '1', '/staff/submissions?state=failed'],
      ['Submissions today (UTC)', '0', '/staff/submissions?within=24h'],
      ['Platform', 'Connected', '#platform-block'],
    ]);
    assert.equal(tiles[0]?.more, 'the oldest for 2 minutes');
    const many = pageOf({ waiting: { count: 1_001, oldestAt: now }, failed: 1_001 }).tiles;
    assert.deepEqual([many[0]?.value, many[1]?.value], ['1,000+', '1,000+'], 'the count stops there');
  });

  for (const [state, given, tones] of [
    ['a quiet day', {}, ['neutral', 'neutral', 'neutral', 'success']],
    ['a withdrawal of a minute', { waiting: { count: 1, oldestAt: now - 60_000 } }, ['neutral']],
    ['a withdrawal of an hour', { waiting: { count: 1, oldestAt: now - 3_600_000 } }, ['problem']],
    ['a failure', { failed: 1 }, ['neutral', 'problem']],
  ] as const) {
    test(`the tiles have the right tone for ${state}`, () => {
      const shown = pageOf(given).tiles.map(({ tone }) => tone);
      assert.deepEqual(shown.slice(0, tones.length), tones);
    });
  }

  for (const [platform, words] of [
    [{}, 'Connected'],
    [{ limitedAt: now - 60_000 }, 'Recovered'],
    [{ fault: { code: 'platform-busy', at: now } }, 'Rate limited'],
    [{ fault: { code: 'platform-slow', at: now } }, 'Errors'],
    [{ paused: ['list-notices'] }, 'Errors'],
  ] as const) {
    test(`the state of the platform is shown as ${words} (${Object.keys(platform).join() || 'no fault'})`, () => {
      assert.equal(pageOf({ platform: { ...answers, ...platform } }).tiles.at(-1)?.value, words);
    });
  }

  test('the first page lists only centers with findings, problems first, and says how many were checked', () => {
    const { blocks } = pageOf({
      centers: ['a', 'b', 'c', 'd'].map((id) => ({ id, name: id.toUpperCase() })),
      findings: [
        { id: 'a', name: 'A', problems: 0, warnings: 9, notes: 0 },
        { id: 'b', name: 'B', problems: 1, warnings: 0, notes: 0 },
        { id: 'c', name: 'C', problems: 0, warnings: 0, notes: 3 },
      ],
    });
    const table = blocks.find((block) => block.kind === 'table');
    const rows = table?.rows.map(([name]) => `${name?.text} ${name?.href}`);
    assert.deepEqual(rows, ['B /staff/centers/b', 'A /staff/centers/a']);
    assert.match(table?.about || '', /^3 of 4 /);
  });

  test('reasons are bars, with one name for all own words, and with the center where there are several', () => {
    const { blocks } = pageOf({
      centers: [{ id: 'a', name: 'Books' }],
      reasons: [
        { center: 'a', id: 'r', text: 'Too many', count: 4 },
        { center: 'b', id: undefined, text: '', count: 1 },
      ],
    });
    const chart = blocks.find((block) => block.kind === 'chart');
    const bars = chart?.bars.map(({ text, share }) => `${text}: ${share}`);
    assert.deepEqual(bars, ['Too many (Books): 100', 'Something else, in their own words (b): 25']);
  });
});

describe('Submissions by day', () => {
  const days = everyDay([{ day: today - 2 * dayMs, submissions: 10, leavings: 1 }], latestDays(now, 4));

  test('the bars are in proportion to a round figure, and the table says the same', () => {
    const { bars, ticks, table, about } = buildDays(days);
    assert.equal(ticks.map(({ y, text }) => `${y} ${text}`).join(), '0% 10,50% 5,100% 0');
    const drawn = bars.map((bar) => [bar.x, bar.whole.y, bar.whole.height, bar.part.height, bar.value]);
    assert.deepEqual(drawn, [
      ['2.5%', '100%', '0%', '0%', undefined],
      ['27.5%', '0%', '100%', '10%', '10'],
      ['52.5%', '100%', '0%', '0%', undefined],
      ['77.5%', '100%', '0%', '0%', undefined],
    ]);
    const rows = table.rows.map((row) => row.map(({ text }) => text).join(' '));
    assert.deepEqual(rows, ['22 Nov 2026 0 0', '21 Nov 2026 0 0', '20 Nov 2026 10 1', '19 Nov 2026 0 0']);
    assert.equal(table.rows[2]?.[0]?.href, '/staff/submissions?from=2026-11-20&to=2026-11-20');
    assert.equal(about, '10 in the last 4 days (UTC), 1 unsubscribed from all.');
  });

  test('the scale reaches up to a round figure, so that half of it is whole', () => {
    const tops = [1, 3, 7, 11, 204, 1_001].map((most) => {
      const counted = [{ day: today, submissions: most, leavings: 0 }];
      return buildDays(everyDay(counted, latestDays(now, 4))).ticks[0]?.text;
    });
    assert.deepEqual(tops, ['2', '4', '10', '20', '400', '2,000']);
  });

  test('every seventh bar has its date, up to today', () => {
    const { bars } = buildDays(everyDay([], latestDays(now, 30)));
    const dated = bars.flatMap(({ tick }, at) => (tick === undefined ? [] : `${at} ${tick}`));
    assert.deepEqual(dated, ['1 25 Oct', '8 1 Nov', '15 8 Nov', '22 15 Nov', '29 22 Nov']);
  });

  test('days without any submission are said to be empty', () => {
    const { empty } = buildDays(everyDay([], latestDays(now, 4)));
    assert.match(empty || '', /^No submissions in the last 4 days/);
    assert.equal(buildDays(days).empty, false);
  });
});

test('the calls of an hour stand beside the setting that limits them, and alone without one', () => {
  const calls = (hourlyQuota: number | undefined) => {
    const block = pageOf({ hourlyQuota }).blocks.at(-1);
    return block?.kind === 'facts' && block.facts.find(({ name }) => name.startsWith('Calls'))?.value.text;
  };
  assert.equal(calls(5_000), '7 of 5,000');
  assert.equal(calls(undefined), '7');
});

test('an age is written in the largest unit of which there are two', () => {
  const ages = [0, 1_000, 119_000, 120_000, 7_199_000, 7_200_000, 3 * dayMs].map(writtenAge);
  const written = '0 seconds, 1 second, 119 seconds, 2 minutes, 119 minutes, 2 hours, 3 days';
  assert.equal(ages.join(', '), written);
});
