import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { createGallery } from '../samples/gallery.ts';
import { type Browser, openBrowser, openContext, type Person } from './browser.ts';

/** The gallery of every page, and a browser to look at it, for as long as the tests of a file run. */
export function useGallery(): {
  newPage(person?: Person): Promise<Page>;
  /** Of a page in a state, such as `/centers/preferences/ordinary`. */
  urlOf(path: string): string;
} {
  const server = createGallery().listen(0, '127.0.0.1');
  const listening = once(server, 'listening');
  let browser: Browser;
  /** Nothing is kept of a reader: those of a kind share a context. */
  const contexts = new Map<string, Promise<BrowserContext>>();
  before(async () => {
    [browser] = await Promise.all([openBrowser(), listening]);
  });
  after(async () => {
    await browser?.close();
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return {
    async newPage(person) {
      const kind = JSON.stringify(person ?? {});
      const context = contexts.get(kind) ?? openContext(browser, person);
      contexts.set(kind, context);
      return (await context).newPage();
    },
    urlOf: (path) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
  };
}
