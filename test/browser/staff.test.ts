import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { productOf } from '../kit/for-suite.ts';
import { axeFaults, browserOf, openContext, shoot } from './browser.ts';

const harbour = 'b00c5000-0000-4000-8000-000000000001';
const notice = '0071ce00-0000-4001-8000-000000002900';
const desk = { width: 1280, height: 600 } as const;
const phone = { width: 375, height: 812 } as const;
const record = '123e4567-e89b-12d3-a456-426614174000';

describe('With scripts off, staff', () => {
  const browser = browserOf();
  const product = productOf();
  let page: Page;
  before(async () => {
    page = await (await openContext(browser)).newPage();
    const address = /^Staff: (\S+)$/m.exec(product.output())?.[1] ?? assert.fail('no address was printed');
    assert.equal((await page.goto(address))?.status(), 200);
  });

  const open = async (path: string) => {
    assert.equal((await page.goto(product.url + path))?.status(), 200, path);
  };
  const main = () => page.locator('main').innerText();

  const pages = {
    start: '/staff',
    notices: '/staff/notices?size=50',
    notice: `/staff/notices/${notice}?date=2026-05-27&count=through`,
    tasks: '/staff/tasks',
    'new-task': '/staff/tasks/new',
    task: '/staff/tasks/7a5c0000-0000-4000-8000-000000000007',
    'edit-task': '/staff/tasks/7a5c0000-0000-4000-8000-000000000007/edit',
    'close-task': '/staff/tasks/7a5c0000-0000-4000-8000-000000000007/close',
    centers: '/staff/centers',
    center: `/staff/centers/${harbour}`,
    preview: `/staff/centers/${harbour}/preview?state=mixed&lang=ar`,
    submissions: '/staff/submissions',
    people: '/staff/people',
    studio: '/staff/studio',
    reasons: '/staff/reasons',
    audit: '/staff/audit',
  };
  for (const [index, [name, path]] of Object.entries(pages).entries()) {
    test(`read ${name} at a desk and on a phone in the dark, without a fault and without scrolling sideways.`, async () => {
      // axe looks at each page once, as in the gallery; the next page begins in the window in which this one ends.
      const windows = index % 2 === 0 ? [desk, phone] : [phone, desk];
      await page.emulateMedia({ colorScheme: index % 2 === 0 ? 'light' : 'dark' });
      await open(path);
      for (const [at, size] of windows.entries()) {
        await page.setViewportSize(size);
        if (at === 0) assert.deepEqual(await axeFaults(page), []);
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok(Number(wide) <= 0, `${wide} pixels too wide in ${size.width}`);
        await shoot(page, `staff-${name}${size === phone ? '-phone' : ''}`);
      }
    });
  }

  test('create a task: a mistake is named and linked, a row is added, nothing is lost.', async () => {
    await page.setViewportSize(desk);
    await open('/staff/tasks/new');
    await page.fill('#taskName', 'Review the register');
    await page.click('#parentEntityId-other > summary');
    await page.fill('#parentEntityId', 'no id');
    await page.selectOption('#orgGroupId-chosen', { label: 'Alster Bank' });
    await page.fill('#deadline', '2027-07-01');
    await page.fill('#deadline-time', '12:00:00');
    await page.selectOption('#deadline-zone', 'Europe/Berlin');
    await page.selectOption('[name="collaborators.0.collaboratorId-chosen"]', { label: 'Mira Sand' });
    await page.click('button[value="add-collaborator"]');
    await page.fill('[name="collaborators.1.collaboratorEmail"]', 'two@example.org');
    await page.click('main button.primary');
    assert.equal(await page.inputValue('#taskName'), 'Review the register');
    assert.equal(await page.inputValue('[name="collaborators.1.collaboratorEmail"]'), 'two@example.org');
    assert.deepEqual(await axeFaults(page), []);
    await page.click('#mistakes a');
    assert.equal(await page.getAttribute('#parentEntityId', 'aria-invalid'), 'true');
    await page.fill('#parentEntityId', record);
    await page.keyboard.press('Enter');
    await page.waitForURL(/was=created/);
    const text = await main();
    assert.match(text, /The task is created/);
    assert.match(text, /1 Jul 2027, 10:00:00/);
    // The sandbox calls what it is given by its id.
    assert.match(text, /Organization 0f610000/);
    await page.click('text="All fields"');
    const all = await main();
    assert.match(all, /two@example\.org/);
    assert.match(all, /05e70000-0000-4000-8000-000000000001/);
    assert.equal((await product.sandbox.calls({ operation: 'create-task' })).length, 1);
    await page.click('text="Close it"');
    await page.click('text="Close the task"');
    await page.waitForURL(/was=closed/);
    assert.match(await main(), /Closed/);
    await shoot(page, 'staff-closed');
  });

  test('withdraw on behalf of a person with a reason, and only that.', async () => {
    const identifier = 'anna@example.org';
    await open('/staff/people');
    await page.fill('#identifier', identifier);
    await page.click('main button.primary');
    await shoot(page, 'staff-person');
    assert.doesNotMatch(page.url(), /anna/);
    assert.deepEqual(await axeFaults(page), []);
    await page.click('text="Withdraw for them"');
    await page.check('#what-everything');
    await page.click('main button.primary');
    assert.match(await main(), /Give the reason/);
    assert.deepEqual(await axeFaults(page), []);
    await page.fill('#reason', 'Asked by telephone');
    await page.click('main button.primary');
    await page.waitForURL(/\/staff\/submissions\//);
    const text = await main();
    assert.match(text, /Asked by telephone/);
    assert.match(text, /Sandbox staff/);
    assert.doesNotMatch(text, /anna@example\.org/);
    assert.deepEqual(await axeFaults(page), []);
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
});
