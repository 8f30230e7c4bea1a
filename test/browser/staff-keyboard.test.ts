import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { times } from '../chaos/dice.ts';
import { productOf } from '../kit/for-suite.ts';
import { axeFaults, browserOf, openContext, type Person, shoot } from './browser.ts';

const id = '123e4567-e89b-12d3-a456-426614174000';

const visitors: Readonly<Record<string, Person>> = {
  ...times<Readonly<Record<string, Person>>>({}, { 'at a desk': {} }),
  'on a phone': { phone: true },
};

const browser = browserOf();

for (const [where, person] of Object.entries(visitors)) {
  describe(`Staff ${where}, scripts off,`, () => {
    let page: Page;
    after(() => page.context().close());
    const product = productOf();

    before(async () => {
      page = await (await openContext(browser, person)).newPage();
      await page.goto(/^Staff: (\S+)$/m.exec(product.output())?.[1] ?? assert.fail('no address'));
    });

    async function assertSound(shot: string): Promise<void> {
      await shoot(page, `staff-${shot}-${where}`.replaceAll(/\W+/g, '-'));
      // axe looks at these pages in test/browser/staff.test.ts, but for this.
      if (times(shot === 'whether to reopen', true)) assert.deepEqual(await axeFaults(page), [], shot);
      const across = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.ok(Number(across) <= 0, `${shot} scrolls sideways by ${across} px`);
    }

    test('create a task by keyboard alone after correcting it, close it, and open it again', async () => {
      await page.goto(`${product.url}/staff/tasks/new`);
      const typed = [
        ['taskName', 'Call back'],
        ['parentEntityId', 'no id'],
        ['orgGroupId', id],
      ] as const;
      for (const [name, text] of typed) {
        const folded = page.locator(`#${name}-other > summary`);
        if ((await folded.count()) > 0) await folded.press('Enter');
        await page.locator(`[name="${name}"]`).focus();
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Enter');
      await page.locator('a[href="#parentEntityId"]').waitFor();
      await assertSound('a task with a mistake');
      assert.equal(await page.locator('[name="taskName"]').inputValue(), 'Call back');
      const parent = page.locator('[name="parentEntityId"]');
      assert.equal(await parent.inputValue(), 'no id');
      await parent.fill(id);
      await parent.press('Enter');
      await page.waitForURL(/\/staff\/tasks\/[0-9a-f-]{36}(\?|$)/);
      await assertSound('a task');
      for (const turn of ['close', 'reopen']) {
        await page.locator(`a[href$="/${turn}"]`).first().press('Enter');
        await page.waitForURL(new RegExp(`/${turn}$`));
        await assertSound(`whether to ${turn}`);
        await page.locator('main form button').first().press('Enter');
        await page.waitForURL(/\/staff\/tasks\/[0-9a-f-]{36}(\?|$)/);
      }
    });

    test('ask which version of a notice was active', async () => {
      await page.goto(`${product.url}/staff/notices`);
      await page.locator('main a[href^="/staff/notices/"]').first().press('Enter');
      await page.waitForURL(/\/staff\/notices\/[0-9a-f-]{36}/);
      await page.locator('[name="date"]').fill('2026-06-01');
      await page.locator('[name="date"]').press('Enter');
      await page.waitForURL(/date=2026-06-01/);
      assert.equal(await page.locator('.note-title').count(), 1);
      await assertSound('a notice with an answer');
    });
  });
}
