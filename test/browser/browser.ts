import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page, type Browser as WholeBrowser } from 'playwright-core';
import { times } from '../chaos/dice.ts';
import { forSuite } from '../kit/for-suite.ts';
import { borrowContext } from './contexts.ts';

/** Settings of a visitor's browser. */
export interface Person {
  /** Whether scripts are on; false when absent. */
  readonly script?: boolean;
  readonly locale?: string;
  readonly phone?: boolean;
  readonly dark?: boolean;
  /** Whether the browser ignores the site's Content-Security-Policy. */
  readonly withoutPolicy?: boolean;
}

/** Milliseconds for which a browser test waits at most, long enough for a busy machine. */
export const longestWait = 120_000;

const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** The same engine without windows, which takes half the CPU. */
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
    // Tests invent names of sites.
    '--host-resolver-rules=MAP * 127.0.0.1',
  ],
};

/** One process for all sites and pages saves a third of the CPU; V8 without threads a tenth. */
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

/** A browser for one file; all files of a process may share it. */
export type Browser = Pick<WholeBrowser, 'newContext' | 'close'>;

let shared: WholeBrowser | undefined;

/** Starts one browser for all files of this process; returns a function that closes it. */
export async function shareBrowser(): Promise<() => Promise<void>> {
  const browser = await chromium.launch(shell);
  shared = browser;
  return () => browser.close();
}

/** Opens a browser. `close` closes only its own contexts when the browser is shared. */
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

/** Opens a browser for a file or suite. Call it before `productOf`, so that it closes before the product. */
export function browserOf(): Browser {
  return forSuite(openBrowser, (browser) => browser.close());
}

export async function openContext(browser: Browser, person: Person = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    javaScriptEnabled: person.script ?? false,
    locale: person.locale ?? 'en',
    viewport: person.phone ? { width: 375, height: 812 } : { width: 1280, height: 600 },
    // A factor of 2 is four times the work, and only makes pictures finer.
    deviceScaleFactor: person.phone && process.env['SAYSO_SHOTS'] !== undefined ? 2 : 1,
    colorScheme: person.dark ? 'dark' : 'light',
    bypassCSP: person.withoutPolicy ?? false,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(longestWait);
  return context;
}

/** Script of axe, which must run in a page before `axe.run`. */
export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Idle pages with axe loaded, because loading axe takes as long as one check. */
const idleCopies = new WeakMap<WholeBrowser, Page[]>();

/**
 * Returns axe's faults on the page in its present state, with their places. axe needs timers, which do not
 * run with scripts off, so it checks a copy with the same input, address, size and colour scheme.
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
  // A copy that failed is not used again; the others are closed with their browser.
  idle.push(copy);
  return faults;
}

/** Replaces the document of a page; `html` has no script. */
export async function writePage(copy: Page, url: string, html: string): Promise<void> {
  await copy.evaluate(`(${write})(${JSON.stringify({ url, html })})`);
}

/** Runs axe in a page that `bringAxe` has prepared. */
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

/** Opens an empty page at that address, with axe and without a policy. */
export async function bringAxe(copy: Page, url: string): Promise<void> {
  const isUrl = ({ href }: URL) => href === url;
  await copy.route(isUrl, (route) => route.fulfill({ body: '', contentType: 'text/html' }));
  await copy.goto(url);
  // A routed address is never read from the cache.
  await copy.unroute(isUrl);
  await copy.evaluate(`${axeSource};0`);
}

/** Code for the page, unknown to the compiler: returns its HTML without scripts, with the present input. */
const asShown = String.raw`(() => {
  for (const input of document.querySelectorAll('input')) {
    input.toggleAttribute('checked', input.checked);
    if (input.type !== 'checkbox' && input.type !== 'radio') input.setAttribute('value', input.value);
  }
  const source = document.documentElement.outerHTML.replaceAll(/<script\b[^>]*>[^]*?<\/script>/gi, '');
  return { html: '<!doctype html>' + source, dark: matchMedia('(prefers-color-scheme: dark)').matches };
})()`;

/** Code for the copy: writes a new document into its window, in which axe stays loaded. */
const write = `async ({ url, html }) => {
  history.replaceState(null, '', url);
  document.open();
  const loaded = new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
  document.write(html);
  document.close();
  await loaded;
}`;

/** Code for the copy: runs axe. */
const askAxe = `async () => {
  const isRead = ({ sheet }) => {
    try {
      return sheet.cssRules.length > 0;
    } catch {
      // The style sheet is missing or was not answered.
      return false;
    }
  };
  const links = [...document.querySelectorAll('link[rel=stylesheet]')];
  const unstyled = links.filter((link) => !isRead(link)).map(({ href }) => href);
  const { documentElement: root } = document;
  // A page for a frame has a transparent ground: the browser paints that of its scheme, but axe assumes
  // white.
  if (root.dataset.frame === 'embedded') root.style.background = 'Canvas';
  // In forced colours the browser chooses the colours, but axe reads those of the style sheet.
  const rules = { 'color-contrast': { enabled: !matchMedia('(forced-colors: active)').matches } };
  const { violations, passes } = await axe.run(document, { resultTypes: ['violations'], rules });
  const faults = violations.map(({ id, help, nodes }) => id + ': ' + help + '\\n' + nodes.slice(0, 5)
    .map(({ html, failureSummary }) => '  ' + html + '\\n  ' + failureSummary).join('\\n'));
  return { faults, passes: passes.length, unstyled };
}`;

/** Takes a picture of the whole page, if SAYSO_SHOTS names a folder for it. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SAYSO_SHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
