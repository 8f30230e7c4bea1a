import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { SignJWT } from 'jose';
import { joinClaims } from '../../src/core/model/person/open-id.ts';
import { readForms } from '../kit/form.ts';
import {
  type Lie,
  type LyingProvider,
  macToken,
  startLyingProvider,
  type TokenParts,
  unsignedToken,
} from '../kit/lying-provider.ts';
import { type Product, startProduct } from '../kit/product.ts';
import { createVisitor } from '../kit/visitor.ts';

const books = 'b00c5000-0000-4000-8000-000000000001';
const bank = 'ba4c0000-0000-4000-8000-000000000001';

let provider: LyingProvider;
let product: Product;

before(async () => {
  provider = await startLyingProvider();
  const singleSignOn = { issuer: provider.url, clientId: 'people', clientSecret: provider.clientSecret };
  const trusting = { ...singleSignOn, trustMissingEmailVerified: true };
  product = await startProduct({
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

after(async () => {
  await product?.[Symbol.asyncDispose]();
  provider?.close();
});

beforeEach(() => {
  provider.lie = {};
  provider.userInfo = {};
  provider.claims = {
    email: 'anna@example.org',
    email_verified: true,
    name: 'Anna',
    roles: ['editor'],
  };
});

/** Whether a person of the center is let in. */
async function person(center = 'shop'): Promise<boolean> {
  const visitor = createVisitor(product.url);
  const page = await visitor.open(`/centers/${center}/sign-in`);
  const form = readForms(page.text).find(({ action }) => action.includes('/sign-in/start'));
  const { action, fields } = form?.press() ?? assert.fail('no single sign-on is offered');
  const there = await visitor.post(action, fields);
  const back = await createVisitor(provider.url).get(there.location ?? '');
  const answer = await visitor.get(back.location ?? '', { 'sec-fetch-site': 'cross-site' });
  assert.equal(answer.status, 303);
  const status = (await visitor.get(`/centers/${center}`)).status;
  assert.equal(status, /[?&]failed/.test(answer.location ?? '') ? 303 : 200);
  return status === 200;
}

/** Whether a member of the staff is let in. */
async function staff(): Promise<boolean> {
  const visitor = createVisitor(product.url);
  const there = await visitor.get('/staff/sign-in');
  const back = await createVisitor(provider.url).get(there.location ?? '');
  const answer = await visitor.get(back.location ?? '', { 'sec-fetch-site': 'cross-site' });
  const { status } = await visitor.get('/staff/notices');
  assert.equal(status, answer.status === 200 ? 200 : 401);
  return status === 200;
}

const past = Math.floor(Date.now() / 1000) - 3_600;
const claim = (name: string, value: unknown): Lie => ({
  change: ({ claims }) => {
    claims[name] = value;
  },
});
const signedBy = (use: 'published' | 'unknown', kid: string | undefined): Lie => ({
  sign: ({ header, claims }, keys) => {
    const { kid: _kid, ...rest } = header;
    return new SignJWT(claims)
      .setProtectedHeader({ ...rest, ...(kid === undefined ? {} : { kid }) })
      .sign(keys[use]);
  },
});

async function right({ header, claims }: TokenParts, key: CryptoKey): Promise<string> {
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

const lies: Readonly<Record<string, Lie>> = {
  'a broken signature': {
    sign: async (token, { published }) => {
      const [header, payload, signature = ''] = (await right(token, published)).split('.');
      return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    },
  },
  'claims that were changed after signing': {
    sign: async (token, { published }) => {
      const [header, , signature] = (await right(token, published)).split('.');
      const changed = { ...token.claims, email: 'boss@example.org', sub: 'boss' };
      return `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`;
    },
  },
  'no signature (none)': { sign: (token) => unsignedToken(token) },
  'no signature (NONE)': { sign: (token) => unsignedToken(token, 'NONE') },
  'no signature under an algorithm that has one': { sign: (token) => unsignedToken(token, 'RS256') },
  'a MAC by the client’s own secret': { sign: (token, { clientSecret }) => macToken(token, clientSecret) },
  'a key that is not published': signedBy('unknown', 'unknown'),
  'a key that is not published, without a name': signedBy('unknown', undefined),
  'another key under the name of the published one': signedBy('unknown', 'published'),
  'another nonce': claim('nonce', 'another'),
  'no nonce': claim('nonce', undefined),
  'another audience': claim('aud', 'another-client'),
  'no audience': claim('aud', undefined),
  'several audiences, for another party': {
    change: ({ claims }) => {
      claims['aud'] = [String(claims['aud']), 'another-client'];
      claims['azp'] = 'another-client';
    },
  },
  'another issuer': claim('iss', 'https://elsewhere.example'),
  'no issuer': claim('iss', undefined),
  'an end that is past': claim('exp', past),
  'no end': claim('exp', undefined),
  'a beginning that is still to come': claim('nbf', past + 7_200),
  'nobody in it': claim('sub', undefined),
  'no ID token at all': { sign: () => undefined },
};

suite('An ID token', () => {
  test('that is right lets in, people and staff.', async () => {
    assert.equal(await person(), true);
    assert.equal(await staff(), true);
    provider.lie = signedBy('published', undefined);
    assert.equal(await person(), true, 'the only key needs no name');
    assert.equal(await staff(), true);
  });

  for (const [name, lie] of Object.entries(lies)) {
    test(`with ${name} lets nobody in, neither people nor staff.`, async () => {
      provider.lie = lie;
      assert.equal(await person(), false, 'people');
      assert.equal(await staff(), false, 'staff');
    });
  }
});

suite('What is refused', () => {
  test('is told in the log by its fault, never by what the token said.', async () => {
    await product.stop();
    await product.start();
    const told = product.output();
    assert.match(told, /single sign-on failed/);
    assert.doesNotMatch(told, /anna@example|boss@example|eyJ/);
  });
});

suite('What UserInfo says', () => {
  test('of another subject lets nobody in.', async () => {
    provider.claims = {};
    provider.userInfo = { sub: 'boss', email: 'boss@example.org', email_verified: true, roles: ['editor'] };
    assert.equal(await person(), false);
    assert.equal(await staff(), false);
  });

  test('is asked for where the ID token does not say it, and never counts more than what is signed.', async () => {
    provider.claims = {};
    provider.userInfo = { email: 'anna@example.org', email_verified: true, roles: ['viewer'] };
    assert.equal(await person(), true);
    assert.equal(await staff(), true);
    provider.claims = { roles: [] };
    assert.equal(await staff(), false);
  });

  test('vouches for no address that it does not name itself.', () => {
    const signed = { sub: 's', email: 'boss@example.org' };
    const pair = (further: Readonly<Record<string, unknown>>, own = signed) => {
      const { email, email_verified } = joinClaims({ ...own }, { sub: 's', ...further });
      return { email, email_verified };
    };
    const boss = 'boss@example.org';
    const anna = 'anna@example.org';
    assert.deepEqual(pair({ email_verified: true }), { email: boss, email_verified: undefined });
    assert.deepEqual(pair({ email: anna, email_verified: true }), { email: anna, email_verified: true });
    assert.deepEqual(pair({ email: anna }), { email: anna, email_verified: undefined });
    const denied = { ...signed, email_verified: false };
    assert.deepEqual(pair({ email: anna, email_verified: true }, denied), {
      email: boss,
      email_verified: false,
    });
  });
});

suite('An address of which the issuer does not say that it is verified', () => {
  const address = 'anna@example.org';
  for (const [name, claims, isTrusted] of [
    ['nothing', {}, true],
    ['no', { email_verified: false }, false],
    ['no, as a text', { email_verified: 'false' }, false],
    ['null', { email_verified: null }, false],
    ['anything else', { email_verified: 1 }, false],
  ] as const) {
    test(`lets nobody in (it says ${name}), but for the first where the center trusts it.`, async () => {
      provider.claims = { email: address, ...claims };
      assert.equal(await person('shop'), false);
      assert.equal(await person('bank'), isTrusted);
    });
  }

  test('is taken from UserInfo as verified where the ID token says nothing of it.', async () => {
    provider.claims = { email: address };
    provider.userInfo = { email: address, email_verified: true };
    assert.equal(await person('shop'), true);
    provider.userInfo = { email_verified: true };
    assert.equal(await person('shop'), false);
  });
});
