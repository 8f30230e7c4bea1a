import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite, productOf } from '../kit/for-suite.ts';
import { standing } from '../kit/moves.ts';
import { books, newBooks as letter } from '../kit/sandbox-ids.ts';
import { openFirefox, skip, type Window } from './firefox.ts';

const texts = 'b00c5000-0000-4001-8000-000000000004';
const save = 'button[value="save"]';
const undo = '#result :is(form button, [form=undo])';

/** A second start of Firefox doubles the time: only the long form tests without script, or more languages. */
const isLong = process.env['SAYSO_LONG'] === '1';
const people = [
  { script: true, locales: isLong ? ['en', 'de'] : ['en'] },
  ...(isLong ? [{ script: false, locales: ['ar'] }] : []),
];

suite('In Firefox', { skip }, () => {
  const product = productOf();

  for (const { script, locales } of people) {
    suite(`with scripts ${script ? 'on' : 'off'}`, () => {
      const firefox = forSuite(
        () => openFirefox({ script }),
        (opened) => opened.close(),
      );

      for (const lang of locales) {
        test(`a visitor changes, undoes, unsubscribes and reads the record, in ${lang}`, async () => {
          const identifier = `${lang}.reader@example.org`;
          await consentsTo(letter, identifier);
          const window = await firefox.open(lang);
          const link = await product.link({ center: books, identifier });
          await window.goto(`${link}&lang=${lang}`);
          assert.equal(await window.read('document.documentElement.lang.slice(0, 2)'), lang);
          assert.equal(await window.read('document.documentElement.dir'), lang === 'ar' ? 'rtl' : 'ltr');
          assert.equal(await isShown(window, save), !script, 'with script, "save" is hidden before a change');

          await window.click('input[aria-required="true"]');
          await window.type('Robin');
          await turn(window, letter);
          await turn(window, texts);
          assert.ok(await isShown(window, save));
          await window.follow(save);
          await assertDone(window, identifier, [texts]);
          const result = String(await window.read('location.href'));
          await assertFormSays(window, [texts], lang);

          await window.goto(result);
          await window.follow(undo);
          await assertDone(window, identifier, [letter]);
          await assertFormSays(window, [letter], lang);

          await window.follow('a.leave');
          await window.follow('main form button');
          await assertDone(window, identifier, []);
          await assertFormSays(window, [], lang);

          await window.goto(`${product.url}/centers/${books}/record?lang=${lang}`);
          assert.equal(
            await window.read(`document.querySelectorAll('main time, main .when').length > 2`),
            true,
          );
          assertOurs(window, 3);
        });
      }

      test('all other forms can be sent, too, and none is refused as cross-origin', async () => {
        const identifier = 'form.poster@example.org';
        await consentsTo(letter, identifier);
        const window = await firefox.open('en');
        await window.goto(await product.link({ center: books, identifier, flags: ['--one-click'] }));
        await window.follow('main form button');
        await window.until(`document.querySelector('main form [name="List-Unsubscribe"]') === null`);
        assert.deepEqual(await onRecord(identifier), []);

        await window.goto(`${product.url}/centers/${books}/sign-in?lang=en`);
        await window.click('input[type="email"]');
        await window.type(identifier);
        await window.follow('main form button.primary');
        await window.until(`document.querySelector('input[autocomplete="one-time-code"]') !== null`);

        await window.goto(await product.link({ center: books, identifier }));
        await window.follow('header form button');
        await window.goto(`${product.url}/centers/${books}`);
        assert.match(String(await window.read('location.pathname')), /\/sign-in$/, 'logged out');
        assertOurs(window, 3);
      });
    });
  }

  async function turn(window: Window, purpose: string): Promise<void> {
    const isOn = `document.getElementById('purpose-${purpose}')?.checked`;
    await window.until(`${isOn} !== undefined`);
    const was = await window.read(isOn);
    await window.click(labelOf(purpose));
    await window.until(`${isOn} !== ${was}`);
  }

  async function consentsTo(purpose: string, identifier: string): Promise<void> {
    const Purposes = [{ Id: purpose, TransactionStatus: 'ACTIVE' }];
    await product.sandbox.change({ center: books, identifier, Purposes });
  }

  /** Asserts that the page says "saved", and that exactly these purposes are on record. */
  async function assertDone(window: Window, identifier: string, on: readonly string[]): Promise<void> {
    await window.until(`document.querySelector('#result .saved') !== null`);
    assert.deepEqual(await onRecord(identifier), on);
  }

  async function onRecord(identifier: string): Promise<string[]> {
    const { purposes } = standing(await product.sandbox.subject(books, identifier));
    const on = Object.entries(purposes).filter(([, { status }]) => status === 'ON');
    return on.map(([id]) => id).sort();
  }

  /** Opens the form again and asserts its switches. */
  async function assertFormSays(window: Window, ids: readonly string[], lang: string): Promise<void> {
    await window.goto(`${product.url}/centers/${books}?lang=${lang}`);
    for (const id of [letter, texts])
      assert.equal(await window.read(`document.getElementById('purpose-${id}').checked`), ids.includes(id));
  }

  /** Asserts that requests name our origin, and never our path. */
  function assertOurs(window: Window, posts: number): void {
    const origin = new URL(product.url).origin;
    const sent = window.posts();
    assert.equal(sent.length, posts);
    for (const headers of sent) {
      assert.equal(headers['origin'], origin);
      assert.equal(headers['sec-fetch-site'], 'same-origin');
    }
    const ours = window.referrers().filter((from) => from.startsWith(origin));
    assert.ok(ours.length > 0);
    for (const from of ours) assert.equal(from, `${origin}/`);
  }
});

function labelOf(purpose: string): string {
  return `label[for="purpose-${purpose}"]`;
}

async function isShown(window: Window, selector: string): Promise<unknown> {
  return window.read(`document.querySelector(${JSON.stringify(selector)}).checkVisibility({
    visibilityProperty: true, opacityProperty: true })`);
}
