import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { AccountClaims } from 'oidc-provider';
import { request } from 'undici';
import { readForm } from '../../kit/form.ts';
import { type Product, startProduct } from '../../kit/product.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';
import { createIssuer, type Issuer } from '../staff/issuer.ts';

/** The claims of each account at the issuer. */
const accounts: Readonly<Record<string, AccountClaims>> = {
  anna: { sub: 'anna', email: 'anna@example.org', email_verified: true, customer: 'c-1001' },
  silent: { sub: 'silent', email: 'silent@example.org' },
  unverified: { sub: 'unverified', email: 'boss@example.org', email_verified: false, customer: 'c-1002' },
  texted: { sub: 'texted', email: 'texted@example.org', email_verified: 'true' },
  foreign: { sub: 'foreign', email: 'jürgen@example.org', email_verified: true },
  nobody: { sub: 'nobody' },
  padded: { sub: 'padded', email: 'anna@example.org\u00a0', email_verified: true },
  kelvin: { sub: 'kelvin', email: '\u212aate@example.org', email_verified: true },
};

let product: Product;
let issuer: Issuer;

before(async () => {
  issuer = await createIssuer(accounts, {
    clientId: 'sayso',
    callbacks: ['shop', 'bank'].map((center) => `/centers/${center}/sign-in/callback`),
    claims: { openid: ['sub', 'customer'], email: ['email', 'email_verified'], profile: ['name'] },
  });
  const { url, clientSecret } = issuer;
  const singleSignOn = { issuer: url, clientId: 'sayso', clientSecret };
  const bankSignOn = { ...singleSignOn, claim: 'customer', label: 'Bank login' };
  product = await startProduct({
    centers: [
      { address: 'shop', center: books, signIn: { mail: true, singleSignOn } },
      { address: 'bank', center: bank, signIn: { mail: false, singleSignOn: bankSignOn } },
    ],
  });
  await issuer.open(product);
});

after(async () => {
  await product?.[Symbol.asyncDispose]();
  issuer?.close();
});

/** Starts at the sign-in page; the answer leads to the issuer. */
async function leave(visitor: Visitor, center = 'shop'): Promise<Answer> {
  const signIn = await visitor.open(`/centers/${center}/sign-in`);
  const form = readForm(signIn.text, /\/sign-in\/start/);
  return visitor.press(form);
}

async function comeBack(visitor: Visitor, href: string): Promise<Answer> {
  const { pathname, search } = new URL(href);
  return visitor.get(`${pathname}${search}`, { 'sec-fetch-site': 'cross-site' });
}

async function signIn(visitor: Visitor, account: string, center = 'shop'): Promise<Answer> {
  const start = await leave(visitor, center);
  assert.equal(start.status, 303);
  return comeBack(visitor, await issuer.signIn(start.location ?? '', account));
}

suite('Single sign-on', () => {
  test('single sign-on opens the page of the person whom the issuer names, under a new session', async () => {
    const visitor = createVisitor(product.url);
    const answer = await signIn(visitor, 'anna');
    assert.equal(answer.location, `${product.url}/centers/shop`);
    assert.ok(
      [...visitor.cookies.keys()].every((name) => !name.includes('way')),
      'no cookie of the way is left',
    );
    assert.match((await visitor.open('/centers/shop')).text, /<bdi>a•••@example\.org<\/bdi>/);
  });

  test('single sign-on takes the identifier from the claim of the center', async () => {
    const visitor = createVisitor(product.url);
    assert.equal((await signIn(visitor, 'anna', 'bank')).location, `${product.url}/centers/bank`);
    assert.match((await visitor.open('/centers/bank')).text, /<bdi>c•••1<\/bdi>/);
    assert.equal((await visitor.get('/centers/shop')).status, 303, 'the other center has no session');
  });

  test('single sign-on lets in only people whose address the issuer calls verified', async () => {
    const cases = {
      silent: false,
      texted: true,
      unverified: false,
      nobody: false,
      padded: false,
      kelvin: false,
    };
    for (const [account, isLetIn] of Object.entries(cases)) {
      const visitor = createVisitor(product.url);
      const answer = await signIn(visitor, account);
      assert.equal(answer.location?.includes('failed'), !isLetIn, account);
      assert.equal((await visitor.get('/centers/shop')).status, isLetIn ? 200 : 303, account);
    }
    const foreign = await signIn(createVisitor(product.url), 'foreign');
    assert.equal(foreign.status, 400);
    assert.match(foreign.text, /We can’t use this address/);
    // Another claim needs no verified address.
    const visitor = createVisitor(product.url);
    await signIn(visitor, 'unverified', 'bank');
    assert.equal((await visitor.get('/centers/bank')).status, 200);
  });

  test('a return is refused to another browser, twice, with another state and in another center', async () => {
    const [asking, other] = [createVisitor(product.url), createVisitor(product.url)];
    const start = await leave(asking);
    const back = await issuer.signIn(start.location ?? '', 'anna');
    assert.match((await comeBack(other, back)).location ?? '', /failed/);
    assert.match((await comeBack(other, back.replace('/shop/', '/bank/'))).location ?? '', /failed/);

    const cookies = new Map(asking.cookies);
    const forged = new URL(back);
    forged.searchParams.set('state', 'forged');
    const thief = createVisitor(product.url);
    for (const [name, value] of (await fresh()).cookies) thief.cookies.set(name, value);
    assert.match((await comeBack(thief, forged.href)).location ?? '', /failed/);
    assert.match((await comeBack(thief, back)).location ?? '', /failed/);

    assert.equal((await comeBack(asking, back)).location, `${product.url}/centers/shop`);
    const again = createVisitor(product.url);
    for (const [name, value] of cookies) again.cookies.set(name, value);
    assert.match((await comeBack(again, back)).location ?? '', /failed/);
    for (const each of [other, thief, again]) assert.equal((await each.get('/centers/shop')).status, 303);
  });

  test('a person who breaks single sign-on off comes back to the sign-in page, which says so', async () => {
    const visitor = createVisitor(product.url);
    const { location = '' } = await leave(visitor);
    const state = new URL(location).searchParams.get('state') ?? '';
    const denied = await visitor.get(
      `/centers/shop/sign-in/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(issuer.url)}`,
    );
    assert.match(denied.location ?? '', /\/centers\/shop\/sign-in\?failed$/);
    const signIn = await visitor.open(denied.location ?? '');
    assert.match(signIn.text, /Signing in didn’t work/);
  });

  test('single sign-on keeps the language that was chosen before', async () => {
    const visitor = createVisitor(product.url);
    const signIn = await visitor.open('/centers/shop/sign-in?lang=fr');
    const form = readForm(signIn.text, /\/sign-in\/start/);
    const start = await visitor.press(form);
    const back = await comeBack(visitor, await issuer.signIn(start.location ?? '', 'anna'));
    assert.equal(back.location, `${product.url}/centers/shop?lang=fr`);
  });

  test('the sign-in page names single sign-on as the center does, and its form may lead to the issuer', async () => {
    const visitor = createVisitor(product.url);
    const bankSignIn = await visitor.open('/centers/bank/sign-in');
    assert.match(bankSignIn.text, />Bank login<\/button>/);
    assert.ok(!/type="email"/.test(bankSignIn.text), 'no message is offered there');
    assert.match(
      String(bankSignIn.headers['content-security-policy']),
      new RegExp(`form-action 'self' ${issuer.url}`),
    );
    const refused = await visitor.post('/centers/bank/sign-in', readForm(bankSignIn.text).press().fields);
    assert.equal(refused.status, 404);
  });

  test('single sign-on cannot be started without the form, or by the form of another center', async () => {
    const visitor = createVisitor(product.url);
    const signIn = await visitor.open('/centers/bank/sign-in');
    const { fields } = readForm(signIn.text).press();
    assert.equal((await visitor.post('/centers/shop/sign-in/start', fields)).status, 400);
    assert.equal((await visitor.post('/centers/bank/sign-in/start', [['token', 'x']])).status, 400);
    assert.equal(
      (await request(`${product.url}/centers/bank/sign-in/start`)).statusCode,
      303,
      'a GET only leads to the sign-in page',
    );
  });

  test('single sign-on leads back to the sign-in page when its issuer does not answer', async () => {
    issuer.close();
    await product.stop();
    await product.start();
    const visitor = createVisitor(product.url);
    const { status, location = '' } = await leave(visitor);
    assert.equal(status, 303);
    assert.match(location, /\/centers\/shop\/sign-in\?failed$/);
  });

  async function fresh(): Promise<Visitor> {
    const visitor = createVisitor(product.url);
    await leave(visitor);
    return visitor;
  }
});
