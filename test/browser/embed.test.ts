import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { forSuite } from '../kit/for-suite.ts';
import { readForm } from '../kit/form.ts';
import { standing } from '../kit/moves.ts';
import { until } from '../kit/until.ts';
import { shoot } from './browser.ts';
import {
  assertStill,
  axeFaultsIn,
  center,
  frameIn,
  heardOn,
  openFramedSites,
  settled,
  switchesIn,
  waitForHeard,
} from './framed.ts';

const sites = forSuite(openFramedSites, (opened) => opened.close());

test('A visitor can do all in a frame of another site, without script and cookies', async () => {
  const identifier = 'framed.journey@example.org';
  const { sandbox } = sites.product;
  const letter = center.replace('-4000-', '-4001-');
  const Purposes = [{ Id: letter, TransactionStatus: 'ACTIVE' }];
  await sandbox.change({ center, identifier, Purposes });
  const page = await sites.open({ script: false });
  const address = (await sites.plain('&lang=en', identifier)).replaceAll('&', '&amp;');
  await page.goto(sites.pageOf(`<iframe src="${address}" width="1000" height="2000"></iframe>`));
  let frame = await frameIn(page);
  await shoot(page, 'embed-journey-1');

  const { controls } = readForm(await frame.content(), 'purpose');
  const on = controls.find(({ value, checked }) => value === letter && checked) ?? assert.fail();
  await frame.locator(`label[for="${on.id}"]`).click();
  await frame.locator('button[name="action"][value="save"]').click();
  await frame.locator('#result').waitFor();
  assert.equal(await frame.locator('.outcomes > .saved').count(), 1);
  const { purposes } = standing(await sandbox.subject(center, identifier));
  assert.equal(purposes[letter]?.status, 'WITHDRAWN');
  await shoot(page, 'embed-journey-2');

  frame = await frameIn(page);
  const saved = frame.url();
  await frame.locator('main form button').click();
  await frame.waitForURL((url) => url.href !== saved && url.pathname.includes('/results/'));
  await frame.locator('.outcomes > .saved').first().waitFor();

  await frame.locator('main a.button.primary').click();
  await frame.locator('button[name="action"][value="save"]').waitFor();
  await frame.locator('.languages summary').click();
  await frame.locator('.languages a[hreflang="fr"]').click();
  await frame.locator('html[lang="fr"]').waitFor();
  await frame.locator('a[href*="/record?"]').click();
  await frame.locator('.record-entry').first().waitFor();
  assert.equal(await frame.locator('.record-entry').count(), 2);
  await frame.locator('main .buttons a').last().click();
  await frame.locator('a[href*="/unsubscribe?"]').click();
  await frame.waitForURL(/\/unsubscribe/);
  await frame.locator('main form button').click();
  await frame.locator('#result').waitFor();
  const left = await sandbox.subject(center, identifier);
  assert.deepEqual(
    left.Purposes.filter(({ TransactionStatus }) => TransactionStatus === 'ACTIVE'),
    [],
  );
  assert.deepEqual(await page.context().cookies(sites.sayso), [], 'the product sets no cookie');
  assert.equal(page.url().startsWith(sites.shop), true, 'the site stays on its page');
});

suite('The script for other sites', () => {
  test('the demo shows the frame as high as its content and its events, and nothing moves', async () => {
    const page = await sites.open();
    const faults: string[] = [];
    page.on('pageerror', (fault) => faults.push(String(fault)));
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
    const says = (line: RegExp) => page.getByText(line).first().waitFor();
    // In a window higher than the frame's page, movements below the frame are visible.
    for (const height of [3_000, 3_000, 900]) {
      await page.setViewportSize({ width: 1280, height });
      await page.goto(`${sites.shop}/account?as=claire@example.org&lang=en`);
      await frameIn(page, 'input.switch');
      await says(/^sayso-height \d+$/);
      await assertStill(page);
    }
    const frame = await frameIn(page, 'input.switch');
    await says(/^sayso-ready$/);
    await assertFits(page, frame);
    assert.equal(await page.locator('iframe').getAttribute('title'), 'My preferences');
    assert.deepEqual(await axeFaultsIn(frame), []);

    const first = await frame.locator('input.switch:not(:checked):not(:disabled)').first().getAttribute('id');
    await frame.locator(`[id="${first}"]`).press('Space');
    await assertFits(page, frame);
    await frame.locator(`[id="${first}"]`).press('Space');
    await switchesIn(frame).last().press('Space');
    await frame.locator('button[name="action"][value="save"]').press('Enter');
    await frame.locator('#result').waitFor();
    await says(/^sayso-saved$/);
    await shoot(page, 'embed-element');
    assert.deepEqual(faults, []);
  });

  test('the demo asks for one new ticket, and for no second when the first has expired on arrival', async () => {
    const page = await sites.open();
    const used = await Promise.all(Array.from({ length: 5 }, () => sites.ticket('anna@example.org')));
    for (const ticket of used) {
      const redeemed = `http://127.0.0.1:${sites.product.env['PORT']}/embed/${center}?ticket=${ticket}`;
      await fetch(redeemed, { redirect: 'manual' });
    }
    let asked = 0;
    await page.route('**/ticket?*', async (route) => {
      asked += 1;
      await route.fulfill({ json: { ticket: used[asked] } });
    });
    await page.goto(`${sites.shop}/account?as=anna@example.org&lang=en`);
    await waitForHeard(page, 1);
    await page.evaluate(
      `document.querySelector('sayso-preferences').setAttribute('ticket', ${JSON.stringify(used[0])})`,
    );
    assert.deepEqual(await waitForHeard(page, 3), ['ready', 'expired', 'expired']);
    await page.waitForTimeout(1_000);
    assert.equal(asked, 1);
  });

  test('a visitor can prolong an open form, which renews all addresses of the page', async () => {
    const page = await sites.open();
    await page.clock.install();
    await page.goto(
      sites.pageOf(
        `<iframe src="${await sites.plain('', 'anna@example.org')}" width="900" height="2000"></iframe>`,
      ),
    );
    const frame = await frameIn(page);
    const visits = () =>
      frame
        .locator('[href*="v="], [action*="v="]')
        .evaluateAll((found) =>
          found.map((each) => /[?]v=([\w-]+)/.exec(String(Reflect.get(each, 'outerHTML')))?.[1]),
        );
    const [before] = await visits();
    assert.equal(await frame.getByRole('dialog').count(), 0);
    assert.ok(await frame.locator('button[value="save"]').isVisible(), '"save" is there, as without script');
    await page.clock.runFor(28 * 60_000 + 2_000);
    const dialog = frame.getByRole('dialog');
    await dialog.waitFor();
    await dialog.locator('[data-continue]').press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    const after = await visits();
    assert.ok(after.length > 5);
    assert.equal(new Set(after).size, 1, 'all visits are the same');
    assert.notEqual(after[0], before);
  });

  test('the script hears only the preference center, which sends nothing to other sites', async () => {
    sites.heardByEvil.length = 0;
    const html = `${await sites.element()}<iframe name="evil" src="${sites.evil}/"></iframe>`;
    const { page } = await sites.openFrame(html);
    await waitForHeard(page, 1);
    const evil = page.frames().find((frame) => frame.url().startsWith(sites.evil));
    await evil?.evaluate(
      `for (const sayso of ['saved', 'expired', 'height']) parent.postMessage({ sayso, height: 9 }, '*')`,
    );
    await page.evaluate(`postMessage({ sayso: 'saved' }, '*')`);
    await page.waitForTimeout(300);
    assert.deepEqual(await heardOn(page, 'saved', 'expired'), []);
    const height = await page.evaluate(`document.querySelector('sayso-preferences iframe').style.blockSize`);
    assert.notEqual(height, '9px');
    assert.deepEqual(sites.heardByEvil, []);
  });
});

test('A site that is not listed cannot show the page in a frame, not even around a listed site', async () => {
  const page = await sites.open();
  sites.heardByEvil.length = 0;
  const around = sites.pageOf(`<iframe src="${await sites.plain()}"></iframe>`);
  for (const address of [await sites.plain(), around]) {
    await page.goto(sites.evilPageOf(`<iframe src="${address}"></iframe>`));
    const isBlocked = () => page.frames().some((frame) => frame.url().startsWith('chrome-error://'));
    await until(isBlocked, 'the browser has blocked the frame');
    for (const frame of page.frames())
      assert.equal(await frame.locator('input.switch').count(), 0, frame.url());
  }
  assert.deepEqual(sites.heardByEvil, []);
});

/** Asserts that the frame is as high as its page, so that nothing is cut off or scrolls. */
async function assertFits(page: Page, frame: Frame): Promise<void> {
  const read = async () => ({
    outer: await page.evaluate(`document.querySelector('iframe').getBoundingClientRect().height`),
    inner: await frame.evaluate(`Math.ceil(document.documentElement.getBoundingClientRect().height)`),
  });
  const { outer, inner } = await settled(page, read, (heights) => heights.outer === heights.inner, 30_000);
  assert.equal(outer, inner);
}
