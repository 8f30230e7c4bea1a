import { SignJWT } from 'jose';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { freePorts, type Product, startProduct } from '../kit/product.ts';
import { until } from '../kit/until.ts';
import { type Browser, longestWait, openBrowser } from './browser.ts';
import { makeCertificate, passTo, serveSites, startDemoSite } from './sites.ts';

export const center = 'b00c5000-0000-4000-8000-000000000001';
const secret = '0HOdeR5ktL2QYJq1MgTpKsYzBgzRDrVZT0Q20dot4ws';
const otherDomain = 'preferences.sayso-center.com';
const shopName = 'www.harbour-shop.org';
/** The script comes from it, and no frame does: `/embed/dead` breaks off, `/embed/slow` is never answered. */
const brokenName = 'broken.sayso-center.com';
/** The sites, for a browser that has to be told where they are. */
export const siteNames = [otherDomain, shopName, brokenName];

export interface FramedOptions {
  readonly script?: boolean;
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}

/** The preference center, and a site, of another registrable domain unless said, that frames it: the demo's, and pages of a test's own. */
export interface FramedSites {
  readonly product: Product;
  readonly shop: string;
  readonly sayso: string;
  readonly broken: string;
  open(options?: FramedOptions): Promise<Page>;
  /** The address of a page of the shop with this content, and these headers. */
  pageOf(html: string, headers?: Readonly<Record<string, string>>): string;
  /** A frame's address: what the element asks for, or `plain` an address of its own. */
  element(attributes?: string, subject?: string): Promise<string>;
  plain(asked?: string, subject?: string): Promise<string>;
  ticket(subject?: string): Promise<string>;
  close(): Promise<void>;
}

export async function openFramedSites(saysoName = otherDomain): Promise<FramedSites> {
  const [demoPort = 0] = await freePorts(1);
  const certificate = makeCertificate([saysoName, shopName, brokenName]);
  let product: Product | undefined;
  const sites = await serveSites(certificate, (host) => {
    if (host === saysoName) return passTo(`http://127.0.0.1:${product?.env['PORT']}`);
    if (host === brokenName) return brokenSite;
    return host === shopName ? shopSite(passTo(`http://127.0.0.1:${demoPort}`)) : undefined;
  });
  const [sayso, shop, broken] = [saysoName, shopName, brokenName].map(
    (name) => `https://${name}:${sites.port}`,
  ) as [string, string, string];
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
  const browser: Browser = await openBrowser();
  const contexts: BrowserContext[] = [];

  return {
    product,
    shop,
    sayso,
    broken,
    async open({ script = true, width = 1280, height = 900, dark = false } = {}) {
      const context = await browser.newContext({
        javaScriptEnabled: script,
        ignoreHTTPSErrors: true,
        locale: 'en',
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
      });
      context.setDefaultTimeout(longestWait);
      contexts.push(context);
      return context.newPage();
    },
    pageOf: (html, headers = {}) =>
      `${shop}/test?${new URLSearchParams({ html, headers: JSON.stringify(headers) })}`,
    async element(attributes = '', subject = 'anna@example.org') {
      const ticket = await mintTicket(subject);
      return `<script src="${sayso}/embed.js"></script><sayso-preferences center="${center}" ticket="${ticket}" ${attributes}></sayso-preferences>`;
    },
    async plain(asked = '', subject = 'anna@example.org') {
      return `${sayso}/embed/${center}?ticket=${await mintTicket(subject)}${asked}`;
    },
    ticket: (subject = 'anna@example.org') => mintTicket(subject),
    async close() {
      for (const context of contexts) await context.close();
      await browser.close();
      await started[Symbol.asyncDispose]();
      await demo.close();
      await sites.close();
    },
  };

  function brokenSite(...[request, response]: Parameters<ReturnType<typeof passTo>>): void {
    if (request.url?.startsWith('/embed/dead')) response.destroy();
    else if (!request.url?.startsWith('/embed/')) {
      request.headers.host = new URL(sayso).host;
      passTo(`http://127.0.0.1:${product?.env['PORT']}`)(request, response);
    }
  }

  function shopSite(demoSite: ReturnType<typeof passTo>): ReturnType<typeof passTo> {
    return (request, response) => {
      const url = new URL(request.url ?? '/', shop);
      if (url.pathname !== '/test') return demoSite(request, response);
      const headers: Record<string, string> = JSON.parse(url.searchParams.get('headers') ?? '{}');
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers });
      response.end(`<!doctype html><html lang="en"><title>A shop</title>${url.searchParams.get('html')}`);
    };
  }
}

function mintTicket(subject: string): Promise<string> {
  return new SignJWT({ scope: 'manage' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('https://tests.example')
    .setAudience(center)
    .setSubject(subject)
    .setJti(crypto.randomUUID())
    .setExpirationTime('2m')
    .sign(new TextEncoder().encode(secret));
}

/** The preference center's frame, once it shows what is looked for. */
export async function frameIn(page: Page, selector = 'h1'): Promise<Frame> {
  return until(async () => {
    const frame = page.frames().find((each) => each.url().includes('/embed/'));
    return frame !== undefined && (await frame.locator(selector).count()) > 0 && frame;
  }, `a frame shows ${selector}`);
}

/** Where the frame is in the host's window, and how high; in pixels. */
export async function frameBox(page: Page): Promise<{ top: number; height: number; window: number }> {
  return (await page.evaluate(`(() => {
    const { top, height } = document.querySelector('iframe').getBoundingClientRect();
    return { top, height, window: innerHeight };
  })()`)) as { top: number; height: number; window: number };
}

/** Waits until what is read holds, and gives it; after so many milliseconds whatever it is. */
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
