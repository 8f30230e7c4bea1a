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

/** Follows a redirect to the provider and back to the product. */
async function comeBack(visitor: Visitor, there: Answer): Promise<Answer> {
  const back = await createVisitor(provider.url).get(there.location ?? '');
  return visitor.get(back.location ?? '', { 'sec-fetch-site': 'cross-site' });
}

/** Signs in as a person of the center; true if the session opens. */
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

/** Signs in as staff; true if the session opens. */
async function staff(): Promise<boolean> {
  const visitor = createVisitor(product.url);
  const answer = await comeBack(visitor, await visitor.get('/staff/sign-in'));
  const { status } = await visitor.get('/staff/notices');
  assert.equal(status, answer.status === 200 ? 200 : 401);
  return status === 200;
}

suite('An ID token', () => {
  test('a false token signs in no person and no staff, and the log holds none of its content', async () => {
    const boss = (token: TokenParts) => unsignedToken({ ...token, claims: { ...token.claims, sub: 'boss' } });
    const nonce: Lie = { change: ({ claims }) => Object.assign(claims, { nonce: 'another' }) };
    for (const lie of [{ sign: boss }, nonce, { sign: () => undefined }]) {
      provider.lie = lie;
      assert.equal(await person(), false, 'people');
      assert.equal(await staff(), false, 'staff');
    }
    await product.stop();
    await product.start();
    const log = product.output();
    assert.match(log, /single sign-on failed/);
    assert.doesNotMatch(log, /anna@example|boss|eyJ/);
  });
});

suite('UserInfo', () => {
  test('UserInfo of another subject signs no one in', async () => {
    provider.claims = {};
    provider.userInfo = { sub: 'boss', email: 'boss@example.org', email_verified: true, roles: ['editor'] };
    assert.equal(await person(), false);
    assert.equal(await staff(), false);
  });

  test('UserInfo adds claims that the ID token lacks, and never replaces signed ones', async () => {
    provider.claims = {};
    provider.userInfo = { email: 'anna@example.org', email_verified: true, roles: ['viewer'] };
    assert.equal(await person(), true);
    assert.equal(await staff(), true);
    provider.claims = { roles: [] };
    assert.equal(await staff(), false);
  });

  test('UserInfo verifies only an address that it names', () => {
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

suite('An address that the issuer does not verify', () => {
  const address = 'anna@example.org';
  test('the address signs no one in, unless the claim is absent and the center trusts that', async () => {
    for (const email_verified of [undefined, false, 'false', null, 1]) {
      provider.claims = { email: address, email_verified };
      assert.equal(await person('shop'), false, String(email_verified));
      assert.equal(await person('bank'), email_verified === undefined, String(email_verified));
    }
  });
});
