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

async function linkTo(who: string): Promise<string> {
  const visitor = english();
  await ask(visitor, who, `/centers/${books}`);
  return (await letterTo(visitor, who)).link;
}

/** As it is after the end of every message: nothing of them is kept. */
function forgetMessages(): void {
  const database = new DatabaseSync(join(product.home, 'data', 'sessions.sqlite'));
  database.exec('DELETE FROM passcode');
  database.close();
}

suite('A link by mail', () => {
  test('says nothing to anybody but us, and opens as an earlier version wrote and reads it.', async () => {
    const who = 'mailed.to@example.org';
    const link = await linkTo(who);
    const [address = '', mailedTo = ''] = link.split('.');
    assert.match(mailedTo, /^[\w-]+$/);
    assert.doesNotMatch(Buffer.from(mailedTo, 'base64url').toString('latin1'), /mailed|example|b00c5000/);
    const visitor = english();
    const opened = await visitor.submit(await visitor.open(address), () => {});
    assert.match(opened.text, /name="element\./);
  });

  test('that is over and forgotten is exchanged for a fresh one, sent to the same address.', async () => {
    const who = 'late.reader@example.org';
    const link = await linkTo(who);
    const visitor = english();
    const opened = await visitor.open(link);
    assert.equal(opened.status, 200);
    forgetMessages();
    for (const page of [await visitor.submit(opened, () => {}), await english().get(link)]) {
      assert.equal(page.status, 410);
      assert.equal(textOf(page.text, 'h1'), 'This link has expired');
      assert.ok(!page.text.includes(who));
    }
    assert.notEqual((await visitor.get(`/centers/${books}`)).status, 200, 'nobody is signed in');
    const stranger = english();
    await stranger.submit(await stranger.get(link), () => {});
    assert.equal((await lettersTo(stranger, who, 2)).length, 2);
  });

  test('that was changed, or is of another center, is nothing once it is forgotten.', async () => {
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
