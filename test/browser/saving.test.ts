import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { phone, useGallery } from './gallery.ts';

const { open } = useGallery();

const ordinary = '/centers/preferences/ordinary';
const save = 'button[value=save]';

test('The way to save is always there without script, and takes at most a quarter of the height where text is twice as large, in any language', async () => {
  for (const lang of ['en', 'de', 'fr', 'pl', 'ar']) {
    const page = await open(`${ordinary}?lang=${lang}`, {});
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    for (const [width, height] of [
      [375, 667],
      [1280, 720],
    ] as const) {
      await page.setViewportSize({ width, height });
      assert.ok(await page.locator(save).isVisible());
      const bar = `document.querySelector('.actions').getBoundingClientRect().height`;
      const share = Number(await page.evaluate(bar)) / height;
      assert.ok(share <= 0.25, `${lang}: ${share}`);
      const spills = await page.evaluate(
        `[...document.querySelectorAll('.actions .button')].filter((each) => each.scrollWidth > each.clientWidth + 1).length`,
      );
      assert.equal(spills, 0, `${lang}: words reach out of their buttons`);
    }
  }
});

describe('What is compared with what is saved', () => {
  test('is also a page that is shown again: there is something to save, and leaving asks first', async () => {
    const page = await open('/centers/preferences/mistaken', { script: true });
    assert.ok(await page.locator(save).isVisible());
    await page.getByText('Unsaved changes').waitFor();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      return dialog.dismiss();
    });
    await page.getByRole('heading', { level: 1 }).click();
    await page.getByRole('link', { name: 'My record' }).click();
    await page.waitForFunction('true');
    assert.deepEqual(asked, ['beforeunload']);
    // As it is saved, though it was shown otherwise.
    await page.getByLabel('Phone').fill('+31 20 123 4567');
    await page.getByLabel('First name').fill('Ann');
    assert.ok(await page.locator(save).isHidden());
  });

  test('is nothing that stands under a switch that is off, and was', async () => {
    const page = await open(ordinary, { script: true });
    await page.getByLabel('Events near you').check();
    await page.getByLabel('Post').check();
    assert.ok(await page.locator(save).isVisible());
    await page.getByLabel('Events near you').uncheck();
    assert.ok(await page.locator(save).isHidden());
  });
});

test('saving is said, and happens once', async () => {
  const page = await open(ordinary, { script: true });
  // The browser stays where it is, and counts what it would have sent.
  await page.evaluate(`window.sent = 0;
      document.querySelector('[data-preferences]').addEventListener('submit', (event) => {
        if (!event.defaultPrevented) window.sent += 1;
        event.preventDefault();
      })`);
  await page.getByLabel('Poetry').check();
  await page.locator(save).click();
  await page.getByRole('button', { name: 'Saving…' }).waitFor();
  assert.equal(await page.getAttribute('[data-preferences]', 'aria-busy'), 'true');
  assert.equal(await page.locator('.unsaved').textContent(), 'Saving…');
  await page.locator(save).click();
  assert.equal(await page.evaluate('window.sent'), 1);
  // What is changed after a stop is sent.
  await page.getByLabel('Poetry').uncheck();
  await page.getByLabel('Poetry').check();
  await page.locator(save).click();
  assert.equal(await page.evaluate('window.sent'), 2);
  // Also as it was shown: the post that was stopped may arrive.
  await page.getByLabel('Poetry').uncheck();
  assert.notEqual(await page.locator('.unsaved').textContent(), '');
  await page.locator(save).click();
  assert.equal(await page.evaluate('window.sent'), 3);
});

test('the language can be chosen at the top and at the end, with and without script', async () => {
  for (const script of [false, true]) {
    const page = await open(ordinary, { script, ...phone });
    const menu = page.getByRole('banner').locator('summary');
    await menu.click();
    assert.ok(await page.getByRole('banner').getByRole('link', { name: 'Deutsch' }).isVisible());
    assert.equal(await page.getByRole('contentinfo').getByText('Change').count(), 1);
  }
});

test('a wait is counted down, and then gone', async () => {
  const page = await open('/identity/passcode/ordinary', { script: true, clock: true });
  const wait = page.locator('[data-gone-in]');
  // The clock of the page goes on by itself, too: a busy machine looks seconds later.
  const left = async () => {
    const [, minutes, seconds] = /in (\d):(\d\d)\.$/.exec((await wait.textContent()) ?? '') ?? [];
    return Number(minutes) * 60 + Number(seconds);
  };
  const first = await left();
  assert.ok(first > 40 && first <= 60, `${first}`);
  await page.clock.runFor(10_000);
  const then = await left();
  assert.ok(then > 0 && then <= first - 10, `${first}, then ${then}`);
  await page.clock.runFor(60_000);
  assert.equal(await wait.count(), 0);
});

test('each purpose is a heading, and what stands under it is grouped by its name', async () => {
  const page = await open(ordinary, {});
  assert.equal(await page.getByRole('heading', { level: 3, name: 'New books' }).count(), 1);
  for (const name of [/^Topics ?: New books$/, /^How often ?: New books$/])
    assert.equal(await page.getByRole('group', { name }).count(), 1, String(name));
});
