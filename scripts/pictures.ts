/**
 * `node scripts/pictures.ts [folder]` takes the six pictures of the README, of the product on its sandbox in
 * Chromium, both started as in tests. Without a folder they go to `docs/pictures`.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Page } from 'playwright-core';
import { openBrowser } from '../test/browser/browser.ts';
import { freePorts, startProduct } from '../test/kit/product.ts';
import { bank, books } from '../test/kit/sandbox-ids.ts';

const folder = process.argv[2] ?? join(import.meta.dirname, '../docs/pictures');

const university = '0ca11000-0000-4000-8000-000000000001';
const desk = { width: 1200, height: 800 };

mkdirSync(folder, { recursive: true });
const [demoPort = 0] = await freePorts(1);
const demoUrl = `http://localhost:${demoPort}`;
await using product = await startProduct({ env: { DEMO_PORT: String(demoPort), DEMO_URL: demoUrl } });
const browser = await openBrowser();

interface Look {
  readonly size?: { readonly width: number; readonly height: number };
  readonly dark?: boolean;
}

async function picture(
  name: string,
  { size = desk, dark = false }: Look,
  go: (page: Page) => Promise<unknown>,
): Promise<void> {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en',
  });
  const page = await context.newPage();
  await go(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}

const link = (center: string, identifier: string) => product.link({ center, identifier });
const phone = { width: 390, height: 800 };

try {
  await picture('preferences', {}, async (page) => page.goto(await link(books, 'anna@example.org')));
  await picture('phone', { size: phone, dark: true }, async (page) =>
    page.goto(await link(books, 'salma@example.org')),
  );
  await picture('frame', {}, async (page) => {
    await page.goto(`${demoUrl}/account?as=anna%40example.org`);
    await page.frameLocator('iframe').locator('form').first().waitFor();
  });
  await picture('result', {}, async (page) => {
    await page.goto(await link(books, 'anna@example.org'));
    await page.locator('input[name="purpose"]:checked:enabled').first().uncheck();
    await Promise.all([page.waitForURL(/told=/), page.click('button[value="save"]')]);
  });
  await picture('staff', {}, async (page) => {
    const [, address = ''] = /^Staff: (\S+)$/m.exec(product.output()) ?? [];
    await page.goto(address);
  });
  await picture('brands', { size: { width: 1200, height: 700 } }, async (page) => {
    const addresses = await Promise.all([
      link(books, 'claire@example.org'),
      link(bank, 'emil@example.org'),
      link(university, 'jonas@example.org'),
    ]);
    const shots: string[] = [];
    for (const address of addresses) {
      const context = await browser.newContext({ viewport: { width: 390, height: 690 }, locale: 'en' });
      const one = await context.newPage();
      await one.goto(address);
      shots.push((await one.screenshot()).toString('base64'));
      await context.close();
    }
    const images = shots.map((shot) => `<img src="data:image/png;base64,${shot}" width="390" height="690">`);
    await page.setContent(
      `<body style="margin:5px;display:flex;gap:10px;background:#dfe3ea">${images.join('')}</body>`,
    );
  });
} finally {
  await browser.close();
}
