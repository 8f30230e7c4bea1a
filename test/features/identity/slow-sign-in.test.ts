import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { SignJWT } from 'jose';
import { readForm } from '../../kit/form.ts';
import { type LyingProvider, startLyingProvider } from '../../kit/lying-provider.ts';
import { type Product, startProduct } from '../../kit/product.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { createVisitor, type Visitor } from '../../kit/visitor.ts';

let product: Product;
let issuer: LyingProvider;

before(async () => {
  issuer = await startLyingProvider();
  issuer.claims = { email: 'anna@example.org', email_verified: true };
  const singleSignOn = { issuer: issuer.url, clientId: 'sayso', clientSecret: issuer.clientSecret };
  product = await startProduct({
    centers: [
      { address: 'shop', center: books },
      { address: 'bank', center: bank, signIn: { singleSignOn } },
    ],
  });
});
after(async () => {
  await product?.[Symbol.asyncDispose]();
  issuer?.close();
});

/** Comes back from the issuer to the bank, while that is still to say who it is. */
async function comingBack(visitor: Visitor) {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  issuer.lie = {
    async sign({ header, claims }, { published }) {
      ask();
      await told;
      return new SignJWT(claims).setProtectedHeader(header).sign(published);
    },
  };
  const { action, fields } = readForm((await visitor.open('/centers/bank/sign-in')).text, /start/).press();
  const { location = '' } = await visitor.post(action, fields);
  const { headers } = await fetch(location, { redirect: 'manual' });
  const answer = visitor.get(headers.get('location') ?? '');
  await asked;
  return {
    async finish() {
      tell();
      assert.equal((await answer).location, `${product.url}/centers/bank`);
    },
  };
}

async function inTheShop(): Promise<Visitor> {
  const visitor = createVisitor(product.url, { 'accept-language': 'en' });
  await visitor.open(await product.link({ center: 'shop', identifier: 'anna@example.org' }));
  return visitor;
}

const isIn = async (visitor: Visitor, center: string) =>
  (await visitor.get(`/centers/${center}`)).status === 200;

suite('A sign-in that takes long', () => {
  test('brings back nobody who has signed out meanwhile in another center of the same browser.', async () => {
    const visitor = await inTheShop();
    const { finish } = await comingBack(visitor);
    const { action, fields } = readForm((await visitor.open('/centers/shop')).text, /sign-out/).press();
    assert.equal((await visitor.post(action, fields)).status, 303);
    await finish();
    assert.ok(await isIn(visitor, 'bank'));
    assert.ok(!(await isIn(visitor, 'shop')), 'signed out stays signed out');
  });

  test('keeps who is still there.', async () => {
    const visitor = await inTheShop();
    const { finish } = await comingBack(visitor);
    await finish();
    assert.ok(await isIn(visitor, 'bank'));
    assert.ok(await isIn(visitor, 'shop'));
  });
});
