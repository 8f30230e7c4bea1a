import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { type Product, startProduct } from '../kit/product.ts';
import { axeFaults, type Browser, openBrowser, patience } from './browser.ts';

const task = '/staff/tasks/7a5c0000-0000-4000-8000-000000000007';

describe('With scripts on, staff', () => {
  let product: Product;
  let browser: Browser;
  let desktop: BrowserContext;
  let page: Page;

  before(async () => {
    [product, browser] = await Promise.all([startProduct(), openBrowser()]);
    desktop = await browser.newContext({ locale: 'en', timezoneId: 'America/New_York' });
    await desktop.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.url });
    desktop.setDefaultTimeout(patience);
    page = await desktop.newPage();
    await page.goto(/^Staff: (\S+)$/m.exec(product.output())?.[1] ?? assert.fail('no address'));
  });

  after(async () => {
    await browser?.close();
    await product?.[Symbol.asyncDispose]();
  });

  test('read a deadline in their own time zone, which is named, with what the platform gave below it.', async () => {
    await page.goto(product.url + task);
    const deadline = page.locator('#main-block dd').nth(1);
    assert.match(await deadline.innerText(), /30 Apr 2027, 14:00 (EDT|GMT-4)\s+30 Apr 2027, 18:00:00 UTC/);
    assert.deepEqual(await axeFaults(page), []);
  });

  test('are offered their own time zone for a new deadline, and no other for one that there is.', async () => {
    await page.goto(`${product.url}/staff/tasks/new`);
    assert.equal(await page.inputValue('#deadline-zone'), 'America/New_York');
    await page.goto(`${product.url}${task}/edit`);
    assert.equal(await page.inputValue('#deadline-zone'), 'UTC');
  });

  test('copy an id with one press, and are told so.', async () => {
    await page.goto(`${product.url}/staff/notices`);
    await page.locator('.folded summary').first().click();
    const button = page.locator('details[open] .copy').first();
    const id = await page.locator('details[open] .code').first().innerText();
    await button.click();
    await button.locator('text="Copied"').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), id);
    assert.deepEqual(await axeFaults(page), []);
  });

  test('see bars that agree with the table behind them, and no style that the policy stops.', async () => {
    const stopped: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Refused/.test(message.text())) stopped.push(message.text());
    });
    await page.goto(`${product.url}/staff`);
    await page.click('text="As a table"');
    const rows = await page.locator('#days-block tbody tr').count();
    assert.deepEqual([rows, await page.locator('.bars g').count()], [30, 30]);
    assert.deepEqual(await axeFaults(page), []);
    await page.goto(`${product.url}/staff/centers/b00c5000-0000-4000-8000-000000000001/preview?width=phone`);
    await page.frameLocator('iframe').locator('h1').waitFor();
    assert.deepEqual(stopped, []);
  });
});
