import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { times } from '../chaos/dice.ts';
import { lettersTo } from '../features/identity/mailbox.ts';
import { productOf } from '../kit/for-suite.ts';
import { oneClick } from '../kit/one-click.ts';
import { books } from '../kit/sandbox-ids.ts';
import { createVisitor } from '../kit/visitor.ts';
import { axeFaults, browserOf, openContext, type Person, shoot } from './browser.ts';

/** Languages of the demo center, each with another visitor. */
const all: readonly (readonly [locale: string, person: Person])[] = [
  ['en', {}],
  ['ar', { phone: true, dark: true }],
  ['de', { phone: true }],
  ['fr', { dark: true }],
  ['it', { phone: true }],
];
const visitors = times(all.slice(1, 2), all);

const browser = browserOf();
const product = productOf();

async function sitDown(person: Person): Promise<Page> {
  const page = await (await openContext(browser, person)).newPage();
  page.on('pageerror', (fault) => assert.fail(String(fault)));
  return page;
}

/** Pages that the gallery does not test with axe. */
const notInGallery = /^(dialog|devices)$/;

/** Asserts language and direction, no scrolling sideways, and for some pages no axe fault. */
async function assertSound(page: Page, locale: string, shot: string): Promise<void> {
  await shoot(page, `ways-in-${shot}-${locale}`);
  if (times(notInGallery.test(shot), true)) assert.deepEqual(await axeFaults(page), [], shot);
  const look = (await page.evaluate(`(({ lang, dir, scrollWidth, clientWidth }) =>
    [lang.slice(0, 2), dir, scrollWidth - clientWidth])(document.documentElement)`)) as unknown;
  assert.deepEqual(look, [locale, locale === 'ar' ? 'rtl' : 'ltr', 0], shot);
}

/** Presses Tab until the element has the focus; each focused element on the way must have a ring. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stops = 0; stops < 150; stops += 1) {
    await page.keyboard.press('Tab');
    const { ring, isThere, isPage } = (await page.evaluate(`(({ activeElement }) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(activeElement);
      return { ring: outlineStyle === 'none' ? 0 : parseFloat(outlineWidth),
        isThere: activeElement.matches(${JSON.stringify(selector)}), isPage: activeElement === document.body };
    })(document)`)) as { ring: number; isThere: boolean; isPage: boolean };
    assert.ok(isPage || ring >= 2, `the focus is seen on the way to ${selector}`);
    if (isThere) return;
  }
  assert.fail(`the keyboard does not get to ${selector}`);
}

for (const [locale, person] of visitors)
  suite(`In ${locale}, by keyboard alone and without script`, () => {
    const check = (page: Page, shot: string) => assertSound(page, locale, shot);

    test('a person signs in by a passcode from a message', async () => {
      const address = `keys.${locale}@example.org`;
      const page = await sitDown({ ...person, locale });
      const type = async (field: string, text: string) => {
        await tabTo(page, field);
        await page.keyboard.type(text);
        await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
      };
      await page.goto(`${product.url}/centers/${books}`);
      assert.match(page.url(), /\/sign-in$/);
      await type('#email', '');
      assert.equal(await page.getAttribute('#email', 'aria-invalid'), 'true');
      await check(page, 'sign-in-mistaken');
      await type('#email', address);
      await type('#code', '000000');
      assert.equal(await page.getAttribute('#code', 'aria-invalid'), 'true');
      await check(page, 'passcode-wrong');

      const [letter] = await lettersTo(createVisitor(product.url), address, 1);
      assert.ok(letter);
      assert.equal(letter.lang.slice(0, 2), locale);
      await type('#code', letter.code);
      assert.equal(new URL(page.url()).pathname, `/centers/${books}`);
      await page.goto(`${product.url}/centers/${books}/devices`);
      await check(page, 'devices');
      await page.context().close();
    });
  });

suite('With script', () => {
  test('the record shows days and times in the reader’s time zone, and names it', async () => {
    const identifier = 'reader.abroad@example.org';
    await oneClick(product, identifier);
    const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', locale: 'en' });
    const page = await context.newPage();
    await page.goto(`${await product.link({ center: books, identifier })}&lang=en`);
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

  test('a person can sign out from the announcement of the session’s end', async () => {
    const page = await sitDown({ locale: 'en', script: true });
    await page.clock.install();
    await page.goto(await product.link({ center: books, identifier: 'leaver@example.org' }));
    const dialog = page.locator('#session-end');
    await page.clock.fastForward('28:05');
    await dialog.waitFor({ state: 'visible' });
    await assertSound(page, 'en', 'dialog');
    await dialog.getByRole('button').press('Enter');
    await page.waitForURL(/\/signed-out/);
    await page.goto(`${product.url}/centers/${books}`);
    assert.equal(await page.locator('[data-preferences]').count(), 0);
    await page.context().close();
  });
});
