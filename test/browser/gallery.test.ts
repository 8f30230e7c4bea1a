import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { galleryPaths } from '../samples/gallery.ts';
import { axeFaults, shoot } from './browser.ts';
import { useGallery } from './gallery.ts';

const gallery = useGallery();

/** Fails where the page reaches past its window on either side. */
async function fitsAcross(page: Page): Promise<void> {
  const wider = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  assert.equal(wider, 0, 'scrolls sideways');
}

const looks = {
  'in a wide, light window': { size: { width: 1280, height: 900 }, colorScheme: 'light' },
  'on a dark phone': { size: { width: 375, height: 812 }, colorScheme: 'dark' },
} as const;

test('every page in every state has no fault that axe knows, and fits', async (context) => {
  const page = await gallery.newPage({ script: true, withoutPolicy: true });
  for (const path of galleryPaths) {
    await context.test(path, async (within) => {
      await page.goto(gallery.urlOf(path));
      for (const [name, { size, colorScheme }] of Object.entries(looks)) {
        await within.test(name, async () => {
          await page.setViewportSize(size);
          await page.emulateMedia({ colorScheme });
          await shoot(page, `gallery${path}-${name}`.replaceAll(/[^\w-]+/g, '-'));
          assert.deepEqual(await axeFaults(page), []);
          await fitsAcross(page);
        });
      }
      // 320 px, which is also a window of 1280 px at 400 %; then text alone at twice its size.
      await page.setViewportSize({ width: 320, height: 256 });
      await fitsAcross(page);
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      for (const width of [640, 375]) {
        await page.setViewportSize({ width, height: 800 });
        await fitsAcross(page);
      }
    });
  }
  await page.context().close();
});

describe('the preferences page', { concurrency: false }, () => {
  test('shows topics and preferences only while their switch is on, without script', async () => {
    const page = await gallery.newPage();
    await page.goto(gallery.urlOf('/centers/preferences/ordinary'));
    const topic = page.getByLabel('Poetry');
    assert.ok(await topic.isVisible());
    await page.getByLabel('New books').click();
    assert.ok(await topic.isHidden());
    await page.getByRole('button', { name: 'Undo changes' }).click();
    assert.ok(await topic.isVisible());
    await page.context().close();
  });

  test('can be finished by keyboard alone, in the order in which it reads', async () => {
    const page = await gallery.newPage();
    await page.goto(gallery.urlOf('/centers/preferences/ordinary'));
    const order: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(
        '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()',
      );
      const about = await page.evaluate('document.activeElement.outerHTML.slice(0, 20)');
      if (String(about).startsWith('<body')) break;
      order.push(String(name));
      const ring = await page.evaluate(outlineOfFocus);
      assert.ok(Number(ring) >= 3, `no ring around ${name}`);
    }
    const expected = [
      'Skip to the content',
      'Language: English Change',
      'Sign out',
      'News',
      'Offers',
      'Profile',
      'New books',
      'Crime',
      'Poetry',
    ];
    assert.deepEqual(order.slice(0, 9), expected);
    assert.deepEqual(order.slice(-6, -3), ['Update preferences', 'Undo changes', 'Unsubscribe from all']);
    await page.context().close();
  });

  test('sits the other way round in Arabic, where English keeps its full stop at its end', async () => {
    const page = await gallery.newPage();
    await page.goto(gallery.urlOf('/centers/preferences/arabic'));
    const box = async (label: string) => {
      const found = await page.getByLabel(label, { exact: true }).boundingBox();
      assert.ok(found);
      return found;
    };
    assert.ok((await box('كتب جديدة')).x < 400, 'the switch stands left');
    assert.ok((await box('جريمة')).x > 800, 'the first topic stands right');
    assert.equal(
      await page.evaluate(`getComputedStyle(document.querySelector('.about[lang=en]')).direction`),
      'ltr',
    );
    const right = Number(await page.evaluate(rightEdgeOf('.about[lang=en]')));
    const name = Number(await page.evaluate(rightEdgeOf('label [lang=en]')));
    assert.ok(right > 900 && Math.abs(right - name) < 2, 'it stands where its neighbours stand');
    await page.context().close();
  });

  test('shows its choices as they are in forced colours', async () => {
    const page = await gallery.newPage();
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(gallery.urlOf('/centers/preferences/ordinary'));
    await shoot(page, 'gallery-forced-colours');
    const readBackDelaysMs = await page.evaluate(
      `getComputedStyle(document.querySelector('.switch')).appearance`,
    );
    assert.equal(readBackDelaysMs, 'auto');
    await page.context().close();
  });
});

test('My record is ink on paper: whose it is, every receipt, and nothing to press', async () => {
  const page = await gallery.newPage({ dark: true });
  await page.goto(gallery.urlOf('/record/record/ordinary'));
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await shoot(page, 'gallery-record-on-paper');
  assert.equal(
    await page.locator('button, .button, summary, nav, .brand-links').filter({ visible: true }).count(),
    0,
  );
  const receipts = page.locator('.receipt');
  assert.ok((await receipts.count()) >= 4);
  for (const receipt of await receipts.all()) assert.ok(await receipt.isVisible());
  assert.ok(await page.getByText('a•••@example.org').isVisible());
  const inks = await page.evaluate(
    `['html', 'body', '.record-entry'].map((each) => getComputedStyle(document.querySelector(each)).color)`,
  );
  assert.deepEqual(inks, Array(3).fill('rgb(0, 0, 0)'));
  await page.context().close();
});

/** The width of the ring around what has the focus, or around the pill that it fills. */
const outlineOfFocus = `Math.max(
  ...[document.activeElement, document.activeElement.closest('.choice')]
    .filter(Boolean)
    .map((element) => getComputedStyle(element))
    .filter((style) => style.outlineStyle !== 'none')
    .map((style) => parseFloat(style.outlineWidth)),
  0,
)`;

/** Where the text of the first such element ends on the right. */
function rightEdgeOf(selector: string): string {
  return `(() => {
    const range = document.createRange();
    const text = document.createTreeWalker(document.querySelector(${JSON.stringify(selector)}), NodeFilter.SHOW_TEXT);
    let right = 0;
    while (text.nextNode()) {
      range.selectNodeContents(text.currentNode);
      if (text.currentNode.data.trim() !== '') right = Math.max(right, range.getBoundingClientRect().right);
    }
    return right;
  })()`;
}
