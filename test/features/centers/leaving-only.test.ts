import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { productOf } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { createVisitor } from '../../kit/visitor.ts';

const center = 'd7f5a3c1-5c6e-4b7a-9d10-3e2f1a0b9c8d';
const page = 'e8f5a3c1-5c6e-4b7a-9d10-3e2f1a0b9c8d';
const [on, off] = ['11111111-5c6e-4b7a-9d10-3e2f1a0b9c8d', '22222222-5c6e-4b7a-9d10-3e2f1a0b9c8d'];
const open = '33333333-5c6e-4b7a-9d10-3e2f1a0b9c8d';

const preferences = {
  Status: 200,
  PreferenceCentreId: center,
  Language: 'en',
  Languages: ['en'],
  Template: 'MULTIPAGE',
  Purposes: [on, off, open].map((Id) => ({ Id, Label: `Purpose ${Id[0]}`, Status: 'ACTIVE' })),
};
const schema = { pages: [{ id: page, order: 0 }], defaultLanguage: 'en', languages: [{ language: 'en' }] };
const sections = (conditionalRules: unknown) => [
  {
    id: 'a',
    conditionalRules,
    purposes: [on, off].map((id) => ({ id, label: `Purpose ${id[0]}`, version: 1 })),
  },
  { id: 'b', purposes: [{ id: open, label: 'Purpose 3', version: 1 }] },
];
const rules = [{ operator: 'EQUALS' }];

suite('A section whose conditions are not understood', { concurrency: false }, () => {
  const at = `sandbox/centers/${center}`;
  const product = productOf({
    env: { SANDBOX_DATA: '{home}/sandbox' },
    files: {
      [`${at}/preferences.json`]: JSON.stringify(preferences),
      [`${at}/schema.json`]: JSON.stringify(schema),
      [`${at}/pages/${page}.json`]: JSON.stringify({ id: page, sections: sections(rules) }),
    },
  });

  async function person(identifier: string) {
    await product.sandbox.change({
      center,
      identifier,
      Purposes: [{ Id: on, TransactionStatus: 'ACTIVE' }],
    });
    const visitor = createVisitor(product.url, { 'accept-language': 'en' });
    const opened = await visitor.open(await product.link({ center, identifier }));
    const statuses = async () =>
      Object.fromEntries(
        (await product.sandbox.subject(center, identifier)).Purposes.map(({ Id, TransactionStatus }) => [
          Id,
          TransactionStatus,
        ]),
      );
    return { visitor, opened, statuses };
  }

  test('It is rendered for leaving only, and says so.', async () => {
    const { opened } = await person('reader@example.org');
    const inputs = [...opened.text.matchAll(/<input[^>]*name="purpose"[^>]*>/g)].map(([input]) => input);
    const isOpen = (id: string | undefined) =>
      inputs.some((input) => input.includes(`value="${id}"`) && !/ disabled/.test(input));
    assert.deepEqual([on, off, open].map(isOpen), [true, false, true]);
    assert.match(opened.text, /You can turn this off here, but not on/);
  });

  test('What is on is switched off, and undo does not bring it back.', async () => {
    const { visitor, opened, statuses } = await person('leaver@example.org');
    const result = await visitor.submit(opened, (form) => form.untick('purpose', on));
    assert.equal((await statuses())[on], 'WITHDRAWN');
    assert.doesNotMatch(result.text, /\/undo/);
  });

  test('An undo that does not bring it back says so before its button, and takes back what it granted.', async () => {
    const { visitor, opened, statuses } = await person('undoer@example.org');
    const result = await visitor.submit(opened, (form) => form.untick('purpose', on).tick('purpose', open));
    assert.match(
      result.text,
      /put back as they were:\s*<\/p>\s*<ul>\s*<li><span[^>]*>Purpose 1<[\s\S]*\/undo"/,
    );
    await visitor.press(readForm(result.text));
    assert.deepEqual(await statuses(), { [on]: 'WITHDRAWN', [open]: 'WITHDRAWN' });
  });

  test('A forged form switches nothing on in it, and saves the rest.', async () => {
    const { visitor, opened, statuses } = await person('forger@example.org');
    const { action, fields } = readForm(opened.text).tick('purpose', open).press();
    const answer = await visitor.post(action, [...fields, ['purpose', off]]);
    assert.equal(answer.status, 303);
    await visitor.open(answer.location ?? '');
    assert.deepEqual(await statuses(), { [on]: 'ACTIVE', [open]: 'ACTIVE' });
  });

  test('The log tells of it once, and the findings of staff name it.', async () => {
    await person('other@example.org');
    const told = product
      .output()
      .split('\n')
      .filter((line) => line.includes('conditionalRules'));
    assert.equal(told.length, 1, told.join('\n'));
  });
});
