import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Form, readForm, readForms } from './form.ts';
import { textOf } from './html.ts';

const page = `<!doctype html><html><head><title>A &amp; B</title><script>if (a < b) "</form>"</script></head><body>
<form method="post" action="/sign-out"><input type="hidden" name="leave" value="1"><button>Out</button></form>
<form id="main" method="post" action="/centers/a?x=1&amp;y=2">
  <input type="hidden" name="token" value="a&quot;b&#39;c&lt;d">
  <label for="p1"><span>News &amp; offers</span></label>
  <input type=checkbox id="p1" name="purpose" value="1" checked>
  <input type="checkbox" name="purpose" value="2">
  <input type="checkbox" name="purpose" value="3" checked disabled>
  <fieldset disabled><input name="off" value="x"></fieldset>
  <input type="radio" name="option.1" value=""><input type="radio" name="option.1" value="b" checked>
  <select name="element.c"><option value="">–</option><option value="FR" selected>France</option></select>
  <select name="element.d"><option value="first">First</option><option value="second">Second</option></select>
  <input name="element.name" value="Ann &gt; Bob" maxlength="20"><input type="text" name="fixed" value="y" readonly>
  <textarea name="other">one &amp; two</textarea>
  <button name="action" value="save">Save</button>
</form>
<button form="main" name="action" value="subscribe-all" formaction="/all">All</button>
</body></html>`;

const asRead: [string, string][] = [
  ['token', `a"b'c<d`],
  ['purpose', '1'],
  ['option.1', 'b'],
  ['element.c', 'FR'],
  ['element.d', 'first'],
  ['element.name', 'Ann > Bob'],
  ['fixed', 'y'],
  ['other', 'one & two'],
];

const impossible: readonly (readonly [what: string, act: (form: Form) => unknown])[] = [
  ['tick a box that is not there', (form) => form.tick('purpose', '9')],
  ['untick a disabled box', (form) => form.untick('purpose', '3')],
  ['type into a read-only field', (form) => form.type('fixed', 'z')],
  ['type into a disabled fieldset', (form) => form.type('off', 'z')],
  ['type more than fits', (form) => form.type('element.name', 'x'.repeat(21))],
  ['choose what a select does not offer', (form) => form.choose('element.c', 'DE')],
  ['press a button that is not there', (form) => form.press({ name: 'action', value: 'delete' })],
];

suite('A form of a page', () => {
  test('It posts what a browser would.', () => {
    const form = readForm(page);
    assert.deepEqual(form.press(), { action: '/centers/a?x=1&y=2', fields: [...asRead, ['action', 'save']] });
    assert.equal(form.controls[1]?.label, 'News & offers');
  });

  test('It posts what a person has changed.', () => {
    const form = readForm(page).untick('purpose', '1').tick('purpose', '2').choose('option.1', '');
    form.choose('element.c', '').choose('element.d', 'second').type('element.name', 'Zoë').type('other', '');
    assert.deepEqual(form.press({ name: 'action', value: 'save' }).fields, [
      ['token', `a"b'c<d`],
      ['purpose', '2'],
      ['option.1', ''],
      ['element.c', ''],
      ['element.d', 'second'],
      ['element.name', 'Zoë'],
      ['fixed', 'y'],
      ['other', ''],
      ['action', 'save'],
    ]);
  });

  test('A button outside posts its form, to its own address.', () => {
    const { action, fields } = readForm(page).press({ name: 'action', value: 'subscribe-all' });
    assert.equal(action, '/all');
    assert.deepEqual(fields, [...asRead, ['action', 'subscribe-all']]);
  });

  for (const [what, act] of impossible) {
    test(`A person cannot ${what}.`, () => {
      assert.throws(() => act(readForm(page)));
    });
  }

  test('All forms are found, and texts are read.', () => {
    assert.equal(readForms(page).length, 2);
    assert.equal(textOf(page, 'title'), 'A & B');
    assert.throws(() => readForm(page, 'nothing'), /0 forms have nothing/);
  });
});
