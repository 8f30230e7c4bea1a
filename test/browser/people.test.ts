import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { times } from '../chaos/dice.ts';
import { axeFaults } from './browser.ts';
import { type Reader, useGallery } from './gallery.ts';

const gallery = useGallery();

const open = (path: string, reader: Reader) => gallery.open(path, { script: true, ...reader });

const ordinary = '/centers/preferences/ordinary';
const many = '/centers/preferences/many';
/** Code for the page: pixels by which it scrolls sideways. */
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

async function boxOf(page: Page, selector: string): Promise<Box> {
  return (await page.evaluate(
    `(({ top, bottom, width, height }) => ({ top, bottom, width, height }))(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
  )) as Box;
}

describe('After a change, one row of 48 px says so and saves', () => {
  const windows = {
    'on a phone with text of twice the size': { width: 375, height: 812, isLarge: true },
    'on a phone on its side': { width: 812, height: 375 },
    'in a window of 20 rem and a line': { width: 812, height: 340 },
    'in a window of 320 px': { width: 320, height: 640 },
  } as const;
  const languages = ['de', 'ar', 'en'];
  for (const [index, [where, size]] of Object.entries(windows).entries()) {
    for (const lang of times(languages.slice(index % 3).slice(0, 1), languages)) {
      test(`the bar of 48 px is visible after a change ${where}, in ${lang}`, async () => {
        const page = await open(`${ordinary}?lang=${lang}`, size);
        const isShown = () => page.locator('button[value=save]').isVisible();
        assert.equal(await isShown(), false, 'nothing is changed');
        await page.locator('.switch').nth(1).check();
        assert.equal(await isShown(), true);
        const bar = await boxOf(page, '.actions');
        assert.ok(Math.abs(bar.height - 48) < 1, `${bar.height} px`);
        assert.ok(Math.abs(bar.bottom - size.height) < 1, 'the bar is visible');
        for (const button of ['.actions .primary', '.actions .primary + .button']) {
          const { width, height } = await boxOf(page, button);
          assert.ok(height >= 44 && width >= 44, `${button}: ${width} × ${height}`);
        }
        const note = await boxOf(page, '.unsaved');
        assert.ok(note.width > 40 && note.bottom <= bar.bottom + 1, JSON.stringify(note));
        const cut = await page.evaluate(
          `Math.max(...[...document.querySelectorAll('.unsaved, .actions .button')].map((each) => each.scrollHeight - each.clientHeight))`,
        );
        // A letter may be higher than its line.
        assert.ok(Number(cut) <= 3, `its words are cut by ${cut} px`);
        assert.equal(await page.evaluate(overflow), 0);
        if (index < times(2, 4)) assert.deepEqual(await axeFaults(page), []);
      });
    }
  }
});

describe('By keyboard, Save is one step', () => {
  const focused = 'document.activeElement.hash + " " + document.activeElement.ariaLabel';
  for (const [control, selector, key] of [
    ['from a switch', '.switch >> nth=2', 'Space'],
    ['from a box', '.checkboxes input >> nth=1', 'Space'],
    ['from a pill', '.pills input >> nth=2', 'ArrowRight'],
    ['from a field', 'input[type=text] >> nth=0', 'x'],
  ] as const) {
    test(`one Tab leads to Save ${control} that was changed, and the next Tab to the next control`, async () => {
      const page = await open(ordinary, { width: 1280, height: 900 });
      await page.locator(selector).focus();
      await page.keyboard.press('Tab');
      const next = await page.evaluate('document.activeElement.id');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press(key);
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(focused), '#save Save preferences');
      const ring = await page.evaluate(
        `getComputedStyle(document.querySelector('.actions .primary')).outlineStyle`,
      );
      assert.equal(ring, 'solid', 'the bar shows the focus ring');
      await page.keyboard.press('Tab');
      if (control !== 'from a pill') assert.equal(await page.evaluate('document.activeElement.id'), next);
    });
  }

  for (const press of ['Enter', 'Space']) {
    test(`${press} on that link saves`, async () => {
      const page = await open(ordinary, { width: 1280, height: 900 });
      const sent = page.waitForRequest((request) => request.method() === 'POST');
      await page.locator('.switch').nth(1).focus();
      for (const key of ['Space', 'Tab', press]) await page.keyboard.press(key);
      assert.match((await sent).postData() ?? '', /action=save/);
      // Chromium may never close a page during a navigation.
      await page.waitForURL(/\/news$/);
    });
  }

  test('the link to Save disappears with the last change', async () => {
    const page = await open(ordinary, { width: 1280, height: 900 });
    await page.locator('.switch').nth(1).check();
    assert.equal(await page.locator('.save-here').count(), 1);
    await page.locator('.switch').nth(1).uncheck();
    assert.equal(await page.locator('.save-here').count(), 0);
  });
});

describe('A page of many purposes', () => {
  test('a search hides purposes without a POST, counts those that are on, and hidden ones are sent', async () => {
    const page = await open(many, { width: 1280, height: 900 });
    const seen = () => page.locator('.purpose:visible').count();
    const count = page.locator('[data-count]');
    assert.equal(await count.textContent(), '12 of 56 on');
    await page.locator('.switch').nth(5).check();
    assert.equal(await count.textContent(), '13 of 56 on');
    await page.getByRole('searchbox').fill('OFFERS 7');
    assert.equal(await seen(), 1);
    assert.equal(await page.locator('.section:visible').count(), 1);
    await page.keyboard.press('Enter');
    assert.ok(page.url().endsWith(many), 'nothing is sent');
    await page.getByRole('searchbox').fill('zebra');
    await page.getByText('No matches').waitFor();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.locator('.actions .primary').click();
    assert.equal((await sent).postData()?.match(/purpose=/g)?.length, 13);
    await page.waitForURL(/\/news$/);
  });

  for (const script of [true, false]) {
    test(`a list of links leads to each section ${script ? 'beside the column' : 'without script'}`, async () => {
      const page = await open(many, { width: script ? 1280 : 375, height: 900, script });
      const links = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
      assert.deepEqual(await links.allTextContents(), ['Letters', 'Events', 'Offers', 'Partners']);
      await links.last().click();
      const { top } = await boxOf(page, '#s-many-3');
      assert.ok(top >= 0 && top < 900, `${top}`);
      assert.equal(await page.locator('#find').isVisible(), script);
      // The gallery tests the page without script with axe.
      if (script) assert.deepEqual(await axeFaults(page), []);
    });
  }
});

describe('A passcode', () => {
  for (const [how, text] of [
    ['typed', '123456'],
    ['in Arabic digits', '١٢٣٤٥٦'],
    ['pasted with what stands around it', ' 123 456\n'],
  ] as const) {
    test(`a passcode ${how} is sent once, as soon as it is complete`, async () => {
      const page = await open('/identity/passcode/ordinary', { width: 375, height: 812 });
      const posts: (string | null)[] = [];
      await page.route('**/passcode*', (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        posts.push(route.request().postData());
        return route.fulfill({ body: 'in' });
      });
      const field = page.locator('#code');
      assert.equal(await field.getAttribute('autocomplete'), 'one-time-code');
      await field.fill('12345');
      assert.equal(posts.length, 0);
      if (how === 'typed') await field.press('6');
      else await field.fill(text);
      await page.getByText('in', { exact: true }).waitFor();
      assert.equal(posts.length, 1);
      assert.match(posts[0] ?? '', /code=123456/);
    });
  }

  for (const [width, isLarge] of [
    [375, true],
    [320, true],
    [1280, false],
  ] as const)
    test(`a passcode fits its field in a window of ${width} px${isLarge ? ' with text of twice the size' : ''}`, async () => {
      const page = await open('/identity/passcode/ordinary', { width, height: 812, isLarge, script: false });
      await page.locator('#code').fill('888888');
      const over = await page.evaluate(`(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(code)`);
      assert.equal(over, 0);
      assert.equal(await page.evaluate(overflow), 0);
    });
});

test('A short page is a card in the middle of a wide window, and fills a phone', async () => {
  for (const path of [
    '/identity/sign-in/ordinary',
    '/errors/problem/ordinary',
    '/identity/passcode/ordinary',
  ]) {
    const page = await open(path, { width: 1280, height: 900 });
    const { width } = await boxOf(page, '.plain-page');
    const left = Number(
      await page.evaluate(`document.querySelector('.plain-page').getBoundingClientRect().left`),
    );
    assert.ok(width <= 34 * 16 && Math.abs(left - (1280 - width) / 2) < 2, `${path}: ${left}, ${width}`);
    const border = () =>
      page.evaluate(`getComputedStyle(document.querySelector('.plain-page')).borderTopWidth`);
    assert.equal(await border(), '1px', path);
    await page.setViewportSize({ width: 375, height: 812 });
    assert.equal(await border(), '0px', path);
  }
});

test('A heading becomes smaller before its words are broken', async () => {
  const page = await open(`${many}?lang=de`, { width: 375, height: 812, isLarge: true });
  const size = await page.evaluate(`(() => {
    const heading = document.querySelector('h1');
    heading.textContent = 'Einstellungen';
    const range = document.createRange();
    range.selectNodeContents(heading);
    return { lines: new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size };
  })()`);
  assert.deepEqual(size, { lines: 1 });
});
