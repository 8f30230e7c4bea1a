import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { forSuite } from '../kit/for-suite.ts';
import {
  assertStill,
  frameBox,
  frameIn,
  heardOn,
  openFramedSites,
  settled,
  switchesIn,
  tallFrame,
  turn,
} from './framed.ts';

const sites = forSuite(openFramedSites, (sites) => sites.close());

/** Code for the frame: returns elements that the bar covers although it must not. */
const coveredByBar = `(() => {
  const bar = document.querySelector('.actions').getBoundingClientRect();
  const column = document.querySelector('form > .column').getBoundingClientRect();
  const faults = bar.left < column.left - 1 || bar.right > column.right + 1 ? ['out of the column'] : [];
  const { activeElement } = document;
  const kept = [...document.querySelectorAll('h1, #mistakes, .section:first-of-type > h2')];
  if (activeElement.closest('form') && !activeElement.closest('.actions')) kept.push(activeElement);
  for (const each of kept) {
    const { top, bottom } = each.getBoundingClientRect();
    if (bottom > bar.top + 1 && top < bar.bottom - 1) faults.push(each.outerHTML.slice(0, 80));
  }
  return faults;
})()`;
const focusTop = 'document.activeElement.getBoundingClientRect().top';
const tall = (what: string) =>
  `<style>sayso-preferences { display: block; min-block-size: 40rem; scroll-margin-block-start: 60px }</style>
  <body style="margin: 0"><h1 style="block-size: 300px">A shop</h1>${what}<p style="block-size: 900px">What is below.</p>`;

suite('A frame with unsaved changes', () => {
  let page: Page;
  let frame: Frame;
  before(async () => {
    const other = '<iframe name="other" srcdoc="" sandbox="allow-scripts"></iframe>';
    ({ page, frame } = await sites.openFrame(`${tall(await sites.element())}${other}`));
  });

  test('the form ends with "save" even before a change', async () => {
    assert.ok(await frame.locator('button[value="save"]').isVisible());
    assert.equal(await frame.locator('.unsaved').textContent(), '');
  });

  test('"save" stays at the lower edge of the visible part during scrolling', async () => {
    await tallFrame(page);
    await turn(frame);
    /** Asserts where the bar with "save" ends in the host's window. */
    const assertEndsAt = async (px: number) => {
      const barEnd = async () => {
        const { top } = await frameBox(page);
        return (
          top +
          Number(await frame.evaluate(`document.querySelector('.actions').getBoundingClientRect().bottom`))
        );
      };
      const isThere = (end: number) => Math.abs(end - px) <= 2;
      const end = await settled(page, barEnd, isThere);
      assert.ok(isThere(end), `${end}`);
    };
    for (const move of ['scrollTo(0, 0)', 'scrollTo(0, 200)', 'scrollBy(0, 300)']) {
      await page.evaluate(move);
      await assertEndsAt(900);
    }
    await page.evaluate(`document.querySelector('sayso-preferences').style.scrollMarginBlockEnd = '50px'`);
    await page.evaluate('scrollBy(0, 1)');
    await assertEndsAt(850);
    await page.evaluate('scrollTo(0, 1e6)');
    const lifted = () => frame.evaluate(`getComputedStyle(document.querySelector('.actions')).translate`);
    const atRest = await settled(page, lifted, (translate) => translate === '0px');
    assert.equal(atRest, '0px', 'the bar rests at the end of its form');
  });

  test('only the site can move the bar, and only within the form', async () => {
    await page.evaluate('scrollTo(0, 0)');
    await page.waitForTimeout(300);
    const sayEnd = (end: string) =>
      `document.querySelector('sayso-preferences iframe').contentWindow.postMessage({ sayso: 'view', end: ${end} }, '*')`;
    const lift = () => frame.evaluate(`document.documentElement.style.getPropertyValue('--lift')`);
    const before = await lift();
    for (const end of [`'9px;color:red'`, 'NaN', 'null', '{}', 'undefined']) await page.evaluate(sayEnd(end));
    const other = page.frames().find((each) => each.name() === 'other');
    assert.ok(other);
    await other.evaluate(
      `for (let each = 0; each < parent.length; each++) parent[each].postMessage({ sayso: 'view', end: 700 }, '*')`,
    );
    await page.waitForTimeout(300);
    assert.equal(await lift(), before);
    await page.evaluate(sayEnd('-1e9'));
    assert.notEqual(await settled(page, lift, (value) => value !== before), before);
    const distance = `document.querySelector('.actions').getBoundingClientRect().top -
      document.querySelector('.items').getBoundingClientRect().top`;
    const toFirst = await settled(
      page,
      async () => Number(await frame.evaluate(distance)),
      (px) => px < 2,
    );
    assert.ok(Math.abs(toFirst) < 2, `the bar covers no beginning of the form: ${toFirst}`);
  });

  test('the site hears each change of "unsaved" once, and nothing else of the form', async () => {
    await switchesIn(frame).first().press('Space');
    const details = async () => (await heardOn(page, 'unsaved')).map(([, detail]) => detail);
    const all = await settled(page, details, ({ length }) => length === 3);
    assert.deepEqual(all, [{ unsaved: false }, { unsaved: true }, { unsaved: false }]);
    for (const [name, detail] of await heardOn(page)) {
      const keys = { height: ['height'], unsaved: ['unsaved'] }[name] ?? [];
      assert.deepEqual(Object.keys(detail), keys, name);
    }
  });
});

test('The bar covers no heading, no mistakes and no focused element, and stays in the column', async () => {
  const html = tall(await sites.element('', 'new.reader@example.org'));
  const { page, frame } = await sites.openFrame(html, { width: 375, height: 700 });
  const incomplete = '.purpose:has(input[type="radio"]) > .row > .switch:not(:checked)';
  await frame.locator(incomplete).first().press('Space');
  await frame.locator('button[value="save"]').press('Enter');
  const again = await frameIn(page, '#mistakes');
  await again.locator('.unsaved:not(:empty)').waitFor();
  const isEmpty = (faults: readonly string[]) => faults.length === 0;
  // The bar moves when the scrolling rests.
  const covered = () =>
    settled(page, () => again.evaluate(coveredByBar) as Promise<string[]>, isEmpty, 1_000);
  for (let y = 0; y < 700; y += 50) {
    await page.evaluate(`scrollTo(0, ${y})`);
    assert.deepEqual(await covered(), []);
  }
  await page.evaluate('scrollTo(0, 0)');
  await again.evaluate(`document.querySelector('input.switch').focus()`);
  for (let step = 0; step < 25; step++) {
    await page.keyboard.press('Tab');
    assert.deepEqual(await covered(), [], `step ${step}`);
    const seen = (await frameBox(page)).top + Number(await again.evaluate(focusTop));
    assert.ok(seen >= 0 && seen < 700, `in sight after step ${step}: ${seen}`);
  }
});

suite('After a save', () => {
  // test/browser/embed-hosts tests a result above the form.
  test('a result on a page of its own is visible and has the focus, and nothing in the site moves', async () => {
    const { page, frame } = await sites.openFrame(tall(await sites.element('', 'jonas@example.org')));
    await switchesIn(frame).last().scrollIntoViewIfNeeded();
    await turn(frame, switchesIn(frame).last());
    await frame.evaluate(`document.querySelector('[name="here"]').disabled = true`);
    await frame.locator('button[value="save"]').press('Enter');
    const result = await frameIn(page, '#result');
    await settled(
      page,
      () => heardOn(page, 'saved'),
      ({ length }) => length > 0,
    );
    const { top, window } = await frameBox(page);
    assert.ok(top >= 0 && top < window / 2, `the frame begins at ${top} of ${window}`);
    assert.deepEqual(await result.evaluate('[document.activeElement.id, document.hasFocus()]'), [
      'result',
      true,
    ]);
    // A result in progress is replaced.
    await result.evaluate(`(() => {
      const shown = document.getElementById('result');
      shown.replaceWith(shown.cloneNode(true));
    })()`);
    const at = () => result.evaluate('document.activeElement.id');
    assert.equal(await settled(page, at, (id) => id === 'result'), 'result', 'the new result has focus');
    await assertStill(page);
  });

  test('the result in a plain frame without script is visible and has the focus', async () => {
    const address = (await sites.plain('&lang=en', 'emil@example.org')).replaceAll('&', '&amp;');
    const html = `<iframe src="${address}" width="700" height="500"></iframe>`;
    const { page, frame } = await sites.openFrame(html, { script: false });
    await switchesIn(frame).last().scrollIntoViewIfNeeded();
    await switchesIn(frame).last().press('Space');
    await frame.locator('button[value="save"]').press('Enter');
    const result = await frameIn(page, '#result');
    assert.match(result.url(), /#result$/);
    const focused = () => result.evaluate('document.activeElement.id');
    assert.equal(await settled(page, focused, (id) => id === 'result'), 'result');
    const top = await result.evaluate(`document.querySelector('h1').getBoundingClientRect().top`);
    assert.ok(Number(top) >= 0 && Number(top) < 300, `${top}`);
  });
});
