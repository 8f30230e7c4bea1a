import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { times } from '../chaos/dice.ts';
import { elementLabels } from '../kit/elements.ts';
import { productOf } from '../kit/for-suite.ts';
import { type Control, readForm } from '../kit/form.ts';
import { type Move, planMoves, standing, standingAfter } from '../kit/moves.ts';
import { bank, books } from '../kit/sandbox-ids.ts';
import { axeFaults, browserOf, openContext, type Person, shoot } from './browser.ts';

const university = '0ca11000-0000-4000-8000-000000000001';
const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

const visitors: Readonly<Record<string, Reader>> = {
  'at a desk in French': { locale: 'fr', dir: 'ltr' },
  'on a phone in French': { locale: 'fr', dir: 'ltr', phone: true },
  'at a desk in Arabic': { locale: 'ar', dir: 'rtl' },
  'on a phone in Arabic, in the dark': { locale: 'ar', dir: 'rtl', phone: true, dark: true },
};

/** Each visitor of a template is another person with another record. `few` are the visitors of `npm test`. */
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

suite('A journey with scripts off', () => {
  const done = new Set<string>();
  const browser = browserOf();
  const product = productOf();

  /** Opens a page by link, in the visitor's language instead of the person's. */
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
      test(`a visitor ${where} changes all kinds of controls in ${name}, and exactly these changes are on record`, async () => {
        const identifier = `${people[index]}@example.org`;
        const labels = await elementLabels(product, center);
        const page = await arrive(center, identifier, person);
        const addresses = pages === 1 ? [page.url()] : await pageAddresses(page);
        assert.equal(addresses.length, pages);

        for (const [number, address] of addresses.entries()) {
          // The gallery tests the unchanged templates with axe.
          const assertLook = times(index === few.at(-1) && number === 0, true) ? assertSound : assertFits;
          const shot = `${name}-${where.replaceAll(/\W+/g, '-')}-${number + 1}`.toLowerCase();
          await page.goto(address);
          await assertFits(page, person, `${shot}-before`);
          const form = readForm(await page.content());
          const moves = planMoves(form);
          const was = standing(await product.sandbox.subject(center, identifier));
          for (const move of moves) {
            const control = controlOf(move, form.controls);
            await makeMove(page, move, control);
            done.add(`${move.kind} ${move.name.split('.')[0]} ${control.type}`);
          }
          await assertLook(page, person, `${shot}-changed`);
          await page.locator('button[name="action"][value="save"]').click();
          await assertFits(page, person, `${shot}-result`);

          assert.match(new URL(page.url()).pathname, new RegExp(`^/centers/${center}/results/[\\w-]+$`));
          const main = page.locator('main');
          assert.doesNotMatch(await main.innerText(), guid, 'ids are hidden at first');
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

  test('the visitors have used all kinds of controls', () => {
    const ticking = ['tick purpose', 'untick purpose', 'tick topic', 'tick option'];
    const others = ['type element text', 'type element date', 'type element tel', 'choose element select'];
    const choosing = ['choose option radio', 'choose option select'];
    const kinds = [...ticking.map((kind) => `${kind} checkbox`), ...others, ...choosing];
    assert.deepEqual(
      kinds.filter((kind) => !done.has(kind)),
      [],
      [...done].join(', '),
    );
  });
});

type Reader = Person & { readonly dir: 'ltr' | 'rtl' };
type Look = Readonly<Record<'lang' | 'dir', string> & { over: number }>;

/** Asserts that axe finds no fault, and that the page fits. */
async function assertSound(page: Page, person: Reader, shot: string): Promise<void> {
  assert.deepEqual(await axeFaults(page), [], shot);
  await assertFits(page, person, shot);
}

/** Asserts the language and direction of the page, and that it does not scroll sideways. */
async function assertFits(page: Page, person: Reader, shot: string): Promise<void> {
  await shoot(page, shot);
  const size = page.viewportSize();
  for (const width of person.phone ? [375, 320] : [1280]) {
    await page.setViewportSize({ width, height: size?.height ?? 800 });
    const { lang, dir, over } = (await page.evaluate(`(({ lang, dir, scrollWidth, clientWidth }) =>
      ({ lang, dir, over: scrollWidth - clientWidth }))(document.documentElement)`)) as Look;
    assert.equal(lang.split('-')[0], person.locale, shot);
    assert.equal(dir || 'ltr', person.dir, shot);
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

function controlOf(move: Move, controls: readonly Control[]): Control {
  const named = controls.filter(({ name }) => name === move.name);
  const one = named.find(
    ({ value, tag }) => tag === 'select' || move.kind === 'type' || value === move.value,
  );
  return one ?? assert.fail(`no control for ${move.name}`);
}

/** Makes a move; choices are clicked on their labels, as a person does. */
async function makeMove(page: Page, move: Move, { id, tag }: Control): Promise<void> {
  const control = page.locator(`[id="${id}"]`);
  if (move.kind === 'type') return control.fill(move.text);
  if (tag === 'select') return void (await control.selectOption(move.value));
  await page.locator(`label[for="${id}"], label:has([id="${id}"])`).first().click();
  assert.equal(await control.isChecked(), move.kind !== 'untick');
}

/** Returns the labels of the changed purposes and data elements, without `(required)`. */
function changedNames(moves: readonly Move[], controls: readonly Control[]): string[] {
  const names = moves.flatMap((move) => {
    if (move.name.startsWith('element.')) return controls.filter(({ name }) => name === move.name);
    const purpose = move.name === 'purpose' && move.kind !== 'type' ? move.value : move.name.split('.')[1];
    return controls.filter(({ name, value }) => name === 'purpose' && value === purpose);
  });
  return [...new Set(names.map(({ label }) => label.replace(/ \([^()]*\)$/, '')))];
}
