import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { axeSource } from './browser.ts';
import { type FramedSites, frameIn, openFramedSites } from './framed.ts';

let sites: FramedSites;
before(async () => {
  sites = await openFramedSites();
});
after(async () => {
  await sites?.close();
});

suite('A frame looks like the site around it', () => {
  const hosts: readonly (readonly [site: string, head: string, attributes: string, scheme: string])[] = [
    ['says nothing of schemes', '', '', 'light'],
    ['is dark', '<style>:root { color-scheme: dark }</style>', '', 'dark'],
    ['is dark by its meta element', '<meta name="color-scheme" content="dark">', '', 'dark'],
    [
      'is dark around the element only',
      '<style>sayso-preferences { color-scheme: dark }</style>',
      '',
      'dark',
    ],
    ['is as its reader likes it', '<style>:root { color-scheme: light dark }</style>', '', 'auto'],
    ['is so by its meta element', '<meta name="color-scheme" content="light dark">', '', 'auto'],
    ['asks for another', '<style>:root { color-scheme: dark }</style>', 'scheme="light"', 'light'],
  ];
  for (const [site, head, attributes, scheme] of hosts) {
    test(`that ${site}, whatever its reader’s system is.`, async () => {
      const page = await sites.open({ dark: true });
      await page.goto(sites.pageOf(`${head}<body>${await sites.element(attributes)}`));
      const frame = await frameIn(page);
      assert.equal(await frame.evaluate('document.documentElement.dataset.scheme'), scheme);
      const dark = await frame.evaluate(`getComputedStyle(document.documentElement).colorScheme === 'dark'`);
      assert.equal(dark, scheme !== 'light');
    });
  }

  test('and stands on its ground: it has none of its own, on any page.', async () => {
    const page = await sites.open();
    await page.goto(sites.pageOf(`<body style="background: #cde">${await sites.element()}`));
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
      return [await count('.brand'), await count('.who'), await count('.foot a[href*="/record?"]')];
    };
    assert.deepEqual(await shown(''), [0, 1, 1]);
    assert.deepEqual(await shown('hide=""'), [1, 1, 1]);
    assert.deepEqual(await shown('hide="brand identity record"'), [0, 0, 0]);
  });
});

suite('axe finds nothing in a frame', () => {
  for (const [what, attributes, ground] of [
    ['in light', 'scheme="light" hide=""', '#fff'],
    ['in dark', 'scheme="dark" hide=""', '#121212'],
    ['from right to left', 'scheme="light" lang="ar"', '#fff'],
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
      const { violations } = (await frame.evaluate('axe.run(document)')) as { violations: { id: string }[] };
      assert.deepEqual(
        violations.map(({ id }) => id),
        [],
      );
      const widest = await frame.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.equal(widest, 0, 'nothing is wider than the frame');
    });
  }
});
