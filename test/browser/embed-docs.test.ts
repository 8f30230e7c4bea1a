import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { times } from '../chaos/dice.ts';
import { type Product, startProduct } from '../kit/product.ts';
import { books } from '../kit/sandbox-ids.ts';
import { secret, signed } from '../kit/shop.ts';
import { type Browser, openBrowser } from './browser.ts';
import { type Firefox, openFirefox, skip } from './firefox.ts';
import { settled } from './framed.ts';

const root = join(import.meta.dirname, '..', '..');
const issuer = 'https://tests.example';
const text = readFileSync(join(root, 'docs', 'embedding.md'), 'utf8');
const blocks = [...text.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, kind = '', code = '']) => ({
  kind,
  code,
}));

/** The one block of that kind in which these words are. */
function block(kind: string, words: string): string {
  const found = blocks.filter((each) => each.kind === kind && each.code.includes(words));
  assert.equal(found.length, 1, `one block of ${kind} with ${words}`);
  return found[0]?.code ?? '';
}

/** A page of a customer's: what stands in the manual, with the headers that stand there. */
interface Host {
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What must hold in the page once the frame is there. */
  readonly holds?: string;
}

suite('What the manual says of embedding works', () => {
  let product: Product;
  let site: string;
  let host: Host;
  let browser: Browser;
  let firefox: Firefox | undefined;
  const server = http.createServer(async (request, response) => {
    if (request.url === '/ticket') return void response.end(await mint());
    const script = files.get(request.url ?? '');
    if (script !== undefined) {
      response.writeHead(200, { 'Content-Type': 'text/javascript' });
      return void response.end(script);
    }
    const headers = Object.entries(host.headers ?? {}).map(([name, value]) => [name, ofOurs(value)]);
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...Object.fromEntries(headers) });
    const ticket = await mint();
    const html = ofOurs(host.html)
      .replaceAll('"…"', `"${ticket}"`)
      .replaceAll('ticket=…', `ticket=${ticket}`);
    response.end(`<!doctype html><html lang="en"><title>A shop</title><body>${html}`);
  });
  const files = new Map<string, string>();
  const ofOurs = (words: string) => words.replaceAll('https://preferences.example.org', product.url);

  before(async () => {
    server.listen(0, 'localhost');
    await once(server, 'listening');
    const address = server.address();
    site = `http://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`;
    const linkKeys = [{ issuer, secret }];
    const center = { address: 'harbour-books', center: books, embedOrigins: [site], linkKeys };
    product = await startProduct({ centers: [center] });
    browser = await openBrowser();
    firefox = skip === false ? await openFirefox({ script: true }) : undefined;
  });
  after(async () => {
    await firefox?.close();
    await browser?.close();
    await product?.[Symbol.asyncDispose]();
    server.closeAllConnections();
    server.close();
  });

  const mint = () => signed('anna@example.org', { iss: issuer, aud: 'harbour-books' });

  const element = () => block('html', ':empty');
  const listed = () => block('', 'frame-src').trim();
  const hosts: Readonly<Record<string, () => Host>> = {
    'the element': () => ({ html: element() }),
    'one script tag': () => ({ html: block('html', 'data-ticket') }),
    'a module': () => ({ html: element().replace(' async', ' type="module"') }),
    'a plain frame': () => ({ html: /<iframe [^`]*>/.exec(text)?.[0] ?? '', holds: 'true' }),
    'a strict policy': () => ({
      html: element().replace(/<style>[\s\S]*<\/style>/, ''),
      headers: { 'Content-Security-Policy': `default-src 'none'; ${listed()}` },
    }),
    'an isolated site': () => ({
      html: element(),
      headers: {
        'Cross-Origin-Embedder-Policy': 'require-corp',
        'Cross-Origin-Opener-Policy': 'same-origin',
      },
      holds: `self.crossOriginIsolated && ${isThere}`,
    }),
    'a ticket that was used': () => ({
      html: `${element().replace('"…"', `"${used}"`)}${block('html', 'sayso-expired')}
        <script>addEventListener('sayso-ready', () => { document.body.dataset.ready = '' })</script>`,
      // Not yet when the page says that its ticket was used.
      holds: `'ready' in document.body.dataset && ${isThere}`,
    }),
    React: () => ({
      html: `<script src="https://preferences.example.org/embed.js" async></script><main></main>
        <script src="/react.js"></script>`,
    }),
  };
  let used = '';
  const isThere = `document.querySelector('sayso-preferences')?.ariaBusy === 'false' &&
    document.querySelector('[role=alert]') === null`;

  for (const [what, said] of Object.entries(hosts)) {
    test(`in Chromium and Firefox: ${what}.`, async () => {
      used = await mint();
      await fetch(`${product.url}/embed/harbour-books?ticket=${used}`, { redirect: 'manual' });
      if (what === 'React') files.set('/react.js', bundleReact(block('jsx', 'useEffect')));
      host = said();
      const holds = host.holds ?? isThere;
      const context = await browser.newContext({ locale: 'en' });
      const page = await context.newPage();
      await page.goto(`${site}/`);
      // Not by `waitForFunction`, which a strict policy stops.
      const isHeld = await settled(page, async () => Boolean(await page.evaluate(holds)), Boolean, 20_000);
      assert.ok(isHeld, holds);
      await page.frameLocator('iframe').locator('input.switch').first().waitFor({ timeout: 20_000 });
      await context.close();

      // The element is in Firefox in test/browser/firefox.test.ts.
      if (firefox === undefined || !times(['a plain frame'], Object.keys(hosts)).includes(what)) return;
      const window = await firefox.open('en');
      await window.goto(`${site}/`);
      await window.until(holds);
      await window.enterFrame();
      await window.until(`document.querySelectorAll('input.switch').length > 3`);
    });
  }
});

/** React itself, and the example as a customer's tools would compile it, for a page. */
function bundleReact(example: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-react-'));
  try {
    writeFileSync(join(folder, 'preferences.jsx'), example);
    const compiler = join(root, 'node_modules', '.bin', 'tsc');
    const form = 'preferences.jsx --allowJs --jsx react --jsxFactory React.createElement --module commonjs';
    const quiet = '--target es2022 --outDir out --noCheck --ignoreConfig --ignoreDeprecations 6.0';
    execFileSync(compiler, `${form} ${quiet}`.split(' '), { cwd: folder });
    const compiled = readFileSync(join(folder, 'out', 'preferences.js'), 'utf8');
    const packages = {
      react: 'react/cjs/react.production.js',
      scheduler: 'scheduler/cjs/scheduler.production.js',
      'react-dom': 'react-dom/cjs/react-dom.production.js',
      'react-dom/client': 'react-dom/cjs/react-dom-client.production.js',
    };
    const paths = createRequire(import.meta.url);
    const read = (path: string) => {
      const [name = '', ...rest] = path.split('/');
      return readFileSync(join(paths.resolve(`${name}/package.json`), '..', ...rest), 'utf8');
    };
    const modules = Object.entries(packages).map(([name, path]) => [name, read(path)]);
    const functions = [...modules, ['preferences', compiled]].map(
      ([name, code]) => `${JSON.stringify(name)}: (module, exports, require, React) => {${code}\n}`,
    );
    return `const modules = {${functions.join(',')}}; const known = {};
      const require = (name) => {
        if (known[name]) return known[name].exports;
        const module = known[name] = { exports: {} };
        modules[name](module, module.exports, require, name === 'preferences' ? require('react') : undefined);
        return module.exports;
      };
      const { createElement, StrictMode } = require('react');
      const { Preferences } = require('preferences');
      require('react-dom/client').createRoot(document.querySelector('main'))
        .render(createElement(StrictMode, null, createElement(Preferences, { language: 'en' })));`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
