import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

export interface Figure {
  readonly what: string;
  readonly value: string;
  readonly aim?: string | undefined;
}

/** The figures that one command measured: a file of docs/results. */
export interface Result {
  readonly title: string;
  readonly command: string;
  readonly commit: string;
  readonly date: string;
  readonly machine: string;
  readonly note?: string;
  readonly figures: readonly Figure[];
}

const root = join(import.meta.dirname, '../..');

/** Writes a result with the commit, date and machine of now, and the page of results. */
export function keepResult(
  name: string,
  measured: Pick<Result, 'title' | 'command' | 'note' | 'figures'>,
): void {
  const { title, command, ...rest } = measured;
  const result: Result = {
    title,
    command,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`,
    ...rest,
  };
  writeFileSync(join(root, 'docs/results', `${name}.json`), `${JSON.stringify(result, undefined, 2)}\n`);
  writeResultsPage();
}

export function writeResultsPage(): void {
  writeFileSync(join(root, 'docs/results.md'), resultsPage());
}

/** docs/results.md: a table for each file of docs/results. */
export function resultsPage(): string {
  const results = globSync('docs/results/*.json', { cwd: root })
    .toSorted()
    .map((path): Result => JSON.parse(readFileSync(join(root, path), 'utf8')));
  return `${['# Results', intro, ...results.map(section)].join('\n\n')}\n`;
}

const intro =
  'Written by `node scripts/results.mjs` from `docs/results/*.json`. **Bold**: the aim is missed. Other programs ran beside, so times are upper bounds. Machine, unless said: 2 shared cores, Node 26.10.';

const usualMachine = '2 shared cores, Node 26.10';

function section({ title, command, commit, date, machine, note, figures }: Result): string {
  const hasAims = figures.some(({ aim }) => aim !== undefined);
  const rows = figures.map(
    ({ what, value, aim }) => `| ${what} | ${value} |${hasAims ? ` ${aim ?? ''} |` : ''}`,
  );
  const where = machine === usualMachine ? [] : [machine];
  const head = [`## ${title}`, [`\`${command}\``, date, commit, ...where].join(', ')];
  const titles = hasAims
    ? ['| what | measured | aim |', '|---|---|---|']
    : ['| what | measured |', '|---|---|'];
  const table = [...titles, ...rows].join('\n');
  return [...head, table, ...(note === undefined ? [] : [note])].join('\n\n');
}
