import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { productOf } from '../kit/for-suite.ts';
import type { Form } from '../kit/form.ts';
import { createVisitor } from '../kit/visitor.ts';
import { axeFaults, browserOf, longestWait } from './browser.ts';

const harbour = 'b00c5000-0000-4000-8000-000000000001';
const task = '/staff/tasks/7a5c0000-0000-4000-8000-000000000007';

describe('With scripts on, staff', () => {
  const browser = browserOf();
  const product = productOf();
  let page: Page;

  before(async () => {
    const desktop = await browser.newContext({ locale: 'en', timezoneId: 'America/New_York' });
    await desktop.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.url });
    desktop.setDefaultTimeout(longestWait);
    page = await desktop.newPage();
    await page.goto(/^Staff: (\S+)$/m.exec(product.output())?.[1] ?? assert.fail('no address'));
  });

  test('read each time in their own zone, which the foot of the page names once.', async () => {
    await page.goto(product.url + task);
    const deadline = page.locator('#main-block dd').nth(1);
    assert.equal(await deadline.innerText(), '30 Apr 2027, 14:00:00');
    assert.equal(await page.locator('.zone').innerText(), 'Times are in your own zone, America/New_York.');
    assert.deepEqual(await axeFaults(page), []);
  });

  test('find a person from any page with a slash and Enter, and close a filter with Escape.', async () => {
    await page.goto(`${product.url}/staff/submissions`);
    await page.click('.popover > summary');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.popover').getAttribute('open'), null);
    await page.keyboard.press('/');
    await page.keyboard.type('jonas@example.org');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'j•••@example.org' }).waitFor();
    assert.doesNotMatch(page.url(), /jonas/);
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
    assert.match(await page.locator('#days-block').innerText(), /No submissions in the last 30 days/);
    const person = createVisitor(product.url);
    const link = await product.link({ center: harbour, identifier: 'anna@example.org' });
    const switchOff = (form: Form) => {
      const on = form.controls.find(
        ({ name, checked, disabled }) => name === 'purpose' && checked && !disabled,
      );
      form.untick('purpose', on?.value);
    };
    await person.submit(await person.open(link), switchOff, { name: 'action', value: 'save' });
    await page.reload();
    await page.click('text="As a table"');
    const rows = await page.locator('#days-block tbody tr').count();
    assert.deepEqual([rows, await page.locator('.bars g').count()], [30, 30]);
    assert.deepEqual(await axeFaults(page), []);
    await page.goto(`${product.url}/staff/centers/${harbour}/preview?width=phone`);
    await page.frameLocator('iframe').locator('h1').waitFor();
    assert.deepEqual(stopped, []);
  });
});
