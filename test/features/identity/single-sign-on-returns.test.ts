import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { SignJWT } from 'jose';
import { readForm } from '../../kit/form.ts';
import { type LyingProvider, startLyingProvider } from '../../kit/lying-provider.ts';
import { type Product, startProduct } from '../../kit/product.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { eventually } from '../../kit/until.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';

const shop = '/centers/shop';
/** Failed returns that a client may have in ten minutes. */
const most = 100;
/** Returns that are tried beyond the limit. */
const beyond = 3;

let product: Product;
let issuer: LyingProvider;

before(async () => {
  issuer = await startLyingProvider();
  issuer.claims = { email: 'anna@example.org', email_verified: true, name: 'Anna', roles: ['auditor'] };
  const client = { issuer: issuer.url, clientId: 'sayso', clientSecret: issuer.clientSecret };
  product = await startProduct({
    env: {
      TRUST_PROXY: '127.0.0.0/8,::1',
      STAFF_OIDC_ISSUER: issuer.url,
      STAFF_OIDC_CLIENT_ID: 'staff',
      STAFF_OIDC_CLIENT_SECRET: issuer.clientSecret,
    },
    centers: [
      { address: 'shop', center: books, signIn: { mail: false, singleSignOn: client } },
      { address: 'desk', center: bank },
    ],
  });
});
after(async () => {
  await product?.[Symbol.asyncDispose]();
  issuer?.close();
});

const from = (ip: string): Visitor => createVisitor(product.url, { 'x-forwarded-for': ip });

type Leave = (visitor: Visitor) => Promise<string>;

async function leaveShop(visitor: Visitor): Promise<string> {
  const { text } = await visitor.get(`${shop}/sign-in`);
  return (await visitor.press(readForm(text, /\/start/))).location ?? '';
}

/** The ways in by single sign-on. A return needs only the state, which is in the issuer's address. */
const ways: Readonly<
  Record<string, { readonly callback: string; readonly leave: Leave; readonly status: number }>
> = {
  'a person': {
    callback: `${shop}/sign-in/callback`,
    status: 303,
    leave: leaveShop,
  },
  'a member of the staff': {
    callback: '/staff/callback',
    status: 200,
    leave: async (visitor) => (await visitor.get('/staff/sign-in')).location ?? '',
  },
};

suite('Coming back from single sign-on', () => {
  test('a return does not undo a sign-out in another center of the same browser', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: told, resolve: tell } = Promise.withResolvers<void>();
    issuer.lie = {
      async sign({ header, claims }, { published }) {
        ask();
        await told;
        return new SignJWT(claims).setProtectedHeader(header).sign(published);
      },
    };
    const visitor = from('203.0.113.202');
    await visitor.open(await product.link({ center: 'desk', identifier: 'anna@example.org' }));
    const { headers } = await fetch(await leaveShop(visitor), { redirect: 'manual' });
    const answer = visitor.get(headers.get('location') ?? '');
    await asked;
    const signOut = readForm((await visitor.open('/centers/desk')).text, /sign-out/);
    assert.equal((await visitor.press(signOut)).status, 303);
    tell();
    issuer.lie = {};
    assert.equal((await answer).location, `${product.url}${shop}`);
    assert.equal((await visitor.get(shop)).status, 200);
    assert.equal((await visitor.get('/centers/desk')).status, 303, 'the other center stays signed out');
  });

  for (const [name, { callback, leave, status }] of Object.entries(ways)) {
    const back = async (visitor: Visitor, code?: string): Promise<Answer> => {
      const to = await leave(visitor);
      if (code === undefined) {
        const { headers } = await fetch(to, { redirect: 'manual' });
        return visitor.get(headers.get('location') ?? '');
      }
      return visitor.get(`${callback}?code=${code}&state=${new URL(to).searchParams.get('state')}`);
    };

    test(`failed returns of ${name} are limited for one client, and then ask the issuer no more`, async () => {
      const address = `203.0.113.${name.length}`;
      const failed = await back(from(address), 'made-up');
      for (let count = 0; count < 3; count += 1) assert.equal((await back(from(address))).status, status);
      issuer.tokensAsked = 0;
      const others = await Promise.all(
        Array.from({ length: most + beyond }, () => back(from(address), 'made-up')),
      );
      const statuses = Map.groupBy(others, (answer) => answer.status);
      assert.equal(statuses.get(failed.status)?.length, most - 1, 'successful returns are not counted');
      const refused = statuses.get(429) ?? [];
      assert.equal(refused.length, beyond + 1);
      assert.match(String(refused[0]?.headers['retry-after']), /^\d+$/);
      assert.equal(issuer.tokensAsked, most - 1);
    });

    test(`a return of ${name} is not limited by failed returns of another client`, async () => {
      const refused = await back(from(`203.0.113.${name.length}`));
      assert.equal(refused.status, 429);
      assert.equal((await back(from('203.0.113.200'))).status, status);
    });
  }

  test('each failed return of staff is in the audit log, also a refused one', async () => {
    const { leave } = ways['a member of the staff'] ?? assert.fail();
    const auditor = from('203.0.113.201');
    const to = await fetch(await leave(auditor), { redirect: 'manual' });
    await auditor.get(to.headers.get('location') ?? '');
    // The failed returns of the tests before, without the twenty that have lines of their own.
    const more = most + beyond + 2 - 20;
    await eventually(async () => {
      const { text } = await auditor.get('/staff/audit');
      assert.match(text, new RegExp(`${more} more within the hour`));
    });
  });
});
