import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { forSuite } from '../kit/for-suite.ts';
import { axeFaultsIn, frameIn, openFramedSites, settled, turn } from './framed.ts';

/** Code for the frame: returns its colour scheme, ground, accent, radius and font. */
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
  const faded = `* { transition: all 1s } body { background: #101418; color: #fff }
    :root { --sayso-accent: lightsteelblue; --sayso-radius: 0.5rem; --sayso-font: Georgia, serif }`;
  const hosts: readonly (readonly [site: string, css: string, look: string, attribute?: string])[] = [
    ['names no scheme', '', 'light'],
    ['is dark', ':root { color-scheme: dark }', 'dark'],
    ['is dark by its meta element', 'meta', 'dark'],
    ['is dark but names no scheme', 'body { background: #101418 }', 'dark'],
    ['has a modern colour', 'body { background: oklch(20% 0.02 250) }', 'dark'],
    ['shows through a panel', 'html { background: #fff } body { background: #0006 }', 'light own'],
    ['has a dark panel', 'sayso-preferences { background: #000 }', 'dark'],
    ['follows its visitor’s system', ':root { color-scheme: light dark }', 'dark'],
    ['asks for the other scheme', ':root { color-scheme: dark }', 'light own', 'light'],
    ['asks for its own scheme', 'body { background: #101418 }', 'dark', 'dark'],
    ['asks for its visitor’s scheme', '', 'dark own', 'auto'],
    ['is grey', 'body { background: #888 }', 'light own'],
    ['has a dark picture', 'body { background: linear-gradient(#000, #223); color: #fff }', 'dark own'],
    ['has a light picture', 'body { background: linear-gradient(#fff, #eef) }', 'light own'],
  ];
  let page: Page;
  const lines: string[] = [];
  before(async () => {
    page = await sites.open({ dark: true });
    page.on('console', (line) => lines.push(line.text()));
    await page.goto(sites.pageOf(`${styled(faded)}<body>${await sites.element()}`));
  });

  /** Reads the frame's look once its radius shows which look of the site it has taken. */
  async function lookOf(page: Page, radius: string): Promise<Record<string, string>> {
    const read = async () => (await (await frameIn(page)).evaluate(readLook)) as Record<string, string>;
    const shown = await settled(page, read, (taken) => taken['radius'] === radius);
    assert.equal(shown['radius'], radius);
    return shown;
  }

  async function assertLook(look: string, radius: string): Promise<void> {
    const shown = await lookOf(page, radius);
    const [scheme = '', ground] = look.split(' ');
    assert.deepEqual([shown['scheme'], shown['own'], shown['used']], [scheme, ground === 'own', scheme]);
    assert.equal(shown['ground'] === 'rgba(0, 0, 0, 0)', ground === undefined);
  }

  test('the first page of a frame has the accent, radius and font of a site with slow transitions', async () => {
    await assertLook('dark', '8px');
    const { accent, font } = await lookOf(page, '8px');
    assert.deepEqual([accent, font, lines], ['#b0c4de', 'Georgia, serif', []]);
  });

  for (const [index, [site, css, look, attribute]] of hosts.entries()) {
    test(`a frame looks like a site that ${site}`, async () => {
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

  test('a frame refuses an accent of low contrast and invalid values, with a warning in the console', async () => {
    const shown = (properties: string, radius: string) => {
      const head = styled(`:root { ${properties}; --sayso-radius: ${radius} }`);
      return page
        .evaluate(
          `document.head.innerHTML = ${JSON.stringify(head)}; document.body.dataset.look = '${radius}'`,
        )
        .then(() => lookOf(page, radius.replace('huge', '14px')));
    };
    const pale = await shown('--sayso-accent: oklch(80% 0.1 90)', '31px');
    assert.equal(pale['accent'], '#1f5eff');
    assert.match(lines.join(), /accent #\w{6} is not taken: its contrast is 1\.\d here, and 4\.5 is needed/);
    const none = await shown('--sayso-accent: none; --sayso-font: url(x)', 'huge');
    assert.equal(none['accent'], '#1f5eff');
    assert.match(none['font'] ?? '', /^system-ui/);
    assert.match(lines.join(), /accent #none is not taken: it is no colour/);
  });

  test('a frame follows a change of the site’s look on this page and the next, and keeps the choices', async () => {
    const head = `<style>.night { background: #101418; --sayso-accent: #8fb0ff }</style>`;
    const { page, frame } = await sites.openFrame(`${head}<body>${await sites.element()}`);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await turn(frame);
    const chosen = await frame.locator('input.switch:checked').count();
    const says = async (scheme: string) => {
      const read = async () => (await (await frameIn(page)).evaluate(readLook)) as Record<string, string>;
      return settled(page, read, (look) => look['scheme'] === scheme);
    };
    await page.evaluate(`{ const element = document.querySelector('sayso-preferences');
      element.setAttribute('label', 'Mine'); element.setAttribute('height', '900'); }`);
    await page.evaluate(`document.body.className = 'night'`);
    const dark = await says('dark');
    assert.deepEqual([dark['scheme'], dark['used'], dark['accent']], ['dark', 'dark', '#8fb0ff']);
    assert.equal(await frame.locator('input.switch:checked').count(), chosen);
    assert.equal(await page.locator('iframe').getAttribute('title'), 'Mine');
    assert.deepEqual(
      asked.filter((address) => address.includes('ticket=')),
      [],
      'no ticket is used again',
    );
    await frame.locator('a[href*="/unsubscribe?"]').press('Enter');
    await frameIn(page, 'form[action*="/unsubscribe?"]');
    const next = await says('dark');
    assert.deepEqual([next['scheme'], next['accent']], ['dark', '#8fb0ff']);
    assert.equal(next['ground'], 'rgba(0, 0, 0, 0)', 'the ground is the site’s');
    await page.evaluate(`document.body.className = ''`);
    assert.equal((await says('light'))['scheme'], 'light');
  });
});

test('axe finds no fault in a dark frame from right to left with unsaved changes', async () => {
  const element = await sites.element('scheme="dark" lang="ar" hide=""');
  const { frame } = await sites.openFrame(`<body>${element}`, { width: 375 });
  assert.equal(await frame.locator('.brand').count(), 1, 'the site hides nothing');
  // axe assumes white for a page with a transparent ground.
  await frame.evaluate(`document.documentElement.style.background = '#121212'`);
  await turn(frame);
  assert.deepEqual(await axeFaultsIn(frame), []);
  const widest = await frame.evaluate('document.documentElement.scrollWidth - innerWidth');
  assert.equal(widest, 0, 'nothing is wider than the frame');
});
