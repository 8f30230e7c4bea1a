import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before } from 'node:test';
import type { Page } from 'playwright-core';
import { createGallery } from '../samples/gallery.ts';
import { type Browser, openBrowser, openContext } from './browser.ts';

/** Who looks at the gallery. */
export interface Reader {
  /** Off unless said. */
  readonly script?: boolean;
  /** A desktop unless said. */
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** Letters of twice the size, in rem of windows, too. */
  readonly isLarge?: boolean;
  /** The page's time is the test's. */
  readonly clock?: boolean;
  /** The console says nothing wrong, the policy's faults included, for as long as the page is here. */
  readonly quiet?: boolean;
}

/** What a window keeps. */
type Kind = Required<Pick<Reader, 'script' | 'isLarge' | 'clock'>>;

export const phone = { width: 375, height: 812 } as const;

/** The gallery of every page, and a browser to look at it, for as long as the tests of a file run. */
export function useGallery(): {
  /** A page in a state, such as `/centers/preferences/ordinary`, in a window of this reader, who has no other. */
  open(path: string, reader?: Reader): Promise<Page>;
  urlOf(path: string): string;
} {
  const server = createGallery().listen(0, '127.0.0.1');
  const listening = once(server, 'listening');
  const urlOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  let browser: Browser;
  const faults: string[] = [];
  /** Nothing is kept of a reader, and a window takes as long to open as a page to load: one of each kind. */
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
    async open(path, { script = false, isLarge = false, clock = false, dark = false, quiet, ...size } = {}) {
      const kind: Kind = { script, isLarge, clock };
      const window = windows.get(JSON.stringify(kind)) ?? openWindow(kind);
      windows.set(JSON.stringify(kind), window);
      const page = await window;
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      page.removeAllListeners();
      await page.setViewportSize({ width: 1280, height: 600, ...size });
      await page.emulateMedia({
        media: 'screen',
        forcedColors: 'none',
        colorScheme: dark ? 'dark' : 'light',
      });
      page.on('pageerror', (fault) => faults.push(String(fault)));
      if (quiet) page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
      await page.goto(urlOf(path));
      return page;
    },
  };
}
