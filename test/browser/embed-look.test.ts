import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { forSuite } from '../kit/for-suite.ts';
import { axeSource } from './browser.ts';
import { frameIn, openFramedSites, settled } from './framed.ts';

/** How the page in the frame looks. */
const readLook = `(() => {
  const root = document.documentElement;
  const style = getComputedStyle(root);
  const said = (name) => style.getPropertyValue('--' + name).trim();
  return { scheme: root.dataset.scheme, own: 'ownGround' in root.dataset, used: style.colorScheme,
    ground: style.backgroundColor, accent: said('accent'), radius: said('radius'), font: style.fontFamily };
})()`;

const sites = forSuite(openFramedSites, (sites) => sites.close());

suite('A frame looks like the site around it', () => {
  const meta = (scheme: string) => `<meta name="color-scheme" content="${scheme}">`;
  const styled = (css: string) => `<style>${css}</style>`;
  const hosts: readonly (readonly [site: string, head: string, attributes: string, look: string])[] = [
    ['says nothing of schemes', '', '', 'light'],
    ['is dark', styled(':root { color-scheme: dark }'), '', 'dark'],
    ['is dark by its meta element', meta('dark'), '', 'dark'],
    ['is dark without a word on schemes', styled('body { background: #101418 }'), '', 'dark'],
    ['has a modern colour', styled('body { background: oklch(20% 0.02 250) }'), '', 'dark'],
    [
      'shines through a panel',
      styled('html { background: #fff } body { background: #0006 }'),
      '',
      'light own',
    ],
    ['has a dark panel', styled('sayso-preferences { background: #000 }'), '', 'dark'],
    ['is as its reader likes it', styled(':root { color-scheme: light dark }'), '', 'dark'],
    ['is so by its meta element', meta('light dark'), '', 'dark'],
    ['asks for another', styled(':root { color-scheme: dark }'), 'scheme="light"', 'light own'],
    ['asks for its own', styled('body { background: #101418 }'), 'scheme="dark"', 'dark'],
    ['asks for what its reader likes', '', 'scheme="auto"', 'dark own'],
    ['is grey', styled('body { background: #888 }'), '', 'light own'],
    [
      'has a dark picture',
      styled('body { background: linear-gradient(#000, #223); color: #fff }'),
      '',
      'dark own',
    ],
    ['has a light picture', styled('body { background: linear-gradient(#fff, #eef) }'), '', 'light own'],
    [
      'fades its colours',
      styled('* { transition: all 1s } body { background: #101418; color: #fff }'),
      '',
      'dark',
    ],
  ];
  let page: Page;
  before(async () => {
    page = await sites.open({ dark: true });
  });
  for (const [site, head, attributes, look] of hosts) {
    test(`that ${site}, whatever its reader’s system is.`, async () => {
      await page.goto(sites.pageOf(`${head}<body>${await sites.element(attributes)}`));
      const frame = await frameIn(page);
      const shown = (await frame.evaluate(readLook)) as Record<string, string>;
      const [scheme = '', ground] = look.split(' ');
      assert.deepEqual([shown['scheme'], shown['own']], [scheme, ground === 'own']);
      assert.equal(shown['used'], scheme);
      assert.equal(shown['ground'] === 'rgba(0, 0, 0, 0)', ground === undefined);
    });
  }

  test('and follows it when that changes, on this page and the next, with what was chosen kept.', async () => {
    const page = await sites.open();
    const head = `<style>.night { background: #101418; --sayso-accent: #8fb0ff }</style>`;
    await page.goto(sites.pageOf(`${head}<body>${await sites.element()}`));
    const frame = await frameIn(page, 'input.switch');
    await frame.locator('input.switch:not(:disabled)').first().press('Space');
    const chosen = await frame.locator('input.switch:checked').count();
    const says = async (scheme: string) => {
      const read = async () => (await (await frameIn(page)).evaluate(readLook)) as Record<string, string>;
      return settled(page, read, (look) => look['scheme'] === scheme);
    };
    await page.evaluate(`document.body.className = 'night'`);
    const dark = await says('dark');
    assert.deepEqual([dark['scheme'], dark['used'], dark['accent']], ['dark', 'dark', '#8fb0ff']);
    assert.equal(await frame.locator('input.switch:checked').count(), chosen);
    await frame.locator('a[href*="/unsubscribe?"]').press('Enter');
    await frameIn(page, 'form[action*="/unsubscribe?"]');
    const next = await says('dark');
    assert.deepEqual([next['scheme'], next['accent']], ['dark', '#8fb0ff']);
    await page.evaluate(`document.body.className = ''`);
    assert.equal((await says('light'))['scheme'], 'light');
  });

  test('and takes its accent, radius and font, where they can be read there.', async () => {
    const page = await sites.open();
    const told: string[] = [];
    page.on('console', (line) => told.push(line.text()));
    const shown = async (properties: string) => {
      await page.goto(sites.pageOf(`${styled(`:root { ${properties} }`)}<body>${await sites.element()}`));
      return (await (await frameIn(page)).evaluate(readLook)) as Record<string, string>;
    };
    const own = await shown(
      '--sayso-accent: rebeccapurple; --sayso-radius: 0.5rem; --sayso-font: Georgia, serif',
    );
    assert.deepEqual([own['accent'], own['radius'], own['font']], ['#663399', '8px', 'Georgia, serif']);
    assert.deepEqual(told, []);
    const pale = await shown('--sayso-accent: oklch(80% 0.1 90)');
    assert.equal(pale['accent'], '#1f5eff');
    assert.match(told.join(), /accent #\w{6} is not taken: its contrast is 1\.\d here, and 4\.5 is needed/);
    const none = await shown('--sayso-accent: none; --sayso-radius: huge; --sayso-font: url(x)');
    assert.deepEqual([none['accent'], none['radius']], ['#1f5eff', '14px']);
    assert.match(none['font'] ?? '', /^system-ui/);
    assert.match(told.join(), /accent #none is not taken: it is no colour/);
  });

  test('and stands on its ground: it has none of its own, on any page.', async () => {
    const page = await sites.open();
    await page.goto(sites.pageOf(`<body style="background: #def">${await sites.element()}`));
    const ground = `getComputedStyle(document.documentElement).backgroundColor`;
    const frame = await frameIn(page, 'a[href*="/unsubscribe?"]');
    assert.equal(await frame.evaluate(ground), 'rgba(0, 0, 0, 0)');
    await frame.locator('a[href*="/unsubscribe?"]').press('Enter');
    const next = await frameIn(page, 'form[action*="/unsubscribe?"]');
    assert.equal(await next.evaluate(ground), 'rgba(0, 0, 0, 0)');
  });

  test('and shows what that leaves to it.', async () => {
    const page = await sites.open();
    const shown = async (attributes: string) => {
      await page.goto(sites.pageOf(`<body>${await sites.element(attributes)}`));
      const frame = await frameIn(page);
      const count = (selector: string) => frame.locator(selector).count();
      const parts = ['.brand', '.who', '.foot a[href*="/record?"]', 'h1:not(.unseen)'];
      return Promise.all(parts.map(count));
    };
    assert.deepEqual(await shown(''), [0, 1, 1, 1]);
    assert.deepEqual(await shown('hide=""'), [1, 1, 1, 1]);
    assert.deepEqual(await shown('hide="brand identity record title"'), [0, 0, 0, 0]);
  });
});

suite('axe finds nothing in a frame', () => {
  for (const [what, attributes, ground] of [
    ['in dark', 'scheme="dark" hide=""', '#121212'],
    ['in light, from right to left', 'scheme="light" lang="ar" hide=""', '#fff'],
  ] as const) {
    test(`${what}, also with something to save.`, async () => {
      const page = await sites.open({ width: 375 });
      await page.goto(sites.pageOf(`<body>${await sites.element(attributes)}`));
      const frame = await frameIn(page, 'input.switch');
      // axe takes a page without a ground for white.
      await frame.evaluate(`document.documentElement.style.background = '${ground}'`);
      await frame.locator('input.switch:not(:disabled)').first().press('Space');
      await frame.locator('.unsaved:not(:empty)').waitFor();
      await frame.evaluate(`${axeSource};0`);
      const { violations } = (await frame.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
        violations: { id: string }[];
      };
      assert.deepEqual(
        violations.map(({ id }) => id),
        [],
      );
      const widest = await frame.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.equal(widest, 0, 'nothing is wider than the frame');
    });
  }
});
