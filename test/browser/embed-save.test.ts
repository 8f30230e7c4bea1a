import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { type FramedSites, frameBox, frameIn, openFramedSites, settled } from './framed.ts';

let sites: FramedSites;
before(async () => {
  sites = await openFramedSites();
});
after(async () => {
  await sites?.close();
});

const hears = `<script>heard = []; jumped = 0;
  for (const name of ['ready', 'unsaved', 'saved', 'height'])
    document.addEventListener('sayso-' + name, ({ type, detail }) => heard.push([type, detail]));
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) jumped += value; })
    .observe({ type: 'layout-shift', buffered: true });</script>`;
const tall = (what: string) =>
  `${hears}<style>sayso-preferences { display: block; min-block-size: 40rem; scroll-margin-block-start: 60px }</style>
  <body style="margin: 0"><h1 style="block-size: 300px">A shop</h1>${what}<p style="block-size: 900px">What is below.</p>`;

async function changeTheLast(frame: Frame): Promise<void> {
  const last = frame.locator('input.switch:not(:disabled)').last();
  await last.scrollIntoViewIfNeeded();
  await last.press('Space');
  await frame.locator('.unsaved:not(:empty)').waitFor();
}

/** Where "save" begins in the host's window. */
async function saveTop(page: Page, frame: Frame): Promise<number> {
  const { top } = await frameBox(page);
  const within = await frame.evaluate(`document.querySelector('.actions').getBoundingClientRect().top`);
  return top + Number(within);
}

suite('While there is something to save', () => {
  for (const width of [375, 1280]) {
    test(`"save" stands at the upper edge of what is seen, and goes along, ${width} pixels wide.`, async () => {
      const page = await sites.open({ width });
      await page.goto(sites.pageOf(tall(await sites.element())));
      const frame = await frameIn(page, 'input.switch');
      const isTall = ({ height }: { readonly height: number }) => height > 1_500;
      assert.ok(isTall(await settled(page, () => frameBox(page), isTall)));
      await changeTheLast(frame);
      assert.ok((await frameBox(page)).top < -300, 'the frame’s head is far out of sight');
      const isThere = (top: number) => Math.abs(top - 60) <= 2;
      const first = await settled(page, () => saveTop(page, frame), isThere);
      assert.ok(isThere(first), `${first}`);
      await page.evaluate('scrollBy(0, -250)');
      const second = await settled(page, () => saveTop(page, frame), isThere);
      assert.ok(isThere(second), `${second}`);
      await page.evaluate('scrollTo(0, 0)');
      const belowHead = async () => (await saveTop(page, frame)) - (await frameBox(page)).top;
      const atHead = await settled(page, belowHead, (distance) => Math.abs(distance) <= 1);
      assert.ok(Math.abs(atHead) <= 1, `and at the head of the frame there: ${atHead}`);
    });
  }

  test('the site hears it once, and that it is over; nothing more than that.', async () => {
    const page = await sites.open();
    await page.goto(sites.pageOf(tall(await sites.element('', 'salma@example.org'))));
    const frame = await frameIn(page, 'input.switch');
    await changeTheLast(frame);
    await frame.locator('input.switch:not(:disabled)').last().press('Space');
    await page.waitForFunction(`heard.filter(([name]) => name === 'sayso-unsaved').length === 3`);
    const heard = (await page.evaluate('heard')) as [string, Record<string, unknown>][];
    assert.deepEqual(
      heard.filter(([name]) => name === 'sayso-unsaved').map(([, detail]) => detail),
      [{ unsaved: false }, { unsaved: true }, { unsaved: false }],
    );
    for (const [name, detail] of heard) {
      const keys = { 'sayso-height': ['height'], 'sayso-unsaved': ['unsaved'] }[name] ?? [];
      assert.deepEqual(Object.keys(detail), keys, name);
    }
  });

  test('nobody but the site moves the bar, and only to where there is something.', async () => {
    const page = await sites.open();
    await page.goto(
      sites.pageOf(
        `${tall(await sites.element())}<iframe name="other" srcdoc="" sandbox="allow-scripts"></iframe>`,
      ),
    );
    const frame = await frameIn(page, 'input.switch');
    await frame.locator('input.switch:not(:disabled)').first().press('Space');
    await frame.locator('.unsaved:not(:empty)').waitFor();
    await page.waitForTimeout(300);
    const sayTop = (top: string) =>
      `document.querySelector('sayso-preferences iframe').contentWindow.postMessage({ sayso: 'view', top: ${top} }, '*')`;
    const seenFrom = () => frame.evaluate(`document.documentElement.style.getPropertyValue('--seen-from')`);
    const before = await seenFrom();
    for (const top of [`'9px;color:red'`, 'NaN', 'null', '{}', 'undefined']) await page.evaluate(sayTop(top));
    const other = page.frames().find((each) => each.name() === 'other');
    assert.ok(other);
    await other.evaluate(
      `for (let each = 0; each < parent.length; each++) parent[each].postMessage({ sayso: 'view', top: 700 }, '*')`,
    );
    await page.waitForTimeout(300);
    assert.equal(await seenFrom(), before);
    await page.evaluate(sayTop('1e9'));
    const height = await frame.evaluate('Math.ceil(document.documentElement.getBoundingClientRect().height)');
    assert.equal(await settled(page, seenFrom, (value) => value !== before), `${height}px`);
  });
});

suite('After a save', () => {
  for (const width of [375, 1280]) {
    test(`the result is in sight and has the focus, and nothing of the site jumped, ${width} pixels wide.`, async () => {
      const page = await sites.open({ width });
      await page.goto(sites.pageOf(tall(await sites.element('', 'jonas@example.org'))));
      const frame = await frameIn(page, 'input.switch');
      await changeTheLast(frame);
      await frame.locator('button[value="save"]').press('Enter');
      const result = await frameIn(page, '#result');
      await page.waitForFunction(`heard.some(([name]) => name === 'sayso-saved')`);
      const { top, window } = await frameBox(page);
      assert.ok(top >= 0 && top < window / 2, `the frame begins at ${top} of ${window}`);
      assert.deepEqual(await result.evaluate('[document.activeElement.id, document.hasFocus()]'), [
        'result',
        true,
      ]);
      await result.evaluate(`(() => {
        const shown = document.getElementById('result');
        shown.replaceWith(shown.cloneNode(true));
      })()`);
      const at = () => result.evaluate('document.activeElement.id');
      assert.equal(await settled(page, at, (id) => id === 'result'), 'result', 'drawn anew it has it still');
      const jumped = Number(await page.evaluate('jumped'));
      assert.ok(jumped <= 0.05, `layout shift ${jumped}`);
    });
  }

  test('the same goes for a plain frame that scrolls, without any script.', async () => {
    const page = await sites.open({ script: false });
    const address = (await sites.plain('&lang=en', 'emil@example.org')).replaceAll('&', '&amp;');
    await page.goto(sites.pageOf(`<iframe src="${address}" width="700" height="500"></iframe>`));
    const frame = await frameIn(page, 'input.switch');
    const last = frame.locator('input.switch:not(:disabled)').last();
    await last.scrollIntoViewIfNeeded();
    await last.press('Space');
    await frame.locator('button[value="save"]').press('Enter');
    const result = await frameIn(page, '#result');
    assert.match(result.url(), /#result$/);
    await settled(
      page,
      () => result.evaluate('document.activeElement.id'),
      (id) => id === 'result',
    );
    assert.equal(await result.evaluate('document.activeElement.id'), 'result');
    const top = await result.evaluate(`document.querySelector('h1').getBoundingClientRect().top`);
    assert.ok(Number(top) >= 0 && Number(top) < 300, `${top}`);
  });
});
