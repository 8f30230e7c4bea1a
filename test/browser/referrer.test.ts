import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { productOf } from '../kit/for-suite.ts';
import { browserOf, openContext } from './browser.ts';

const books = 'b00c5000-0000-4000-8000-000000000001';

suite('A path that holds a token', () => {
  const browser = browserOf();
  const product = productOf();

  test('is sent along with no request, and posts still say where they are from.', async () => {
    const context = await openContext(browser);
    const page = await context.newPage();
    const origin = new URL(product.url).origin;
    const sent: Promise<Record<string, string>>[] = [];
    const posts: Promise<Record<string, string>>[] = [];
    page.on('request', (request) => {
      sent.push(request.allHeaders());
      if (request.method() === 'POST') posts.push(request.allHeaders());
    });
    const referrers = async () =>
      (await Promise.all(sent)).map((headers) => headers['referer']).filter((from) => from !== undefined);

    const who = { center: books, identifier: 'referrer@example.org' };
    await page.goto(await product.link({ ...who, flags: ['--one-click'] }));
    await page.locator('main form button').click();
    await page.locator('main form:has([name="List-Unsubscribe"])').waitFor({ state: 'detached' });
    assert.ok((await referrers()).length > 0, 'assets are asked for with a referrer');

    await page.goto(await product.link(who));
    await page.locator('a[href*="/unsubscribe"]').first().click();
    await page.locator('main form button.primary, main form button').first().click();
    await page.locator('#result').waitFor();

    await page.goto(`${product.url}/centers/${books}/sign-in?lang=en`);
    await page.locator('input[type="email"]').fill('referrer@example.org');
    await page.locator('main form button.primary').first().click();
    await page.locator('input[autocomplete="one-time-code"]').waitFor();

    for (const from of await referrers()) assert.equal(from, `${origin}/`);
    const origins = (await Promise.all(posts)).map((headers) => headers['origin']);
    assert.deepEqual(
      origins,
      origins.map(() => origin),
    );
    assert.equal(origins.length, 3);
  });
});
