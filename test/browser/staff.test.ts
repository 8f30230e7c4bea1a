import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { enter } from '../features/staff/fixture.ts';
import { createIssuer, type Issuer } from '../features/staff/issuer.ts';
import { type Product, startProduct } from '../kit/product.ts';
import { books as harbour } from '../kit/sandbox-ids.ts';
import type { Visitor } from '../kit/visitor.ts';
import { axeFaults, browserOf, longestWait, openContext, shoot } from './browser.ts';

const university = '0ca11000-0000-4000-8000-000000000001';
const height = 812;
/** Pixels of a phone, of the two widths in which tables have least room, and of a desktop. */
const widths = [375, 930, 1200, 1280];
const task = '/staff/tasks/7a5c0000-0000-4000-8000-000000000007';
const record = '123e4567-e89b-12d3-a456-426614174000';

const browser = browserOf();
let product: Product;
let issuer: Issuer;
let staff: Visitor;
before(async () => {
  issuer = await createIssuer({
    aud: { sub: 'aud', name: 'Audrey Auditor', groups: { sayso: ['auditor'] } },
  });
  product = await startProduct({ env: issuer.env });
  await issuer.open(product);
  staff = await enter(product);
});
after(async () => {
  await product?.[Symbol.asyncDispose]();
  issuer?.close();
});

/** Opens a page with the session of one visitor, because the sign-in address works only once. */
async function openStaff(context: BrowserContext): Promise<Page> {
  await context.addCookies([...staff.cookies].map(([name, value]) => ({ name, value, url: product.url })));
  return context.newPage();
}

describe('The staff pages with scripts off', () => {
  let page: Page;
  before(async () => {
    page = await openStaff(await openContext(browser));
  });

  const open = async (path: string) => {
    assert.equal((await page.goto(product.url + path))?.status(), 200, path);
  };
  const main = () => page.locator('main').innerText();

  /** Pages that are not in the gallery. */
  const pages: Readonly<Record<string, string | (() => Promise<void>)>> = {
    tasks: '/staff/tasks',
    centers: '/staff/centers',
    preview: `/staff/centers/${harbour}/preview?state=mixed&lang=ar`,
    filter: async () => {
      await open('/staff/submissions');
      await page.click('.popover > summary');
    },
  };
  for (const [index, [name, way]] of Object.entries(pages).entries()) {
    test(`the page ${name} has no axe fault and does not scroll sideways, on phone and desktop`, async () => {
      // The next page starts in the width in which this page ends.
      const inTurn = index % 2 === 0 ? widths.toReversed() : widths;
      await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'light' : 'dark' });
      await (typeof way === 'string' ? open(way) : way());
      for (const [at, width] of inTurn.entries()) {
        await page.setViewportSize({ width, height });
        if (at === 0) assert.deepEqual(await axeFaults(page), []);
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok(Number(wide) <= 0, `${wide} pixels too wide in ${width}`);
        await shoot(page, `staff-${name}-${width}`);
      }
    });
  }

  test('a preview is as wide as its device, and its pills hide their boxes', async () => {
    await page.setViewportSize({ width: 1280, height });
    await open(`/staff/centers/${university}/preview?lang=en&state=active`);
    const shown = () => page.frame({ url: /preview\/page/ }) ?? assert.fail('there is no frame');
    const wide = async () => Number(await shown().evaluate('innerWidth'));
    assert.ok((await wide()) > 900);
    await Promise.all([page.waitForEvent('load'), page.click('text="Phone, 375 px"')]);
    await shown().waitForSelector('h1');
    assert.equal(await wide(), 375);
    const seen = await shown().evaluate(
      `[...document.querySelectorAll('.pills input')].map((box) => getComputedStyle(box).opacity)`,
    );
    assert.ok(Array.isArray(seen) && seen.length > 0);
    assert.deepEqual(new Set(seen), new Set(['0']), 'a box covers the words of its pill');
  });

  test('staff create a task by keyboard, correct a mistake and add a row, without losing input', async () => {
    await page.setViewportSize({ width: 375, height });
    // The form offers names that these pages have shown.
    await open('/staff/notices');
    await open(task);
    await open('/staff/tasks/new');
    await page.locator('[name="taskName"]').focus();
    await page.keyboard.type('Review the register');
    await page.locator('#parentEntityId-other > summary').press('Enter');
    await page.locator('#parentEntityId').focus();
    await page.keyboard.type('no id');
    await page.selectOption('#orgGroupId-chosen', { label: 'Alster Bank' });
    await page.fill('#deadline', '2027-07-01');
    await page.fill('#deadline-time', '12:00:00');
    await page.selectOption('#deadline-zone', 'Europe/Berlin');
    await page.selectOption('[name="collaborators.0.collaboratorId-chosen"]', { label: 'Mira Sand' });
    await page.locator('button[value="add-collaborator"]').press('Enter');
    await page.fill('[name="collaborators.1.collaboratorEmail"]', 'two@example.org');
    await page.keyboard.press('Enter');
    await page.locator('a[href="#parentEntityId"]').waitFor();
    assert.equal(await page.inputValue('#taskName'), 'Review the register');
    assert.equal(await page.inputValue('#parentEntityId'), 'no id');
    assert.equal(await page.inputValue('[name="collaborators.1.collaboratorEmail"]'), 'two@example.org');
    await page.locator('#mistakes a').press('Enter');
    assert.equal(await page.getAttribute('#parentEntityId', 'aria-invalid'), 'true');
    await page.fill('#parentEntityId', record);
    await page.keyboard.press('Enter');
    await page.waitForURL(/was=created/);
    const text = await main();
    assert.match(text, /The task is created/);
    assert.match(text, /1 Jul 2027, 10:00:00/);
    // The sandbox names an organization by its id.
    assert.match(text, /Organization 0f610000/);
    await page.click('text="All fields"');
    const all = await main();
    assert.match(all, /two@example\.org/);
    assert.match(all, /05e70000-0000-4000-8000-000000000001/);
    assert.equal((await product.sandbox.calls({ operation: 'create-task' })).length, 1);
    for (const turn of ['close', 'reopen']) {
      await page.locator(`a[href$="/${turn}"]`).first().press('Enter');
      await page.waitForURL(new RegExp(`/${turn}$`));
      await page.locator('main form button').first().press('Enter');
      await page.waitForURL(/\/staff\/tasks\/[0-9a-f-]{36}\?/);
      assert.match(await main(), turn === 'close' ? /Closed/ : /Open/);
    }
  });

  test('staff withdraw on behalf of a person, and must give a reason', async () => {
    const identifier = 'anna@example.org';
    await open('/staff/people');
    await page.fill('#identifier', identifier);
    await page.click('main button.primary');
    await shoot(page, 'staff-person');
    assert.doesNotMatch(page.url(), /anna/);
    await page.click('text="Withdraw for them"');
    await page.check('#what-everything');
    await page.click('main button.primary');
    assert.match(await main(), /Give the reason/);
    await page.fill('#reason', 'Asked by telephone');
    await page.click('main button.primary');
    await page.waitForURL(/\/staff\/submissions\//);
    const text = await main();
    assert.match(text, /Asked by telephone/);
    assert.match(text, /Sandbox staff/);
    assert.doesNotMatch(text, /anna@example\.org/);
    await shoot(page, 'staff-submission');
    const { Purposes } = await product.sandbox.subject(harbour, identifier);
    assert.ok(Purposes.length > 0);
    assert.deepEqual(
      Purposes.filter((purpose) => purpose.TransactionStatus === 'ACTIVE'),
      [],
    );
    await page.goto(`${product.url}/staff/audit`);
    assert.match(await main(), /withdrew on behalf of a person/);
    assert.doesNotMatch(await main(), /anna/);
  });

  test('an auditor signs in at the organization, and the strict cookie survives its redirect', async () => {
    const context = await openContext(browser);
    const near = new Set(['localhost', '127.0.0.1']);
    await context.route(
      ({ hostname }) => !near.has(hostname),
      (route) => route.abort(),
    );
    const auditor = await context.newPage();
    const follow = (button: string) => Promise.all([auditor.waitForEvent('load'), auditor.click(button)]);
    assert.equal((await auditor.goto(`${product.url}/staff`))?.status(), 401);
    await follow('text="Sign in with your organization"');
    await auditor.fill('[name="login"]', 'aud');
    await auditor.fill('[name="password"]', 'any');
    await follow('[type="submit"]');
    await follow('[type="submit"]');
    await auditor.waitForURL(`${product.url}/staff`);
    assert.match(await auditor.locator('main').innerText(), /You are Audrey Auditor \(auditor\)/);
    assert.equal((await auditor.goto(`${product.url}/staff/tasks/new`))?.status(), 403);
    await context.close();
  });
});

describe('The staff pages with scripts on', () => {
  let page: Page;
  before(async () => {
    const desktop = await browser.newContext({ locale: 'en', timezoneId: 'America/New_York' });
    await desktop.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.url });
    desktop.setDefaultTimeout(longestWait);
    page = await openStaff(desktop);
  });

  test('staff read times in their own zone, which the foot of the page names', async () => {
    await page.goto(`${product.url}${task}`);
    const deadline = page.locator('#main-block dd').nth(1);
    assert.equal(await deadline.innerText(), '30 Apr 2027, 14:00:00');
    assert.equal(await page.locator('.zone').innerText(), 'Times are in your own zone, America/New_York.');
    assert.deepEqual(await axeFaults(page), []);
  });

  test('staff find a person from any page by slash and Enter, and close a filter by Escape', async () => {
    await page.goto(`${product.url}/staff/submissions`);
    await page.click('.popover > summary');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.popover').getAttribute('open'), null);
    await page.keyboard.press('/');
    await page.keyboard.type('jonas@example.org');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'j•••@example.org' }).waitFor();
    assert.doesNotMatch(page.url(), /jonas/);
  });

  test('a new deadline starts in the reader’s time zone, and an existing one in UTC', async () => {
    await page.goto(`${product.url}/staff/tasks/new`);
    assert.equal(await page.inputValue('#deadline-zone'), 'America/New_York');
    await page.goto(`${product.url}${task}/edit`);
    assert.equal(await page.inputValue('#deadline-zone'), 'UTC');
  });

  test('one click copies an id, and the button says so', async () => {
    await page.goto(`${product.url}/staff/notices`);
    await page.locator('.folded summary').first().click();
    const button = page.locator('details[open] .copy').first();
    const id = await page.locator('details[open] .code').first().innerText();
    await button.click();
    await button.locator('text="Copied"').waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), id);
    assert.deepEqual(await axeFaults(page), []);
  });

  test('the bars agree with their table, and the policy refuses no style', async () => {
    const stopped: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Refused/.test(message.text())) stopped.push(message.text());
    });
    await page.goto(`${product.url}/staff`);
    await page.click('text="As a table"');
    const rows = await page.locator('#days-block tbody tr').count();
    assert.deepEqual([rows, await page.locator('.bars g').count()], [30, 30]);
    assert.deepEqual(await axeFaults(page), []);
    await page.goto(`${product.url}/staff/centers/${harbour}/preview?width=phone`);
    await page.frameLocator('iframe').locator('h1').waitFor();
    assert.deepEqual(stopped, []);
  });
});
