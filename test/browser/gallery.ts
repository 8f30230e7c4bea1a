import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before } from 'node:test';
import type { Page } from 'playwright-core';
import { createGallery } from '../samples/gallery.ts';
import { type Browser, openBrowser, openContext } from './browser.ts';

/** Settings of the window in which a page of the gallery is shown. */
export interface Reader {
  /** Whether scripts are on; false when absent. */
  readonly script?: boolean;
  /** Pixels; a desktop when absent. */
  readonly width?: number;
  readonly height?: number;

  /** Whether the browser's font size is doubled, which changes rem in media queries, too. */
  readonly isLarge?: boolean;
  /** Whether the test controls the time of the page. */
  readonly clock?: boolean;
  /** Whether an error in the console, also of the policy, fails the test. */
  readonly quiet?: boolean;
}

/** Settings that a window cannot change. */
type Kind = Required<Pick<Reader, 'script' | 'isLarge' | 'clock'>>;

export const phone = { width: 375, height: 812 } as const;

/** Starts the gallery and a browser for the tests of a file. */
export function useGallery(): {
  /** Opens a page in a state, such as `/centers/preferences/ordinary`; windows of one kind are shared. */
  open(path: string, reader?: Reader): Promise<Page>;
  urlOf(path: string): string;
} {
  const server = createGallery().listen(0, '127.0.0.1');
  const listening = once(server, 'listening');
  const urlOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  let browser: Browser;
  const faults: string[] = [];
  /** One window of each kind: the gallery stores nothing, and a window takes as long to open as a page. */
  const windows = new Map<string, Promise<Page>>();
  before(async () => {
    [browser] = await Promise.all([openBrowser(), listening]);
  });
  afterEach(() => assert.deepEqual(faults.splice(0), []));
  after(async () => {
    await browser?.close();
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  async function openWindow({ script, isLarge, clock }: Kind): Promise<Page> {
    const context = await openContext(browser, { script });
    const page = await context.newPage();
    if (isLarge) {
      const devTools = await context.newCDPSession(page);
      await devTools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
    }
    if (clock) await page.clock.install();
    return page;
  }

  return {
    urlOf,
    async open(path, { script = false, isLarge = false, clock = false, quiet, ...size } = {}) {
      const kind: Kind = { script, isLarge, clock };
      const window = windows.get(JSON.stringify(kind)) ?? openWindow(kind);
      windows.set(JSON.stringify(kind), window);
      const page = await window;
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      page.removeAllListeners();
      await page.setViewportSize({ width: 1280, height: 600, ...size });
      await page.emulateMedia({ media: 'screen', forcedColors: 'none', colorScheme: 'light' });
      page.on('pageerror', (fault) => faults.push(String(fault)));
      if (quiet) page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
      await page.goto(urlOf(path));
      return page;
    },
  };
}
