/**
 * test/run.ts runs this as one test file, whose arguments are test files. They run one after another in this
 * process, each as a suite, so that its hooks stay its own. The start of a process is paid once for all of
 * them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { inspect } from 'node:util';
import { Agent, setGlobalDispatcher } from 'undici';
import { followNoMorePromises } from './promise-hooks.ts';

// Loaded after promise-hooks.ts, for node:test makes its hooks as soon as it is loaded.
const { after, suite } = await import('node:test');

const files = process.argv.slice(2);
const fastCheck = /from 'fast-check'/;
const firefox = /\/firefox\.ts/;
const framed = /\/framed\.ts/;
const areAny = (kind: RegExp) => files.some((file) => kind.test(readFileSync(file, 'utf8')));

// Each request has its own connection: a server may close a kept one just as it is used again, and does so on
// a busy machine or with a fast clock.
setGlobalDispatcher(new Agent({ pipelining: 0 }));

if (files.some((file) => file.startsWith(join('test', 'browser')))) {
  // Loaded only for tests in a browser.
  const { shareBrowser } = await import('../browser/browser.ts');
  after(await shareBrowser());
}

if (areAny(framed)) {
  const { endFramedSites } = await import('../browser/framed.ts');
  after(endFramedSites);
}

if (areAny(firefox)) {
  const { endFirefox } = await import('../browser/firefox.ts');
  after(endFirefox);
}

if (process.env['SAYSO_LONG'] === undefined && areAny(fastCheck)) {
  // The seed of all dice of `npm test` (chaos/dice.ts).
  const { configureGlobal } = await import('fast-check');
  configureGlobal({ seed: 1 });
}

// An error that node:test assigns to no test fails the file that runs.
const uncaught: unknown[] = [];
process.on('uncaughtException', (fault) => uncaught.push(fault));
process.on('unhandledRejection', (fault) => uncaught.push(fault));

let before = Promise.resolve();
for (const file of files)
  suite(file, async () => {
    // Files are imported in turn: of two that load the same module at once, the first suite would get the
    // tests of both. Each suite awaits a promise of its own: tests after an await belong to the suite that
    // made the promise.
    const [turn, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    void before.then(turn.resolve);
    before = end.promise;
    await turn.promise;
    await import(join(import.meta.dirname, '..', '..', file)).finally(end.resolve);
    after(() => {
      const faults = uncaught.splice(0);
      if (faults.length > 0) throw new Error(faults.map((fault) => inspect(fault)).join('\n'));
    });
  });
void before.then(() => setImmediate(followNoMorePromises));

after(() => {
  // A resource that a test has left open must not keep the run: it is reported, and the process ends.
  setTimeout(() => {
    console.error(
      `the process of ${files.join(', ')} has still open: ${process.getActiveResourcesInfo().join(', ')}`,
    );
    process.exit(1);
  }, 30_000).unref();
});
