import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';

/** Contexts that were closed, by what can be chosen only when a context is made. */
const closed = new Map<string, BorrowedContext[]>();

interface BorrowedContext {
  readonly context: BrowserContext;
  /** Of this one person, for the pages that are opened from now on. */
  lend(options: PageOptions): void;
}

interface PageOptions {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: NonNullable<BrowserContextOptions['colorScheme']>;
}

/** What changes a context for good, or for its next person. */
const lasting = [
  'addInitScript',
  'exposeFunction',
  'grantPermissions',
  'on',
  'route',
  'setExtraHTTPHeaders',
] as const;

/**
 * A new context, or one that was closed, which has no pages, cookies or storage any more: the process that Chromium
 * starts for each is a third of a CPU second, as much as a whole test.
 */
export async function borrowContext(
  browser: Browser,
  { viewport, colorScheme, ...fixed }: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const page = { viewport: viewport ?? { width: 1280, height: 720 }, colorScheme: colorScheme ?? 'light' };
  const kind = JSON.stringify(fixed);
  const borrowed = closed.get(kind)?.pop() ?? (await makeContext(browser, fixed, kind));
  borrowed.lend(page);
  return borrowed.context;
}

async function makeContext(
  browser: Browser,
  fixed: BrowserContextOptions,
  kind: string,
): Promise<BorrowedContext> {
  const usual: PageOptions = { viewport: { width: 1280, height: 720 }, colorScheme: 'light' };
  const context = await browser.newContext({ ...fixed, viewport: usual.viewport });
  // While it is open the process stays.
  const kept = await context.newPage();
  const devTools = await context.newCDPSession(kept);
  let isChanged = false;
  let lent: PageOptions | undefined;
  for (const name of lasting) noteCalls(context, name);
  noteCalls(context.clock, 'install');

  const newPage = context.newPage.bind(context);
  const end = context.close.bind(context);
  context.newPage = async () => {
    const page = await newPage();
    const { viewport, colorScheme } = lent ?? usual;
    if (JSON.stringify(viewport) !== JSON.stringify(usual.viewport)) await page.setViewportSize(viewport);
    if (colorScheme !== usual.colorScheme) await page.emulateMedia({ colorScheme });
    return page;
  };
  context.close = async () => {
    if (lent === undefined) return;
    lent = undefined;
    if (isChanged || !(await isEmptied())) return end();
    closed.set(kind, [...(closed.get(kind) ?? []), borrowed]);
  };
  const borrowed: BorrowedContext = {
    context,
    lend(options) {
      lent = options;
    },
  };
  return borrowed;

  /** Chromium may never close a page that is on its way to another one. */
  async function isEmptied(): Promise<boolean> {
    const pages = context.pages().filter((page) => page !== kept);
    const closes = Promise.all(pages.map((page) => page.close())).then(() => true);
    if (!(await Promise.race([closes, pause(5_000, false, { ref: false })]))) return false;
    await context.clearCookies();
    await devTools.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' });
    return true;
  }

  function noteCalls<Name extends string>(
    owner: Record<Name, (...args: never[]) => unknown>,
    name: Name,
  ): void {
    const call = owner[name].bind(owner);
    owner[name] = (...args: never[]) => {
      isChanged = true;
      return call(...args);
    };
  }
}
