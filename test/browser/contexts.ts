import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';

/** Closed contexts by the options that cannot change after a context is made. */
const closed = new Map<string, BorrowedContext[]>();

interface BorrowedContext {
  readonly context: BrowserContext;
  /** Lends the context to a test, with options for its pages. */
  lend(options: PageOptions): void;
}

interface PageOptions {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: NonNullable<BrowserContextOptions['colorScheme']>;
}

/** Methods that change a context for later tests; such a context is not used again. */
const lasting = [
  'addInitScript',
  'exposeFunction',
  'grantPermissions',
  'on',
  'route',
  'setExtraHTTPHeaders',
] as const;

/**
 * Returns a new context, or a closed one without pages, cookies and storage, because the process that
 * Chromium starts for each context takes a third of a CPU second, as much as a whole test.
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
  // The process ends with its last page, so one page stays open.
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

  /** Empties the context; false when a page does not close, as Chromium may do during a navigation. */
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
