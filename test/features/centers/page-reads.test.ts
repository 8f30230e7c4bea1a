import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { textOf } from '../../kit/html.ts';
import { startProduct } from '../../kit/product.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { createVisitor } from '../../kit/visitor.ts';

suite('A visitor who reloads pages all the time', () => {
  test('the visitor uses a part of the quota, leaves the rest to others, and can always unsubscribe', async () => {
    await using product = await startProduct({ env: { SANDBOX_REQUESTS_PER_MINUTE: '150' } });
    const enter = async (identifier: string, flags: readonly string[] = []) => {
      const visitor = createVisitor(product.url);
      const answer = await visitor.open(await product.link({ center: books, identifier, flags }));
      return { visitor, answer };
    };
    const greedy = 'anna@example.org';
    const { visitor, answer } = await enter(greedy);
    const path = new URL(answer.url).pathname;
    for (let again = 0; again < 30; again += 1) assert.equal((await visitor.get(path)).status, 200);
    const shownAgain = await product.sandbox.calls({ operation: 'read-subject', identifier: greedy });
    assert.ok(shownAgain.length <= 3, 'one reading serves all pages of ten seconds');
    // A new session needs a reading, and shares the limit of the person.
    const entries = [];
    for (let again = 0; again < 15; again += 1) entries.push(await enter(greedy));
    const statuses = new Set(entries.map(({ answer: { status } }) => status));
    assert.deepEqual([...statuses].toSorted(), [200, 429]);
    const last = entries.at(-1);
    const refused = last?.answer;
    assert.equal(textOf(refused?.text ?? '', 'h1'), 'Too many attempts');
    const seconds = Number(refused?.headers['retry-after']);
    assert.ok(seconds >= 1 && seconds <= 60);
    const reads = await product.sandbox.calls({ operation: 'read-subject', identifier: greedy });
    assert.ok(reads.length <= 12, `${reads.length} calls`);

    for (let person = 0; person < 20; person += 1)
      assert.equal((await enter(`others.${person}@example.org`)).answer.status, 200);
    // A link for withdrawing has a limit of its own.
    assert.equal((await enter(greedy, ['--scope', 'withdraw'])).answer.status, 200);
    assert.equal((await last?.visitor.get(`${path}/unsubscribe`))?.status, 200);
  });
});
