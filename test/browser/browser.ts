import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserServer, chromium, type Page } from 'playwright-core';

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
export const patience = 30_000;

const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** The same engine, at half the work: no windows, and no settings of cookies. */
const shellPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell';

const launch = {
  executablePath: existsSync(shellPath) ? shellPath : chromiumPath,
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
    '--test-third-party-cookie-phaseout',
  ],
};

/** A browser for several files; they find it by SAYSO_BROWSER, the endpoint of this server. */
export async function serveBrowser(): Promise<BrowserServer> {
  return await chromium.launchServer(launch);
}

/** One that can block the cookies of third parties, which are on in the other. */
export async function openWholeBrowser(): Promise<Browser> {
  return await chromium.launch({ ...launch, executablePath: chromiumPath });
}

/** What is closed by its `close` is what was opened by it: the browser that others share stays. */
export async function openBrowser(): Promise<Browser> {
  const endpoint = process.env['SAYSO_BROWSER'];
  return endpoint === undefined ? await chromium.launch(launch) : await chromium.connect(endpoint);
}

export async function openContext(browser: Browser, person: Person = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    javaScriptEnabled: person.script ?? false,
    locale: person.locale ?? 'en',
    viewport: person.phone ? { width: 375, height: 812 } : { width: 1280, height: 900 },
    deviceScaleFactor: person.phone ? 2 : 1,
    colorScheme: person.dark ? 'dark' : 'light',
    bypassCSP: person.withoutPolicy ?? false,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patience);
  return context;
}

/** axe, to be run in a page before it is asked. */
export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Pages in which axe has run and may again. */
const copies = new WeakMap<Browser, Page[]>();

/**
 * What axe finds wrong on the page as it is shown now, each with where. axe needs timers, which stand still where
 * scripts are off: it runs over a copy, with what is ticked and typed, at the same address, size and scheme.
 */
export async function axeFaults(page: Page): Promise<string[]> {
  const browser = page.context().browser();
  const viewport = page.viewportSize();
  if (browser === null || viewport === null) throw new Error('the page has no browser or no size');
  const { html, dark } = (await page.evaluate(asShown)) as { html: string; dark: boolean };
  const idle = copies.get(browser) ?? [];
  copies.set(browser, idle);
  const copy = idle.pop() ?? (await (await browser.newContext({ reducedMotion: 'reduce' })).newPage());
  const context = copy.context();
  await Promise.all([
    copy.setViewportSize(viewport),
    copy.emulateMedia({ colorScheme: dark ? 'dark' : 'light' }),
    context.clearCookies(),
  ]);
  await context.addCookies(await page.context().cookies());
  await copy.route(page.url(), (route) =>
    route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' }),
  );
  await copy.goto(page.url());
  await copy.evaluate(`${axeSource};0`);
  const { violations, passes } = (await copy.evaluate(
    'axe.run(document, { resultTypes: ["violations"] })',
  )) as AxeResults;
  await copy.unrouteAll();
  // One that failed is never used again; the others are closed with their browser.
  idle.push(copy);
  if (passes.length < 5) throw new Error(`axe found next to nothing to check on ${page.url()}`);
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.slice(0, 5).map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`);
    return `${id}: ${help}\n${places.join('\n')}`;
  });
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

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
  readonly passes: readonly unknown[];
}

/** A picture of the whole page, to be looked at, where SAYSO_SHOTS names a folder for it. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SAYSO_SHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
