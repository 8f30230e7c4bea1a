import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { productOf } from '../../kit/for-suite.ts';
import { readForm, readForms } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { standing } from '../../kit/moves.ts';
import { books, newBooks } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { lettersTo } from '../identity/mailbox.ts';

const product = productOf();

async function statusOf(identifier: string): Promise<string | undefined> {
  return standing(await product.sandbox.subject(books, identifier)).purposes[newBooks]?.status;
}

const oneClick = (identifier: string) =>
  product.link({ center: books, identifier, flags: ['--one-click', '--purpose', newBooks] });

suite('After one click', () => {
  test('the page says from what, and its undo switches nothing on: it sends a link to the address itself.', async () => {
    const identifier = 'regrets@example.net';
    await product.sandbox.subscribe(books, identifier, newBooks);
    const visitor = createVisitor(product.url, { 'accept-language': 'en' });
    const page = await visitor.open(await oneClick(identifier));
    const done = await visitor.submit(page, () => undefined);
    assert.match(textOf(done.text, 'main') ?? '', /You’ll no longer get “[^”]+”\./);
    await until(async () => (await statusOf(identifier)) === 'WITHDRAWN');

    const form = readForm(done.text);
    assert.equal(form.method, 'post');
    assert.match(form.action, /\/sign-in\/fresh\?lang=en/);
    assert.ok(!done.text.includes(identifier), 'the page names nobody');
    const sent = await visitor.press(form);
    assert.equal(sent.status, 303);
    assert.equal((await lettersTo(visitor, identifier, 1)).length, 1);
    assert.equal(await statusOf(identifier), 'WITHDRAWN');
    const home = await visitor.get(`/centers/${books}`);
    assert.notEqual(home.status, 200, 'whoever pressed it is nobody yet');
  });

  test('nobody is offered an undo who has no address to send it to.', async () => {
    const visitor = createVisitor(product.url);
    const done = await visitor.submit(await visitor.open(await oneClick('customer-4711')), () => undefined);
    assert.deepEqual(readForms(/<main[\s\S]*<\/main>/.exec(done.text)?.[0] ?? ''), []);
  });
});
