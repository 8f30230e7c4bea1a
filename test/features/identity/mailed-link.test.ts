import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { productOf } from '../../kit/for-suite.ts';
import { textOf } from '../../kit/html.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { ask, lettersTo, letterTo } from './mailbox.ts';

const product = productOf({ store: 'files' });

const english = () => createVisitor(product.url, { 'accept-language': 'en' });

async function linkTo(identifier: string): Promise<string> {
  const visitor = english();
  await ask(visitor, identifier, `/centers/${books}`);
  return (await letterTo(visitor, identifier)).link;
}

/** Deletes all messages from the store, where none stays after its end. */
function forgetMessages(): void {
  const database = new DatabaseSync(join(product.home, 'data', 'sessions.sqlite'));
  database.exec('DELETE FROM passcode');
  database.close();
}

suite('A link by mail', () => {
  test('a mailed link is unreadable to others, and opens also in the form of an earlier version', async () => {
    const identifier = 'mailed.to@example.org';
    const link = await linkTo(identifier);
    const [address = '', mailedTo = ''] = link.split('.');
    assert.match(mailedTo, /^[\w-]+$/);
    assert.doesNotMatch(Buffer.from(mailedTo, 'base64url').toString('latin1'), /mailed|example|b00c5000/);
    const visitor = english();
    const opened = await visitor.submit(await visitor.open(address), () => {});
    assert.match(opened.text, /name="element\./);
  });

  test('a link of a deleted message is exchanged for a fresh one to the same address', async () => {
    const identifier = 'late.reader@example.org';
    const link = await linkTo(identifier);
    const visitor = english();
    const opened = await visitor.open(link);
    assert.equal(opened.status, 200);
    forgetMessages();
    for (const page of [await visitor.submit(opened, () => {}), await english().get(link)]) {
      assert.equal(page.status, 410);
      assert.equal(textOf(page.text, 'h1'), 'This link has expired');
      assert.ok(!page.text.includes(identifier));
    }
    assert.notEqual((await visitor.get(`/centers/${books}`)).status, 200, 'the visitor is not signed in');
    const stranger = english();
    await stranger.submit(await stranger.get(link), () => {});
    assert.equal((await lettersTo(stranger, identifier, 2)).length, 2);
  });

  test('a link of a deleted message is refused when it was changed or is of another center', async () => {
    const link = await linkTo('changed@example.org');
    forgetMessages();
    const [address = '', mailedTo = ''] = link.split('.');
    for (const wrong of [
      address,
      `${address}.${mailedTo.slice(0, -2)}`,
      `${address}.${mailedTo.slice(2)}`,
      `${address}.${'A'.repeat(3_000)}`,
      link.replace(books, bank),
    ]) {
      const answer = await english().get(wrong);
      assert.equal(answer.status, 400, wrong.slice(0, 200));
      assert.equal(
        (await english().post(new URL(wrong, product.url).pathname, [['token', wrong]])).status,
        400,
      );
    }
  });
});
