/**
 * One-click addresses with a forged signature or with wrong claims, over real HTTP: by POST like a mailbox
 * provider and by GET like a person.
 */
import assert from 'node:assert/strict';
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { request } from 'undici';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { bank, books, newBooks } from '../../kit/sandbox-ids.ts';
import { startKeyServer } from '../../kit/shop.ts';
import { storedRows } from '../../kit/stored-rows.ts';

const sub = 'anna@example.org';
const secrets = {
  shop: '0HOdeR5ktL2QYJq1MgTpKsYzBgzRDrVZT0Q20dot4ws',
  bank: 'wBdvDi1PejjuYDOMqihYDGs2VYx_GtLWJtO4wja2EiY',
};
const year = 366 * 86_400;
const seconds = () => Math.floor(Date.now() / 1000);

const ours = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const evil = generateKeyPairSync('ec', { namedCurve: 'P-256' });

type Json = Readonly<Record<string, unknown>>;

const encoded = (value: string | Uint8Array) => Buffer.from(value).toString('base64url');
/** Encodes a text unchanged, and a value as JSON. */
const json = (value: Json | string) => encoded(typeof value === 'string' ? value : JSON.stringify(value));
const hmac = (key: string | Uint8Array) => (signed: string) =>
  createHmac('sha256', key).update(signed).digest();
const ecdsa = (key: KeyObject) => (signed: string) =>
  createSign('sha256').update(signed).sign({ key, dsaEncoding: 'ieee-p1363' });

function claimsOf(change: Json = {}): Json {
  const all = {
    iss: 'https://shop.example',
    aud: 'shop',
    sub,
    scope: 'one-click',
    iat: seconds(),
    exp: seconds() + 86_400,
    ...change,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function jws(
  header: Json = { alg: 'HS256' },
  claims: Json | string = claimsOf(),
  sign: (signed: string) => Uint8Array = hmac(secrets.shop),
): string {
  const signed = `${json(header)}.${json(claims)}`;
  return `${signed}.${encoded(sign(signed))}`;
}

/** A token by the right key with wrong claims. */
const claiming = (change: Json) => jws({ alg: 'HS256' }, claimsOf(change));
/** A token by the key of the other center. */
const byBank = (change: Json = {}, head: Json = {}) =>
  jws({ alg: 'HS256', ...head }, claimsOf(change), hmac(secrets.bank));
/** A token with this header by a key of another party. */
const headed = (header: Json, sign = ecdsa(evil.privateKey)) => jws(header, claimsOf(byFile), sign);
const byFile = { iss: 'https://file.example' };

/** The key server that forged tokens name. The product must not call it. */
const liar = forSuite(
  () => startKeyServer([{ ...evil.publicKey.export({ format: 'jwk' }), kid: 'listed' }]),
  ({ close }) => close(),
);
const keys = [{ ...ours.publicKey.export({ format: 'jwk' }), kid: 'listed' }];
// An API key makes the product store rows of events.
const apiKeys = [{ name: 'newsletter', scopes: ['events'], sha256: 'c0'.repeat(32) }];
const product = productOf({
  store: 'files',
  centers: [
    {
      address: 'shop',
      center: books,
      apiKeys,
      linkKeys: [
        { issuer: 'https://shop.example', keyId: 'shop-1', secret: secrets.shop },
        { issuer: 'https://file.example', jwksFile: '{home}/keys.json' },
      ],
    },
    {
      address: 'bank',
      center: bank,
      linkKeys: [{ issuer: 'https://bank.example', keyId: 'bank-1', secret: secrets.bank }],
    },
  ],
  files: { 'keys.json': JSON.stringify({ keys }) },
});

async function ask(method: 'GET' | 'POST', token: string) {
  const answer = await request(`${product.url}/u/${token}`, {
    method,
    headers: { accept: method === 'GET' ? 'text/html' : '*/*', 'accept-language': 'en' },
    body: method === 'GET' ? null : 'List-Unsubscribe=One-Click',
  });
  const { date: _date, 'content-length': _length, ...headers } = answer.headers;
  // Each answer has its own reference.
  const text = (await answer.body.text()).replaceAll(/\b[0-9a-f]{10}\b/g, '…');
  return { status: answer.statusCode, headers, text };
}

/** Counts of the rows of submissions, events, queued events and last words. */
function rows(): readonly unknown[] {
  const all = storedRows(`${product.home}/data`);
  return ['submission', 'event', 'event_queue', 'last_word'].map(
    (table) => all.get(`journal.sqlite ${table}`)?.count,
  );
}

/** Forged tokens: a wrong key, or a right key with claims that are not for one click. */
function forgeries(): Readonly<Record<string, string>> {
  const pem = String(ours.publicKey.export({ format: 'pem', type: 'spki' }));
  const evilJwk = evil.publicKey.export({ format: 'jwk' });
  const [listed, byLiar] = [{ alg: 'ES256', kid: 'listed' }, { iss: new URL(liar.url).origin }];
  const now = seconds();
  const good = jws();
  const [head = '', body = '', end = ''] = good.split('.');
  const changed = Buffer.from(end, 'base64url');
  changed[0] = (changed[0] ?? 0) ^ 1;
  return {
    'alg none': `${json({ alg: 'none' })}.${body}.`,
    'HS256 by the public key as PEM': headed({ alg: 'HS256', kid: 'listed' }, hmac(pem)),
    'ES256 by the shared secret': jws({ alg: 'ES256' }, claimsOf(), hmac(secrets.shop)),
    'HS256 with one bit changed': `${head}.${body}.${encoded(changed)}`,
    'its own key in the head, by the name of a real one': headed({ ...listed, jwk: evilJwk }),
    'keys at an address in the head': headed({ ...listed, jku: liar.url }),
    'an issuer where keys would be': jws(listed, claimsOf(byLiar), ecdsa(evil.privateKey)),
    'a kid of another center': jws({ alg: 'HS256', kid: 'bank-1' }),
    'another center’s key': byBank(),
    'another center’s key, its kid and issuer': byBank({ iss: 'https://bank.example' }, { kid: 'bank-1' }),
    'another center’s key, and both centers': byBank(
      { iss: 'https://bank.example', aud: ['bank', 'shop'] },
      { kid: 'bank-1' },
    ),
    'a kid that every object has': headed({ alg: 'HS256', kid: '__proto__' }, hmac('')),
    'claims that are null': jws({ alg: 'HS256' }, 'null'),
    'claims that are inherited': jws({ alg: 'HS256' }, `{"__proto__":${JSON.stringify(claimsOf())}}`),
    'not yet valid': claiming({ nbf: now + 3_600 }),
    'more than three years': claiming({ exp: now + 3 * year + 86_400 }),
    'issued in the future': claiming({ iat: now + year, exp: now + 4 * year }),
    'issued too long ago': claiming({ iat: 0, exp: now + 60 }),
    'without end': claiming({ exp: undefined }),
    'an end beyond all numbers': jws(
      { alg: 'HS256' },
      JSON.stringify(claimsOf({ exp: 0 })).replace('"exp":0', '"exp":1e999'),
    ),
    'without an audience': claiming({ aud: undefined }),
    'for two centers': claiming({ aud: ['shop', 'bank'] }),
    'for another center': claiming({ aud: 'bank' }),
    'for a center with a blank after it': claiming({ aud: 'shop ' }),
    'without an issuer': claiming({ iss: undefined }),
    'by an issuer with a slash more': claiming({ iss: 'https://shop.example/' }),
    'without a subject': claiming({ sub: undefined }),
    'of a subject that is a number': claiming({ sub: 42 }),
    'of a subject with a blank before it': claiming({ sub: ` ${sub}` }),
    'without scope': claiming({ scope: undefined }),
    'with the scope of a link': claiming({ scope: 'manage' }),
    'with scopes in a list': claiming({ scope: ['one-click'] }),
    'with scopes in a text': claiming({ scope: 'one-click manage' }),
    'of two purposes': claiming({ purpose: [newBooks, newBooks] }),
    'of a purpose that is null': claiming({ purpose: null }),
    'of a purpose that is no id': claiming({ purpose: 'newsletter' }),
    'of a purpose that every object has': claiming({ purpose: '__proto__' }),
    'of a purpose with a line break': claiming({ purpose: `${newBooks}\n` }),
    'for a center that is not served': claiming({ aud: 'elsewhere' }),
    'issued a year ago for too long': claiming({ iat: now - year, exp: now + 2 * year + 86_400 }),
    'of an empty purpose': claiming({ purpose: '' }),
    'by a key that is not the one named': jws({ alg: 'HS256', kid: 'shop-0' }),
    'in an algorithm that is not allowed': jws({ alg: 'HS512' }, claimsOf(), (signed) =>
      createHmac('sha512', secrets.shop).update(signed).digest(),
    ),
    'with a changed body': `${head}.${encoded('{"sub":"x"}')}.${end}`,
    'with a body that is no JSON': `${head}.AAAA.${end}`,
    'with claims of 4,000 characters': claiming({ more: 'x'.repeat(4_000) }),
    'with a head of 3,000 characters': headed({ alg: 'ES256', kid: 'k'.repeat(3_000) }),
    'of null bytes': '%00%00.%00.%00',
  };
}

suite('A forged one-click address', () => {
  test('the address gets the answer of any unknown one, and causes no row, call, event or look-up of keys', async () => {
    await product.sandbox.clearCalls();
    const before = rows();
    const unknown = { POST: await ask('POST', 'x'), GET: await ask('GET', 'x') };
    assert.equal(unknown.POST.status, 404);
    const different: string[] = [];
    for (const [title, token] of Object.entries(forgeries())) {
      for (const method of ['POST', 'GET'] as const) {
        const answer = await ask(method, token);
        if (!isDeepStrictEqual(answer, unknown[method]))
          different.push(`${method}: ${title}: ${answer.status}`);
      }
    }
    assert.deepEqual(different, []);
    for (const match of [
      { operation: 'read-subject' },
      { operation: 'update-subject' },
      { method: 'DELETE' },
    ])
      assert.deepEqual(await product.sandbox.calls(match), [], JSON.stringify(match));
    assert.deepEqual(rows(), before);
    assert.equal(liar.asked, 0, 'no foreign key server was called');
  });

  test('the address gets 410 only if its signature is right and its time is over', async () => {
    const over = claimsOf({ exp: seconds() - 3_600, iat: seconds() - 7_200 });
    assert.equal((await ask('POST', jws({ alg: 'HS256' }, over))).status, 410);
    const unknown = await ask('POST', 'x');
    assert.deepEqual(await ask('POST', byBank(over)), unknown);
    assert.deepEqual(await ask('POST', jws({ alg: 'HS256' }, { ...over, scope: 'manage' })), unknown);
    assert.deepEqual(await ask('POST', jws({ alg: 'HS256' }, { ...over, sub: '' })), unknown);
    assert.deepEqual(rows(), [0, 0, 0, 0]);
  });
});
