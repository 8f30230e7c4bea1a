import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { times } from '../chaos/dice.ts';
import { oneTimeAddress } from '../features/staff/fixture.ts';
import { createIssuer, type Issuer } from '../features/staff/issuer.ts';
import type { Form } from '../kit/form.ts';
import { type Product, startProduct } from '../kit/product.ts';
import { bank, books } from '../kit/sandbox-ids.ts';
import { linkKeys, signed } from '../kit/shop.ts';
import { until } from '../kit/until.ts';
import { createVisitor } from '../kit/visitor.ts';
import { axeFaults, browserOf, longestWait, openContext, shoot } from './browser.ts';

const university = '0ca11000-0000-4000-8000-000000000001';
const refused = 'emil@example.org';
const words = '=1+1 letters a day, and "offers"';

const centersFile = [
  { address: 'books', center: books, linkKeys, brand: { name: 'Harbour & Sons', accent: '#0f5c4d' } },
  { address: 'bank', center: bank, linkKeys },
  { address: 'university', center: university, linkKeys },
];

const browser = browserOf();
let product: Product;
let issuer: Issuer;
let desktop: BrowserContext;

before(async () => {
  issuer = await createIssuer({
    aud: { sub: 'aud', name: 'Audrey Auditor', groups: { sayso: ['auditor'] } },
  });
  product = await startProduct({ env: issuer.env, centers: centersFile });
  [desktop] = await Promise.all([openContext(browser), issuer.open(product), seed()]);
  const page = await desktop.newPage();
  assert.equal((await page.goto(product.url + oneTimeAddress(product)))?.status(), 200);
});

after(async () => {
  await product?.[Symbol.asyncDispose]();
  issuer?.close();
});

/** People who have left, one who has switched something off, and one whose leaving the platform refuses. */
async function seed(): Promise<void> {
  for (const operation of ['withdraw-subject', 'update-subject']) {
    await product.sandbox.addFault({ kind: '500', status: 400, operation, identifier: refused });
  }
  const tooMany = (form: Form) => form.tick('reason', reasonsOf(form)[0]);
  await Promise.all([
    visit('books', 'anna@example.org', '/unsubscribe', tooMany),
    visit('books', 'jonas@example.org', '/unsubscribe', (form) =>
      tooMany(form).tick('reason', 'other').type('reason-text', words),
    ),
    visit('university', 'lena@example.org', '/unsubscribe', (form) =>
      form.tick('reason', reasonsOf(form)[1]),
    ),
    visit('books', 'salma@example.org', '', (form) => form.untick('purpose', switchedOn(form))),
    visit('bank', refused, '/unsubscribe', () => undefined),
  ]);
}

async function visit(center: string, identifier: string, path: string, fill: (form: Form) => unknown) {
  const person = createVisitor(product.url, { 'accept-language': 'en' });
  const token = await signed(identifier, { aud: center });
  await person.open(`/centers/${center}?t=${token}`);
  // On a busy machine the first reading of a center may come too late, and reasons are the center's.
  await until(async () => (await person.open(`/centers/${center}?lang=en`)).status === 200);
  const page = await person.open(`/centers/${center}${path}?lang=en`);
  const button = path === '' ? { name: 'action', value: 'save' } : undefined;
  assert.equal((await person.submit(page, fill, button)).status, 200);
}

function reasonsOf({ controls }: Form): readonly string[] {
  return controls.filter(({ name }) => name === 'reason').map(({ value }) => value);
}

function switchedOn({ controls }: Form): string {
  const found = controls.find(({ name, checked, disabled }) => name === 'purpose' && checked && !disabled);
  return found?.value ?? assert.fail('nothing is on');
}

async function open(path: string, context = desktop): Promise<Page> {
  const page = await context.newPage();
  assert.equal((await page.goto(product.url + path))?.status(), 200, path);
  return page;
}

/** Clicks, and waits until that has led somewhere. */
async function follow(page: Page, what: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.click(what)]);
}

/** Presses Enter where the focus is, and waits until that has led somewhere. */
async function enter(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
}

async function openFilter(page: Page): Promise<void> {
  await page.click('.popover > summary');
}

const main = (page: Page) => page.locator('main').innerText();
const count = (page: Page, what: string) => page.locator(what).count();

/**
 * A phone, and where tables have least room: just before they stack, and where ids begin to stay on one line. The
 * window stays as wide as the last.
 */
const widths = [375, 930, 1200];

/** axe finds nothing, and nothing scrolls sideways. */
async function assertSound(page: Page, shot: string): Promise<void> {
  assert.deepEqual(await axeFaults(page), [], shot);
  await assertFits(page, shot);
}

/** Nothing scrolls sideways. */
async function assertFits(page: Page, shot: string): Promise<void> {
  await shoot(page, `staff-journey-${shot}`);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 812 });
    const across = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
    assert.ok(across <= 0, `${shot} is ${across} px too wide for ${width} px`);
    await shoot(page, `staff-journey-${shot}-${width}`);
  }
}

/** axe looks at such a page in test/browser/staff.test.ts, or in the gallery; in the long form here, too. */
const assertLook = times(assertFits, assertSound);

/** The lines of what a link lets keep, without the byte order mark. */
async function download(page: Page, label: string, name: string): Promise<readonly string[]> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(`main >> text="${label}"`)]);
  assert.equal(file.suggestedFilename(), name);
  const text = (await buffer(await file.createReadStream())).toString('utf8');
  assert.ok(text.startsWith('\ufeff'), 'spreadsheets would not read it as UTF-8');
  return text.slice(1).trimEnd().split('\r\n');
}

suite('With scripts off, staff', () => {
  test('filter submissions by state, center and time, in the address, and take what is shown as a file.', async () => {
    const page = await open('/staff/submissions');
    assert.match(await main(page), /All \(5\)\s+Pending \(1\)[\s\S]*Done \(4\)/);
    await assertLook(page, 'submissions');
    await openFilter(page);
    await assertSound(page, 'filter');
    await page.selectOption('#state', 'done');
    await page.selectOption('#center', books);
    await follow(page, 'main form button');
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get('state'), searchParams.get('center')], ['done', books]);
    assert.equal(await page.inputValue('#center'), books);
    assert.deepEqual(await page.locator('.chip.set bdi').allInnerTexts(), [
      'State: Done',
      'Center: Harbour Books',
    ]);
    assert.deepEqual([await count(page, '.stack .tag'), await count(page, '.stack .tag.success')], [3, 3]);

    const [head, ...lines] = await download(page, 'Download CSV', 'submissions.csv');
    assert.match(head ?? '', /^reference,submitted,/);
    assert.equal(lines.length, 3);
    for (const line of lines) assert.match(line, /,done,.*,Harbour Books,b00c5000-/);
    assert.doesNotMatch(lines.join(), /example\.org/);

    const today = new Date().toISOString().slice(0, 10);
    await openFilter(page);
    await page.fill('#from', '2020-01-01');
    await page.fill('#to', '2020-12-31');
    await follow(page, 'main form button');
    assert.match(await main(page), /No submission is like that/);
    await assertSound(page, 'no-submission');
    await page.goto(`${product.url}/staff/submissions?from=2020-01-01&to=${today}`);
    assert.equal(await count(page, '.stack tbody tr'), 5);
    await follow(page, 'text="Pending (1)"');
    assert.match(page.url(), /\?state=pending$/);
    assert.equal(await page.locator('.chips [aria-current]').innerText(), 'Pending (1)');
    assert.equal(await count(page, '.stack tbody tr'), 1);
  });

  test('find a submission by its reference, and keep a filter that goes with the time as an address.', async () => {
    const page = await open('/staff/submissions');
    await follow(page, '.stack tbody a');
    const [reference = ''] = page.url().split('/').slice(-1);
    await page.goto(`${product.url}/staff`);
    await page.fill('#search', reference);
    await Promise.all([page.waitForEvent('load'), page.press('#search', 'Enter')]);
    assert.match(page.url(), new RegExp(`/staff/submissions/${reference}$`));
    assert.equal(
      await page
        .locator('.step')
        .first()
        .locator('.step-title')
        .innerText()
        .then((text) => text.split(':')[0]),
      'Submitted',
    );
    await assertLook(page, 'timeline');
    await page.goto(`${product.url}/staff/submissions`);
    await follow(page, 'text="Last 7 days"');
    assert.match(page.url(), /\?within=7d$/);
    assert.equal(await count(page, '.stack tbody tr'), 5);
    assert.equal(await page.inputValue('#within'), '7d');
  });

  test('find a person whose withdrawal is stuck, and have it tried again at once.', async () => {
    const page = await open('/staff/submissions');
    await follow(page, 'text="Find a person"');
    await page.fill('#identifier', refused);
    await enter(page);
    await page.waitForSelector('h1:has-text("e•••@example.org")');
    assert.match(await main(page), /Alster Bank[\s\S]*1 submission is still pending/);
    await assertLook(page, 'person');
    await follow(page, '.timeline a');
    assert.doesNotMatch(page.url(), /emil|@|%40/);
    assert.match(await main(page), /the platform refused the request/);
    await assertSound(page, 'stuck');
    await product.sandbox.clearFaults();
    await follow(page, 'text="Try again now"');
    await page.waitForURL(/was=retried/);
    assert.match(await main(page), /It is tried again now/);
    const last = Date.now() + longestWait;
    while ((await page.locator('#main-block .tag').first().innerText()) !== 'Done') {
      assert.ok(Date.now() < last, 'it was not tried again');
      await pause(100);
      await page.reload();
    }
    assert.equal(await count(page, 'text="Try again now"'), 0);
  });

  test('read why people left: by center and month, in their words, and as a file.', async () => {
    const page = await open('/staff/reasons');
    const figures = async (column: number) =>
      (await page.locator(`#reasons-block tbody td:nth-last-child(${column})`).allInnerTexts()).map((text) =>
        text.trim(),
      );
    assert.deepEqual(await figures(2), ['2', '1', '1']);
    // All of them were given in this month, which stands first of the months.
    assert.deepEqual(await figures(8), ['2', '1', '1']);
    assert.ok((await page.locator('#words-block').innerText()).includes(words));
    await assertLook(page, 'reasons');
    const lines = await download(page, 'Download CSV', 'reasons.csv');
    assert.equal(lines.length, 5);
    assert.ok(
      lines.some((line) => line.endsWith(`,other,"'=1+1 letters a day, and ""offers"""`)),
      lines.join('\n'),
    );
    await openFilter(page);
    await page.selectOption('#center', university);
    await follow(page, 'main form button');
    assert.deepEqual(await figures(2), ['1']);
    assert.equal((await download(page, 'Download CSV', 'reasons.csv')).length, 2);
  });

  test('check a center, and look at it in another language, brand and consent state.', async () => {
    const page = await open('/staff/centers');
    await openFilter(page);
    await page.fill('#text', 'lindgren');
    await follow(page, 'main form button');
    assert.match(page.url(), /text=lindgren/);
    assert.equal(await count(page, '.stack tbody tr'), 1);
    await follow(page, '.stack tbody a');
    const line = '.finding-line:has-text("Missing translation"):has-text("Italiano")';
    assert.ok(Number(await page.locator(`${line} .finding-count`).innerText()) > 10);
    await assertLook(page, 'center');
    await page.click(line);
    await follow(page, 'details[open] >> text=/^All \\d+ of them$/');
    const shown = await page.locator('#findings-block tbody tr').allInnerTexts();
    assert.ok(shown.length > 10);
    for (const row of shown) assert.match(row, /Missing translation\s+Italiano/);
    await assertSound(page, 'findings');
    const name = `findings-${university}.csv`;
    const [, ...lines] = await download(page, 'Download CSV', name);
    assert.ok(lines.length >= shown.length);
    for (const line of lines) assert.match(line, /^warning,translation,it,/);

    await product.sandbox.clearCalls();
    await follow(page, '.crumbs a >> nth=1');
    await follow(page, 'text="Preview"');
    await page.selectOption('#lang', 'ar');
    await page.selectOption('#state', 'active');
    await page.selectOption('#brand', 'books');
    await follow(page, '#choose-block button');
    await assertLook(page, 'preview');
    const shownIn = () => page.frame({ url: /preview\/page/ }) ?? assert.fail('there is no frame');
    const wide = async () => Number(await shownIn().evaluate('innerWidth'));
    assert.equal(await shownIn().getAttribute('html', 'dir'), 'rtl');
    assert.ok((await wide()) > 900);
    await follow(page, 'text="Phone, 375 px"');
    await shownIn().waitForSelector('h1');
    assert.equal(await wide(), 375);
    await follow(page, 'text="Open in new tab"');
    assert.match(await page.locator('header').innerText(), /Harbour & Sons/);
    assert.match(await main(page), /All on/);
    const accent = `getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()`;
    assert.equal(await page.evaluate(accent), '#0f5c4d');
    assert.ok((await count(page, '.switch:checked')) > 2);
    assert.equal(await count(page, '.switch:not(:checked, [value="keep"])'), 0);
    const seen = await page.evaluate(
      `[...document.querySelectorAll('.pills input')].map((box) => getComputedStyle(box).opacity)`,
    );
    assert.ok(Array.isArray(seen) && seen.length > 0);
    assert.deepEqual(new Set(seen), new Set(['0']), 'a box covers the words of its pill');
    await assertLook(page, 'previewed');
    await page.goto(page.url().replace('lang=ar', 'lang=fr').replace('state=active', 'state=off'));
    assert.equal(await page.getAttribute('html', 'lang'), 'fr');
    assert.match(await page.locator('header').innerText(), /Harbour & Sons/);
    assert.equal(await count(page, '.switch:checked:not(:disabled)'), 0);
    await follow(page, 'text="Back to the staff pages"');
    assert.match(page.url(), new RegExp(`/staff/centers/${university}/preview`));
    assert.equal(await page.inputValue('#lang'), 'fr');
    await follow(page, '.crumbs a >> nth=1');
    assert.match(page.url(), new RegExp(`/staff/centers/${university}$`));
    assert.deepEqual(await product.sandbox.calls({ operation: 'read-subject' }), []);
  });

  test('are told of a fault of the platform among their own pages, and can try again.', async () => {
    await product.sandbox.addFault({ kind: '500', status: 400, operation: 'list-notices', count: 1 });
    const page = await desktop.newPage();
    assert.equal((await page.goto(`${product.url}/staff/notices`))?.status(), 502);
    assert.match(await page.locator('h1').innerText(), /The platform refused this/);
    assert.equal(await count(page, '.tabs a'), 5);
    await assertSound(page, 'fault');
    await follow(page, 'text="Try again"');
    assert.equal(await page.locator('h1').innerText(), 'Privacy notices');
  });

  test('who are auditors sign in at their organization, read who did what, and change nothing.', async () => {
    const context = await openContext(browser);
    const near = new Set(['localhost', '127.0.0.1']);
    await context.route(
      ({ hostname }) => !near.has(hostname),
      (route) => route.abort(),
    );
    const page = await context.newPage();
    assert.equal((await page.goto(`${product.url}/staff`))?.status(), 401);
    await follow(page, 'text="Sign in with your organization"');
    await page.fill('[name="login"]', 'aud');
    await page.fill('[name="password"]', 'any');
    await follow(page, '[type="submit"]');
    await follow(page, '[type="submit"]');
    await page.waitForURL(`${product.url}/staff`);
    assert.match(await main(page), /You are Audrey Auditor \(auditor\)/);
    await follow(page, 'text="Audit log"');
    await openFilter(page);
    await page.fill('#text', 'by the one-time address');
    await follow(page, 'main form button');
    assert.match(page.url(), /text=by\+the\+one-time\+address/);
    assert.equal(await count(page, '.stack tbody tr'), 1);
    assert.match(await main(page), /Sandbox staff/);
    await assertLook(page, 'audit');
    const lines = await download(page, 'Download CSV', 'audit.csv');
    assert.equal(lines.length, 2);
    assert.match(
      lines[1] ?? '',
      /,one-time-address,Sandbox staff,signed in,by the one-time address \(127\.0\.0\.0\/24\),done$/,
    );
    await page.goto(`${product.url}/staff/audit`);
    assert.doesNotMatch(await main(page), /@|emil/);

    await follow(page, 'nav >> text="Tasks"');
    assert.equal(await count(page, 'text="New task"'), 0);
    assert.equal((await page.goto(`${product.url}/staff/tasks/new`))?.status(), 403);
    assert.match(await main(page), /This needs another role/);
    await assertSound(page, 'refused');
    await context.close();
  });
});
