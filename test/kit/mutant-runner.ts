/**
 * Runs the tests of `core/consent` for Stryker, in Stryker's process, which loads them once: a mutant costs
 * the tests that reach it, and no start of Node. {@link
 * https://stryker-mutator.io/docs/stryker-js/guides/create-a-plugin/}
 */
import { globSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';

type Body = (context: unknown) => unknown;

/** The state that Stryker's instrumented files read and write. */
interface Stryker {
  activeMutant?: string;
  currentTestId?: string;
  mutantCoverage?: unknown;
  hitCount: number;
  hitLimit?: number;
}

interface Run {
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
  readonly activeMutant?: { readonly id: string };
  readonly mutantActivation?: 'static' | 'runtime';
  /** The path of the mutated file. */
  readonly sandboxFileName?: string;
  readonly disableBail: boolean;
}

const stryker: Stryker = { hitCount: 0 };
const declared: { readonly name: string; readonly body: Body; file?: string }[] = [];
Object.assign(globalThis, { __stryker__: stryker, declaredTests: declared });

/** The module that tests get for `node:test`: it notes each test, and runs none. */
const nodeTest = `
  let names = [];
  export function suite(name, ...rest) {
    names.push(name);
    rest.at(-1)();
    names.pop();
  }
  export function test(name, ...rest) {
    globalThis.declaredTests.push({ name: [...names, name].join(': '), body: rest.at(-1) });
  }
  export const describe = suite;
`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test'
      ? { url: `data:text/javascript,${encodeURIComponent(nodeTest)}`, shortCircuit: true }
      : next(specifier, context),
});

async function load(): Promise<void> {
  if (declared.length > 0) return;
  for (const file of globSync('test/core/consent/*.test.ts').sort()) {
    const before = declared.length;
    await import(pathToFileURL(resolve(file)).href);
    for (const test of declared.slice(before)) test.file = basename(file);
  }
}

async function runAll({ testFilter, disableBail, sandboxFileName = '' }: Run) {
  const outcomes = [];
  // Tests of the mutated file run first: a mutant in code that runs at load is tried by all tests.
  const own = basename(sandboxFileName, '.ts');
  const [first, rest] = [true, false].map((isOwn) =>
    declared.filter(({ file }) => file?.startsWith(own) === isOwn),
  );
  for (const { name, body } of [...(first ?? []), ...(rest ?? [])]) {
    if (testFilter !== undefined && !testFilter.includes(name)) continue;
    stryker.currentTestId = name;
    const began = performance.now();
    const failureMessage = await failureOf(body);
    const status = failureMessage === undefined ? 0 : 1;
    outcomes.push({ id: name, name, timeSpentMs: performance.now() - began, status, failureMessage });
    if (failureMessage !== undefined && !disableBail) break;
  }
  delete stryker.currentTestId;
  return outcomes;
}

async function failureOf(body: Body): Promise<string | undefined> {
  try {
    await body({ diagnostic: () => undefined });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function runner() {
  return {
    capabilities: () => ({ reloadEnvironment: false }),
    async dryRun(run: Run) {
      await load();
      const tests = await runAll({ ...run, disableBail: true });
      return { status: 'complete', tests, mutantCoverage: stryker.mutantCoverage };
    },
    async mutantRun(run: Run) {
      const id = run.activeMutant?.id ?? '';
      if (run.mutantActivation === 'static') stryker.activeMutant = id;
      await load();
      Object.assign(stryker, { activeMutant: id, hitCount: 0, hitLimit: run.hitLimit });
      const tests = await runAll(run);
      if (run.hitLimit !== undefined && stryker.hitCount > run.hitLimit) return { status: 'timeout' };
      const failed = tests.find(({ status }) => status === 1);
      if (failed === undefined) return { status: 'survived', nrOfTests: tests.length };
      const { id: by, failureMessage } = failed;
      return { status: 'killed', killedBy: [by], failureMessage, nrOfTests: tests.length };
    },
  };
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', factory: runner }];
