import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { phone, useGallery } from './gallery.ts';

const { open } = useGallery();

const ordinary = '/centers/preferences/ordinary';
const save = 'button[value=save]';

test('"Save" is always visible without script, in a quarter of the height at most with large text', async () => {
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
      assert.equal(spills, 0, `${lang}: words fit their buttons`);
    }
  }
});

describe('Unsaved changes', () => {
  test('a page with mistakes has unsaved changes, and leaving it asks first', async () => {
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
    // The saved values count, not those that the page showed first.
    await page.getByLabel('Phone').fill('+31 20 123 4567');
    await page.getByLabel('First name').fill('Ann');
    assert.ok(await page.locator(save).isHidden());
  });

  test('a change under a switch that is and was off does not count', async () => {
    const page = await open(ordinary, { script: true });
    await page.getByLabel('Events near you').check();
    await page.getByLabel('Post').check();
    assert.ok(await page.locator(save).isVisible());
    await page.getByLabel('Events near you').uncheck();
    assert.ok(await page.locator(save).isHidden());
  });
});

test('a save shows "Saving…" and is sent once', async () => {
  const page = await open(ordinary, { script: true });
  // The page stays and counts its submits.
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
  // A change after a stop can be sent.
  await page.getByLabel('Poetry').uncheck();
  await page.getByLabel('Poetry').check();
  await page.locator(save).click();
  assert.equal(await page.evaluate('window.sent'), 2);
  // Even the first state can be sent, because the stopped POST may arrive.
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

test('a wait is counted down, and then disappears', async () => {
  const page = await open('/identity/passcode/ordinary', { script: true, clock: true });
  const wait = page.locator('[data-gone-in]');
  // The clock of the page also runs by itself, so a busy machine may read seconds later.
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

test('each purpose is a heading, and the groups below it have its name', async () => {
  const page = await open(ordinary, {});
  assert.equal(await page.getByRole('heading', { level: 3, name: 'New books' }).count(), 1);
  for (const name of [/^Topics ?: New books$/, /^How often ?: New books$/])
    assert.equal(await page.getByRole('group', { name }).count(), 1, String(name));
});
