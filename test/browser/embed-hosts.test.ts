import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { forSuite } from '../kit/for-suite.ts';
import { shoot } from './browser.ts';
import { frameBox, frameIn, openFramedSites, settled } from './framed.ts';
import { headersOf, hosts, htmlOf } from './hosts.ts';

const sites = forSuite(openFramedSites, (sites) => sites.close());

const jumps = `jumped = 0; new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) jumped += value;
}).observe({ type: 'layout-shift', buffered: true })`;

suite('In a foreign site', () => {
  for (const [where, host] of Object.entries(hosts)) {
    test(`a person changes, saves and reads the result ${where}, and nothing jumps.`, async () => {
      const page = await sites.open({ width: host.width ?? 1280, height: 800 });
      const faults: string[] = [];
      page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
      await page.addInitScript(jumps);
      const element = await sites.element('', 'jonas@example.org');
      await page.goto(sites.pageOf(htmlOf(host, element), headersOf(host, sites.sayso)));
      const frame = await frameIn(page, 'input.switch');
      const isTall = (box: { readonly height: number }) => box.height > 1_000;
      await settled(page, () => frameBox(page), isTall);
      await page.waitForTimeout(300);
      const jumped = Number(await page.evaluate('jumped'));
      assert.ok(jumped <= 0.02, `layout shift ${jumped}`);

      await frame.locator('input.switch:not(:disabled)').nth(1).press('Space');
      await frame.locator('.unsaved:not(:empty)').waitFor();
      const bar = () => inWindow(page, '.actions');
      const isSeen = ({ top, bottom }: Box) => top >= (host.header ?? 0) && bottom <= 801;
      const seen = await settled(page, bar, isSeen, 20_000);
      assert.ok(isSeen(seen), `the bar is in sight: ${JSON.stringify(seen)}`);
      await shoot(page, `host ${where}`);

      await frame.locator('button[value="save"]').press('Enter');
      const saved = await frameIn(page, '#result');
      const focus = () => saved.evaluate('document.hasFocus() && document.activeElement.id');
      assert.equal(await settled(page, focus, (id) => id === 'result', 20_000), 'result');
      const heading = () => inWindow(page, '#result .saved');
      const isRead = ({ top, bottom }: Box) => top >= (host.header ?? 0) - 1 && bottom <= 801;
      const read = await settled(page, heading, isRead, 20_000);
      assert.ok(isRead(read), `the result is in sight: ${JSON.stringify(read)}`);
      const title = await inWindow(page, 'h1');
      const result = await inWindow(page, '#result');
      assert.ok(title.top - result.bottom > 24, 'the result is no part of the title below');
      assert.deepEqual(faults, []);
    });
  }
});

interface Box {
  readonly top: number;
  readonly bottom: number;
}

/** Where something of the frame is in the window of the site, which may be scaled: Playwright’s own boxes are not. */
async function inWindow(page: Page, selector: string): Promise<Box> {
  const frame = await frameIn(page, selector);
  const inFrame = (await frame.evaluate(`(() => {
    const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect();
    return { top, bottom };
  })()`)) as Box;
  const { top, scale } = (await page.evaluate(`(() => {
    const frame = document.querySelector('iframe');
    const { top, height } = frame.getBoundingClientRect();
    return { top, scale: height / frame.offsetHeight };
  })()`)) as { top: number; scale: number };
  return { top: top + inFrame.top * scale, bottom: top + inFrame.bottom * scale };
}
