/**
 * `node test/bench/tasks.ts [--beside <checkout> --release <its name> --keep]` does ten tasks of visitors and
 * staff in Chromium, as a new user does them, by the texts of the pages. Counts clicks, Enter among them,
 * from the page of arrival to the page where the task is done; typing is not counted.
 */
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../browser/browser.ts';
import { type ProductProcess, startProcess } from '../kit/product.ts';
import { books } from '../kit/sandbox-ids.ts';
import { keepResult } from './results.ts';

const { values } = parseArgs({
  options: { beside: { type: 'string' }, release: { type: 'string' }, keep: { type: 'boolean' } },
});
const refused = 'emil@example.org';

interface Hand {
  readonly page: Page;
  /**
   * Clicks the element of this name, text or selector; a pattern also holds the words of earlier releases.
   */
  click(words: RegExp | string): Promise<void>;
  enter(): Promise<void>;
  see(words: RegExp): Promise<void>;
}

interface Task {
  readonly what: string;
  readonly arrive: (product: ProductProcess, page: Page) => Promise<unknown>;
  readonly go: (hand: Hand, product: ProductProcess) => Promise<unknown>;
}

const byLink = (identifier: string) => async (product: ProductProcess, page: Page) =>
  page.goto(await product.link({ center: books, identifier }));
const asStaff = async ({ url }: ProductProcess, page: Page) => page.goto(`${url}/staff`);

const tasks: readonly Task[] = [
  {
    what: 'is this mine?',
    arrive: byLink('anna@example.org'),
    go: ({ see }) => see(/a•••@example\.org/),
  },
  {
    what: 'stop the mails, keep what belongs to my orders',
    arrive: byLink('anna@example.org'),
    async go({ click, see }) {
      await click(/^Unsubscribe from (all|everything)/);
      await see(/stays on/i);
      await click(/^Unsubscribe from (all|everything)/);
      await see(/Turned off|unsubscribed|switched off/i);
    },
  },
  {
    what: 'switch one thing off, and see that it is saved',
    arrive: byLink('anna@example.org'),
    async go({ click, see }) {
      await click(/^The Harbour Letter/);
      await click(/^(Save|Update)/);
      await see(/have been saved|updated/i);
    },
  },
  {
    what: 'undo that, and see the choices again',
    async arrive(product, page) {
      await byLink('anna@example.org')(product, page);
      await page.locator('input.switch').nth(1).press('Space');
      await page.locator('button[value=save]').click();
      await page.locator('#result, main h1').first().waitFor();
    },
    async go({ page, click, see }) {
      await click(/^Undo/);
      await see(/undone|Saved|Turned|Off|switched/i);
      if ((await page.locator('input.switch').count()) === 0) await click(/^Back to/);
      await page.locator('input.switch').first().waitFor();
    },
  },
  {
    what: 'what did I agree to?',
    arrive: byLink('anna@example.org'),
    async go({ click, see }) {
      await click(/^My record/);
      await see(/By a link|Link/i);
    },
  },
  {
    what: 'read it in German',
    arrive: byLink('anna@example.org'),
    async go({ click, see }) {
      await click(/^Language/);
      await click(/^Deutsch/);
      await see(/Einstellungen/);
    },
  },
  {
    what: 'get in without a link, by a code',
    arrive: (product, page) => page.goto(`${product.url}/centers/${books}/sign-in`),
    async go({ page, click, see }, product) {
      await page.locator('#email').fill('anna@example.org');
      await click(/^(Send|Email me a code)/);
      await page.locator('#code').waitFor();
      await page.locator('#code').fill(await codeOf(product, page));
      await page.waitForTimeout(1_500);
      if (await page.locator('#code').count()) await click(/^(Submit|Continue)/);
      await see(/a•••@example\.org/);
    },
  },
  {
    what: 'no more of these, from a mail',
    arrive: async (product, page) =>
      page.goto(
        await product.link({ center: books, identifier: 'anna@example.org', flags: ['--one-click'] }),
      ),
    async go({ click, see }) {
      await click(/^Unsubscribe$/);
      await see(/no longer (get|receive)|Turned off/i);
    },
  },
  {
    what: 'staff: what does this person get?',
    arrive: asStaff,
    async go({ page, click, enter, see }) {
      if ((await page.getByRole('searchbox').count()) > 0) await page.keyboard.press('/');
      else {
        await click(/^Submissions$/);
        await click(/^Find a person/);
        await page.locator('#identifier').focus();
      }
      await page.keyboard.type('jonas@example.org');
      await enter();
      await see(/The Harbour Letter/);
    },
  },
  {
    what: 'staff: why did it fail?',
    async arrive(product, page) {
      for (const operation of ['withdraw-subject', 'update-subject'])
        await product.sandbox.addFault({ kind: '500', status: 400, operation, identifier: refused });
      const flags = ['--one-click'];
      await page.goto(await product.link({ center: books, identifier: refused, flags }));
      await page.locator('.button.primary').click();
      await asStaff(product, page);
    },
    async go({ click, see }) {
      await click(/^Withdrawals waiting/);
      await click('tbody a');
      await see(/the platform refused the request/i);
    },
  },
];

async function codeOf(product: ProductProcess, page: Page): Promise<string> {
  const mailbox = await page.context().newPage();
  await mailbox.goto(`${product.url}/sandbox/mailbox`);
  const text = await mailbox.locator('main').innerText();
  await mailbox.close();
  return /\b\d{6}\b/.exec(text)?.[0] ?? '';
}

async function clicksOf(
  task: Task,
  product: ProductProcess,
  context: BrowserContext,
): Promise<number | undefined> {
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  let clicks = 0;
  const named = (words: RegExp) =>
    page
      .getByRole('link', { name: words })
      .and(page.locator(':not(.save-here)'))
      .or(page.getByRole('button', { name: words }))
      .or(page.getByRole('checkbox', { name: words }))
      .or(page.locator('summary').filter({ hasText: words }))
      .filter({ visible: true })
      .first();
  try {
    await task.arrive(product, page);
    await task.go(
      {
        page,
        async click(words) {
          await (typeof words === 'string' ? page.locator(words).first() : named(words)).click();
          clicks += 1;
        },
        async enter() {
          await page.keyboard.press('Enter');
          clicks += 1;
        },
        see: (words) => page.locator('body').filter({ hasText: words }).waitFor(),
      },
      product,
    );
    return clicks;
  } catch (fault) {
    process.stderr.write(`${task.what}: ${fault}\n`);
    return undefined;
  } finally {
    await page.close();
  }
}

const browser = await openBrowser();
const counted = new Map<string, (number | undefined)[]>(tasks.map(({ what }) => [what, []]));
for (const checkout of [values.beside, '.'].filter((each) => each !== undefined)) {
  await using product = await startProcess({ checkout: resolve(checkout) });
  const open = () => browser.newContext({ locale: 'en', viewport: { width: 1280, height: 900 } });
  const office = await open();
  await (await office.newPage()).goto(/^Staff: (\S+)$/m.exec(product.output())?.[1] ?? '');
  for (const task of tasks) {
    const context = task.what.startsWith('staff') ? office : await open();
    counted.get(task.what)?.push(await clicksOf(task, product, context));
  }
}
await browser.close();
const shown = (clicks: number | undefined) => (clicks === undefined ? '**not possible**' : String(clicks));
const figures = [...counted].map(([what, clicks]) => ({ what, value: clicks.map(shown).join(' → ') }));
for (const { what, value } of figures) process.stdout.write(`${what}: ${value}\n`);
if (figures.some(({ value }) => value.endsWith('**'))) process.exitCode = 1;
if (values.keep)
  keepResult('tasks', {
    title: 'Ten tasks of a new user, in clicks',
    command: `node test/bench/tasks.ts --beside <checkout of ${values.release}>`,
    note: `${values.release} → here. Enter is a click, typing is none.`,
    figures,
  });
