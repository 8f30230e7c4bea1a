import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { messagesFor } from '../../../src/i18n/catalogue.ts';
import { readForm, save, switches } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { type Product, startProduct } from '../../kit/product.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { host, type Signing, secret, sign as signAny, startKeyServer } from '../../kit/shop.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { ask, lettersTo, letterTo } from './mailbox.ts';

const shop = '/centers/shop';

let product: Product;
let keyServer: Awaited<ReturnType<typeof startKeyServer>>;
/** A key published without an algorithm, so that only the product's list says what it may sign. */
let free: JWK;

before(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true });
  free = await exportJWK(pair.privateKey);
  keyServer = await startKeyServer([{ ...(await exportJWK(pair.publicKey)), kid: 'free' }]);
  const linkKeys = [
    { issuer: host, secret },
    { issuer: 'https://crm.example', jwksUrl: keyServer.url },
  ];
  product = await startProduct({ centers: [{ address: 'shop', center: books, linkKeys }] });
});

after(async () => {
  await product?.[Symbol.asyncDispose]();
  keyServer?.close();
});

function sign({ claims, ...by }: Signing = {}) {
  const now = Math.floor(Date.now() / 1000);
  return signAny({ ...by, claims: { sub: 'anna@example.org', iat: now, exp: now + 600, ...claims } });
}

async function open(token: string) {
  const visitor = createVisitor(product.url);
  return { visitor, answer: await visitor.get(`${shop}?t=${token}`) };
}

suite('A link of the customer’s backend', () => {
  test('a customer’s link opens the page of its person at a clean address', async () => {
    for (const aud of ['shop', books, ['other', 'shop'], 'Shop', books.toUpperCase(), [7, 'SHOP']]) {
      const { visitor, answer } = await open(await sign({ claims: { aud } }));
      assert.equal(answer.status, 303);
      assert.equal(answer.location, `${product.url}${shop}`);
      assert.match((await visitor.open(shop)).text, /<bdi>a•••@example\.org<\/bdi>/);
    }
  });

  test('a customer’s link is refused in each algorithm that is not listed, also under a right key', async () => {
    const claims = { iss: 'https://crm.example' };
    const algorithms = { RS256: 303, PS256: 303, RS384: 400, RS512: 400, PS384: 400, PS512: 400 };
    for (const [alg, status] of Object.entries(algorithms)) {
      const token = await sign({ alg, kid: 'free', key: await importJWK(free, alg), claims });
      assert.equal((await open(token)).answer.status, status, alg);
    }
  });

  test('a customer’s link lets a person only withdraw unless its scope is exactly to manage', async () => {
    for (const scope of [undefined, 'withdraw', 'MANAGE', ['manage'], 'all']) {
      const { visitor } = await open(await sign({ claims: { scope } }));
      const page = await visitor.open(shop);
      assert.match(page.text, /With this link you can turn things off/, String(scope));
    }
  });

  test('a HEAD request does not use a customer’s link up', async () => {
    const token = await sign({ claims: { jti: 'one' } });
    const head = await fetch(`${product.url}${shop}?t=${token}`, { method: 'HEAD', redirect: 'manual' });
    assert.equal(head.status, 200);
    assert.equal(head.headers.get('set-cookie'), null);
    assert.equal((await open(token)).answer.status, 303);
  });

  test('an expired link offers a fresh one, and answers alike where its identifier is no mail address', async () => {
    const exp = Math.floor(Date.now() / 1000) - 86_400;
    const shown = [];
    for (const sub of ['late@example.org', 'customer-4711']) {
      const { visitor, answer } = await open(await sign({ claims: { sub, exp } }));
      assert.equal(answer.status, 410);
      assert.ok(!answer.text.includes(sub));
      assert.equal((await lettersTo(visitor, sub)).length, 0, 'opening the link sends nothing');
      shown.push(textOf((await visitor.submit(answer, () => {})).text, 'h1'));
    }
    assert.equal(shown[0], shown[1]);
    const visitor = createVisitor(product.url);
    assert.equal((await lettersTo(visitor, 'late@example.org', 1)).length, 1);
    assert.equal((await lettersTo(visitor, 'customer-4711')).length, 0);
  });
});

suite('A link for withdrawing', () => {
  test('a link for withdrawing saves a withdrawal at once, and an opt-in once the person has signed in', async () => {
    const identifier = 'salma@example.org';
    const browser = createVisitor(product.url);
    const displayed = await browser.open(await product.link({ center: books, identifier }));
    const form = readForm(displayed.text);
    const {
      on: [off = ''],
      off: [on = ''],
    } = switches(form);
    // The page was shown for managing; meanwhile a link for withdrawing was opened in the same browser.
    await browser.open(await product.link({ center: books, identifier, flags: ['--scope', 'withdraw'] }));

    const { fields } = form.tick('purpose', on).untick('purpose', off).press(save);
    const original = await product.sandbox.subject(books, identifier);
    const stepUp = await browser.post(shop, fields);
    assert.equal(stepUp.status, 403);
    assert.equal(textOf(stepUp.text, 'h1'), 'يرجى تأكيد هويتك');
    const between = await product.sandbox.subject(books, identifier);
    const statusOf = (subject: typeof between, id: string) =>
      subject.Purposes.find((purpose) => purpose.Id.toLowerCase() === id)?.TransactionStatus;
    assert.equal(statusOf(between, on), statusOf(original, on), 'the opt-in waits');
    assert.match(String(statusOf(between, off)), /WITHDRAWN|OPT_OUT|NO_CONSENT/, 'no withdrawal is lost');

    const passcode = await browser.submit(stepUp, () => {});
    assert.equal(passcode.status, 200);
    assert.match(passcode.text, /<html lang="ar" dir="rtl"/);
    const letter = await letterTo(browser, identifier);
    const held = readForm(passcode.text, 'code').type('code', letter.code).press();
    const review = await browser.post(held.action, held.fields);
    assert.equal(review.status, 200);
    assert.ok(review.text.includes(messagesFor('ar').review.changedTakenText));
    assert.equal(statusOf(await product.sandbox.subject(books, identifier), on), statusOf(original, on));
    const done = await browser.submit(review, () => {});
    assert.equal(done.status, 200);
    assert.match(done.url, /\/results\//);
    assert.match(String(statusOf(await product.sandbox.subject(books, identifier), on)), /ACTIVE|PENDING/);
  });

  test('the changes that a link for withdrawing holds are never shown to another person', async () => {
    const browser = createVisitor(product.url);
    const managing = await product.link({ center: books, identifier: 'three@example.org' });
    const displayed = await browser.open(managing);
    const flags = ['--scope', 'withdraw'];
    await browser.open(await product.link({ center: books, identifier: 'three@example.org', flags }));
    const { fields } = readForm(displayed.text).press(save);
    const text = fields.find(([name]) => name.startsWith('element.'))?.[0] ?? 'element.none';
    const stepUp = await browser.post(shop, [...fields, [text, 'A value of Three']]);
    assert.equal(stepUp.status, 403);
    const held = readForm(stepUp.text).controls.find(({ name }) => name === 'held')?.value ?? '';
    assert.ok(held.length > 100);

    const other = createVisitor(product.url);
    const passcode = await ask(other, 'four@example.org', shop);
    const letter = await letterTo(other, 'four@example.org');
    const code = readForm(passcode.text, 'code').type('code', letter.code).press();
    const answer = await other.post(code.action, [...code.fields, ['held', held]]);
    assert.equal(answer.status, 303, 'the other person only gets to their own page');
    assert.ok(!answer.text.includes('A value of Three'));
  });
});
