import assert from 'node:assert/strict';
import process from 'node:process';
import { before, describe, test } from 'node:test';
import { galleryPaths } from '../samples/gallery.ts';
import { shoot } from './browser.ts';
import { type EveryLook, looks, openEveryLook } from './every-look.ts';
import { useGallery } from './gallery.ts';

const gallery = useGallery();
const first = '/start/plain/ordinary';

/** The long form checks each page in each look, always with axe. */
const isLong = process.env['SAYSO_LONG'] === '1';
const { 'in German, in forced colours': forced, ...usual } = looks;
const ways = Object.entries(usual);

describe('Every page in every state', { concurrency: false }, () => {
  let look: EveryLook;
  before(async () => {
    look = await openEveryLook(await gallery.open(first, { script: true }), gallery.urlOf('/'));
  });

  for (const [at, [name, way]] of ways.entries()) {
    // Pages are grouped by look, because a change of window size takes as long as a check.
    const paths = galleryPaths.filter((_, index) => isLong || index % ways.length === at);
    for (const path of paths)
      test(`${path} has no axe fault, cut text or covered focus ${name}`, async () => {
        assert.deepEqual(await look(gallery.urlOf(path), way, { axe: true }), []);
      });
  }

  // The short form omits axe here, because axe reads the colours of the style sheet.
  for (const path of galleryPaths.filter((_, index) => isLong || index % ways.length === 0))
    test(`${path} has no cut text and no covered focus in German, in forced colours`, async () => {
      assert.deepEqual(await look(gallery.urlOf(path), forced, { axe: isLong }), []);
    });

  // A phone, the two widths in which tables have least room, and a desktop.
  for (const width of [375, 930, 1200, 1280])
    test(`the staff pages have no cut text and nothing too wide in ${width} pixels`, async () => {
      for (const path of galleryPaths.filter((each) => each.startsWith('/staff/')))
        assert.deepEqual(await look(gallery.urlOf(path), { width }, { axe: false }), [], path);
    });

  test('the check finds planted faults: cut text, covered focus, content that is too wide', async () => {
    const found = await look(gallery.urlOf('/start/plain/ordinary'), looks['at 400 %'], { axe: false });
    assert.deepEqual(found, []);
    for (const [fault, style, path = '/start/plain/ordinary'] of [
      ['scrolls sideways', 'h1 { min-inline-size: 400px }'],
      ['is cut', 'main { max-block-size: 30px; overflow: hidden }'],
      ['one letter a line', 'h1 { inline-size: 1em; overflow-wrap: anywhere }'],
      ['has a ring of 0', '* { outline: none !important }'],
      ['has the focus under', '.bar { position: fixed; inset: 0; z-index: 9 }'],
      [
        'has the focus out of sight',
        '.button { position: fixed; inset-block-start: 100% }',
        '/record/verify/genuine',
      ],
      ['touches the edge of its card', '.card { padding: 0 !important }', '/record/verify/genuine'],
      [
        'has its signs outside',
        'ol, ul { list-style: disc !important; padding: 0 !important }',
        '/record/verify/genuine',
      ],
    ] as const) {
      const planted = await look(gallery.urlOf(path), looks['at 400 %'], {
        axe: false,
        style,
      });
      assert.match(planted.join(), new RegExp(fault));
    }
  });
});

describe('the preferences page', { concurrency: false }, () => {
  test('topics and preferences are visible only while their switch is on, without script', async () => {
    const page = await gallery.open('/centers/preferences/ordinary');
    const topic = page.getByLabel('Poetry');
    assert.ok(await topic.isVisible());
    await page.getByLabel('New books').click();
    assert.ok(await topic.isHidden());
    await page.getByRole('button', { name: 'Undo changes' }).click();
    assert.ok(await topic.isVisible());
  });

  test('the keyboard reaches all controls in reading order', async () => {
    const page = await gallery.open('/centers/preferences/ordinary');
    const order: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(
        '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()',
      );
      const about = await page.evaluate('document.activeElement.outerHTML.slice(0, 20)');
      if (String(about).startsWith('<body')) break;
      order.push(String(name));
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
    assert.deepEqual(order.slice(-6, -3), ['Save preferences', 'Undo changes', 'Unsubscribe from all']);
  });

  test('the page is mirrored in Arabic, and English texts in it stay left to right', async () => {
    const page = await gallery.open('/centers/preferences/arabic');
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
    const name = Number(await page.evaluate(rightEdgeOf('.name label [lang=en]')));
    assert.ok(right > 900 && Math.abs(right - name) < 2, 'the text is aligned with its neighbours');
  });

  test('a switch is a native checkbox in forced colours', async () => {
    const page = await gallery.open('/centers/preferences/ordinary');
    await page.emulateMedia({ forcedColors: 'active' });
    await shoot(page, 'gallery-forced-colours');
    const appearance = await page.evaluate(`getComputedStyle(document.querySelector('.switch')).appearance`);
    assert.equal(appearance, 'auto');
  });
});

test('A printed record shows the person and every receipt in black, and no buttons', async () => {
  const page = await gallery.open('/record/record/ordinary');
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
});

test('The number of each day is above its bar and covers no other, on a phone, too', async () => {
  for (const width of [375, 1280]) {
    const page = await gallery.open('/staff/page/home', { width, height: 800 });
    const boxes = (await page.evaluate(`[...document.querySelectorAll('.bars .value')].map((value) => {
      const { left, right, bottom, width } = value.getBoundingClientRect();
      const bar = value.parentElement.querySelector('.bar-whole').getBoundingClientRect();
      return { left, right, gap: bar.top - bottom, width };
    })`)) as { left: number; right: number; gap: number; width: number }[];
    assert.ok(boxes.length > 10);
    for (const [at, { left, gap, width }] of boxes.entries()) {
      assert.ok(width > 0 && gap > -6 && gap < 12, `${gap} px above its bar`);
      // The box of a digit is larger than its visible part.
      assert.ok(at === 0 || left > (boxes[at - 1]?.right ?? 0) - 6, `over its neighbour by ${at}`);
    }
  }
});

/** Code for the page: returns the right edge of the text in the first such element. */
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
