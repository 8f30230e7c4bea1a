/**
 * Run by test/run.ts as one test file: those of its arguments, one after another in this process, each a suite of its
 * own, so that its hooks are its own too. What a process costs to start is paid once.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { inspect } from 'node:util';
import { Agent, setGlobalDispatcher } from 'undici';
import { followNoMorePromises } from './promise-hooks.ts';

// Only now, for it looks at once for what follows promises.
const { after, suite } = await import('node:test');

const files = process.argv.slice(2);
const fastCheck = /from 'fast-check'/;
const firefox = /\/firefox\.ts/;
const framed = /\/framed\.ts/;
const areAny = (kind: RegExp) => files.some((file) => kind.test(readFileSync(file, 'utf8')));

// A connection of its own for each request: the other side may close one that is kept just as it is used, and does on a
// busy machine or by a fast clock.
setGlobalDispatcher(new Agent({ pipelining: 0 }));

if (files.some((file) => file.startsWith(join('test', 'browser')))) {
  // Not loaded where no browser is.
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
  // As all dice of `npm test` (chaos/dice.ts).
  const { configureGlobal } = await import('fast-check');
  configureGlobal({ seed: 1 });
}

// Where node:test does not know which test it is of, it is of the file that runs.
const uncaught: unknown[] = [];
process.on('uncaughtException', (fault) => uncaught.push(fault));
process.on('unhandledRejection', (fault) => uncaught.push(fault));

let before = Promise.resolve();
for (const file of files)
  suite(file, async () => {
    // Two that wait at once for what both import would register the tests of both with the first. And what is registered
    // after a wait is with the suite that made the promise: each waits for one of its own.
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
  // What a test has left open must not keep the run: it is told, and the process ends.
  setTimeout(() => {
    console.error(
      `the process of ${files.join(', ')} has still open: ${process.getActiveResourcesInfo().join(', ')}`,
    );
    process.exit(1);
  }, 30_000).unref();
});
