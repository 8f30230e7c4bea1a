import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page, type Browser as WholeBrowser } from 'playwright-core';
import { times } from '../chaos/dice.ts';
import { forSuite } from '../kit/for-suite.ts';
import { borrowContext } from './contexts.ts';

/** Who sits before the browser. */
export interface Person {
  /** Off unless said. */
  readonly script?: boolean;
  readonly locale?: string;
  readonly phone?: boolean;
  readonly dark?: boolean;
  /** The site's own Content-Security-Policy is switched off. */
  readonly withoutPolicy?: boolean;
}

/** Milliseconds a browser test waits for what is to come, on a machine that does much else. */
export const longestWait = 120_000;

const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** The same engine, at half the work: no windows. */
const shellPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell';

const launch = {
  executablePath: chromiumPath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-default-apps',
    '--disable-dev-shm-usage',
    // Names of sites that tests make up.
    '--host-resolver-rules=MAP * 127.0.0.1',
  ],
};

/** Separate processes for each site, each page and the screen are a third of the work; threads of V8 a tenth. */
const shell = {
  ...launch,
  executablePath: existsSync(shellPath) ? shellPath : chromiumPath,
  args: [
    ...launch.args,
    ...times(
      [
        '--disable-site-isolation-trials',
        '--renderer-process-limit=1',
        '--in-process-gpu',
        '--js-flags=--single-threaded',
      ],
      [],
    ),
  ],
};

/** What a file sees of a browser, which may be that of all files of its process. */
export type Browser = Pick<WholeBrowser, 'newContext' | 'close'>;

let shared: WholeBrowser | undefined;

/** From now on one browser for all files of this process, until what this gives is called. */
export async function shareBrowser(): Promise<() => Promise<void>> {
  const browser = await chromium.launch(shell);
  shared = browser;
  return () => browser.close();
}

/** What is closed by its `close` is what was opened by it: the browser that others share stays. */
export async function openBrowser(): Promise<Browser> {
  const browser = shared;
  if (browser === undefined) return await chromium.launch(shell);
  const opened: BrowserContext[] = [];
  return {
    async newContext(options) {
      const context = await borrowContext(browser, options);
      opened.push(context);
      return context;
    },
    async close() {
      await Promise.all(opened.map((context) => context.close()));
    },
  };
}

/** For as long as the tests run of the file, or of the suite, that asks. Asked first, it is closed before the product. */
export function browserOf(): Browser {
  return forSuite(openBrowser, (browser) => browser.close());
}

export async function openContext(browser: Browser, person: Person = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    javaScriptEnabled: person.script ?? false,
    locale: person.locale ?? 'en',
    viewport: person.phone ? { width: 375, height: 812 } : { width: 1280, height: 600 },
    // Nothing but pictures looks finer, and all has four times as much to paint.
    deviceScaleFactor: person.phone && process.env['SAYSO_SHOTS'] !== undefined ? 2 : 1,
    colorScheme: person.dark ? 'dark' : 'light',
    bypassCSP: person.withoutPolicy ?? false,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(longestWait);
  return context;
}

/** axe, to be run in a page before it is asked. */
export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Pages in which axe is, and has nothing to do now. To load and compile it takes as long as it takes to look. */
const idleCopies = new WeakMap<WholeBrowser, Page[]>();

/**
 * What axe finds wrong on the page as it is shown now, each with where. axe needs timers, which stand still where
 * scripts are off: it looks at a copy, with what is ticked and typed, at the same address, size and scheme.
 */
export async function axeFaults(page: Page): Promise<string[]> {
  const browser = page.context().browser();
  const viewport = page.viewportSize();
  if (browser === null || viewport === null) throw new Error('the page has no browser or no size');
  const { html, dark } = (await page.evaluate(asShown)) as { html: string; dark: boolean };
  const idle = idleCopies.get(browser) ?? [];
  idleCopies.set(browser, idle);
  const copy = idle.pop() ?? (await (await browser.newContext({ reducedMotion: 'reduce' })).newPage());
  if (URL.parse(copy.url())?.origin !== new URL(page.url()).origin) await bringAxe(copy, page.url());
  await Promise.all([
    copy.setViewportSize(viewport),
    copy.emulateMedia({ colorScheme: dark ? 'dark' : 'light' }),
  ]);
  await writePage(copy, page.url(), html);
  const faults = await whatAxeFinds(copy);
  // One that failed is never used again; the others are closed with their browser.
  idle.push(copy);
  return faults;
}

/** Instead of what is there now; `html` has no script. */
export async function writePage(copy: Page, url: string, html: string): Promise<void> {
  await copy.evaluate(`(${write})(${JSON.stringify({ url, html })})`);
}

/** Of a page that axe was brought to. */
export async function whatAxeFinds(copy: Page): Promise<string[]> {
  const { faults, passes, unstyled } = (await copy.evaluate(`(${askAxe})()`)) as {
    faults: string[];
    passes: number;
    unstyled: string[];
  };
  if (unstyled.length > 0) throw new Error(`${unstyled.join()} was not loaded for axe on ${copy.url()}`);
  if (passes < 5) throw new Error(`axe found next to nothing to check on ${copy.url()}`);
  return faults;
}

/** Leads to an empty page at that address, with axe in it and no policy. */
export async function bringAxe(copy: Page, url: string): Promise<void> {
  const isUrl = ({ href }: URL) => href === url;
  await copy.route(isUrl, (route) => route.fulfill({ body: '', contentType: 'text/html' }));
  await copy.goto(url);
  // What is routed is never taken from the cache.
  await copy.unroute(isUrl);
  await copy.evaluate(`${axeSource};0`);
}

/** Run in the page (which the compiler knows nothing of): its HTML without scripts, as ticked and typed. */
const asShown = String.raw`(() => {
  for (const input of document.querySelectorAll('input')) {
    input.toggleAttribute('checked', input.checked);
    if (input.type !== 'checkbox' && input.type !== 'radio') input.setAttribute('value', input.value);
  }
  const source = document.documentElement.outerHTML.replaceAll(/<script\b[^>]*>[^]*?<\/script>/gi, '');
  return { html: '<!doctype html>' + source, dark: matchMedia('(prefers-color-scheme: dark)').matches };
})()`;

/** Run in the copy: axe stays in a window whose document is written anew. */
const write = `async ({ url, html }) => {
  history.replaceState(null, '', url);
  document.open();
  const loaded = new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
  document.write(html);
  document.close();
  await loaded;
}`;

/** Run in the copy, too. */
const askAxe = `async () => {
  const isRead = ({ sheet }) => {
    try {
      return sheet.cssRules.length > 0;
    } catch {
      // Not there, or not answered.
      return false;
    }
  };
  const links = [...document.querySelectorAll('link[rel=stylesheet]')];
  const unstyled = links.filter((link) => !isRead(link)).map(({ href }) => href);
  const { documentElement: root } = document;
  // A page for a frame has no ground of its own: the browser gives it that of its scheme, axe takes it for white.
  if (root.dataset.frame === 'embedded') root.style.background = 'Canvas';
  // In forced colours the browser chooses them, and axe reads those of the sheet.
  const rules = { 'color-contrast': { enabled: !matchMedia('(forced-colors: active)').matches } };
  const { violations, passes } = await axe.run(document, { resultTypes: ['violations'], rules });
  const faults = violations.map(({ id, help, nodes }) => id + ': ' + help + '\\n' + nodes.slice(0, 5)
    .map(({ html, failureSummary }) => '  ' + html + '\\n  ' + failureSummary).join('\\n'));
  return { faults, passes: passes.length, unstyled };
}`;

/** A picture of the whole page, to be looked at, where SAYSO_SHOTS names a folder for it. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SAYSO_SHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
