/**
 * `npm test`: checks style and types, runs every test, and at the end the gate. The gate finds no canary
 * (test/kit/canaries.ts), no internal error (test/kit/internal-errors.ts), no unhandled error and no leaked
 * listener in the output of the tests and of the products that they started. `--long` runs the long forms;
 * `--unit`, `--features` and `--browser` run one kind, `-- <part of a path>` only some files. Prints the
 * totals of all files at the end, and exits with 1 when anything failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, sep } from 'node:path';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { findCanaries } from './kit/canaries.ts';
import { brokenOnPurpose, findInternalErrors } from './kit/internal-errors.ts';
import type { Cluster } from './kit/postgres.ts';
import { pipe, type Result, type Told } from './kit/reporter.ts';
import { type Batch, batchesOf, type Group, readDurations, writeDurations } from './kit/schedule.ts';

const root = join(import.meta.dirname, '..');
const reporter = join(import.meta.dirname, 'kit', 'reporter.ts');
const together = join(import.meta.dirname, 'kit', 'together.ts');
/** The kinds of test files, by what they need. */
const kinds = ['unit', 'features', 'browser'] as const;
const only = kinds.find((kind) => process.argv.includes(`--${kind}`));
const long = process.argv.includes('--long');
const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const began = Date.now();
const faults: string[] = [];
/** The text of each failed test. It is printed again at the end, where a log is read first. */
const failures: string[] = [];
/** The result of each file that has run. */
const results = new Map<string, Result>();

/**
 * Folders of tests that start no product, platform or store. `unit` is these, and the files directly in
 * `test`.
 */
const pureFolders = ['config', 'core', 'i18n', 'pages', 'visits', 'web'];
/** Folders of tests that for four fifths of their time wait for other processes, kills and repetitions. */
const waitingFolders = ['chaos', 'deploy'];
/** The import in tests that change their process for good, so that no other test may share it. */
const changesProcess = /kit\/postgres-here\.ts/;
/** The import in tests that run in a process whose clock is fast. */
const runsFast = /kit\/fast-here\.ts/;
/** The import in tests that share one Firefox, one product and one site that frames it. */
const sharesBrowser = /\/(firefox|framed)\.ts/;
const minute = 60_000;

/** The folder for all files of the tests and their products, removed at the end of the run. */
const home = mkdtempSync(join(inMemory() ?? tmpdir(), 'sayso-run-'));
// Other users must get through to their own folders inside: PostgreSQL does not run as root.
chmodSync(home, 0o711);
process.env['TMPDIR'] = home;
/** The folder for the output of products that the kit starts, and of test processes. */
const outputs = join(home, 'outputs');
mkdirSync(outputs);
process.env['SAYSO_OUTPUTS'] = outputs;
if (long) process.env['SAYSO_LONG'] = '1';
process.chdir(root);
/** Whether the data folder of `npm start` is there: no test may make it. */
const hadData = existsSync('data');

// Shared by all processes, so that the types of a file are stripped once.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'sayso');

const whole = parts.length === 0 && only === undefined;
const files = globSync('test/**/*.test.ts')
  .sort()
  .filter((file) => parts.every((part) => file.includes(part)))
  .filter((file) => only === undefined || only === kindOf(file));
const durations = readDurations();
let database: Cluster | undefined;
await runTests(files, async () => {
  // Both run before the tests of products: they take every core, and a starved product answers 503.
  if (whole) await Promise.all([check('biome', ['check', '.']), check('tsc', ['--noEmit'])]);
  if (files.some(needsDatabase)) database = await startDatabase();
});
await database?.end();
if (files.length === 0) faults.push('no test file was found');
// Tests must catch every mutant of `core/consent` (stryker.config.json).
if (long && whole) await check('stryker', ['run']);
endProcesses();
if (!hadData && existsSync('data')) faults.push('a test wrote into the data folder of the checkout: data');
gate();
rmSync(home, { recursive: true, force: true });
writeDurations(durations);
conclude();

function needsDatabase(file: string): boolean {
  return kindOf(file) !== 'unit' && /postgres/i.test(readFileSync(file, 'utf8'));
}

/** Starts one PostgreSQL in memory for all files: on a disk, tests would wait for each commit. */
async function startDatabase(): Promise<Cluster | undefined> {
  if (process.env['DATABASE_URL'] !== undefined) return undefined;
  const { binaries, startCluster } = await import('./kit/postgres.ts');
  if (binaries() === undefined) return undefined;
  const cluster = await startCluster(['max_connections=300', 'max_wal_size=256MB']);
  process.env['DATABASE_URL'] = cluster.url;
  return cluster;
}

/**
 * Kills processes that a killed batch left behind: they hold the output open, and a reader of it would wait.
 */
function endProcesses(): void {
  for (const name of globSync('/proc/[1-9]*'))
    try {
      if (!readFileSync(join(name, 'environ'), 'utf8').includes(home)) continue;
      process.kill(Number(basename(name)), 'SIGKILL');
      faults.push(`a process was left behind: ${name}`);
    } catch {
      // The process has ended meanwhile, or belongs to another user.
    }
}

/**
 * The folder of shared memory, where writes wait for no disk; undefined where it is small, as in a container.
 */
function inMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > 2 ** 31 ? '/dev/shm' : undefined;
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

/** The script of a tool; node_modules/.bin holds no script on Windows. */
function binary(tool: string): string {
  const packages: Readonly<Record<string, string>> = {
    biome: '@biomejs/biome/bin/biome',
    tsc: 'typescript/bin/tsc',
    stryker: '@stryker-mutator/core/bin/stryker.js',
  };
  return join(root, 'node_modules', packages[tool] ?? tool);
}

/** The kind of a test file, by its folder. */
function kindOf(file: string): (typeof kinds)[number] {
  const [, folder = '', ...rest] = file.split(sep);
  if (folder === 'browser') return 'browser';
  return rest.length === 0 || pureFolders.includes(folder) ? 'unit' : 'features';
}

function holds(pattern: RegExp): (file: string) => boolean {
  return (file) => pattern.test(readFileSync(file, 'utf8'));
}

/**
 * Runs batches of files in processes; a process reads its modules and warms up once. The longest batch is
 * started next. Batches at a time: twice as many as cores, for with more a page takes longer than the product
 * waits for a reading, and two of tests that mostly wait. Unit tests run beside `prepare`, which all others
 * wait for.
 */
async function runTests(some: readonly string[], prepare: () => Promise<void>): Promise<void> {
  const [isAlone, isFast, isShared] = [holds(changesProcess), holds(runsFast), holds(sharesBrowser)];
  const isWaiting = (file: string) => waitingFolders.includes(file.split(sep)[1] ?? '');
  const isApart = [isAlone, isFast, isShared, isWaiting];
  const ofKind = (kind: (typeof kinds)[number]) =>
    some.filter((file) => kindOf(file) === kind && !isApart.some((is) => is(file)));
  const prepared = prepare();
  const work = async (queue: Batch[]) => {
    for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) await runBatch(batch);
  };
  const run = async (processes: number, groups: readonly Group[]) => {
    await prepared;
    const queue = batchesOf(groups, durations);
    await Promise.all(Array.from({ length: processes }, () => work(queue)));
  };
  const waiting = some.filter((file) => isWaiting(file) && !isAlone(file) && !isFast(file));
  await Promise.all([
    work(batchesOf([{ files: ofKind('unit'), batches: 1 }], durations)),
    run(2, [{ files: waiting, batches: 4 }]),
    run(availableParallelism() * 2, [
      { files: some.filter(isAlone), batches: some.length },
      { files: some.filter(isFast), batches: 2 },
      { files: some.filter(isShared), batches: 1 },
      { files: ofKind('browser'), batches: 3 },
      { files: ofKind('features'), batches: 6 },
    ]),
  ]);
}

/**
 * Runs the files of a batch in one process. Its output goes to a file, so that nothing waits for a pipe to
 * end.
 */
async function runBatch({ files: batch }: Batch): Promise<void> {
  const output = join(outputs, `${batch[0]?.replaceAll(sep, '-')}.txt`);
  const written = openSync(output, 'a');
  // A test that never ends fails after a while, and a process that then still runs is killed.
  const timeoutMs = (long ? 120 : 10) * minute;
  const child = spawn(
    process.execPath,
    [`--test-timeout=${timeoutMs}`, `--test-reporter=${reporter}`, together, ...batch],
    { stdio: ['ignore', written, written, 'pipe'] },
  );
  closeSync(written);
  const late = setTimeout(() => child.kill('SIGKILL'), 2 * timeoutMs);
  const running = new Set<string>();
  const exit = once(child, 'exit');
  for await (const told of readTold(child.stdio[pipe] as Readable)) {
    if (told.kind === 'begun') running.add(told.name);
    if (told.kind === 'ended') running.delete(told.name);
    if (told.kind === 'failure') reportFailure(told);
    if (told.kind === 'file') reportFile(told);
  }
  const [status, signal] = await exit;
  clearTimeout(late);
  process.stdout.write(readFileSync(output));
  if (status === null) faults.push(`ended by ${signal}: ${[...running].join(' > ')} in ${batch.join(', ')}`);
  else if (status !== 0 && batch.every((file) => results.get(file)?.success))
    faults.push(`the process of ${batch.join(', ')}`);
}

/** Splits lines by hand: `readline` would also split at U+2028, which test names hold. */
async function* readTold(stream: Readable): AsyncGenerator<Told> {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines.map((line): Told => JSON.parse(line));
  }
}

function reportFile({ file, milliseconds, ...result }: Extract<Told, { kind: 'file' }>): void {
  const { tests, failed } = result;
  const success = result.success && tests > 0;
  results.set(file, { ...result, success });
  durations.set(file, milliseconds);
  print(
    `${success ? '✔' : '✖'} ${file}  ${tests} tests${failed ? `, ${failed} failed` : ''}, ${seconds(milliseconds)}`,
  );
}

function reportFailure({ name, place, text }: Extract<Told, { kind: 'failure' }>): void {
  const failure = `\n✖ ${name}\n  ${place}\n${text.replaceAll(/^/gm, '    ')}\n`;
  print(failure);
  failures.push(failure);
}

function gate(): void {
  const written = readdirSync(outputs).map((name) => ({
    name,
    text: readFileSync(join(outputs, name), 'utf8'),
  }));
  const failed = { name: 'the failures of the tests', text: failures.join('\n') };
  for (const { name, text } of [...written, failed]) {
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
  const size = written.reduce((sum, { text }) => sum + text.length, 0);
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
  // The run has ended, even if a handle is still open here.
  setTimeout(() => process.exit(), 10_000).unref();
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
