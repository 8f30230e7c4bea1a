import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { forSuite } from '../kit/for-suite.ts';
import { frameBox, frameIn, openFramedSites, settled } from './framed.ts';

const sites = forSuite(openFramedSites, (sites) => sites.close());

const hears = `<script>heard = []; jumped = 0;
  for (const name of ['ready', 'unsaved', 'saved', 'height'])
    document.addEventListener('sayso-' + name, ({ type, detail }) => heard.push([type, detail]));
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) jumped += value; })
    .observe({ type: 'layout-shift', buffered: true });</script>`;
/** What must never be below the bar, and is. */
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
  `${hears}<style>sayso-preferences { display: block; min-block-size: 40rem; scroll-margin-block-start: 60px }</style>
  <body style="margin: 0"><h1 style="block-size: 300px">A shop</h1>${what}<p style="block-size: 900px">What is below.</p>`;

async function changeTheLast(frame: Frame): Promise<void> {
  const last = frame.locator('input.switch:not(:disabled)').last();
  await last.scrollIntoViewIfNeeded();
  await last.press('Space');
  await frame.locator('.unsaved:not(:empty)').waitFor();
}

/** Where the bar with "save" ends in the host's window. */
async function barEnd(page: Page, frame: Frame): Promise<number> {
  const { top } = await frameBox(page);
  const within = await frame.evaluate(`document.querySelector('.actions').getBoundingClientRect().bottom`);
  return top + Number(within);
}

suite('While there is something to save', () => {
  test('"save" stands at the lower edge of what is seen, and goes along.', async () => {
    const page = await sites.open();
    await page.goto(sites.pageOf(tall(await sites.element())));
    const frame = await frameIn(page, 'input.switch');
    const isTall = ({ height }: { readonly height: number }) => height > 1_500;
    assert.ok(isTall(await settled(page, () => frameBox(page), isTall)));
    await frame.locator('input.switch:not(:disabled)').first().press('Space');
    await frame.locator('.unsaved:not(:empty)').waitFor();
    const isThere = (end: number) => Math.abs(end - 900) <= 2;
    for (const move of ['scrollTo(0, 0)', 'scrollTo(0, 200)', 'scrollBy(0, 300)']) {
      await page.evaluate(move);
      const end = await settled(page, () => barEnd(page, frame), isThere);
      assert.ok(isThere(end), `${end}`);
    }
    await page.evaluate(`document.querySelector('sayso-preferences').style.scrollMarginBlockEnd = '50px'`);
    await page.evaluate('scrollBy(0, 1)');
    const isAbove = (end: number) => Math.abs(end - 850) <= 2;
    const above = await settled(page, () => barEnd(page, frame), isAbove);
    assert.ok(isAbove(above), `${above}`);
    await page.evaluate('scrollTo(0, 1e6)');
    const lifted = () => frame.evaluate(`getComputedStyle(document.querySelector('.actions')).translate`);
    const atRest = await settled(page, lifted, (translate) => translate === '0px');
    assert.equal(atRest, '0px', 'at the end of its form it stays there');
  });

  test('it covers neither a heading, nor the faults, nor what has the focus, and stays in the column.', async () => {
    const page = await sites.open({ width: 375, height: 700 });
    await page.goto(sites.pageOf(tall(await sites.element('', 'new.reader@example.org'))));
    const frame = await frameIn(page, 'input.switch');
    const incomplete = '.purpose:has(input[type="radio"]) > .row > .switch:not(:checked)';
    await frame.locator(incomplete).first().press('Space');
    await frame.locator('button[value="save"]').press('Enter');
    const again = await frameIn(page, '#mistakes');
    await again.locator('.unsaved:not(:empty)').waitFor();
    const isEmpty = (faults: readonly string[]) => faults.length === 0;
    // It goes along when the scrolling rests.
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

  test('the form ends with "save" before anything was changed, too.', async () => {
    const page = await sites.open();
    for (const what of [await sites.element(), `<iframe src="${await sites.plain()}"></iframe>`]) {
      await page.goto(sites.pageOf(tall(what)));
      const frame = await frameIn(page, 'input.switch');
      assert.ok(await frame.locator('button[value="save"]').isVisible());
      assert.equal(await frame.locator('.unsaved').textContent(), '');
    }
  });

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
    assert.ok(Math.abs(toFirst) < 2, `not over what the form begins with: ${toFirst}`);
  });
});

suite('After a save', () => {
  // Over the form: test/browser/embed-hosts.
  test('the result on a page of its own is in sight and has the focus, and nothing of the site jumped.', async () => {
    const page = await sites.open();
    await page.goto(sites.pageOf(tall(await sites.element('', 'jonas@example.org'))));
    const frame = await frameIn(page, 'input.switch');
    await changeTheLast(frame);
    await frame.evaluate(`document.querySelector('[name="here"]').disabled = true`);
    await frame.locator('button[value="save"]').press('Enter');
    const result = await frameIn(page, '#result');
    await page.waitForFunction(`heard.some(([name]) => name === 'sayso-saved')`);
    const { top, window } = await frameBox(page);
    assert.ok(top >= 0 && top < window / 2, `the frame begins at ${top} of ${window}`);
    assert.deepEqual(await result.evaluate('[document.activeElement.id, document.hasFocus()]'), [
      'result',
      true,
    ]);
    // What is being carried out is rendered anew.
    await result.evaluate(`(() => {
      const shown = document.getElementById('result');
      shown.replaceWith(shown.cloneNode(true));
    })()`);
    const at = () => result.evaluate('document.activeElement.id');
    assert.equal(await settled(page, at, (id) => id === 'result'), 'result', 'shown anew it has it still');
    const jumped = Number(await page.evaluate('jumped'));
    assert.ok(jumped <= 0.02, `layout shift ${jumped}`);
  });

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
