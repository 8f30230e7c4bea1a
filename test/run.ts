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
const totals = { tests: 0, pass: 0, fail: 0, skipped: 0, todo: 0 };

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

function report(event: TestEvent): void {
  if (event.type === 'test:stdout' || event.type === 'test:stderr') {
    printed += event.data.message;
    process.stdout.write(event.data.message);
  }
  if (event.type === 'test:fail') reportFailure(event.data);
  if (event.type !== 'test:summary') return;
  const { file, counts, duration_ms: took } = event.data;
  if (file === undefined) {
    totals.tests += counts.tests;
    totals.pass += counts.passed;
    totals.fail += counts.tests - counts.passed - counts.skipped - counts.todo;
    totals.skipped += counts.skipped;
    totals.todo += counts.todo;
    return;
  }
  const failed = counts.tests - counts.passed;
  const mark = event.data.success ? '✔' : '✖';
  print(
    `${mark} ${file.replace(`${root}/`, '')}  ${counts.tests} tests${failed ? `, ${failed} failed` : ''}, ${seconds(took)}`,
  );
  if (!event.data.success) faults.push(file.replace(`${root}/`, ''));
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
  for (const fault of faults) print(`✖ ${fault}`);
  print(`\n# tests ${totals.tests}`);
  print(`# pass ${totals.pass}`);
  print(`# fail ${totals.fail}`);
  print(`# skipped ${totals.skipped}`);
  print(`# todo ${totals.todo}`);
  print(`# duration ${seconds(Date.now() - began)}`);
  process.exitCode = faults.length > 0 || totals.fail > 0 ? 1 : 0;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
