/**
 * `npm test`: style, types, every test, and at the end the gate: no canary (test/kit/canaries.ts) in anything that
 * the tests and the products they started have printed, and no fault of the product's own (test/kit/internal-errors.ts), no unhandled error, no leaked listener. `--long` runs the long forms; `--unit`, `--features` and
 * `--browser` one kind, `-- <part of a path>` only some files. Ends with the totals of all files, and with status 1
 * when anything failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, sep } from 'node:path';
import process from 'node:process';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { findCanaries } from './kit/canaries.ts';
import { brokenOnPurpose, findInternalErrors } from './kit/internal-errors.ts';
import { type Batch, dealOut, readDurations, writeDurations } from './kit/schedule.ts';

const root = join(import.meta.dirname, '..');
const together = join(import.meta.dirname, 'kit', 'together.ts');
/** Which files run: all, or one kind. */
const kinds = ['unit', 'features', 'browser'] as const;
const only = kinds.find((kind) => process.argv.includes(`--${kind}`));
const long = process.argv.includes('--long');
const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const began = Date.now();
const faults: string[] = [];
/** What each failed test said, once more at the end: a log is read from its end. */
const failures: string[] = [];
/** Of each file's last run. */
const results = new Map<string, Result>();

interface Result {
  readonly success: boolean;
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly todo: number;
}

/** Folders of tests that start no product, platform or store; `unit` is these and the tests of `test` itself. */
const pure = ['config', 'core', 'i18n', 'pages', 'visits', 'web'];
/** Changes its process for good, so that no other test shares it. */
const changesProcess = /kit\/(fast|postgres)-here\.ts/;
const minute = 60_000;
const noTests: Result = { success: true, tests: 0, passed: 0, failed: 0, skipped: 0, todo: 0 };

/** Whatever the tests and their products write, theirs for as long as the run lasts. */
const home = mkdtempSync(join(inMemory() ?? tmpdir(), 'sayso-run-'));
// Others must get through to what is theirs: PostgreSQL does not run as root.
chmodSync(home, 0o711);
process.env['TMPDIR'] = home;
/** Where the kit's products write what they print. */
const outputs = join(home, 'outputs');
mkdirSync(outputs);
process.env['SAYSO_OUTPUTS'] = outputs;
if (long) process.env['SAYSO_LONG'] = '1';
process.chdir(root);

// Types are stripped once, not by every process that reads a file.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'sayso');

const whole = parts.length === 0 && only === undefined;
// Beside the tests, which leave a core now and then.
const checks = whole ? [check('biome', ['check', '.']), check('tsc', ['--noEmit'])] : [];
const files = globSync('test/**/*.test.ts')
  .sort()
  .filter((file) => parts.every((part) => file.includes(part)))
  .filter((file) => only === undefined || only === kindOf(file));
let printed = '';
const durations = readDurations();
await runTests(files);
await Promise.all(checks);
if (files.length === 0) faults.push('no test file was found');
// Every mutant of the merge and of what a form means must be caught (stryker.config.json).
if (long && whole) await check('stryker', ['run']);
endProcesses();
gate();
rmSync(home, { recursive: true, force: true });
writeDurations(durations);
conclude();

/** What a batch that was ended has left behind would hold the output open, and a caller that reads it would wait. */
function endProcesses(): void {
  for (const name of globSync('/proc/[1-9]*'))
    try {
      if (!readFileSync(join(name, 'environ'), 'utf8').includes(home)) continue;
      process.kill(Number(basename(name)), 'SIGKILL');
      faults.push(`a process was left behind: ${name}`);
    } catch {
      // No process, another's, or ended meanwhile.
    }
}

/** A disk's waits would be half of a run; what the stores hold is little. Not where a container has 64 MiB of it. */
function inMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > 2 ** 30 ? '/dev/shm' : undefined;
  } catch {
    return undefined;
  }
}

async function check(tool: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [binary(tool), ...args], { stdio: 'inherit' });
  const [status] = await once(child, 'exit').catch((): [undefined] => [undefined]);
  if (status !== 0) faults.push(`${tool} ${args.join(' ')}`);
  else print(`✔ ${tool} ${args.join(' ')}`);
}

/** The script behind node_modules/.bin, which is no script on Windows. */
function binary(tool: string): string {
  const packages: Readonly<Record<string, string>> = {
    biome: '@biomejs/biome/bin/biome',
    tsc: 'typescript/bin/tsc',
    stryker: '@stryker-mutator/core/bin/stryker.js',
  };
  return join(root, 'node_modules', packages[tool] ?? tool);
}

/** The folder says what a test needs. */
function kindOf(file: string): (typeof kinds)[number] {
  const [, folder = '', ...rest] = file.split(sep);
  if (folder === 'browser') return 'browser';
  return rest.length === 0 || pure.includes(folder) ? 'unit' : 'features';
}

function isAlone(file: string): boolean {
  return changesProcess.test(readFileSync(file, 'utf8'));
}

/**
 * Processes, each of which takes the longest batch that is left. Files share one, which reads its modules and warms up
 * once, but for a few. Three times as many as there are cores: most of them wait most of the time.
 */
async function runTests(some: readonly string[]): Promise<void> {
  const ofKind = (kind: (typeof kinds)[number]) =>
    some.filter((file) => kindOf(file) === kind && !isAlone(file));
  const piles = [
    { files: some.filter(isAlone), hands: some.length },
    { files: ofKind('browser'), hands: 3 },
    { files: ofKind('features'), hands: 12 },
    { files: ofKind('unit'), hands: 1 },
  ];
  const queue = dealOut(piles, durations);
  const work = async () => {
    for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) await runBatch(batch);
  };
  await Promise.all(Array.from({ length: availableParallelism() * 3 }, work));
}

/**
 * These files in one process, one after another. A process that tells nothing for longer than any test takes is ended,
 * and the files that are left are begun anew once: the log says so, for why a process stalls is to be found.
 */
async function runBatch({ files: batch }: Pick<Batch, 'files'>, isAnew = false): Promise<void> {
  const stalled = new AbortController();
  let toldAt = Date.now();
  const quiet = (long ? 120 : 8) * minute;
  const watch = setInterval(() => Date.now() - toldAt > quiet && stalled.abort(), 5_000);
  // A test that never ends must not keep the whole run: what still runs by then is ended, and has failed.
  const signal = AbortSignal.any([AbortSignal.timeout((long ? 240 : 20) * minute), stalled.signal]);
  let counted = noTests;
  const running = new Set<string>();
  const options = { files: [together], argv: [...batch], cwd: root, concurrency: 1, signal };
  for await (const event of run(options)) {
    toldAt = Date.now();
    if (event.type === 'test:stdout' || event.type === 'test:stderr') {
      printed += event.data.message;
      process.stdout.write(event.data.message);
    }
    if (event.type === 'test:dequeue') running.add(event.data.name);
    if (event.type === 'test:complete') running.delete(event.data.name);
    if (event.type === 'test:fail' && !signal.aborted) reportFailure(event.data);
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { name, nesting, details, skip, todo } = event.data;
    if (details.type === 'suite' && nesting === 0) {
      reportFile(name, { ...counted, success: event.type === 'test:pass' }, details.duration_ms);
      counted = noTests;
    } else if (nesting > 0 && (details.type !== 'suite' || skip !== undefined)) {
      const outcome = todo ? 'todo' : skip ? 'skipped' : event.type === 'test:pass' ? 'passed' : 'failed';
      counted = { ...counted, tests: counted.tests + 1, [outcome]: counted[outcome] + 1 };
    } else if (event.type === 'test:fail' && batch.every((file) => results.get(file)?.success)) {
      faults.push(`the process of ${batch.join(', ')}`);
    }
  }
  clearInterval(watch);
  if (!signal.aborted) return;
  const left = batch.filter((file) => !results.has(file));
  print(`STALLED: ${[...running].join(' > ')}; ${left.length} files are left of ${batch.join(', ')}`);
  if (stalled.signal.aborted && !isAnew && left.length > 0) return runBatch({ files: left }, true);
  faults.push(`never ended: ${[...running].join(' > ')} in ${batch.join(', ')}`);
}

function reportFile(name: string, result: Result, took: number): void {
  const { tests, failed } = result;
  const success = result.success && tests > 0;
  results.set(name, { ...result, success });
  durations.set(name, took);
  print(
    `${success ? '✔' : '✖'} ${name}  ${tests} tests${failed ? `, ${failed} failed` : ''}, ${seconds(took)}`,
  );
}

function reportFailure({
  name,
  file,
  line,
  details,
}: Extract<TestEvent, { type: 'test:fail' }>['data']): void {
  const error: unknown = details.error.cause ?? details.error;
  if ('failureType' in details.error && details.error.failureType === 'subtestsFailed') return;
  // A fault during disposal hides the one of the test itself.
  const isPlain = error instanceof Error && !('suppressed' in error);
  const cause = isPlain && error.cause !== undefined ? `\n${inspect(error.cause)}` : '';
  const text = isPlain ? `${error.stack ?? error.message}${cause}` : inspect(error);
  const failure = `\n✖ ${name}\n  ${file ?? ''}:${line ?? ''}\n${text.replaceAll(/^/gm, '    ')}\n`;
  print(failure);
  failures.push(failure);
  printed += text;
}

function gate(): void {
  const written = readdirSync(outputs).map((name) => ({
    name,
    text: readFileSync(join(outputs, name), 'utf8'),
  }));
  for (const { name, text } of [...written, { name: 'the output of the tests', text: printed }]) {
    for (const canary of findCanaries(text))
      faults.push(`personal data or a secret was printed: ${canary} in ${name}`);
    if (name.endsWith('.log') && /[\w.+-](@|%40)example\.(org|com|net)/i.test(text))
      faults.push(`a mail address was printed in ${name}`);
    const internal = name.startsWith(brokenOnPurpose) ? [] : findInternalErrors(text);
    if (internal.length > 0)
      faults.push(
        `${internal.length} faults of the product's own in ${name}:\n${internal[0]?.slice(0, 2000)}`,
      );
    if (/unhandledRejection|uncaughtException|triggerUncaught|UnhandledPromise/.test(text))
      faults.push(`an unhandled error in ${name}:\n${text.slice(-2000)}`);
    const leak = /.*MaxListenersExceededWarning.*/.exec(text)?.[0];
    if (leak !== undefined) faults.push(`a leaked listener in ${name}: ${leak}`);
  }
  const size = written.reduce((sum, { text }) => sum + text.length, printed.length);
  print(`\ncanary gate: read ${written.length} outputs of the product and ${size} characters`);
}

function conclude(): void {
  for (const file of files) if (!results.get(file)?.success) faults.push(file);
  for (const failure of failures) print(failure.slice(0, 3_000));
  for (const fault of faults) print(`✖ ${fault}`);
  const sum = (part: Exclude<keyof Result, 'success'>) =>
    [...results.values()].reduce((total, result) => total + result[part], 0);
  print(`\n# tests ${sum('tests')}`);
  print(`# pass ${sum('passed')}`);
  print(`# fail ${sum('failed')}`);
  print(`# skipped ${sum('skipped')}`);
  print(`# todo ${sum('todo')}`);
  print(`# duration ${seconds(Date.now() - began)}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
  // Whatever is still open here, the run has ended.
  setTimeout(() => process.exit(), 10_000).unref();
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
