import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { times } from '../chaos/dice.ts';
import { canaries } from '../kit/canaries.ts';
import { elementLabels } from '../kit/elements.ts';
import { readForm } from '../kit/form.ts';
import { type Move, planMoves, standing, standingAfter } from '../kit/moves.ts';
import { type Product, startProduct } from '../kit/product.ts';
import { axeFaults, type Browser, openBrowser, openContext, type Person, shoot } from './browser.ts';

const bank = 'ba4c0000-0000-4000-8000-000000000001';
const books = 'b00c5000-0000-4000-8000-000000000001';
const university = '0ca11000-0000-4000-8000-000000000001';
const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

const visitors: Readonly<Record<string, Person & { readonly dir: 'ltr' | 'rtl' }>> = {
  'at a desk in French': { locale: 'fr', dir: 'ltr' },
  'on a phone in French': { locale: 'fr', dir: 'ltr', phone: true },
  'at a desk in Arabic': { locale: 'ar', dir: 'rtl' },
  'on a phone in Arabic, in the dark': { locale: 'ar', dir: 'rtl', phone: true, dark: true },
};

/** Each template's people take turns, so that every visitor begins from another record. `few`: those of `npm test`. */
const templates = [
  {
    name: 'ORIGINAL',
    center: bank,
    pages: 1,
    people: ['emil', 'layla', 'claire', 'new.client'],
    few: [1, 2],
  },
  {
    name: 'ENHANCED',
    center: books,
    pages: 1,
    people: ['anna', 'jonas', 'salma', 'new.reader'],
    few: [0, 3],
  },
  {
    name: 'MULTIPAGE',
    center: university,
    pages: 3,
    people: ['anna', 'noor', 'lena', 'new.student'],
    few: [3],
  },
] as const;

suite('With scripts off, a person', () => {
  const done = new Set<string>();
  let product: Product;
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
    product = await startProduct();
  });
  after(async () => {
    await browser?.close();
    await product?.[Symbol.asyncDispose]();
  });

  /** A page opened by link, in the visitor's language whatever the person's own. */
  async function arrive(center: string, identifier: string, person: Person): Promise<Page> {
    const page = await (await openContext(browser, person)).newPage();
    const link = await product.link({ center, identifier });
    const answer = await page.goto(`${link}&lang=${person.locale}&utm_source=mail`);
    assert.equal(answer?.status(), 200);
    assert.equal(
      page.url(),
      `${product.url}/centers/${center}?lang=${person.locale}`,
      'the address is clean',
    );
    return page;
  }

  for (const { name, center, pages, people, few } of templates) {
    for (const [index, [where, person]] of Object.entries(visitors).entries()) {
      if (!times<readonly number[]>(few, [0, 1, 2, 3]).includes(index)) continue;
      test(`changes all kinds of things in ${name} ${where}, and exactly these are on record.`, async () => {
        const identifier = `${people[index]}@example.org`;
        const labels = await elementLabels(product, center);
        const page = await arrive(center, identifier, person);
        const addresses = pages === 1 ? [page.url()] : await pageAddresses(page);
        assert.equal(addresses.length, pages);

        for (const [number, address] of addresses.entries()) {
          // The gallery shows axe each template unchanged.
          const assertLook = times(index === few.at(-1) && number === 0, true) ? assertSound : assertFits;
          const shot = `${name}-${where.replaceAll(/\W+/g, '-')}-${number + 1}`.toLowerCase();
          await page.goto(address);
          await assertFits(page, person, `${shot}-before`);
          const form = readForm(await page.content());
          const moves = planMoves(form);
          const was = standing(await product.sandbox.subject(center, identifier));
          for (const move of moves) {
            await carryOut(page, move);
            done.add(await nameOf(page, move));
          }
          await assertLook(page, person, `${shot}-changed`);
          await page.locator('button[name="action"][value="save"]').click();
          await assertFits(page, person, `${shot}-result`);

          assert.match(new URL(page.url()).pathname, new RegExp(`^/centers/${center}/results/[\\w-]+$`));
          const main = page.locator('main');
          assert.doesNotMatch(await main.innerText(), guid, 'numbers are for whoever asks for them');
          await page.locator('main summary').click();
          const text = await main.innerText();
          assert.match(text, guid, 'a receipt is shown');
          await assertLook(page, person, `${shot}-details`);
          for (const changed of changedNames(moves, form.controls))
            assert.ok(text.includes(changed), `${changed} in:\n${text}`);
          const is = standing(await product.sandbox.subject(center, identifier));
          assert.deepEqual(is, standingAfter(was, moves, form, labels));
          assert.notDeepEqual(is, was);
        }
        await page.context().close();
      });
    }
  }

  test('did all kinds of things to all kinds of controls.', () => {
    const kinds = ['tick purpose', 'untick purpose', 'tick topic', 'tick option', 'choose option radio'];
    const typing = ['type text', 'type date', 'type tel', 'choose element select', 'choose option select'];
    assert.deepEqual(
      [...kinds, ...typing].filter((kind) => !done.has(kind)),
      [],
      [...done].join(', '),
    );
  });

  test('finishes by keyboard alone, always seeing where they are.', async () => {
    const identifier = canaries.person;
    const page = await arrive(books, identifier, { locale: 'en' });
    const tabTo = createTabber(page);
    const purpose = await tabTo((control) => control.name === 'purpose' && !control.checked);
    await page.keyboard.press('Space');
    for (;;) {
      const control = await tabTo(() => true);
      if (control.name === 'action' && control.value === 'save') break;
      const isOption = control.name.startsWith(`option.${purpose.value}.`);
      if (isOption && control.type === 'radio' && !control.checked) await page.keyboard.press('Space');
      if (control.required && control.value === '') await page.keyboard.type(canaries.typed);
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/results\//);
    const { purposes } = standing(await product.sandbox.subject(books, identifier));
    assert.equal(purposes[purpose.value.toLowerCase()]?.status, 'ON');
    assert.deepEqual(Object.keys(purposes), [purpose.value.toLowerCase()]);
  });

  test('corrects a mistake that is named and linked, with nothing lost and nothing sent.', async () => {
    const identifier = canaries.otherPerson;
    const page = await arrive(books, identifier, { locale: 'fr' });
    const form = readForm(await page.content());
    const required = form.controls.find(({ type, name }) => type === 'radio' && name.startsWith('option.'));
    assert.ok(required, 'a purpose has a required choice');
    const purpose = required.name.split('.')[1] ?? '';
    await carryOut(page, { kind: 'tick', name: 'purpose', value: purpose });
    await product.sandbox.clearCalls();
    await page.locator('button[name="action"][value="save"]').click();

    await assertSound(page, { locale: 'fr', dir: 'ltr' }, 'enhanced-mistakes');
    const link = page.locator('[role="alert"] a, .mistakes a').first();
    const target = (await link.getAttribute('href')) ?? '';
    assert.match(target, /^#./);
    assert.equal(await page.locator(`[id="${target.slice(1)}"]`).count(), 1);
    assert.ok(await control(page, 'purpose', purpose).isChecked(), 'what was ticked is still ticked');
    assert.deepEqual(await product.sandbox.calls({ operation: 'update-subject' }), []);

    await carryOut(page, { kind: 'choose', name: required.name, value: required.value });
    for (const field of await page.locator('input[aria-required="true"]').all())
      if ((await field.inputValue()) === '') await field.fill(canaries.typed);
    await page.locator('button[name="action"][value="save"]').click();
    await page.waitForURL(/\/results\//);
    const { purposes } = standing(await product.sandbox.subject(books, identifier));
    assert.equal(purposes[purpose.toLowerCase()]?.status, 'ON');
  });

  test('waits where many are, until the page opens by itself, and may leave everything meanwhile.', async () => {
    const limited = { kind: '429', operation: 'read-subject', retryAfter: 1 };
    const [waits, leaves] = ['waits@example.org', 'leaves@example.org'] as const;
    await product.sandbox.addFault({ ...limited, identifier: waits, count: 1 });
    const page = await (await openContext(browser, { phone: true })).newPage();
    const answer = await page.goto(await product.link({ center: books, identifier: waits }));
    assert.equal(answer?.status(), 503);
    assert.equal(await page.locator('h1').innerText(), 'You’re in the queue');
    await page.locator('input[name=purpose]').first().waitFor();

    await product.sandbox.addFault({ ...limited, identifier: leaves });
    await page.goto(await product.link({ center: books, identifier: leaves }));
    // Somebody else was here just now.
    if (await page.locator('[name=leaving]').count()) await page.locator('main form button').first().click();
    await page.getByRole('button', { name: 'Unsubscribe from everything' }).click();
    await page.locator('#result').waitFor();
    await product.sandbox.clearFaults();
    // Whoever comes next does not wait for what this one met.
    await page.goto(await product.link({ center: books, identifier: waits }));
    if (await page.locator('[name=leaving]').count()) await page.locator('main form button').first().click();
    await page.locator('input[name=purpose]').first().waitFor();
    await page.context().close();
  });

  test('unsubscribes from everything in one page and one button.', async () => {
    const identifier = 'anna@example.org';
    const page = await arrive(university, identifier, { locale: 'fr' });
    await page.locator('a[href*="/unsubscribe"]').click();
    await assertSound(page, { locale: 'fr', dir: 'ltr' }, 'unsubscribe');
    await page.locator('main form button').click();
    await page.waitForURL(/\/results\//);
    await assertSound(page, { locale: 'fr', dir: 'ltr' }, 'unsubscribed');
    const { purposes } = standing(await product.sandbox.subject(university, identifier));
    assert.ok(Object.keys(purposes).length > 0);
    const { Purposes } = await product.sandbox.subject(university, identifier);
    const locked = Purposes.filter(({ TransactionStatus }) => TransactionStatus === 'ALWAYS_ACTIVE');
    const left = Object.entries(purposes).filter(([id]) => !locked.some(({ Id }) => Id.toLowerCase() === id));
    assert.deepEqual([...new Set(left.map(([, { status }]) => status))], ['WITHDRAWN']);
  });

  const others: readonly (readonly [what: string, path: string, status: number])[] = [
    ['the start page', '/', 200],
    ['a page that is not there', '/nowhere', 404],
    ['the sign-in of a center without a link', `/centers/${books}`, 200],
    ['a link that was tampered with', `/centers/${books}?t=eyJhbGciOiJIUzI1NiJ9.e30.AAAA`, 400],
  ];
  for (const [what, path, status] of others) {
    for (const [where, person] of Object.entries(visitors).slice(times(-1, 0))) {
      test(`meets ${what} in good order ${where}.`, async () => {
        const page = await (await openContext(browser, person)).newPage();
        const answer = await page.goto(`${product.url}${path}`);
        assert.equal(answer?.status(), status);
        const shot = `${what}-${where}`.replaceAll(/\W+/g, '-').toLowerCase();
        // All of them are in the gallery.
        const assertLook = times(assertFits, assertSound);
        await assertLook(page, path === '/' ? { phone: person.phone ?? false } : person, shot);
        await page.context().close();
      });
    }
  }
});

type Reader = Person & { readonly dir?: 'ltr' | 'rtl' };

/** Every page of a person, with what it can unfold: no fault that axe finds, and it fits. */
async function assertSound(page: Page, person: Reader, shot: string): Promise<void> {
  assert.deepEqual(await axeFaults(page), [], shot);
  await assertFits(page, person, shot);
}

/** In its language and direction, no scrolling sideways. */
async function assertFits(page: Page, person: Reader, shot: string): Promise<void> {
  await shoot(page, shot);
  const html = page.locator('html');
  if (person.locale !== undefined)
    assert.equal((await html.getAttribute('lang'))?.split('-')[0], person.locale, shot);
  if (person.dir !== undefined) assert.equal((await html.getAttribute('dir')) ?? 'ltr', person.dir, shot);
  const widths = person.phone ? [375, 320] : [1280];
  const size = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: size?.height ?? 800 });
    const over = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    assert.equal(over, 0, `${shot} scrolls sideways at ${width} px`);
  }
  if (size !== null) await page.setViewportSize(size);
}

async function pageAddresses(page: Page): Promise<string[]> {
  const links = page.locator('nav a[href*="/centers/"]');
  const addresses = await links.evaluateAll((found) =>
    found.map((link) => String(Reflect.get(link, 'href'))),
  );
  return [...new Set(addresses)];
}

function control(page: Page, name: string, value: string): Locator {
  return page.locator(`[name="${name}"][value="${value}"]`);
}

/** What a person aims at: the label, by `for` or around the control. */
async function labelOf(found: Locator): Promise<Locator> {
  const id = await found.getAttribute('id');
  return found.page().locator(`label[for="${id}"], label:has([id="${id}"])`).first();
}

async function carryOut(page: Page, move: Move): Promise<void> {
  if (move.kind === 'type') return await page.locator(`[name="${move.name}"]`).fill(move.text);
  const select = page.locator(`select[name="${move.name}"]`);
  if (move.kind === 'choose' && (await select.count()) > 0)
    return void (await select.selectOption(move.value));
  await (await labelOf(control(page, move.name, move.value))).click();
  assert.equal(await control(page, move.name, move.value).isChecked(), move.kind !== 'untick');
}

/** `tick purpose`, `choose option select`, `type date`: what was done, to what kind of control. */
async function nameOf(page: Page, move: Move): Promise<string> {
  const type = await page
    .locator(`[name="${move.name}"]`)
    .first()
    .evaluate((found) => String(Reflect.get(found, 'type')));
  const [kind] = move.name.split('.');
  if (move.kind === 'type') return `type ${type}`;
  return move.kind === 'choose'
    ? `choose ${kind} ${type.replace('select-one', 'select')}`
    : `${move.kind} ${kind}`;
}

/** The names of the purposes and data elements that the moves touch, as their labels say them, but for `(required)`. */
function changedNames(
  moves: readonly Move[],
  controls: readonly { name: string; value: string; label: string }[],
): string[] {
  const names = moves.flatMap((move) => {
    if (move.name.startsWith('element.')) return controls.filter(({ name }) => name === move.name);
    const purpose = move.name === 'purpose' && move.kind !== 'type' ? move.value : move.name.split('.')[1];
    return controls.filter(({ name, value }) => name === 'purpose' && value === purpose);
  });
  return [...new Set(names.map(({ label }) => label.replace(/ \([^()]*\)$/, '')))];
}

interface Focused {
  readonly name: string;
  readonly value: string;
  readonly type: string;
  readonly checked: boolean;
  readonly required: boolean;
  readonly marked: boolean;
}

/** Someone who only tabs: on until the focus is on such a control; every stop on the way must be visible. */
function createTabber(page: Page): (wanted: (control: Focused) => boolean) => Promise<Focused> {
  let last: Focused | undefined;
  return async (wanted) => {
    for (let stops = 0; stops < 200; stops++) {
      await page.keyboard.press('Tab');
      const focused = (await page.evaluate(whereFocusIs)) as Focused | undefined;
      if (focused === undefined) continue;
      // Within a date the browser marks its day, month, year and calendar button by itself.
      const isWithinDate = focused.type === 'date' && focused.name === last?.name;
      last = focused;
      assert.ok(focused.marked || isWithinDate, `no focus is seen on ${focused.name}=${focused.value}`);
      if (wanted(focused)) return focused;
    }
    throw new Error('the keyboard does not get there');
  };
}

/** The ring may be the control's own, or that of what stands around or behind it. */
const whereFocusIs = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body) return undefined;
  const isMarked = (element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none';
  };
  const near = [at, at.nextElementSibling, at.parentElement, at.closest('label')].filter(Boolean);
  return {
    name: at.getAttribute('name') ?? '', value: at.value ?? '', type: at.type ?? '',
    checked: at.checked === true, required: at.getAttribute('aria-required') === 'true', marked: near.some(isMarked),
  };
})()`;
