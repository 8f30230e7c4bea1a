import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { times } from '../chaos/dice.ts';
import { lettersTo } from '../features/identity/mailbox.ts';
import { productOf } from '../kit/for-suite.ts';
import { createVisitor } from '../kit/visitor.ts';
import { axeFaults, browserOf, openContext, type Person, shoot } from './browser.ts';

const books = 'b00c5000-0000-4000-8000-000000000001';

/** The demo center's languages, each for another visitor. */
const all: readonly (readonly [locale: string, person: Person])[] = [
  ['en-US', {}],
  ['ar', { phone: true }],
  ['de', { dark: true }],
  ['fr', { phone: true }],
  ['it', { phone: true, dark: true }],
];
const visitors = times(all.slice(1, 2), all);

const browser = browserOf();
const product = productOf();

async function sitDown(locale: string, person: Person = {}): Promise<Page> {
  const page = await (await openContext(browser, { ...person, locale })).newPage();
  page.on('pageerror', (fault) => assert.fail(String(fault)));
  return page;
}

/** The gallery shows axe all pages but these. */
const notInGallery = /^dialog$|devices$/;

async function assertSound(page: Page, shot: string): Promise<void> {
  await shoot(page, `identity-${shot}`);
  if (times(notInGallery.test(shot), true)) assert.deepEqual(await axeFaults(page), [], shot);
  const wider = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  assert.equal(wider, 0, `${shot} scrolls sideways`);
}

/** Presses Tab until a control of that name has the focus; every stop on the way must be seen. */
async function tabTo(page: Page, what: string): Promise<void> {
  for (let stops = 0; stops < 40; stops += 1) {
    await page.keyboard.press('Tab');
    const { ring, isThere, isPage } = (await page.evaluate(
      `({ ring: ${ringWidth}, isThere: document.activeElement?.matches(${JSON.stringify(what)}) ?? false,
        isPage: document.activeElement === document.body })`,
    )) as { ring: number; isThere: boolean; isPage: boolean };
    assert.ok(isPage || ring >= 2, 'the focus is seen');
    if (isThere) return;
  }
  assert.fail(`the keyboard does not get to ${what}`);
}

/** Presses Enter and waits until it has led somewhere. */
async function enter(page: Page): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.keyboard.press('Enter');
  await loaded;
}

const ringWidth = `(() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  return outlineStyle === 'none' ? 0 : parseFloat(outlineWidth);
})()`;

suite('Signing in by mail, by keyboard alone and without script', () => {
  for (const [locale, person] of visitors) {
    const lang = locale.slice(0, 2);
    const dir = lang === 'ar' ? 'rtl' : 'ltr';
    const address = `keys.${lang}@example.org`;

    test(`works in ${lang}, with a passcode.`, async () => {
      const page = await sitDown(locale, person);
      await page.goto(`${product.url}/centers/${books}`);
      assert.match(page.url(), /\/sign-in$/);
      assert.equal(await page.getAttribute('html', 'dir'), dir);

      await tabTo(page, '#email');
      await enter(page);
      assert.equal(await page.getAttribute('#email', 'aria-invalid'), 'true');
      await assertSound(page, `${lang}-sign-in-mistaken`);

      await tabTo(page, '#email');
      await page.keyboard.type(address);
      await enter(page);

      await tabTo(page, '#code');
      await page.keyboard.type('000000');
      await enter(page);
      assert.equal(await page.getAttribute('#code', 'aria-invalid'), 'true');
      await assertSound(page, `${lang}-passcode-wrong`);

      const [letter] = await lettersTo(createVisitor(product.url), address, 1);
      assert.ok(letter);
      assert.equal(letter.lang.slice(0, 2), lang);
      await tabTo(page, '#code');
      await page.keyboard.type(letter.code);
      await enter(page);
      assert.equal(new URL(page.url()).pathname, `/centers/${books}`);
      await page.goto(`${product.url}/centers/${books}/devices`);
      await assertSound(page, `${lang}-devices`);
      await page.context().close();
    });
  }
});

suite('With script', () => {
  test('the announcement of the end lets a person sign out at once.', async () => {
    const page = await sitDown('en-US', { script: true });
    await page.clock.install();
    await page.goto(await product.link({ center: books, identifier: 'leaver@example.org' }));
    const dialog = page.locator('#session-end');
    await page.clock.fastForward('28:05');
    await dialog.waitFor({ state: 'visible' });
    await assertSound(page, 'dialog');
    await dialog.getByRole('button').press('Enter');
    await page.waitForURL(/\/signed-out/);
    await page.goto(`${product.url}/centers/${books}`);
    assert.equal(await page.locator('[data-preferences]').count(), 0);
    await page.context().close();
  });
});
