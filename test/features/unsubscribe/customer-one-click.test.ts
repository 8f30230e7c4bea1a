import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { exportJWK, generateKeyPair } from 'jose';
import { request } from 'undici';
import { productOf } from '../../kit/for-suite.ts';
import { standing } from '../../kit/moves.ts';
import { bank, books, card, newBooks } from '../../kit/sandbox-ids.ts';
import { host, older, type Signing, secret, sign as signAny } from '../../kit/shop.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';

const edward = await generateKeyPair('EdDSA', { extractable: true });
const keys = [{ ...(await exportJWK(edward.publicKey)), kid: 'edward' }];
const product = productOf({
  centers: [
    {
      address: 'shop',
      center: books,
      linkKeys: [
        { issuer: host, keyId: 'new', secret },
        { issuer: host, keyId: 'old', secret: older },
        { issuer: 'https://file.example', jwksFile: '{home}/keys.json' },
        { issuer: 'https://gone.example', jwksUrl: 'http://127.0.0.1:9/keys' },
      ],
    },
    { address: 'bank', center: bank, linkKeys: [{ issuer: 'https://bank.example', secret: older }] },
  ],
  files: { 'keys.json': JSON.stringify({ keys }) },
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
async function post(token: string) {
  const answer = await request(`${product.url}/u/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

suite('A one-click address that the customer’s backend signed', () => {
  const good: Readonly<Record<string, (sub: string) => Signing>> = {
    'by its secret': (sub) => ({ claims: { sub } }),
    'by a key of a file': (sub) => ({
      alg: 'EdDSA',
      kid: 'edward',
      key: edward.privateKey,
      claims: { sub, iss: 'https://file.example' },
    }),
    'for the center’s id, in capitals': (sub) => ({ claims: { sub, aud: books.toUpperCase() } }),
  };
  test('withdraws by a post without cookie or redirect, by a secret or a key, for either name of the center.', async () => {
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

  test('shows one button by GET, whatever mail programs hang on it, and no person.', async () => {
    const sub = 'looks.twice@example.net';
    await subscribe(sub, newBooks);
    const token = await sign({ claims: { sub, purpose: newBooks.toUpperCase() } });
    for (const more of ['', '?utm_source=x', ').', '%3E', '&amp;x', '.Visit']) {
      const page = await createVisitor(product.url, { 'accept-language': 'fr' }).get(`/u/${token}${more}`);
      assert.match(page.text, /La Lettre du port/, more);
      assert.ok(!page.text.includes(sub));
      assert.equal(page.headers['referrer-policy'], 'strict-origin');
    }
    assert.equal(await statusOf(sub), 'ON');
  });

  test('whose keys cannot be read is not called wrong: whoever posts is told to come again.', async () => {
    const key = edward.privateKey;
    const token = await sign({ alg: 'EdDSA', kid: 'edward', key, claims: { iss: 'https://gone.example' } });
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
