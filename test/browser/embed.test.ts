import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { forSuite } from '../kit/for-suite.ts';
import { readForm } from '../kit/form.ts';
import { standing } from '../kit/moves.ts';
import { until } from '../kit/until.ts';
import { axeSource, shoot } from './browser.ts';
import { center, frameIn, openOwnFramedSites } from './framed.ts';

/** Of its own: its record is read from its beginning. */
const sites = forSuite(openOwnFramedSites, (opened) => opened.close());

async function statuses(identifier: string): Promise<Record<string, string | undefined>> {
  const { purposes } = standing(await sites.product.sandbox.subject(center, identifier));
  return Object.fromEntries(Object.entries(purposes).map(([id, { status }]) => [id, status]));
}

suite('In a frame of another site, third-party cookies blocked', () => {
  test('cookies are blocked there: a cross-site frame gets none back.', async () => {
    const page = await sites.open({ script: false, blocksCookies: true });
    await page.goto(sites.pageOf(`<iframe src="${sites.evil}/"></iframe>`));
    await page.reload();
    const cookie = page.frameLocator('iframe').locator('#cookie');
    assert.equal(await cookie.textContent(), 'no cookie');
    await page.goto(`${sites.evil}/`);
    await page.reload();
    assert.equal(await page.locator('#cookie').textContent(), 'third=party', 'at the top it works');
  });

  test('the whole journey works without any script: choose, save, undo, another language, record, leave.', async () => {
    const identifier = 'jonas@example.org';
    const page = await sites.open({ script: false, blocksCookies: true });
    await page.goto(`${sites.shop}/account?as=${identifier}&way=frame&lang=en`);
    let frame = await frameIn(page);
    await shoot(page, 'embed-journey-1');

    const form = readForm(await frame.content(), 'purpose');
    const off = form.controls.find(
      ({ name, checked, disabled }) => name === 'purpose' && !checked && !disabled,
    );
    const on = form.controls.find(
      ({ name, checked, disabled }) => name === 'purpose' && checked && !disabled,
    );
    assert.ok(off && on);
    await frame.locator(`label[for="${on.id}"]`).click();
    await frame.locator('button[name="action"][value="save"]').click();
    await frame.locator('#result').waitFor();
    assert.equal(await frame.locator('.outcomes > .saved').count(), 1);
    assert.equal((await statuses(identifier))[on.value.toLowerCase()], 'WITHDRAWN');
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
    const left = await sites.product.sandbox.subject(center, identifier);
    assert.deepEqual(
      left.Purposes.filter(({ TransactionStatus }) => TransactionStatus === 'ACTIVE'),
      [],
    );
    assert.deepEqual(await page.context().cookies(sites.sayso), [], 'no cookie was set on the way');
    assert.equal(page.url().startsWith(sites.shop), true, 'the site around it never moved');
  });

  test('the keyboard alone reaches into the frame, switches, and saves.', async () => {
    const identifier = 'salma@example.org';
    const page = await sites.open({ script: false, blocksCookies: true });
    await page.goto(`${sites.shop}/account?as=${identifier}&way=frame&lang=en`);
    const frame = await frameIn(page);
    const before = await statuses(identifier);
    let switched: string | undefined;
    for (let step = 0; step < 120; step++) {
      await page.keyboard.press('Tab');
      const at = (await frame.evaluate(`(() => {
        const { name, value, checked, disabled } = document.activeElement;
        return document.hasFocus() ? { name, value, checked, disabled } : {};
      })()`)) as { name?: string; value?: string; checked?: boolean };
      if (at.name === 'purpose' && at.checked && switched === undefined) {
        await page.keyboard.press('Space');
        switched = at.value?.toLowerCase();
      }
      if (at.name === 'action' && switched !== undefined) break;
    }
    assert.ok(switched);
    assert.equal(before[switched], 'ON');
    await page.keyboard.press('Enter');
    await frame.locator('#result').waitFor();
    assert.equal((await statuses(identifier))[switched], 'WITHDRAWN');
  });
});

suite('The script for other sites', () => {
  for (const way of ['element', 'script'] as const) {
    test(`shows the frame by ${way === 'element' ? 'the element' : 'one script tag'}, as high as its content, and tells what happens.`, async () => {
      const identifier = { element: 'new.reader@example.org', script: 'claire@example.org' }[way];
      const page = await sites.open();
      const faults: string[] = [];
      page.on('pageerror', (fault) => faults.push(String(fault)));
      page.on('console', (line) => line.type() === 'error' && faults.push(line.text()));
      await page.goto(`${sites.shop}/account?as=${identifier}&way=${way}&lang=en`);
      const frame = await frameIn(page);
      await page
        .getByText(/^sayso-ready$/)
        .first()
        .waitFor();
      await page
        .getByText(/^sayso-height \d+$/)
        .first()
        .waitFor();
      await assertFits(page, frame);

      assert.equal(await page.locator('iframe').getAttribute('title'), 'My preferences');
      await frame.evaluate(`${axeSource};0`);
      const { violations } = (await frame.evaluate('axe.run(document)')) as { violations: { id: string }[] };
      assert.deepEqual(
        violations.map(({ id }) => id),
        [],
      );

      const first = await frame
        .locator('input.switch:not(:checked):not(:disabled)')
        .first()
        .getAttribute('id');
      // By keys: while the frame grows or shrinks under the pointer, a click can land beside its aim.
      await frame.locator(`[id="${first}"]`).press('Space');
      await assertFits(page, frame);
      await frame.locator(`[id="${first}"]`).press('Space');
      await frame.locator('input.switch:not(:disabled)').last().press('Space');
      await frame.locator('button[name="action"][value="save"]').press('Enter');
      await frame.locator('#result').waitFor();
      await page.getByText(/^sayso-saved$/).waitFor();
      await shoot(page, `embed-${way}`);
      assert.deepEqual(faults, []);
    });
  }

  test('says that a view has expired or failed, and begins anew with a fresh ticket.', async () => {
    const page = await sites.open();
    const used = await sites.ticket('anna@example.org');
    const redeemed = await fetch(
      `http://127.0.0.1:${sites.product.env['PORT']}/embed/${center}?ticket=${used}`,
      {
        redirect: 'manual',
      },
    );
    assert.equal(redeemed.status, 303);
    await page.goto(
      sites.pageOf(`<script src="${sites.sayso}/embed.js"></script>
        <sayso-preferences center="${center}" ticket="${used}"></sayso-preferences>
        <script>heard = []; for (const name of ['ready', 'saved', 'height', 'expired', 'error'])
          document.addEventListener('sayso-' + name, ({ detail }) => heard.push(name, detail.reference));</script>`),
    );
    await page.waitForFunction(`heard.includes('expired')`);
    await page.evaluate(
      `document.querySelector('sayso-preferences').setAttribute('ticket', 'made.up.ticket')`,
    );
    await page.waitForFunction(`heard.includes('error')`);
    assert.match(String(await page.evaluate(`heard[heard.indexOf('error') + 1]`)), /^[0-9a-f]{10}$/);
    assert.ok(!(await page.evaluate(`heard.includes('ready')`)));
    const fresh = await sites.ticket('anna@example.org');
    await page.evaluate(
      `document.querySelector('sayso-preferences').setAttribute('ticket', ${JSON.stringify(fresh)})`,
    );
    await page.waitForFunction(`heard.includes('ready')`);
    assert.equal(await page.locator('iframe').count(), 1);
  });

  test('the demo asks for one fresh ticket, not for one after the other that has expired when it comes.', async () => {
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
    await page.goto(`${sites.shop}/account?as=anna@example.org&way=element&lang=en`);
    await page
      .getByText(/^sayso-ready$/)
      .first()
      .waitFor();
    await page.evaluate(
      `document.querySelector('sayso-preferences').setAttribute('ticket', ${JSON.stringify(used[0])})`,
    );
    await page
      .getByText(/^sayso-expired$/)
      .nth(1)
      .waitFor();
    await page.waitForTimeout(1_000);
    assert.equal(asked, 1);
  });

  test('an open form outlives its half hour: going on renews every address of the page.', async () => {
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
    await page.clock.runFor(28 * 60_000 + 2_000);
    const dialog = frame.getByRole('dialog');
    await dialog.waitFor();
    await dialog.locator('[data-continue]').press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    const after = await visits();
    assert.ok(after.length > 5);
    assert.equal(new Set(after).size, 1, 'all the same');
    assert.notEqual(after[0], before);
  });

  test('hears the preference center alone: what others post is no event.', async () => {
    const page = await sites.open();
    const ticket = await sites.ticket('anna@example.org');
    await page.goto(
      sites.pageOf(`<script src="${sites.sayso}/embed.js"></script>
        <sayso-preferences center="${center}" ticket="${ticket}"></sayso-preferences>
        <iframe name="evil" src="${sites.evil}/"></iframe>
        <script>heard = []; for (const name of ['ready', 'saved', 'height', 'expired'])
          document.addEventListener('sayso-' + name, (event) => heard.push(name));</script>`),
    );
    await page.waitForFunction(`heard.includes('ready')`);
    const evil = page.frames().find((frame) => frame.url().startsWith(sites.evil));
    await evil?.evaluate(
      `for (const sayso of ['saved', 'expired', 'height']) parent.postMessage({ sayso, height: 9 }, '*')`,
    );
    await page.evaluate(`postMessage({ sayso: 'saved' }, '*')`);
    await page.waitForTimeout(300);
    assert.deepEqual(
      await page.evaluate(`heard.filter((name) => name === 'saved' || name === 'expired')`),
      [],
    );
    assert.notEqual(
      await page.evaluate(`document.querySelector('sayso-preferences iframe').style.blockSize`),
      '9px',
    );
  });
});

suite('A site that is not listed', () => {
  test('sees nothing: neither by a plain frame, nor by the element, nor around a site that is listed.', async () => {
    const page = await sites.open();
    const element = `<script src="${sites.sayso}/embed.js"></script><sayso-preferences center="${center}" ticket="${await sites.ticket('anna@example.org')}"></sayso-preferences>`;
    const around = sites.pageOf(`<iframe src="${await sites.plain('', 'anna@example.org')}"></iframe>`);
    const tries = [
      `<iframe src="${await sites.plain('', 'anna@example.org')}"></iframe>`,
      element,
      `<iframe src="${around}"></iframe>`,
    ];
    sites.heardByEvil.length = 0;
    for (const html of tries) {
      await page.goto(sites.evilPageOf(html));
      await page.locator('iframe').first().waitFor({ state: 'attached' });
      const isBlocked = () => page.frames().some((frame) => frame.url().startsWith('chrome-error://'));
      await until(isBlocked, 'the browser has blocked it');
      for (const frame of page.frames()) {
        assert.equal(await frame.locator('input.switch').count(), 0, frame.url());
      }
    }
    assert.deepEqual(sites.heardByEvil, [], 'and hears nothing');
  });

  test('hears nothing from beside the frame either.', async () => {
    const page = await sites.open();
    sites.heardByEvil.length = 0;
    await page.goto(
      sites.pageOf(`<iframe src="${sites.evil}/"></iframe><iframe src="${await sites.plain('', 'anna@example.org')}"></iframe>
        <script>heard = []; addEventListener('message', ({ data, origin }) => heard.push([data.sayso, origin]))</script>`),
    );
    await page.waitForFunction('heard.length >= 2');
    const heard = (await page.evaluate('heard')) as [string, string][];
    assert.deepEqual([...new Set(heard.map(([, from]) => from))], [sites.sayso]);
    await page.waitForTimeout(300);
    assert.deepEqual(sites.heardByEvil, []);
  });

  test('cannot post a form into it: a forged post from another site changes nothing.', async () => {
    const page = await sites.open();
    await sites.product.sandbox.clearCalls();
    await page.goto(
      sites.evilPageOf(
        `<form method="post" action="${sites.sayso}/embed/${center}"><input name="token" value="x"><button>Go</button></form>`,
      ),
    );
    await page.locator('button').click();
    await page.locator('h1').waitFor();
    assert.equal(await page.locator('h1').textContent(), 'This came from another site');
    assert.deepEqual(await sites.product.sandbox.calls({ operation: 'update-subject' }), []);
  });
});

suite('A frame that is sandboxed', () => {
  const cases = [
    ['allow-forms', /frame that is too restricted/, false],
    ['allow-forms allow-same-origin', /saved|updated/i, true],
  ] as const;
  for (const [allowed, heading, isSaved] of cases) {
    test(`with ${allowed} ${isSaved ? 'works' : 'is told why it cannot'}.`, async () => {
      const identifier = isSaved ? 'anna@example.org' : 'boxed@example.org';
      const page = await sites.open({ script: false });
      await sites.product.sandbox.clearCalls();
      await page.goto(
        sites.pageOf(
          `<iframe sandbox="${allowed}" src="${await sites.plain('', identifier)}&lang=en" width="800" height="800"></iframe>`,
        ),
      );
      const frame = await frameIn(page);
      const on = frame.locator('input.switch:checked:not(:disabled)').first();
      await frame.locator(`label[for="${await on.getAttribute('id')}"]`).click();
      await frame.locator('button[name="action"][value="save"]').click();
      await frame.locator(isSaved ? '#result' : '.plain-page').waitFor();
      assert.match((await frame.locator('h1').textContent()) ?? '', heading);
      assert.equal(
        (await sites.product.sandbox.calls({ identifier })).some(({ method }) => method !== 'GET'),
        isSaved,
      );
    });
  }
});

/** The frame is as high as what is in it: nothing is cut off, and nothing scrolls within. */
async function assertFits(page: Page, frame: Frame): Promise<void> {
  const read = async () => ({
    outer: await page.evaluate(`document.querySelector('iframe').getBoundingClientRect().height`),
    inner: await frame.evaluate(`Math.ceil(document.documentElement.getBoundingClientRect().height)`),
  });
  for (let tries = 0; tries < 600; tries++) {
    const { outer, inner } = await read();
    if (outer === inner) return;
    await page.waitForTimeout(50);
  }
  assert.fail(JSON.stringify(await read()));
}
