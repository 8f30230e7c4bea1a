/**
 * `npm test`: style, types, every test, and at the end the gate: no canary (test/kit/canaries.ts) in anything that
 * the tests and the products they started have printed. `--long` runs the long forms, `-- <part of a path>` only
 * some files. Ends with the totals of all files, and with status 1 when anything failed.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { findCanaries } from './kit/canaries.ts';

const root = join(import.meta.dirname, '..');
const long = process.argv.includes('--long');
const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const began = Date.now();
const faults: string[] = [];
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

/** Where the kit's products write what they print. */
const outputs = mkdtempSync(join(tmpdir(), 'sayso-output-'));
process.env['SAYSO_OUTPUTS'] = outputs;
if (long) process.env['SAYSO_LONG'] = '1';
process.chdir(root);

if (parts.length === 0) {
  check('biome', ['check', '.']);
  check('tsc', ['--noEmit']);
}
const files = globSync('test/**/*.test.ts')
  .sort()
  .filter((file) => parts.every((part) => file.includes(part)));
const inBrowser = (file: string) => file.startsWith(join('test', 'browser'));
let printed = '';
await runTests(
  files.filter((file) => !inBrowser(file)),
  2,
);
await runTests(files.filter(inBrowser), 1);
await repeatInBrowser();
if (files.length === 0) faults.push('no test file was found');
// Every mutant of the merge and of what a form means must be caught (stryker.config.json).
if (long && parts.length === 0) check('stryker', ['run']);
gate();
rmSync(outputs, { recursive: true, force: true });
conclude();

function check(tool: string, args: readonly string[]): void {
  const { status, error } = spawnSync(process.execPath, [binary(tool), ...args], { stdio: 'inherit' });
  if (error || status !== 0) faults.push(`${tool} ${args.join(' ')}`);
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

async function runTests(some: readonly string[], concurrency: number): Promise<void> {
  if (some.length === 0) return;
  // A test that never ends must not keep the whole run: what still runs by then is ended, and has failed.
  const signal = AbortSignal.timeout((long ? 240 : 20) * 60_000);
  for await (const event of run({ files: some.map((file) => join(root, file)), concurrency, signal }))
    report(event);
}

/**
 * A real browser beside everything else on two cores stumbles now and then over time, not over the product: up to
 * two of its files that failed run once more, and both outcomes are printed.
 */
async function repeatInBrowser(): Promise<void> {
  const failed = [...results].filter(([file, { success }]) => inBrowser(file) && !success);
  if (failed.length === 0 || failed.length > 2) return;
  const again = failed.map(([file]) => file);
  print(`\n⚠ run once more: ${again.join(', ')}`);
  await runTests(again, 1);
}

function report(event: TestEvent): void {
  if (event.type === 'test:stdout' || event.type === 'test:stderr') {
    printed += event.data.message;
    process.stdout.write(event.data.message);
  }
  if (event.type === 'test:fail') reportFailure(event.data);
  if (event.type !== 'test:summary') return;
  const { file, counts, duration_ms: took } = event.data;
  if (file === undefined) return;
  const name = file.replace(`${root}/`, '');
  const { tests, passed, skipped, todo } = counts;
  const failed = tests - passed - skipped - todo;
  const { success } = event.data;
  results.set(name, { success, tests, passed, failed, skipped, todo });
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
  const text = error instanceof Error ? (error.stack ?? error.message) : inspect(error);
  print(`\n✖ ${name}\n  ${file ?? ''}:${line ?? ''}\n${text.replaceAll(/^/gm, '    ')}\n`);
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
    if (/unhandledRejection|uncaughtException|triggerUncaught|UnhandledPromise/.test(text))
      faults.push(`an unhandled error in ${name}:\n${text.slice(-2000)}`);
  }
  const size = written.reduce((sum, { text }) => sum + text.length, printed.length);
  print(`\ncanary gate: read ${written.length} outputs of the product and ${size} characters`);
}

function conclude(): void {
  for (const file of files) if (!results.get(file)?.success) faults.push(file);
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
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
