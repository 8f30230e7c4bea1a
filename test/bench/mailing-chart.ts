import { quantile } from './figures.ts';
import { bestOf, type Run } from './mailing.ts';

const width = 720;
const left = 64;
const right = 16;
const rowHeight = 132;
const gap = 44;
const head = 28;

interface Curve {
  readonly name: string;
  readonly colour: string;
  readonly points: readonly (readonly [at: number, value: number])[];
  readonly isDashed?: boolean;
}

interface Panel {
  readonly title: string;
  readonly curves: readonly Curve[];
}

/** Draws the runs one below the other: calls against the quota, withdrawals, pages. */
export function drawMailings(runs: readonly Run[]): string {
  const end = Math.max(...runs.flatMap((run) => [...run.pages, ...run.carriedOut]), 600_000);
  const panels = runs.flatMap((run) => panelsOf(run, end));
  const height = panels.length * (rowHeight + gap + head) + 24;
  const displayed = panels.map((panel, index) =>
    drawPanel(panel, { top: index * (rowHeight + gap + head) + head + 12, end }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img" aria-label="A mailing: calls a minute against the quota, withdrawals carried out, pages and waiting pages">
<rect width="${width}" height="${height}" fill="#fff"/>
${displayed.join('\n')}
</svg>
`;
}

function panelsOf(run: Run, end: number): readonly Panel[] {
  const { nodes, perMinute } = run.mailing;
  const label = `${nodes} ${nodes === 1 ? 'node' : 'nodes'}`;
  const quota: Curve = {
    name: `quota ${perMinute}`,
    colour: '#444',
    isDashed: true,
    points: [
      [0, perMinute],
      [end, perMinute],
    ],
  };
  const rate = (name: string, times: readonly number[], colour: string): Curve => ({
    name,
    colour,
    points: steps(end).map((at) => [at, times.filter((time) => time > at - 60_000 && time <= at).length]),
  });
  const sum = (name: string, times: readonly number[], colour: string): Curve => ({
    name,
    colour,
    points: steps(end).map((at) => [at, times.filter((time) => time <= at).length]),
  });
  return [
    {
      title: `${label}: calls within the last minute, by endpoint; ${run.refused} × 429`,
      curves: [
        quota,
        rate('withdraw', run.calls['withdraw-subject'] ?? [], '#b3261e'),
        rate('read', run.calls['read-subject'] ?? [], '#1a5fb4'),
      ],
    },
    {
      title: `${label}: withdrawals so far`,
      curves: [sum('taken', run.taken, '#888'), sum('carried out', run.carriedOut, '#b3261e')],
    },
    {
      title: `${label}: people so far`,
      curves: [sum('pages', run.pages, '#1a5fb4'), sum('waiting pages', run.waitingPages, '#c64600')],
    },
  ];
}

/** The times of a curve's points, five seconds apart. */
function steps(end: number): readonly number[] {
  return Array.from({ length: Math.ceil(end / 5_000) + 1 }, (_, index) => index * 5_000);
}

function drawPanel({ title, curves }: Panel, { top, end }: { top: number; end: number }): string {
  const most = Math.max(1, ...curves.flatMap(({ points }) => points.map(([, value]) => value)));
  const x = (at: number) => left + (at / end) * (width - left - right);
  const y = (value: number) => top + rowHeight - (value / (most * 1.1)) * rowHeight;
  const minutes = Array.from({ length: Math.floor(end / 60_000) + 1 }, (_, minute) => minute);
  const axis = minutes.map(
    (minute) =>
      `<text x="${x(minute * 60_000).toFixed(1)}" y="${top + rowHeight + 16}" text-anchor="middle" fill="#444">${minute}</text>`,
  );
  const lines = curves.map(({ colour, points, isDashed }) => {
    const path = points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"${isDashed ? ' stroke-dasharray="5 4"' : ''}/>`;
  });
  const keys = curves.map(
    ({ name, colour }, index) =>
      `<text x="${width - right - index * 112}" y="${top - 8}" text-anchor="end" fill="${colour}">${name}</text>`,
  );
  return [
    `<text x="${left}" y="${top - 8}" fill="#111" font-weight="bold">${title}</text>`,
    ...keys,
    `<rect x="${left}" y="${top}" width="${width - left - right}" height="${rowHeight}" fill="none" stroke="#ccc"/>`,
    `<text x="${left - 8}" y="${y(most) + 4}" text-anchor="end" fill="#444">${most}</text>`,
    `<text x="${left - 8}" y="${top + rowHeight}" text-anchor="end" fill="#444">0</text>`,
    ...axis,
    ...lines,
  ].join('\n');
}

/** A table with a line for each figure and a column for each run. */
export function tableOf(runs: readonly Run[]): string {
  const rows: readonly (readonly [string, (run: Run) => string])[] = [
    ['nodes', (run) => String(run.mailing.nodes)],
    ['429 received', (run) => String(run.refused)],
    ['withdrawals taken, carried out', (run) => `${run.taken.length}, ${run.carriedOut.length}`],
    ['the last one carried out after', (run) => seconds(Math.max(...run.carriedOut))],
    ['at best, with so many in any minute', (run) => seconds(bestOf(run.taken, run.mailing.perMinute))],
    ['pages, waiting pages', (run) => `${run.pages.length}, ${run.waitingPages.length}`],
    [
      'a page or waiting page within, p99 and longest',
      (run) => `${quantile(run.answers, 0.99).toFixed(0)}, ${quantile(run.answers, 1).toFixed(0)} ms`,
    ],
    ['never got in; neither page nor waiting page', (run) => `${run.unopened}; ${run.odd.length}`],
  ];
  return rows.map(([what, of]) => `| ${[what, ...runs.map(of)].join(' | ')} |\n`).join('');
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
