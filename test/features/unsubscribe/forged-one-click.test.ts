/**
 * One-click addresses that no backend of the center signed, or that say what they must not: over real HTTP, by POST as a
 * mailbox provider sends it and by GET as a person opens it.
 */
import assert from 'node:assert/strict';
import { createHash, createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { after, before, suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { request } from 'undici';
import { type Product, startProduct } from '../../kit/product.ts';
import { bank, books, newBooks } from '../../kit/sandbox-ids.ts';
import { keyOf } from '../events/fixture.ts';

const sub = 'anna@example.org';
const secrets = {
  shop: '0HOdeR5ktL2QYJq1MgTpKsYzBgzRDrVZT0Q20dot4ws',
  bank: 'wBdvDi1PejjuYDOMqihYDGs2VYx_GtLWJtO4wja2EiY',
};
const year = 366 * 86_400;
const seconds = () => Math.floor(Date.now() / 1000);

const ours = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const evil = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const orderOfP256 = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';

type Json = Readonly<Record<string, unknown>>;

const encoded = (value: string | Uint8Array) => Buffer.from(value).toString('base64url');
/** As it is, where it is a text: members may stand there twice. */
const json = (value: Json | string) => encoded(typeof value === 'string' ? value : JSON.stringify(value));
const hmac = (key: string | Uint8Array) => (signed: string) =>
  createHmac('sha256', key).update(signed).digest();
const ecdsa = (key: KeyObject) => (signed: string) =>
  createSign('sha256').update(signed).sign({ key, dsaEncoding: 'ieee-p1363' });

function claimsOf(change: Json = {}): Json {
  const all = {
    ...{ iss: 'https://shop.example', aud: 'shop', sub, scope: 'one-click' },
    ...{ iat: seconds(), exp: seconds() + 86_400, ...change },
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function jws(
  header: Json | string = { alg: 'HS256' },
  claims: Json | string = claimsOf(),
  sign: (signed: string) => Uint8Array = hmac(secrets.shop),
): string {
  const signed = `${json(header)}.${json(claims)}`;
  return `${signed}.${encoded(sign(signed))}`;
}

/** What the customer's own key signed: only what it says is wrong. */
const saying = (change: Json) => jws({ alg: 'HS256' }, claimsOf(change));
/** With this head, by a key that is not the customer's. */
const headed = (header: Json, sign = ecdsa(evil.privateKey)) => jws(header, claimsOf(byFile), sign);
const byFile = { iss: 'https://file.example' };

let product: Product;
/** Asked by nobody: where the heads of forged tokens say that keys are. */
const visits: string[] = [];
const liar = createServer((asked, response) => {
  visits.push(String(asked.url));
  response.end(JSON.stringify({ keys: [{ ...evil.publicKey.export({ format: 'jwk' }), kid: 'listed' }] }));
});
let lies: string;

before(async () => {
  await new Promise<void>((listening) => liar.listen(0, '127.0.0.1', listening));
  lies = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
  const keys = [{ ...ours.publicKey.export({ format: 'jwk' }), kid: 'listed' }];
  const asking = (name: 'newsletter' | 'bank') => [
    { name, scopes: ['events'], sha256: createHash('sha256').update(keyOf(name)).digest('hex') },
  ];
  const centers = [
    {
      ...{ address: 'shop', center: books, apiKeys: asking('newsletter') },
      linkKeys: [
        { issuer: 'https://shop.example', keyId: 'shop-1', secret: secrets.shop },
        { issuer: 'https://file.example', jwksFile: '{home}/keys.json' },
      ],
    },
    {
      ...{ address: 'bank', center: bank, apiKeys: asking('bank') },
      linkKeys: [{ issuer: 'https://bank.example', keyId: 'bank-1', secret: secrets.bank }],
    },
  ];
  product = await startProduct({
    store: 'files',
    centers,
    files: { 'keys.json': JSON.stringify({ keys }) },
  });
});

after(async () => {
  await product?.[Symbol.asyncDispose]();
  liar.close();
});

async function ask(method: 'GET' | 'POST', token: string) {
  const answer = await request(`${product.url}/u/${token}`, {
    method,
    headers: { accept: method === 'GET' ? 'text/html' : '*/*', 'accept-language': 'en' },
    body: method === 'GET' ? null : 'List-Unsubscribe=One-Click',
  });
  const { date: _date, 'content-length': _length, ...headers } = answer.headers;
  // Each answer has a reference of its own.
  const text = (await answer.body.text()).replaceAll(/\b[0-9a-f]{10}\b/g, '…');
  return { status: answer.statusCode, headers, text };
}

/** Rows of the journal, of what it tells, and of last words. */
function rows(): readonly unknown[] {
  const database = new DatabaseSync(`${product.home}/data/journal.sqlite`, { readOnly: true });
  const countOf = (table: string) =>
    database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'];
  const counts = ['submission', 'event', 'event_queue', 'last_word'].map(countOf);
  database.close();
  return counts;
}

async function events(name: 'newsletter' | 'bank'): Promise<string> {
  const answer = await request(`${product.url}/api/events`, {
    headers: { authorization: `Bearer ${keyOf(name)}` },
  });
  assert.equal(answer.statusCode, 200);
  return answer.body.text();
}

/** Every one of them without a key of the center, or with one where what is signed is no one-click address. */
function forgeries(): Readonly<Record<string, string>> {
  const pem = String(ours.publicKey.export({ format: 'pem', type: 'spki' }));
  const publicJwk = ours.publicKey.export({ format: 'jwk' });
  const evilJwk = evil.publicKey.export({ format: 'jwk' });
  const now = seconds();
  const good = jws();
  const [head = '', body = '', end = ''] = good.split('.');
  const es = jws({ alg: 'ES256', kid: 'listed' }, claimsOf(byFile), ecdsa(ours.privateKey));
  const [esHead = '', esBody = ''] = es.split('.');
  const zeros = (length: number) => encoded(Buffer.alloc(length));
  const changed = Buffer.from(end, 'base64url');
  changed[0] = (changed[0] ?? 0) ^ 1;
  return {
    'alg none': `${json({ alg: 'none' })}.${body}.`,
    'alg none with a signature': `${json({ alg: 'none' })}.${body}.${end}`,
    'alg None': `${json({ alg: 'nOnE' })}.${body}.${end}`,
    'no alg': jws({ typ: 'JWT' }),
    'alg that is a list': jws({ alg: ['HS256'] }),
    'alg that is null': jws({ alg: null }),
    'alg twice, the last one none': jws('{"alg":"HS256","alg":"none"}'),
    'HS256 by the public key as PEM': headed({ alg: 'HS256', kid: 'listed' }, hmac(pem)),
    'HS256 by the public key as JWK': headed(
      { alg: 'HS256', kid: 'listed' },
      hmac(JSON.stringify(publicJwk)),
    ),
    'HS256 by nothing': jws({ alg: 'HS256' }, claimsOf(), hmac('')),
    'ES256 by the shared secret': jws({ alg: 'ES256' }, claimsOf(), hmac(secrets.shop)),
    'ES256 with r and s of zero': `${esHead}.${esBody}.${zeros(64)}`,
    'ES256 with an empty signature': `${esHead}.${esBody}.`,
    'HS256 with one bit changed': `${head}.${body}.${encoded(changed)}`,
    'HS256 with bytes behind its signature': `${good}AAAA`,
    'its own key in the head, by the name of a real one': headed({
      alg: 'ES256',
      kid: 'listed',
      jwk: evilJwk,
    }),
    'a shared key in the head': headed(
      { alg: 'HS256', jwk: { kty: 'oct', k: encoded('x'.repeat(32)) } },
      hmac('x'.repeat(32)),
    ),
    'keys at an address in the head': headed({ alg: 'ES256', kid: 'listed', jku: `${lies}/jku` }),
    'a certificate at an address in the head': headed({ alg: 'ES256', kid: 'listed', x5u: `${lies}/x5u` }),
    'an issuer where keys would be': jws(
      { alg: 'ES256', kid: 'listed' },
      claimsOf({ iss: lies }),
      ecdsa(evil.privateKey),
    ),
    'a critical member of the head that nobody knows': jws({ alg: 'HS256', crit: ['exp2'], exp2: 1 }),
    'a kid of another center': jws({ alg: 'HS256', kid: 'bank-1' }),
    'another center’s key': jws({ alg: 'HS256' }, claimsOf(), hmac(secrets.bank)),
    'another center’s key, its kid and issuer': jws(
      { alg: 'HS256', kid: 'bank-1' },
      claimsOf({ iss: 'https://bank.example' }),
      hmac(secrets.bank),
    ),
    'another center’s key, and both centers': jws(
      { alg: 'HS256', kid: 'bank-1' },
      claimsOf({ iss: 'https://bank.example', aud: ['bank', 'shop'] }),
      hmac(secrets.bank),
    ),
    'a kid that every object has': headed({ alg: 'HS256', kid: '__proto__' }, hmac('')),
    'a kid that is an object': headed({ alg: 'ES256', kid: { listed: true } }),
    'a token within a token': jws({ alg: 'HS256', cty: 'JWT' }, good),
    'nobody’s claims': jws({ alg: 'HS256' }, 'null'),
    'claims in a list': jws({ alg: 'HS256' }, JSON.stringify([claimsOf()])),
    'claims that are inherited': jws({ alg: 'HS256' }, `{"__proto__":${JSON.stringify(claimsOf())}}`),
    'a claim twice, the last one wrong': jws(
      { alg: 'HS256' },
      JSON.stringify(claimsOf()).replace(/}$/, ',"scope":"manage"}'),
    ),
    'not yet good': saying({ nbf: now + 3_600 }),
    'good from a time that is none': saying({ nbf: 'now' }),
    'more than three years': saying({ exp: now + 3 * year + 86_400 }),
    'more than three years by an issue that is to come': saying({ iat: now + year, exp: now + 4 * year }),
    'more than three years by an issue long ago': saying({ iat: 0, exp: now + 60 }),
    'without end': saying({ exp: undefined }),
    'an end that is null': saying({ exp: null }),
    'an end that is a text': saying({ exp: String(now + 60) }),
    'an end beyond all numbers': jws(
      { alg: 'HS256' },
      JSON.stringify(claimsOf({ exp: 0 })).replace('"exp":0', '"exp":1e999'),
    ),
    'an issue that is a text': saying({ iat: 'yesterday' }),
    'for nobody': saying({ aud: undefined }),
    'for two centers': saying({ aud: ['shop', 'bank'] }),
    'for another center': saying({ aud: 'bank' }),
    'for a center within an object': saying({ aud: { shop: true } }),
    'for a center with a blank': saying({ aud: 'shop ' }),
    'for a center within lists': saying({ aud: [['shop']] }),
    'by nobody': saying({ iss: undefined }),
    'by two': saying({ iss: ['https://shop.example'] }),
    'by an issuer with a slash more': saying({ iss: 'https://shop.example/' }),
    'of nobody': saying({ sub: undefined }),
    'of an empty name': saying({ sub: '' }),
    'of a number': saying({ sub: 42 }),
    'of an object': saying({ sub: { toString: sub } }),
    'of a list': saying({ sub: [sub] }),
    'of a name with a blank before it': saying({ sub: ` ${sub}` }),
    'of a name with a blank that nobody sees behind it': saying({ sub: `${sub}\u200b` }),
    'of a name with a line break': saying({ sub: `${sub}\nbcc: x` }),
    'of a name that is not in NFC': saying({ sub: 'jose\u0301@example.org' }),
    'of half a letter': saying({ sub: '\ud800@example.org' }),
    'of a name of 513 bytes': saying({ sub: 'x'.repeat(513) }),
    'without scope': saying({ scope: undefined }),
    'with the scope of a link': saying({ scope: 'manage' }),
    'with scopes in a list': saying({ scope: ['one-click'] }),
    'with scopes in a text': saying({ scope: 'one-click manage' }),
    'with a scope in capitals': saying({ scope: 'ONE-CLICK' }),
    'of two purposes': saying({ purpose: [newBooks, newBooks] }),
    'of a purpose in a list': saying({ purpose: [newBooks] }),
    'of a purpose that is null': saying({ purpose: null }),
    'of a purpose that is no id': saying({ purpose: 'newsletter' }),
    'of a purpose that every object has': saying({ purpose: '__proto__' }),
    'of a purpose with a line break': saying({ purpose: `${newBooks}\n` }),
    'for a center that is not served': saying({ aud: 'elsewhere' }),
    'by our own issuer': saying({ iss: 'sayso', aud: books }),
    'more than three years, signed a year ago': saying({ iat: now - year, exp: now + 2 * year + 86_400 }),
    'of a name with a blank behind it': saying({ sub: `${sub} ` }),
    'of an empty purpose': saying({ purpose: '' }),
    'with the scope of a link for withdrawing': saying({ scope: 'withdraw' }),
    'by a key that is not the one named': jws({ alg: 'HS256', kid: 'shop-0' }),
    'in an algorithm that is not allowed': jws({ alg: 'HS512' }, claimsOf(), (signed) =>
      createHmac('sha512', secrets.shop).update(signed).digest(),
    ),
    'with a changed body': `${head}.${encoded('{"sub":"x"}')}.${end}`,
    'with a body that is no JSON': `${head}.AAAA.${end}`,
    'with claims of 4,000 characters': saying({ more: 'x'.repeat(4_000) }),
    'with a head of 3,000 characters': headed({ alg: 'ES256', kid: 'k'.repeat(3_000) }),
    'with a head of 12,000 characters': jws({ alg: 'HS256', more: 'x'.repeat(9_000) }),
    'of dots alone': '...',
    'of null bytes': '%00%00.%00.%00',
  };
}

suite('A one-click address that was forged', () => {
  test('is nothing, and as little as any other: the same answer, no row, no call, no event, no key from elsewhere.', async () => {
    await product.sandbox.clearCalls();
    const before = rows();
    const unknown = { POST: await ask('POST', 'x'), GET: await ask('GET', 'x') };
    assert.equal(unknown.POST.status, 404);
    const otherwise: string[] = [];
    for (const [what, token] of Object.entries(forgeries())) {
      for (const method of ['POST', 'GET'] as const) {
        const answer = await ask(method, token);
        if (!isDeepStrictEqual(answer, unknown[method]))
          otherwise.push(`${method}: ${what}: ${answer.status}`);
      }
    }
    assert.deepEqual(otherwise, []);
    for (const match of [
      { operation: 'read-subject' },
      { operation: 'update-subject' },
      { method: 'DELETE' },
    ])
      assert.deepEqual(await product.sandbox.calls(match), [], JSON.stringify(match));
    assert.deepEqual(rows(), before);
    assert.deepEqual([await events('newsletter'), await events('bank')], ['', '']);
    assert.deepEqual(visits, [], 'nobody was asked for a key');
  });

  test('is told from one whose time is over only where its signature is right.', async () => {
    const over = claimsOf({ exp: seconds() - 3_600, iat: seconds() - 7_200 });
    assert.equal((await ask('POST', jws({ alg: 'HS256' }, over))).status, 410);
    const unknown = await ask('POST', 'x');
    assert.deepEqual(await ask('POST', jws({ alg: 'HS256' }, over, hmac(secrets.bank))), unknown);
    assert.deepEqual(await ask('POST', jws({ alg: 'HS256' }, { ...over, scope: 'manage' })), unknown);
    assert.deepEqual(await ask('POST', jws({ alg: 'HS256' }, { ...over, sub: '' })), unknown);
    assert.deepEqual(rows(), [0, 0, 0, 0]);
  });

  test('is not what another spelling of a good signature is: that counts as the same person’s, and gives no more.', async () => {
    const claims = claimsOf({ ...byFile, purpose: newBooks });
    const token = jws({ alg: 'ES256', kid: 'listed' }, claims, ecdsa(ours.privateKey));
    const [head = '', body = '', end = ''] = token.split('.');
    const signature = Buffer.from(end, 'base64url');
    const s = BigInt(`0x${signature.subarray(32).toString('hex')}`);
    const mirrored = Buffer.from((BigInt(`0x${orderOfP256}`) - s).toString(16).padStart(64, '0'), 'hex');
    const other = encoded(Buffer.concat([signature.subarray(0, 32), mirrored]));
    const before = Number(rows()[0]);
    for (let times = 0; times < 5; times += 1) {
      for (const spelling of [
        token,
        `${token}==`,
        `${token}.${end}`,
        `${token}%00`,
        `${head}.${body}.${other}`,
      ])
        assert.equal((await ask('POST', spelling)).status, 200, spelling);
    }
    // One at once, nine more within the hour, and one that stands for all others.
    assert.ok(Number(rows()[0]) - before <= 11, JSON.stringify(rows()));
  });
});
