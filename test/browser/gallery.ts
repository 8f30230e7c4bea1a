import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import type { Page } from 'playwright-core';
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
  before(async () => {
    [browser] = await Promise.all([openBrowser(), listening]);
  });
  after(async () => {
    await browser?.close();
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return {
    newPage: async (person) => (await openContext(browser, person)).newPage(),
    urlOf: (path) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
  };
}
