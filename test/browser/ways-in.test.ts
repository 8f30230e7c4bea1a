import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { times } from '../chaos/dice.ts';
import { productOf } from '../kit/for-suite.ts';
import { standing } from '../kit/moves.ts';
import { axeFaults, browserOf, openContext, shoot } from './browser.ts';

const books = 'b00c5000-0000-4000-8000-000000000001';
const news = 'b00c5000-0000-4001-8000-000000000001';

const all = [
  ['en', 'ltr'],
  ['de', 'ltr'],
  ['ar', 'rtl'],
  ['fr', 'ltr'],
  ['it', 'ltr'],
] as const;
const languages = times<readonly (typeof all)[number][]>([all[2]], all);

suite('One click, my record and an objection, with scripts off', () => {
  const browser = browserOf();
  const product = productOf();

  for (const [locale, dir] of languages) {
    test(`read well in ${locale} and are done by keyboard alone.`, async () => {
      const identifier = `ways-in.${locale}@example.org`;
      const phone = ['ar', 'de', 'it'].includes(locale);
      const context = await openContext(browser, { locale, phone, dark: locale === 'ar' });
      await context.setExtraHTTPHeaders({ 'sec-gpc': '1' });
      const page = await context.newPage();
      const check = async (name: string) => {
        await shoot(page, `ways-in-${name}-${locale}`);
        // Each of them is in the gallery, which axe reads.
        if (times(false, true)) assert.deepEqual(await axeFaults(page), [], name);
        const html = page.locator('html');
        assert.equal((await html.getAttribute('lang'))?.split('-')[0], locale, name);
        assert.equal(await html.getAttribute('dir'), dir, name);
      };

      const link = await product.link({ center: books, identifier });
      await page.goto(`${link}&lang=${locale}`);
      await page.locator('button[form="objection"]').waitFor();
      await check('objection');
      await pressByKeyboard(page, 'button[form="objection"]');
      await page.locator('#result').waitFor();
      await check('objected');

      const oneClick = await product.link({
        center: books,
        identifier,
        flags: ['--one-click', '--purpose', news],
      });
      const at = page.url();
      await page.goto(oneClick);
      await check('one-click');
      await pressByKeyboard(page, 'main form button');
      // The same address again: only the button's going says that the answer is there.
      await page.locator('main form:has([name="List-Unsubscribe"])').waitFor({ state: 'detached' });
      await check('one-click-done');
      assert.equal(page.url(), oneClick);

      await page.goto(at);
      await pressByKeyboard(page, 'a[href*="/record"]');
      await page.locator('.record-entry').first().waitFor();
      assert.equal(await page.locator('.record-entry').count(), 2);
      await check('record');
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        pressByKeyboard(page, 'a[href*="record.json"]'),
      ]);
      assert.equal(file.suggestedFilename(), 'my-record.json');
      const cookies = await context.cookies();
      await context.clearCookies();
      await pressByKeyboard(page, 'a[href*="record.json"]');
      // The browser would save this page as the record if the link were one for downloads only.
      await page.waitForURL(/sign-in/);
      await context.addCookies(cookies);
      await page.goto(`${product.url}/embed/${books}`);
      await check('expired');

      const { purposes } = standing(await product.sandbox.subject(books, identifier));
      assert.deepEqual(
        Object.values(purposes).filter(({ status }) => status === 'ON'),
        [],
        'nothing was granted on the way',
      );
      await context.close();
    });
  }

  test('days and times on the record are the reader’s own where scripts run, and their zone is named.', async () => {
    const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', locale: 'en' });
    const page = await context.newPage();
    await page.goto(`${await product.link({ center: books, identifier: 'ways-in.ar@example.org' })}&lang=en`);
    await page.locator('a[href*="/record"]').first().click();
    await page.getByText('Time zone: Japan Standard Time').waitFor();
    const styles = { day: { dateStyle: 'long' }, time: { timeStyle: 'short' } } as const;
    for (const [kind, style] of Object.entries(styles)) {
      const moment = page.locator(`.record-entry time[data-local="${kind}"]`).first();
      const shown = (await moment.textContent()) ?? '';
      const iso = (await moment.getAttribute('datetime')) ?? '';
      const there = new Intl.DateTimeFormat('en', { ...style, timeZone: 'Asia/Tokyo' });
      assert.equal(shown.replace(/\s/g, ' '), there.format(new Date(iso)).replace(/\s/g, ' '));
    }
    await context.close();
  });
});

/** Tabs until the focus is on it, which must be seen there, and presses Enter. */
async function pressByKeyboard(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < 150; step++) {
    await page.keyboard.press('Tab');
    const at = (await page.evaluate(`(() => {
      const at = document.activeElement;
      if (!at.matches(${JSON.stringify(selector)})) return undefined;
      return parseFloat(getComputedStyle(at).outlineWidth);
    })()`)) as number | undefined;
    if (at === undefined) continue;
    assert.ok(at >= 2, `the focus is seen on ${selector}`);
    await page.keyboard.press('Enter');
    return;
  }
  throw new Error(`the keyboard does not get to ${selector}`);
}
