import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { forSuite } from '../kit/for-suite.ts';
import { assertStill, frameBox, frameIn, openFramedSites, settled, tallFrame } from './framed.ts';
import { htmlOf } from './hosts.ts';

const sites = forSuite(openFramedSites, (sites) => sites.close());

/** Returns the height of the frame, in pixels, before its page is answered. */
async function heightAtFirst(page: Page, attributes: string, before = ''): Promise<number> {
  await page.route('**/embed/**', () => new Promise(() => undefined));
  const address = sites.pageOf(`<body>${before}${await sites.element(attributes)}`);
  // The page itself is loaded only after its frame.
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator('iframe').waitFor({ state: 'attached' });
  const { height } = await frameBox(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  return height;
}

suite('A frame opens', () => {
  test('a frame opens in the height that the site sets, or to the end of the window, at least 640 px', async () => {
    const page = await sites.open({ height: 900 });
    // The height of an earlier frame would be remembered.
    const forgotten = '<script>localStorage.clear()</script>';
    const bare = `${forgotten}<style>body { margin: 0 }</style><div style="block-size: 100px"></div>`;
    assert.equal(await heightAtFirst(page, '', bare), 800);
    assert.equal(await heightAtFirst(page, 'height="high"', bare), 800);
    assert.equal(await heightAtFirst(page, 'height="950"', bare), 950);
    await page.setViewportSize({ width: 1280, height: 700 });
    assert.equal(await heightAtFirst(page, '', bare), 640);
    const closed = `<script>Object.defineProperty(window, 'localStorage', { get() { throw new Error('closed') } })</script>`;
    assert.equal(await heightAtFirst(page, 'height="750"', closed), 750, 'the storage is blocked');
  });

  test('a frame opens in its last height on this page, not in the height of a later page', async () => {
    const { page, frame } = await sites.openFrame();
    const { height } = await tallFrame(page);
    await frame.locator('a[href*="/unsubscribe?"]').press('Enter');
    await frameIn(page, 'form[action*="/unsubscribe?"]');
    const next = await settled(
      page,
      () => frameBox(page),
      (box) => box.height < height,
    );
    assert.ok(next.height < height);
    assert.equal(await heightAtFirst(page, 'height="900"'), height);
    const kept = await page.evaluate('Object.entries(localStorage)');
    assert.deepEqual(kept, [['sayso-height b00c5000-0000-4000-8000-000000000001 /test', `${height}`]]);
  });
});

test('Nothing moves in a frame of the same site whose styles arrive late', async () => {
  const page = await sites.open({ width: 375, height: 812 });
  await page.route('**/assets/*.css', async (route) => {
    await delay(300);
    await route.continue();
  });
  const element = (await sites.element()).replace(sites.sayso, sites.neighbour);
  await page.goto(sites.pageOf(htmlOf({ before: '<body>' }, element)));
  await frameIn(page, 'input.switch');
  await tallFrame(page);
  assert.equal(page.frames().length, 2);
  await assertStill(page, page.frames());
});
