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
import { type Batch, dealOut, type Pile, readDurations, writeDurations } from './kit/schedule.ts';

const root = join(import.meta.dirname, '..');
const reporter = join(import.meta.dirname, 'kit', 'reporter.ts');
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

/** Folders of tests that start no product, platform or store; `unit` is these and the tests of `test` itself. */
const pure = ['config', 'core', 'i18n', 'pages', 'visits', 'web'];
/** Folders of tests that wait for other processes, kills and repetitions four fifths of their time. */
const waits = ['chaos', 'deploy'];
/** Changes its process for good, so that no other test shares it. */
const changesProcess = /kit\/postgres-here\.ts/;
/** Runs in a process whose clock is fast. */
const runsFast = /kit\/fast-here\.ts/;
/** One Firefox, one product and one site that frames it for all of them. */
const sharesMore = /\/(firefox|framed)\.ts/;
const minute = 60_000;

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
/** The data folder of `npm start`, which no test may write into. */
const hadData = existsSync('data');

// Types are stripped once, not by every process that reads a file.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'sayso');

const whole = parts.length === 0 && only === undefined;
const files = globSync('test/**/*.test.ts')
  .sort()
  .filter((file) => parts.every((part) => file.includes(part)))
  .filter((file) => only === undefined || only === kindOf(file));
const durations = readDurations();
let database: Cluster | undefined;
await runTests(files, async () => {
  // Before the tests of products: both take every core, and a starved product answers 503.
  if (whole) await Promise.all([check('biome', ['check', '.']), check('tsc', ['--noEmit'])]);
  if (files.some(needsDatabase)) database = await startDatabase();
});
await database?.end();
if (files.length === 0) faults.push('no test file was found');
// Every mutant of the merge and of what a form means must be caught (stryker.config.json).
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

/** One PostgreSQL for all files, in memory: one on a disk would make them wait for each commit. */
async function startDatabase(): Promise<Cluster | undefined> {
  if (process.env['DATABASE_URL'] !== undefined) return undefined;
  const { binaries, startCluster } = await import('./kit/postgres.ts');
  if (binaries() === undefined) return undefined;
  const cluster = await startCluster(['max_connections=300', 'max_wal_size=256MB']);
  process.env['DATABASE_URL'] = cluster.url;
  return cluster;
}

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

function says(words: RegExp): (file: string) => boolean {
  return (file) => words.test(readFileSync(file, 'utf8'));
}

/**
 * Processes, each of which takes the longest batch that is left. Files share one, which reads its modules and warms up
 * once, but for a few. Twice as many as there are cores: with more, a page takes longer than the product waits for a
 * reading. Two more for what itself mostly waits; and what starts no product runs beside `prepare`, which the others
 * wait for.
 */
async function runTests(some: readonly string[], prepare: () => Promise<void>): Promise<void> {
  const [isAlone, isFast, isShared] = [says(changesProcess), says(runsFast), says(sharesMore)];
  const isWaiting = (file: string) => waits.includes(file.split(sep)[1] ?? '');
  const apart = [isAlone, isFast, isShared, isWaiting];
  const ofKind = (kind: (typeof kinds)[number]) =>
    some.filter((file) => kindOf(file) === kind && !apart.some((is) => is(file)));
  const prepared = prepare();
  const work = async (queue: Batch[]) => {
    for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) await runBatch(batch);
  };
  const run = async (hands: number, piles: readonly Pile[]) => {
    await prepared;
    const queue = dealOut(piles, durations);
    await Promise.all(Array.from({ length: hands }, () => work(queue)));
  };
  await Promise.all([
    work(dealOut([{ files: ofKind('unit'), hands: 1 }], durations)),
    run(2, [{ files: some.filter((file) => isWaiting(file) && !isAlone(file) && !isFast(file)), hands: 4 }]),
    run(availableParallelism() * 2, [
      { files: some.filter(isAlone), hands: some.length },
      { files: some.filter(isFast), hands: 2 },
      { files: some.filter(isShared), hands: 1 },
      { files: ofKind('browser'), hands: 3 },
      { files: ofKind('features'), hands: 6 },
    ]),
  ]);
}

/** These files in one process, one after another. Its own output goes to a file: nothing waits for a pipe to end. */
async function runBatch({ files: batch }: Batch): Promise<void> {
  const output = join(outputs, `${batch[0]?.replaceAll(sep, '-')}.txt`);
  const written = openSync(output, 'a');
  // A test that never ends must not keep the whole run: it fails, and what then still runs is ended.
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

/** Split by hand: `readline` ends a line at U+2028, too, which names of tests hold. */
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
  const said = { name: 'the failures of the tests', text: failures.join('\n') };
  for (const { name, text } of [...written, said]) {
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
  // Whatever is still open here, the run has ended.
  setTimeout(() => process.exit(), 10_000).unref();
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
