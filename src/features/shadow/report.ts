import { escapeHtml } from '../../web/view-helpers.ts';
import { type BrokenRule, brokenRules, type Look } from './look.ts';

/** Counts of a purpose: how many people would see it in each state, and what a click on it would send. */
interface PurposeCounts {
  on: number;
  off: number;
  locked: number;
  sends: Record<string, number>;
}

export interface CenterCounts {
  people: number;
  /** People of whom nothing is on record. */
  unknown: number;
  /** People whose record could not be read, by the reason. */
  unread: Record<string, number>;
  purposes: Record<string, PurposeCounts>;
  findings: Partial<Record<BrokenRule, { count: number; lines: number[] }>>;
}

/** The counts so far. They hold no names: a person is a line of the file. */
export type Counts = Record<string, CenterCounts>;

/** The most lines that are named for each rule. */
const mostLines = 20;

export function countsOf(counts: Counts, center: string): CenterCounts {
  counts[center] ??= { people: 0, unknown: 0, unread: {}, purposes: {}, findings: {} };
  return counts[center];
}

export function addLook(counts: CenterCounts, look: Look, line: number): void {
  for (const { id, isOn, isLocked } of look.shown) {
    const purpose = purposeIn(counts, id);
    purpose[isOn ? 'on' : 'off'] += 1;
    if (isLocked) purpose.locked += 1;
  }
  for (const { purpose, to, sends } of look.clicks) {
    const { sends: sent } = purposeIn(counts, purpose);
    sent[`${to}: ${sends}`] = (sent[`${to}: ${sends}`] ?? 0) + 1;
  }
  for (const { rule } of look.findings) {
    const found = counts.findings[rule] ?? { count: 0, lines: [] };
    counts.findings[rule] = found;
    found.count += 1;
    if (found.lines.length < mostLines && !found.lines.includes(line)) found.lines.push(line);
  }
}

function purposeIn({ purposes }: CenterCounts, id: string): PurposeCounts {
  purposes[id] ??= { on: 0, off: 0, locked: 0, sends: {} };
  return purposes[id];
}

export function isWell(counts: Counts): boolean {
  return Object.values(counts).every(
    ({ findings, unread }) => Object.keys(findings).length === 0 && Object.keys(unread).length === 0,
  );
}

const ruleTexts: Readonly<Record<BrokenRule, string>> = {
  'unchanged-sends': 'Saving a page as it was shown would send something, or be held up',
  lost: 'A click would take away what was not touched',
  granted: 'A click would switch on what was not touched',
  'not-done': 'A click would not do what it says, or leaving is held up',
};

interface ReportHead {
  readonly made: string;
  readonly lines: number;
  readonly seconds: number;
  readonly calls: number;
  /** Names of centers and purposes, by id. */
  readonly names: Readonly<Record<string, string>>;
}

/** The report for a browser: one file, no script, no names. */
export function reportHtml(head: ReportHead, counts: Counts): string {
  const name = (id: string) => escapeHtml(head.names[id] ?? id);
  const table = (columns: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
    `<table><tr>${columns.map((each) => `<th>${each}</th>`).join('')}</tr>${rows
      .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
      .join('')}</table>`;
  const centers = Object.entries(counts).map(([id, center]) => {
    const findings = brokenRules.flatMap((rule) => {
      const found = center.findings[rule];
      return found === undefined ? [] : [[ruleTexts[rule], found.count, found.lines.join(', ')]];
    });
    const purposes = Object.entries(center.purposes).map(([purpose, { on, off, locked, sends }]) => {
      const sent = Object.entries(sends).map(([what, count]) => `${what} ${count}`);
      return [name(purpose), on, off, locked, sent.join('<br>')];
    });
    const unread = Object.entries(center.unread).map(([why, count]) => `${escapeHtml(why)}: ${count}`);
    return [
      `<h2>${name(id)}</h2>`,
      `<p>${center.people} people, ${center.unknown} of them not on record.</p>`,
      unread.length === 0 ? '' : `<p class="bad">Not read: ${unread.join(', ')}</p>`,
      findings.length === 0
        ? '<p class="good">No click would lose or grant anything that was not touched.</p>'
        : table(['Broken rule', 'Times', 'Lines of the file of people'], findings),
      table(['Purpose', 'On', 'Off', 'Locked', 'A click sends'], purposes),
    ].join('\n');
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shadow run</title>
<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;margin:1rem 0}th,td{border:1px solid #999;padding:.3rem .6rem;text-align:start;vertical-align:top}.bad{color:#a00}.good{color:#060}</style>
</head><body><h1>Shadow run</h1>
<p>${escapeHtml(head.made)}: ${head.lines} lines, ${head.calls} calls, ${head.seconds} seconds. Nothing was written to the platform.</p>
${centers.join('\n')}
</body></html>
`;
}
