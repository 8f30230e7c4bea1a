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

suite('Unsubscribing with unusual reasons', () => {
  const inBothFields = (text: string): Fields => [
    ['reason', text],
    ['reason-text', text],
  ];
  // test/pages/person/unsubscribe.test.ts holds which text is kept.
  const cases: readonly (readonly [title: string, fields: Fields, isCut: boolean])[] = [
    ['nothing', [], false],
    ['as much as a browser sends', [['reason-text', '😀'.repeat(5_000)]], true],
    ['a field twice', ['a\u0000\u001b\u202eb', '__proto__'].flatMap(inBothFields), false],
    ['a hundred reasons', Array.from({ length: 100 }, (_, at) => ['reason', `r${at}`] as const), false],
  ];
  test('empty, long, repeated or many reasons do not stop a withdrawal', async () => {
    for (const [index, [title, fields, isCut]] of cases.entries()) {
      const identifier = `reasons.${index}@example.org`;
      const visitor = createVisitor(product.url, { 'accept-language': 'en' });
      await visitor.open(await product.link({ center: books, identifier, flags: ['--scope', 'withdraw'] }));
      const page = await visitor.open(`/centers/${books}/unsubscribe?lang=en`);
      assert.match(page.text, /<textarea [^>]*maxlength="10000" data-limit="750"/);
      const { action, fields: displayed } = readForm(page.text).press();
      const given = new Set(fields.map(([name]) => name));
      const others = displayed.filter(([name]) => !given.has(name));
      const answer = await visitor.post(action, [...others, ...fields]);
      assert.equal(answer.status, 303, title);
      const result = await visitor.open(answer.location ?? '');
      assert.equal(result.status, 200);
      assert.equal(kept.test(result.text), isCut, title);
      const { purposes } = standing(await product.sandbox.subject(books, identifier));
      assert.ok(Object.values(purposes).every(({ status }) => status !== 'ON'));
      assert.equal((await product.sandbox.calls({ method: 'DELETE', identifier })).length, 1);
    }
  });
});

suite('While the platform is down', () => {
  test('the unsubscribe page is shown, its button is accepted, and the withdrawal is delivered later', async () => {
    await using down = await startProduct();
    const identifier = 'anna@example.org';
    const visitor = createVisitor(down.url, { 'accept-language': 'fr' });
    const link = await down.link({ center: books, identifier, flags: ['--scope', 'withdraw'] });
    await down.sandbox.addFault({ kind: 'drop' });
    assert.equal((await visitor.get(link)).status, 303);
    assert.equal((await visitor.get(`/centers/${books}`)).status, 503, 'the center was never read');
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
