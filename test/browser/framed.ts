import assert from 'node:assert/strict';
import type { BrowserContext, Frame, Locator, Page } from 'playwright-core';
import { freePorts, type Product, startProduct } from '../kit/product.ts';
import { secret, signed } from '../kit/shop.ts';
import { until } from '../kit/until.ts';
import { axeSource, type Browser, longestWait, openBrowser } from './browser.ts';
import { makeCertificate, passTo, type Site, serveSites, startDemoSite } from './sites.ts';

export const center = 'b00c5000-0000-4000-8000-000000000001';
const otherDomain = 'preferences.sayso-center.com';
/** A second name of the preference center, in the domain of the shop. */
const neighbourName = 'preferences.harbour-shop.org';
const shopName = 'www.harbour-shop.org';
const evilName = 'evil-site.net';
/** A site that serves the script but no frame: it closes `/embed/dead`, and never answers the others. */
const brokenName = 'broken.sayso-center.com';
/** Names of the sites, for a browser that needs a list of local names. */
export const siteNames = [otherDomain, shopName, brokenName];

interface FramedOptions {
  readonly script?: boolean;
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}

/** The preference center, and a shop of another domain that frames it: the demo, and pages of the tests. */
interface Sites {
  readonly product: Product;
  readonly shop: string;
  readonly sayso: string;
  readonly neighbour: string;
  readonly broken: string;
  readonly evil: string;
  /** Messages that the scripts of the evil site have received. */
  readonly heardByEvil: string[];
  end(): Promise<void>;
}

interface FramedSites extends Omit<Sites, 'end'> {
  /** Opens an empty page of a new visitor, and closes the one before. */
  open(options?: FramedOptions): Promise<Page>;
  /** Opens a page of the shop with this content, and waits for the preference center in its frame. */
  openFrame(html?: string, options?: FramedOptions): Promise<{ readonly page: Page; readonly frame: Frame }>;
  /** Returns the address of a page of the shop with this content and these headers. */
  pageOf(html: string, headers?: Readonly<Record<string, string>>): string;
  evilPageOf(html: string): string;
  /** Returns the HTML of script and element, with a new ticket. */
  element(attributes?: string, subject?: string): Promise<string>;
  plain(asked?: string, subject?: string): Promise<string>;
  ticket(subject?: string): Promise<string>;
  close(): Promise<void>;
}

let shared: Promise<Sites> | undefined;

/** Opens one product and one shop for all files of this process; changes of the tests stay. */
export async function openFramedSites(): Promise<FramedSites> {
  shared ??= startSites();
  return visit(await shared);
}

/** Ends the sites, at the end of the test process. */
export async function endFramedSites(): Promise<void> {
  await (await shared)?.end();
}

async function startSites(): Promise<Sites> {
  const [demoPort = 0] = await freePorts(1);
  const names = [otherDomain, neighbourName, shopName, brokenName, evilName] as const;
  const certificate = makeCertificate(names);
  const heardByEvil: string[] = [];
  let product: Product | undefined;
  const server = await serveSites(certificate, (host) => {
    if (host === otherDomain) return passTo(`http://127.0.0.1:${product?.env['PORT']}`);
    if (host === neighbourName) return asSayso;
    if (host === brokenName) return brokenSite;
    if (host === evilName) return evilSite;
    return host === shopName ? shopSite(passTo(`http://127.0.0.1:${demoPort}`)) : undefined;
  });
  const originOf = (name: string) => `https://${name}:${server.port}`;
  const [sayso, shop] = [originOf(otherDomain), originOf(shopName)];
  const demo = await startDemoSite({ DEMO_PORT: String(demoPort), DEMO_URL: shop, SAYSO_URL: sayso });
  const keys = `http://127.0.0.1:${demoPort}/.well-known/jwks.json`;
  const linkKeys = [
    { issuer: shop, jwksUrl: keys },
    { issuer: 'https://tests.example', secret },
  ];
  product = await startProduct({
    env: { PUBLIC_URL: sayso },
    centers: [{ address: center, center, embedOrigins: [shop], linkKeys }],
  });
  const started = product;
  return {
    product,
    shop,
    sayso,
    neighbour: originOf(neighbourName),
    broken: originOf(brokenName),
    evil: originOf(evilName),
    heardByEvil,
    async end() {
      await started[Symbol.asyncDispose]();
      await demo.close();
      await server.close();
    },
  };

  function asSayso(...[request, response]: Parameters<Site>): void {
    request.headers.host = new URL(sayso).host;
    passTo(`http://127.0.0.1:${product?.env['PORT']}`)(request, response);
  }

  function brokenSite(...[request, response]: Parameters<Site>): void {
    if (request.url?.startsWith('/embed/dead')) response.destroy();
    else if (!request.url?.startsWith('/embed/')) asSayso(request, response);
  }

  function shopSite(demoSite: Site): Site {
    return (request, response) => {
      const url = new URL(request.url ?? '/', shop);
      if (url.pathname !== '/test') return demoSite(request, response);
      const headers: Record<string, string> = JSON.parse(url.searchParams.get('headers') ?? '{}');
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers });
      response.end(`<!doctype html><html lang="en"><title>A shop</title>${url.searchParams.get('html')}`);
    };
  }

  /** Serves the given HTML, and records all messages that its scripts receive. */
  function evilSite(...[request, response]: Parameters<Site>): void {
    const url = new URL(request.url ?? '/', originOf(evilName));
    if (url.pathname === '/heard') heardByEvil.push(url.search);
    const script = `<script>addEventListener('message', (event) => fetch('/heard?' + JSON.stringify(event.data)))</script>`;
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>evil</title>${script}${url.searchParams.get('html') ?? ''}`);
  }
}

async function visit({ end: _ofAll, ...sites }: Sites): Promise<FramedSites> {
  const { shop, sayso, evil } = sites;
  const browser: Browser = await openBrowser();
  let context: BrowserContext | undefined;

  const opened: FramedSites = {
    ...sites,
    async open({ script = true, width = 1280, height = 900, dark = false } = {}) {
      await context?.close();
      context = await browser.newContext({
        javaScriptEnabled: script,
        ignoreHTTPSErrors: true,
        locale: 'en',
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      });
      context.setDefaultTimeout(longestWait);
      const page = await context.newPage();
      if (script) await page.addInitScript(watch);
      return page;
    },
    async openFrame(html, options) {
      const page = await opened.open(options);
      await page.goto(opened.pageOf(html ?? `<body>${await opened.element()}`));
      return { page, frame: await frameIn(page, 'input.switch') };
    },
    pageOf: (html, headers = {}) =>
      `${shop}/test?${new URLSearchParams({ html, headers: JSON.stringify(headers) })}`,
    evilPageOf: (html) => `${evil}/?${new URLSearchParams({ html })}`,
    async element(attributes = '', subject?: string) {
      const ticket = await mintTicket(subject);
      return `<script src="${sayso}/embed.js"></script><sayso-preferences center="${center}" ticket="${ticket}" ${attributes}></sayso-preferences>`;
    },
    async plain(asked = '', subject?: string) {
      return `${sayso}/embed/${center}?ticket=${await mintTicket(subject)}${asked}`;
    },
    ticket: mintTicket,
    close: () => browser.close(),
  };
  return opened;
}

/**
 * Code for each page and its frames: records the events of the element and the sum of layout shifts. It
 * prolongs the element's time-out of ten seconds, which a busy machine may need; a clock of a test replaces
 * the timers later.
 */
const watch = `{ const later = setTimeout; globalThis.setTimeout = (work, ms, ...more) =>
    later(work, ms === 10_000 ? ${longestWait} : ms, ...more); }
  testHeard = []; testJumped = 0;
  for (const name of ['ready', 'expired', 'error', 'unsaved', 'saved', 'height'])
    document.addEventListener('sayso-' + name, ({ detail }) => testHeard.push([name, detail]));
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) testJumped += value; })
    .observe({ type: 'layout-shift', buffered: true });`;

/** Returns the events of the element so far; with names, only those. */
export async function heardOn(page: Page, ...names: readonly string[]): Promise<readonly Heard[]> {
  const heard = (await page.evaluate('testHeard')) as readonly Heard[];
  return names.length === 0 ? heard : heard.filter(([name]) => names.includes(name));
}
type Heard = readonly [name: string, detail: Readonly<Record<string, unknown>>];

/** Waits for this number of events ready, expired or error, and returns their names. */
export async function waitForHeard(page: Page, count: number): Promise<readonly string[]> {
  const names = async () => (await heardOn(page, 'ready', 'expired', 'error')).map(([name]) => name);
  await until(async () => (await names()).length === count, `${count} events`);
  return names();
}

/** Asserts that nothing has moved, also by late content. */
export async function assertStill(page: Page, frames: readonly Frame[] = [page.mainFrame()]): Promise<void> {
  await page.waitForTimeout(300);
  for (const frame of frames) {
    const jumped = Number(await frame.evaluate('testJumped'));
    assert.ok(jumped <= 0.02, `layout shift ${jumped} in ${frame.url()}`);
  }
}

/** Returns the ids of the axe rules that a frame breaks. */
export async function axeFaultsIn(frame: Frame): Promise<readonly string[]> {
  await frame.evaluate(`${axeSource};0`);
  const asked = `axe.run(document, { resultTypes: ['violations'] })`;
  const { violations } = (await frame.evaluate(asked)) as { violations: { id: string }[] };
  return violations.map(({ id }) => id);
}

/** Locates the switches that are not locked. */
export const switchesIn = (frame: Frame): Locator => frame.locator('input.switch:not(:disabled)');

/** Turns a switch by keyboard, because a click may miss while the frame changes its height. */
export async function turn(frame: Frame, which: Locator = switchesIn(frame).first()): Promise<void> {
  await which.press('Space');
  await frame.locator('.unsaved:not(:empty)').waitFor();
}

const mintTicket = (subject = 'anna@example.org') =>
  signed(subject, { iss: 'https://tests.example', aud: center });

/** Returns the frame of the preference center, once it contains the selector. */
export async function frameIn(page: Page, selector = 'h1'): Promise<Frame> {
  return until(async () => {
    const frame = page.frames().find((each) => each.url().includes('/embed/'));
    // The content after the selector may not be parsed yet.
    await frame?.waitForLoadState('domcontentloaded');
    return frame !== undefined && (await frame.locator(selector).count()) > 0 && frame;
  }, `a frame shows ${selector}`);
}

/** Returns the place and height of the frame in the host's window, in pixels. */
export async function frameBox(page: Page): Promise<{ top: number; height: number; window: number }> {
  return (await page.evaluate(`(() => {
    const { top, height } = document.querySelector('iframe').getBoundingClientRect();
    return { top, height, window: innerHeight };
  })()`)) as { top: number; height: number; window: number };
}

/** Returns the box of the frame once it is as high as its page, which is over 1,000 pixels. */
export async function tallFrame(page: Page): Promise<{ top: number; height: number; window: number }> {
  const isTall = ({ height }: { readonly height: number }) => height > 1_000;
  const box = await settled(page, () => frameBox(page), isTall);
  assert.ok(isTall(box), `${box.height} pixels`);
  return box;
}

/** Reads until the value holds and returns it; after the time-out it returns the last value. */
export async function settled<T>(
  page: Page,
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  milliseconds = 120_000,
): Promise<T> {
  let value = await read();
  for (let tries = 0; tries < milliseconds / 50 && !holds(value); tries++) {
    await page.waitForTimeout(50);
    value = await read();
  }
  return value;
}
