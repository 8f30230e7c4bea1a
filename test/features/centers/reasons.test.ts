import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { productOf } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { standing } from '../../kit/moves.ts';
import { startProduct } from '../../kit/product.ts';
import { orders as alwaysActive, books } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';

const product = productOf();

type Fields = readonly (readonly [string, string])[];

const kept = /We kept only the first 750 characters of your reason/;

suite('Whatever stands in the fields for reasons, leaving everything is carried out:', () => {
  const twice = (text: string): Fields => [
    ['reason', text],
    ['reason-text', text],
  ];
  // What is kept of them is in test/pages/person/unsubscribe.test.ts.
  const cases: readonly (readonly [what: string, fields: Fields, isCut: boolean])[] = [
    ['nothing', [], false],
    ['as much as a browser sends', [['reason-text', '😀'.repeat(5_000)]], true],
    ['a field twice', ['a\u0000\u001b\u202eb', '__proto__'].flatMap(twice), false],
    ['a hundred reasons', Array.from({ length: 100 }, (_, at) => ['reason', `r${at}`] as const), false],
  ];
  test('nothing, too much, fields twice, a hundred.', async () => {
    for (const [index, [what, fields, isCut]] of cases.entries()) {
      const identifier = `reasons.${index}@example.org`;
      const visitor = createVisitor(product.url, { 'accept-language': 'en' });
      await visitor.open(await product.link({ center: books, identifier, flags: ['--scope', 'withdraw'] }));
      const page = await visitor.open(`/centers/${books}/unsubscribe?lang=en`);
      assert.match(page.text, /<textarea [^>]*maxlength="10000" data-limit="750"/);
      const { action, fields: displayed } = readForm(page.text).press();
      const given = new Set(fields.map(([name]) => name));
      const others = displayed.filter(([name]) => !given.has(name));
      const answer = await visitor.post(action, [...others, ...fields]);
      assert.equal(answer.status, 303, what);
      const result = await visitor.open(answer.location ?? '');
      assert.equal(result.status, 200);
      assert.equal(kept.test(result.text), isCut, what);
      const { purposes } = standing(await product.sandbox.subject(books, identifier));
      assert.ok(Object.values(purposes).every(({ status }) => status !== 'ON'));
      assert.equal((await product.sandbox.calls({ method: 'DELETE', identifier })).length, 1);
    }
  });
});

suite('While the platform is down, from the first moment on,', () => {
  test('everything can be left: the page is there, the button is accepted, and it is carried out.', async () => {
    await using down = await startProduct();
    const identifier = 'anna@example.org';
    const visitor = createVisitor(down.url, { 'accept-language': 'fr' });
    const link = await down.link({ center: books, identifier, flags: ['--scope', 'withdraw'] });
    await down.sandbox.addFault({ kind: 'drop' });
    assert.equal((await visitor.get(link)).status, 303);
    assert.equal((await visitor.get(`/centers/${books}`)).status, 503, 'nobody has read the center');
    const page = await visitor.get(`/centers/${books}/unsubscribe`);
    assert.equal(page.status, 200);
    assert.match(page.text, /<html lang="fr"/);
    const accepted = await visitor.submit(page, () => undefined);
    assert.equal(accepted.status, 200);
    assert.match(accepted.url, /\/results\//);
    assert.match(accepted.text, /data-refresh/);
    await down.sandbox.clearFaults();
    const isOff = async () =>
      !Object.entries(standing(await down.sandbox.subject(books, identifier)).purposes).some(
        ([id, { status }]) => status === 'ON' && id !== alwaysActive,
      );
    await until(isOff, 'everything is off');
  });
});
