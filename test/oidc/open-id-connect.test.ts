import assert from 'node:assert/strict';
import { after, beforeEach, suite, test } from 'node:test';
import { joinClaims } from '../../src/core/model/person/open-id.ts';
import { forSuite } from '../kit/for-suite.ts';
import { readForms } from '../kit/form.ts';
import { type Lie, startLyingProvider, type TokenParts, unsignedToken } from '../kit/lying-provider.ts';
import { startProduct } from '../kit/product.ts';
import { bank, books } from '../kit/sandbox-ids.ts';
import { type Answer, createVisitor, type Visitor } from '../kit/visitor.ts';

const provider = await startLyingProvider();
after(() => provider.close());
const product = forSuite(() => {
  const singleSignOn = { issuer: provider.url, clientId: 'people', clientSecret: provider.clientSecret };
  const trusting = { ...singleSignOn, trustMissingEmailVerified: true };
  return startProduct({
    env: {
      STAFF_OIDC_ISSUER: provider.url,
      STAFF_OIDC_CLIENT_ID: 'staff',
      STAFF_OIDC_CLIENT_SECRET: provider.clientSecret,
    },
    centers: [
      { address: 'shop', center: books, signIn: { mail: false, singleSignOn } },
      { address: 'bank', center: bank, signIn: { mail: false, singleSignOn: trusting } },
    ],
  });
});

beforeEach(() => {
  provider.lie = {};
  provider.userInfo = {};
  provider.claims = { email: 'anna@example.org', email_verified: true, roles: ['editor'] };
});

/** From where a visitor is led to, by way of the provider. */
async function comeBack(visitor: Visitor, there: Answer): Promise<Answer> {
  const back = await createVisitor(provider.url).get(there.location ?? '');
  return visitor.get(back.location ?? '', { 'sec-fetch-site': 'cross-site' });
}

/** Whether a person of the center is let in. */
async function person(center = 'shop'): Promise<boolean> {
  const visitor = createVisitor(product.url);
  const page = await visitor.open(`/centers/${center}/sign-in`);
  const form = readForms(page.text).find(({ action }) => action.includes('/sign-in/start'));
  const { action, fields } = form?.press() ?? assert.fail('no single sign-on is offered');
  const answer = await comeBack(visitor, await visitor.post(action, fields));
  assert.equal(answer.status, 303);
  const status = (await visitor.get(`/centers/${center}`)).status;
  assert.equal(status, /[?&]failed/.test(answer.location ?? '') ? 303 : 200);
  return status === 200;
}

/** Whether a member of the staff is let in. */
async function staff(): Promise<boolean> {
  const visitor = createVisitor(product.url);
  const answer = await comeBack(visitor, await visitor.get('/staff/sign-in'));
  const { status } = await visitor.get('/staff/notices');
  assert.equal(status, answer.status === 200 ? 200 : 401);
  return status === 200;
}

suite('An ID token', () => {
  test('that lies signs in neither people nor staff; the log tells the fault, never what the token said.', async () => {
    const boss = (token: TokenParts) => unsignedToken({ ...token, claims: { ...token.claims, sub: 'boss' } });
    const nonce: Lie = { change: ({ claims }) => Object.assign(claims, { nonce: 'another' }) };
    for (const lie of [{ sign: boss }, nonce, { sign: () => undefined }]) {
      provider.lie = lie;
      assert.equal(await person(), false, 'people');
      assert.equal(await staff(), false, 'staff');
    }
    await product.stop();
    await product.start();
    const told = product.output();
    assert.match(told, /single sign-on failed/);
    assert.doesNotMatch(told, /anna@example|boss|eyJ/);
  });
});

suite('What UserInfo says', () => {
  test('of another subject lets nobody in.', async () => {
    provider.claims = {};
    provider.userInfo = { sub: 'boss', email: 'boss@example.org', email_verified: true, roles: ['editor'] };
    assert.equal(await person(), false);
    assert.equal(await staff(), false);
  });

  test('is asked for where the ID token does not say it, lets in people and staff, and never counts more than what is signed.', async () => {
    provider.claims = {};
    provider.userInfo = { email: 'anna@example.org', email_verified: true, roles: ['viewer'] };
    assert.equal(await person(), true);
    assert.equal(await staff(), true);
    provider.claims = { roles: [] };
    assert.equal(await staff(), false);
  });

  test('vouches for no address that it does not name itself.', () => {
    const [boss, anna] = ['boss@example.org', 'anna@example.org'];
    for (const [own, further, ...joined] of [
      [{}, { email_verified: true }, boss, undefined],
      [{}, { email: anna, email_verified: true }, anna, true],
      [{}, { email: anna }, anna, undefined],
      [{ email_verified: false }, { email: anna, email_verified: true }, boss, false],
    ] as const) {
      const all = joinClaims({ sub: 's', email: boss, ...own }, { sub: 's', ...further });
      assert.deepEqual([all['email'], all['email_verified']], joined);
    }
  });
});

suite('An address of which the issuer does not say that it is verified', () => {
  const address = 'anna@example.org';
  test('lets nobody in, but where nothing is said of it and the center trusts that.', async () => {
    for (const email_verified of [undefined, false, 'false', null, 1]) {
      provider.claims = { email: address, email_verified };
      assert.equal(await person('shop'), false, String(email_verified));
      assert.equal(await person('bank'), email_verified === undefined, String(email_verified));
    }
  });
});
