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
  const styled = (css: string) => `<style>${css}</style>`;
  const faded = '* { transition: all 1s } body { background: #101418; color: #fff }';
  const hosts: readonly (readonly [site: string, css: string, look: string, attribute?: string])[] = [
    ['says nothing of schemes', '', 'light'],
    ['is dark', ':root { color-scheme: dark }', 'dark'],
    ['is dark by its meta element', 'meta', 'dark'],
    ['is dark without a word on schemes', 'body { background: #101418 }', 'dark'],
    ['has a modern colour', 'body { background: oklch(20% 0.02 250) }', 'dark'],
    ['shines through a panel', 'html { background: #fff } body { background: #0006 }', 'light own'],
    ['has a dark panel', 'sayso-preferences { background: #000 }', 'dark'],
    ['is as its reader likes it', ':root { color-scheme: light dark }', 'dark'],
    ['asks for another', ':root { color-scheme: dark }', 'light own', 'light'],
    ['asks for its own', 'body { background: #101418 }', 'dark', 'dark'],
    ['asks for what its reader likes', '', 'dark own', 'auto'],
    ['is grey', 'body { background: #888 }', 'light own'],
    ['has a dark picture', 'body { background: linear-gradient(#000, #223); color: #fff }', 'dark own'],
    ['has a light picture', 'body { background: linear-gradient(#fff, #eef) }', 'light own'],
  ];
  let page: Page;
  before(async () => {
    page = await sites.open({ dark: true });
    await page.goto(sites.pageOf(`${styled(faded)}<body>${await sites.element()}`));
  });

  /** The radius says which of the site's looks the frame has taken. */
  async function assertLook(look: string, radius: string): Promise<void> {
    const frame = await frameIn(page);
    const read = async () => (await frame.evaluate(readLook)) as Record<string, string>;
    const shown = await settled(page, read, (taken) => taken['radius'] === radius);
    const [scheme = '', ground] = look.split(' ');
    assert.deepEqual([shown['radius'], shown['scheme'], shown['own']], [radius, scheme, ground === 'own']);
    assert.equal(shown['used'], scheme);
    assert.equal(shown['ground'] === 'rgba(0, 0, 0, 0)', ground === undefined);
  }

  test('that fades its colours, from the first page on.', () => assertLook('dark', '14px'));

  for (const [index, [site, css, look, attribute]] of hosts.entries()) {
    test(`that ${site}, whatever its reader’s system is.`, async () => {
      const radius = `${index + 1}px`;
      const head =
        css === 'meta' ? '<meta name="color-scheme" content="dark">' : styled(css === '' ? 'p {}' : css);
      const marked = `<title>A shop</title>${head}${styled(`:root { --sayso-radius: ${radius} }`)}`;
      await page.evaluate(`(() => {
        document.head.innerHTML = ${JSON.stringify(marked)};
        const element = document.querySelector('sayso-preferences');
        element.toggleAttribute('scheme', false);
        ${attribute === undefined ? '' : `element.setAttribute('scheme', '${attribute}');`}
        document.body.dataset.look = '${index}';
      })()`);
      await assertLook(look, radius);
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
    assert.equal(next['ground'], 'rgba(0, 0, 0, 0)', 'it stands on the ground of the site');
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
});

test('axe finds nothing in a frame in dark, from right to left, with something to save.', async () => {
  const page = await sites.open({ width: 375 });
  await page.goto(sites.pageOf(`<body>${await sites.element('scheme="dark" lang="ar" hide=""')}`));
  const frame = await frameIn(page, 'input.switch');
  assert.equal(await frame.locator('.brand').count(), 1, 'the site hides nothing');
  // axe takes a page without a ground for white.
  await frame.evaluate(`document.documentElement.style.background = '#121212'`);
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
