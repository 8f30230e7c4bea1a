import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import { request } from 'undici';
import { textOf } from '../../kit/html.ts';
import { standing } from '../../kit/moves.ts';
import { type Product, startProduct } from '../../kit/product.ts';
import { bank, books, card, newBooks } from '../../kit/sandbox-ids.ts';
import { setClockHere } from '../../kit/shifted-here.ts';
import { bytes, host, older, type Signing, secret, sign as signAny, startKeyServer } from '../../kit/shop.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { ask, letterTo } from '../identity/mailbox.ts';

const year = 366 * 86_400;

interface Pair {
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

let product: Product;
let keyServer: Awaited<ReturnType<typeof startKeyServer>>;
let listed: Pair;
let edward: Pair;

before(async () => {
  [listed, edward] = await Promise.all([
    generateKeyPair('ES256', { extractable: true }),
    generateKeyPair('EdDSA', { extractable: true }),
  ]);
  keyServer = await startKeyServer([{ ...(await exportJWK(listed.publicKey)), kid: 'listed', alg: 'ES256' }]);
  const kept = { keys: [{ ...(await exportJWK(edward.publicKey)), kid: 'edward' }] };
  product = await startProduct({
    centers: [
      {
        address: 'shop',
        center: books,
        embedOrigins: [host],
        linkKeys: [
          { issuer: host, keyId: 'new', secret },
          { issuer: host, keyId: 'old', secret: older },
          { issuer: 'https://crm.example', jwksUrl: keyServer.url },
          { issuer: 'https://file.example', jwksFile: '{home}/keys.json' },
          { issuer: 'https://gone.example', jwksUrl: 'http://127.0.0.1:9/keys' },
        ],
      },
      { address: 'bank', center: bank, linkKeys: [{ issuer: 'https://bank.example', secret: older }] },
    ],
    files: { 'keys.json': JSON.stringify(kept) },
  });
});

after(async () => {
  setClockHere(0);
  await product?.[Symbol.asyncDispose]();
  keyServer?.close();
});

const seconds = () => Math.floor(Date.now() / 1000);

function sign({ claims, ...by }: Signing = {}): Promise<string> {
  const usual = { sub: 'anna@example.org', scope: 'one-click', iat: seconds(), exp: seconds() + 86_400 };
  return signAny({ ...by, claims: { ...usual, ...claims } });
}

const subscribe = (identifier: string, ...purposes: string[]) =>
  product.sandbox.subscribe(books, identifier, ...purposes);

async function statusOf(identifier: string, purpose = newBooks): Promise<string | undefined> {
  return standing(await product.sandbox.subject(books, identifier)).purposes[purpose]?.status;
}

const withdrawn = (identifier: string, purpose = newBooks) =>
  until(async () => (await statusOf(identifier, purpose)) === 'WITHDRAWN');

/** As a mailbox provider does (RFC 8058, 3.2). */
async function post(token: string, more = '') {
  const answer = await request(`${product.url}/u/${token}${more}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

suite('A one-click address that the customer’s backend signed', () => {
  const crm = { iss: 'https://crm.example' };
  const good: Readonly<Record<string, (sub: string) => Signing>> = {
    'by its secret': (sub) => ({ claims: { sub } }),
    'by the secret before': (sub) => ({ key: bytes(older), kid: 'old', claims: { sub } }),
    'by a published key': (sub) => ({
      alg: 'ES256',
      kid: 'listed',
      key: listed.privateKey,
      claims: { sub, ...crm },
    }),
    'by a key of a file': (sub) => ({
      alg: 'EdDSA',
      kid: 'edward',
      key: edward.privateKey,
      claims: { sub, iss: 'https://file.example' },
    }),
    'for the center’s id, in capitals': (sub) => ({ claims: { sub, aud: books.toUpperCase() } }),
    'for the center in either way, and somebody else': (sub) => ({
      claims: { sub, aud: ['newsletter', 'Shop', books] },
    }),
    'for three years': (sub) => ({ claims: { sub, exp: seconds() + 3 * year } }),
    'a year ago, for three': (sub) => ({
      claims: { sub, iat: seconds() - year, exp: seconds() + 2 * year },
    }),
    'without saying when': (sub) => ({ claims: { sub, iat: undefined } }),
  };
  test('withdraws by a post without cookie or redirect, by whatever key and for whichever name of the center.', async () => {
    const withdrawing = Object.entries(good).map(async ([how, signing]) => {
      const sub = `${how.replaceAll(/\W+/g, '.')}@example.net`;
      await subscribe(sub, newBooks, card);
      const answer = await post(await sign(signing(sub)));
      assert.equal(answer.status, 200, how);
      assert.equal(answer.text, 'accepted\n');
      assert.equal(answer.headers['set-cookie'], undefined);
      assert.equal(answer.headers['location'], undefined);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(answer.headers['referrer-policy'], 'strict-origin');
      await withdrawn(sub);
      await withdrawn(sub, card);
    });
    await Promise.all(withdrawing);
  });

  test('withdraws again after the person came back, also with an id: nothing is used up.', async () => {
    const sub = 'comes.back.to.the.shop@example.net';
    const token = await sign({ claims: { sub, jti: 'one' } });
    for (let round = 0; round < 2; round++) {
      await subscribe(sub, newBooks);
      assert.equal((await post(token)).status, 200);
      await withdrawn(sub);
      // Within five seconds, while it is looked whether all went well, it would be the same click.
      if (round === 0) setClockHere(6_000);
    }
  });

  test('that names a purpose which its center does not have is accepted, counted, warned of once, and says so to who looks.', async () => {
    const gone = 'b00c5000-0000-4001-8000-00000000dead';
    const event = 'a withdrawal names a purpose that its center does not have';
    const words = /This link is for something that’s no longer offered/;
    const people = ['no.such.letter@example.net', 'nor.this.one@example.net', 'by.our.own.seal@example.net'];
    for (const sub of people) await subscribe(sub, newBooks);
    const [first = '', second = '', third = ''] = people;
    const answer = await post(await sign({ claims: { sub: first, purpose: gone } }));
    assert.equal(answer.status, 200);
    assert.equal(answer.text, 'accepted\n');

    const visitor = createVisitor(product.url, { 'accept-language': 'en' });
    const page = await visitor.get(`/u/${await sign({ claims: { sub: second, purpose: gone } })}`);
    assert.equal(page.status, 200);
    assert.match(page.text, words);
    const done = await visitor.submit(page, () => undefined);
    assert.equal(done.status, 200);
    assert.match(done.text, words);
    assert.doesNotMatch(String(textOf(done.text, 'h1')), /unsubscribed/);
    assert.doesNotMatch(done.text, /no longer get/);

    const href = await product.link({
      center: 'shop',
      identifier: third,
      flags: ['--one-click', '--purpose', gone],
    });
    assert.equal((await post(new URL(href).pathname.split('/').at(-1) ?? '')).status, 200);

    const counted = async () => {
      const metrics = await (await fetch(product.metricsUrl)).text();
      return Number(/sayso_no_such_purpose_total\{center="([\w-]+)"\} (\d+)/.exec(metrics)?.[2] ?? 0);
    };
    await until(async () => (await counted()) === 3);
    assert.equal(product.output().split(event).length - 1, 1);
    for (const sub of people) {
      assert.equal(await statusOf(sub), 'ON');
      assert.ok(!product.output().includes(sub));
    }
  });

  test('names the same person, however long the identifier and however it is escaped.', async () => {
    const sub = `${'q'.repeat(250)}@example.org`;
    await subscribe(sub, newBooks);
    const claims = { iss: 'https://shop.example', aud: 'shop', scope: 'one-click', exp: seconds() + 60, sub };
    const escaped = JSON.stringify(claims).replaceAll('q', '\\u0071');
    const head = Buffer.from(JSON.stringify({ alg: 'HS256' })).toString('base64url');
    const signed = `${head}.${Buffer.from(escaped).toString('base64url')}`;
    const token = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    assert.ok(token.length > 2_000);
    assert.equal((await post(token)).status, 200);
    await withdrawn(sub);
  });

  test('shows one button by GET, in the reader’s language, and nothing changes by looking.', async () => {
    const sub = 'looks.twice@example.net';
    await subscribe(sub, newBooks, card);
    const token = await sign({ claims: { sub, purpose: newBooks.toUpperCase() } });
    await product.sandbox.clearCalls();
    for (const more of ['', '?utm_source=x', ')', '.', '%3E', '%20', '&amp;x', '.Visit', '?lang=de']) {
      const looked = await createVisitor(product.url).get(`/u/${token}${more}`);
      assert.equal(looked.status, 200, more);
    }
    const visitor = createVisitor(product.url, { 'accept-language': 'fr' });
    const page = await visitor.get(`/u/${token}).`);
    assert.match(page.text, /La Lettre du port/);
    assert.ok(!page.text.includes(sub));
    assert.equal(page.headers['referrer-policy'], 'strict-origin');
    assert.deepEqual(await product.sandbox.calls({ identifier: sub }), []);
    assert.equal(await statusOf(sub), 'ON');

    const done = await visitor.submit(page, () => undefined);
    assert.equal(done.status, 200);
    assert.equal(visitor.cookies.size, 0);
    await withdrawn(sub);
    assert.equal(await statusOf(sub, card), 'ON');
  });

  test('is told apart when it is over, and withdraws nothing any more.', async () => {
    const token = await sign({ claims: { exp: seconds() - 60 } });
    for (const method of ['GET', 'POST'] as const) {
      const answer = await request(`${product.url}/u/${token}`, {
        method,
        headers: { accept: 'text/html', 'accept-language': 'en' },
      });
      assert.equal(answer.statusCode, 410);
      assert.equal(textOf(await answer.body.text(), 'h1'), 'This link has expired');
    }
  });

  test('whose keys cannot be read is not called wrong: whoever posts is told to come again.', async () => {
    const key = listed.privateKey;
    const token = await sign({ alg: 'ES256', kid: 'listed', key, claims: { iss: 'https://gone.example' } });
    const answer = await post(token);
    assert.equal(answer.status, 503);
    assert.equal(answer.headers['retry-after'], '30');
    const page = await createVisitor(product.url).get(`/u/${token}`);
    assert.equal(page.status, 503);
    assert.ok(!page.text.includes(token.split('.')[1] ?? ''));
  });

  test('is written to no log.', async () => {
    const sub = 'never.in.a.log@example.net';
    const token = await sign({ claims: { sub } });
    await post(token);
    await createVisitor(product.url).get(`/u/${token}`);
    await post(await sign({ claims: { sub, aud: 'bank' } }));
    const output = product.output();
    for (const part of token.split('.')) assert.ok(!output.includes(part));
    assert.ok(!output.includes(sub));
    assert.match(output, /\/u\/:token/);
  });
});

type Place = 'link' | 'ticket' | 'view' | 'mailed link' | 'one click';
const shortTicket = (sub: string) => ({ sub, scope: 'manage', exp: seconds() + 250, jti: sub });

/**
 * Every kind of token that stands in an address, signed or sealed by its maker, and where it is good: a link
 * with an id, or one that is short, as a ticket too, and the other way round.
 */
const tokens: Readonly<
  Record<string, readonly [good: readonly Place[], make: (sub: string) => Promise<string>]>
> = {
  'a link of ours': [['link'], (sub) => ours(sub)],
  'a link of ours for withdrawing': [['link'], (sub) => ours(sub, '--scope', 'withdraw')],
  'a one-click address of ours': [['one click'], (sub) => ours(sub, '--one-click')],
  'a link of the customer': [['link'], (sub) => sign({ claims: { sub, scope: 'manage' } })],
  'a link of the customer for withdrawing': [['link'], (sub) => sign({ claims: { sub, scope: undefined } })],
  'a ticket of the customer': [['link', 'ticket'], (sub) => sign({ claims: shortTicket(sub) })],
  'a one-click address of the customer': [['one click'], (sub) => sign({ claims: { sub } })],
  'a one-click address of the customer that lives as short as a ticket': [
    ['one click'],
    (sub) => sign({ claims: { ...shortTicket(sub), scope: 'one-click' } }),
  ],
  'a view in a frame': [
    ['view'],
    async (sub) => {
      const ticket = await sign({ claims: shortTicket(sub) });
      const { location = '' } = await createVisitor(product.url).get(`/embed/shop?ticket=${ticket}`);
      return new URL(location).searchParams.get('v') ?? assert.fail('no view');
    },
  ],
  'a link by mail': [
    ['mailed link'],
    async (sub) => {
      const visitor = createVisitor(product.url);
      await ask(visitor, sub, '/centers/shop');
      const { link } = await letterTo(visitor, sub);
      return new URL(link, product.url).searchParams.get('k') ?? assert.fail('no link');
    },
  ],
};

async function ours(identifier: string, ...flags: readonly string[]): Promise<string> {
  const { pathname, searchParams } = new URL(await product.link({ center: 'shop', identifier, flags }));
  return searchParams.get('t') ?? pathname.split('/').at(-1) ?? '';
}

const tokenPlaces: Readonly<Record<Place, (token: string) => string>> = {
  link: (token) => `/centers/shop?t=${token}`,
  ticket: (token) => `/embed/shop?ticket=${token}`,
  view: (token) => `/embed/shop?v=${token}`,
  'mailed link': (token) => `/centers/shop/sign-in/link?k=${token}`,
  'one click': (token) => `/u/${token}`,
};

test('A token is good where it belongs and nowhere else.', async () => {
  for (const [number, [kind, [belongs, make]]] of Object.entries(tokens).entries()) {
    const good: string[] = [];
    for (const [place, path] of Object.entries(tokenPlaces)) {
      const token = await make(`place${number}.${place.replace(' ', '-')}@example.net`);
      const visitor = createVisitor(product.url);
      const { status, location = '' } = await visitor.get(path(token));
      if (status === 200 || (status === 303 && !/sign-in|expired/.test(location))) good.push(place);
      if (place === 'one click') assert.equal((await post(token)).status, status === 200 ? 200 : 404);
      else if (status !== 303) assert.equal(visitor.cookies.size, 0, place);
    }
    assert.deepEqual(good, belongs, kind);
  }
});
