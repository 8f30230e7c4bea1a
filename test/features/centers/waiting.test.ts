import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { catalogues } from '../../../src/i18n/catalogue.ts';
import { productOf } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { shop } from '../../kit/shop.ts';
import { until } from '../../kit/until.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';

suite('When no quota is left for a page', () => {
  const product = productOf({
    env: { SANDBOX_REQUESTS_PER_MINUTE: '1000' },
    centers: [shop],
  });
  before(async () => {
    await product.sandbox.allow({ perMinute: 1_000, headers: 'always' });
  });

  async function enter(identifier: string): Promise<{ visitor: Visitor; answer: Answer }> {
    const visitor = createVisitor(product.url);
    const answer = await visitor.open(await product.link({ center: books, identifier }));
    return { visitor, answer };
  }

  /** Uses up the calls of this minute except two, and then those two. The next minute may begin meanwhile. */
  async function useUp(): Promise<void> {
    const minuteOf = (at: number) => Math.floor(at / 60_000);
    for (let minutes = 0; minutes < 2; minutes += 1) {
      const now = minuteOf(Date.now());
      const calls = await product.sandbox.calls({ operation: 'read-subject' });
      const made = calls.filter(({ at }) => minuteOf(Date.parse(at)) === now).length;
      await product.sandbox.useUp({ calls: 997 - made, operation: 'read-subject' });
      for (let tries = 0; tries < 12; tries += 1) {
        const { answer } = await enter(`somebody.${tries}@example.org`);
        if (answer.status === 503) return;
      }
    }
    assert.fail('the quota is not used up');
  }

  test('the page asks to wait, unsubscribing works at once, and no call is over the quota', async () => {
    const known = await product.sandbox.subject(books, 'anna@example.org');
    const Purposes = known.Purposes.map(({ Id }) => ({ Id, TransactionStatus: 'ACTIVE' }));
    await product.sandbox.change({ center: books, identifier: 'leaver@example.org', Purposes });
    await useUp();
    const { visitor, answer } = await enter('leaver@example.org');
    assert.equal(answer.status, 503);
    const seconds = Number(answer.headers['retry-after']);
    assert.ok(seconds >= 3 && seconds <= 60);
    assert.equal(answer.headers['refresh'], String(seconds));
    const main = textOf(answer.text, 'main') ?? '';
    assert.match(main, /You’re in the queue.*About \d+ seconds/s);
    const german = await visitor.get(`/centers/shop?lang=de`);
    const { leave } = catalogues['de']?.waiting ?? assert.fail('no German');
    assert.ok(textOf(german.text, 'main')?.includes(leave));

    const left = await visitor.press(readForm(answer.text, /\/unsubscribe/));
    assert.equal(left.status, 303);
    assert.match(left.location ?? '', /\/results\//);
    const asked = { operation: 'withdraw-subject', identifier: 'leaver@example.org' };
    const deleted = () => product.sandbox.calls(asked);
    await until(async () => (await deleted()).length > 0);
    assert.equal((await deleted()).length, 1, 'calls of a withdrawal use another part of the quota');
    assert.deepEqual(await product.sandbox.calls({ status: '429' }), []);
    const result = await visitor.get(left.location ?? '');
    assert.equal(result.status, 200);
  });
});
