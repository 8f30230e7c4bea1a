import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { times } from '../chaos/dice.ts';
import { forSuite } from '../kit/for-suite.ts';
import { type Firefox, openFirefox, skip } from './firefox.ts';
import { center, openFramedSites, settled } from './framed.ts';

const root = join(import.meta.dirname, '..', '..');
const text = readFileSync(join(root, 'docs', 'embedding.md'), 'utf8');
const blocks = [...text.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, kind = '', code = '']) => ({
  kind,
  code,
}));

/** Finds the only code block of this kind that contains the words. */
function block(kind: string, words: string): string {
  const found = blocks.filter((each) => each.kind === kind && each.code.includes(words));
  assert.equal(found.length, 1, `one block of ${kind} with ${words}`);
  return found[0]?.code ?? '';
}

/** A page of a customer's site, with the code and headers of the manual. */
interface Host {
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Expression that must be true in the page once the frame is there. */
  readonly holds?: string;
}

suite('The manual of embedding', () => {
  const sites = forSuite(openFramedSites, (opened) => opened.close());
  let firefox: Firefox | undefined;
  before(async () => {
    firefox = skip === false ? await openFirefox({ script: true }) : undefined;
  });
  after(() => firefox?.close());

  const element = () => block('html', ':empty');
  const listed = () => block('', 'frame-src').trim();
  const hosts: Readonly<Record<string, (used: string) => Host>> = {
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
    'a ticket that was used': (used) => ({
      html: `${element().replace('"…"', `"${used}"`)}${block('html', 'sayso-expired')}
        <script>addEventListener('sayso-ready', () => { document.body.dataset.ready = '' })</script>`,
      // The element is not busy either while the page says that its ticket was used.
      holds: `'ready' in document.body.dataset && ${isThere}`,
    }),
    React: () => ({
      html: `<script src="https://preferences.example.org/embed.js" async></script><main></main>
        <script src="/react.js"></script>`,
    }),
  };
  /** Pages that fetch a ticket; the test answers them only in Chromium. */
  const needBackend = ['a ticket that was used', 'React'];
  const isThere = `document.querySelector('sayso-preferences')?.ariaBusy === 'false' &&
    document.querySelector('[role=alert]') === null`;
  const ofOurs = (words: string) =>
    words.replaceAll('https://preferences.example.org', sites.sayso).replaceAll('harbour-books', center);

  for (const [way, hostWith] of Object.entries(hosts)) {
    test(`the manual’s code works in Chromium and Firefox: ${way}`, async () => {
      const used = await sites.ticket();
      const redeem = `http://127.0.0.1:${sites.product.env['PORT']}/embed/${center}?ticket=${used}`;
      await fetch(redeem, { redirect: 'manual' });
      const { html, headers = {}, holds = isThere } = hostWith(used);
      const withPolicy = Object.fromEntries(Object.entries(headers).map(([name, to]) => [name, ofOurs(to)]));
      const addressOf = async () => {
        const ticket = await sites.ticket();
        const minted = ofOurs(html)
          .replaceAll('"…"', `"${ticket}"`)
          .replaceAll('ticket=…', `ticket=${ticket}`);
        return sites.pageOf(`<body>${minted}`, withPolicy);
      };
      const page = await sites.open();
      await page.route('**/ticket', async (route) => route.fulfill({ body: await sites.ticket() }));
      if (way === 'React') {
        const body = bundleReact(ofOurs(block('jsx', 'useEffect')));
        await page.route('**/react.js', (route) => route.fulfill({ body, contentType: 'text/javascript' }));
      }
      await page.goto(await addressOf());
      // A strict policy stops `waitForFunction`.
      const isHeld = await settled(page, async () => Boolean(await page.evaluate(holds)), Boolean, 20_000);
      assert.ok(isHeld, holds);
      await page.frameLocator('iframe').locator('input.switch').first().waitFor({ timeout: 20_000 });

      // test/browser/embed-firefox.test.ts tests the element in Firefox.
      const isInFirefox = times(way === 'a plain frame', !needBackend.includes(way));
      if (firefox === undefined || !isInFirefox) return;
      const window = await firefox.open('en');
      await window.goto(await addressOf());
      await window.until(holds);
      await window.enterFrame();
      await window.until(`document.querySelectorAll('input.switch').length > 3`);
    });
  }
});

/** Bundles React with the manual's example, compiled as a customer's tools do. */
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
