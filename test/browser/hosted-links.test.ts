import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { keepLinks } from '../../src/cli/import-links.ts';
import { readConfig } from '../../src/config/environment.ts';
import { productOf } from '../kit/for-suite.ts';
import { axeFaults, browserOf, openContext } from './browser.ts';

const books = 'b00c5000-0000-4000-8000-000000000001';
const anna = 'anna@example.org';
const strange = Buffer.alloc(32, 7).toString('base64');

suite('A link of the platform’s hosted page, in a browser', () => {
  const browser = browserOf();
  const product = productOf();
  let token = '';

  before(async () => {
    const answer = await product.sandbox.call('/api/consentmanager/v1/linktokens?size=2000');
    const { content } = (await answer.json()) as { content: { DataSubjectId: string; LinkToken: string }[] };
    token = content.find(({ DataSubjectId }) => DataSubjectId === anna)?.LinkToken ?? '';
    const at = new Date().toISOString().slice(0, 23);
    const table = `DataSubjectId,LinkToken,ExpiryDate,CreatedDate\n${anna},${token},2099-12-31,${at}\n`;
    const bytes = (async function* () {
      yield Buffer.from(table);
    })();
    const config = readConfig(product.env, () => '');
    await keepLinks(config, { file: bytes, days: undefined }, assert.fail);
  });

  /** Follows the link, and hears of every address that is asked for. */
  async function follow(context: BrowserContext, fragment: string): Promise<{ page: Page; asked: string[] }> {
    const page = await context.newPage();
    const asked: string[] = [];
    page.on(
      'request',
      (request) => void asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`),
    );
    await page.goto(`${product.url}/ui/${fragment}`);
    return { page, asked };
  }
  const linkTo = (text: string, kind = 'multipage/token') =>
    `#/preferences/${kind}/${books}/${encodeURIComponent(text)}`;

  for (const kind of ['multipage/token', 'token']) {
    test(`opens its person’s page with script, and stays in no address: ${kind}.`, async () => {
      const context = await openContext(browser, { script: true });
      const { page, asked } = await follow(context, linkTo(token, kind));
      await page.waitForURL(`${product.url}/centers/${books}`);
      await page.locator('[data-preferences]').waitFor();
      assert.match(await page.locator('.who').innerText(), /a•+@example\.org/);
      const told = encodeURIComponent(token).slice(0, 20);
      assert.ok(!asked.some((address) => address.includes(told)), asked.join('\n'));
      await page.goBack();
      assert.ok(!page.url().includes('#'), `back leads to ${page.url()}`);
      await context.close();
    });
  }

  test('leads to the sign-in with script when it was not imported, or it is one of a sign-in.', async () => {
    for (const fragment of [linkTo(strange), `#/preferences/multipage/login/${books}`]) {
      const context = await openContext(browser, { script: true });
      const { page } = await follow(context, fragment);
      await page.waitForURL(`${product.url}/centers/${books}/sign-in`);
      await page.locator('input[name="email"]').waitFor();
      await context.close();
    }
  });

  test('without script leads to the sign-in of the centers, by a page without a fault that axe knows.', async () => {
    const context = await openContext(browser, { script: false });
    const { page, asked } = await follow(context, linkTo(token));
    assert.deepEqual(await axeFaults(page), []);
    await page.locator(`a[href="/centers/${books}/sign-in"]`).click();
    await page.locator('input[name="email"]').waitFor();
    const told = encodeURIComponent(token).slice(0, 20);
    assert.ok(!asked.some((address) => address.includes(told)), asked.join('\n'));
    await context.close();
  });
});
