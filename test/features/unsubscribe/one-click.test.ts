import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { suite, test } from 'node:test';
import { exportJWK, generateKeyPair } from 'jose';
import { request } from 'undici';
import { productOf } from '../../kit/for-suite.ts';
import { readForm, readForms } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { standing } from '../../kit/moves.ts';
import { startProduct } from '../../kit/product.ts';
import { bank, books, card, newBooks, orders } from '../../kit/sandbox-ids.ts';
import { host, older, type Signing, secret, sign as signAny } from '../../kit/shop.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { lettersTo } from '../identity/mailbox.ts';

const anna = 'anna@example.org';

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

/** Subscribes a person at the platform, past the product. */
const subscribe = (identifier: string, ...purposes: string[]) =>
  product.sandbox.subscribe(books, identifier, orders, ...purposes);

async function statusOf(identifier: string, purpose = newBooks): Promise<string | undefined> {
  return standing(await product.sandbox.subject(books, identifier)).purposes[purpose]?.status;
}

const withdrawn = (identifier: string, purpose = newBooks) =>
  until(async () => (await statusOf(identifier, purpose)) === 'WITHDRAWN');

type Make = (identifier: string, purpose?: string) => Promise<string>;

/** The address that the command prints. */
const ours: Make = (identifier, purpose) => {
  const flags = ['--one-click', ...(purpose === undefined ? [] : ['--purpose', purpose])];
  return product.link({ center: books, identifier, flags });
};

/** An address that the backend of the customer signs. */
const theirs =
  ({ claims, ...by }: Signing = {}): Make =>
  async (sub, purpose) =>
    `${product.url}/u/${await sign({ ...by, claims: { sub, purpose, ...claims } })}`;

interface Shape {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
const boundary = '---FormBoundaryjWmhtjORrn';
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` };
const part = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--${boundary}--\r\n`;

/** Requests of mailbox providers and mail programs. */
const usual: Shape = { headers: urlencoded, body: 'List-Unsubscribe=One-Click' };
const shapes: Readonly<Record<string, Shape>> = {
  'urlencoded, as the large webmails do': {
    headers: { ...urlencoded, 'user-agent': 'Mozilla/5.0 (compatible)', 'accept-encoding': 'gzip, deflate' },
    body: 'List-Unsubscribe=One-Click',
  },
  'multipart, as in RFC 8058, 8.1': { headers: multipart, body: part('List-Unsubscribe', 'One-Click') },
  'urlencoded without the key': { headers: urlencoded, body: '' },
  'as plain text, as a script that names no type': {
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    body: 'List-Unsubscribe=One-Click',
  },
  'nothing at all': {},
  'from a web mail that says where it is': {
    headers: {
      ...urlencoded,
      origin: 'https://mail.example',
      referer: 'https://mail.example/',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'no-cors',
    },
    body: 'List-Unsubscribe=One-Click',
  },
  'JSON that is none': { headers: { 'content-type': 'application/json' }, body: '{' },
  'a body that is no small form': { headers: urlencoded, body: `x=${'y'.repeat(300_000)}` },
};

async function post(href: string, { headers = {}, body }: Shape = {}) {
  const answer = await request(href, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text };
}

const signedBy: Readonly<Record<string, Make>> = {
  'signed by the customer’s secret': theirs(),
  'signed by a key of a file': theirs({
    alg: 'EdDSA',
    kid: 'edward',
    key: edward.privateKey,
    claims: { iss: 'https://file.example' },
  }),
  'signed for the center’s id, in capitals': theirs({ claims: { aud: books.toUpperCase() } }),
};

suite('A mailbox provider that posts the one-click address', () => {
  test('every form of the post withdraws, by an address of the product or of the customer', async () => {
    const posts: readonly (readonly [title: string, make: Make, sent: Shape])[] = [
      ...Object.entries(shapes).map(([shape, sent]) => [shape, ours, sent] as const),
      ...Object.entries(signedBy).map(([by, make]) => [by, make, usual] as const),
    ];
    const withdrawing = posts.map(async ([title, make, sent]) => {
      const identifier = `${title.replaceAll(/\W+/g, '.')}@example.net`;
      await subscribe(identifier, newBooks, card);
      assert.equal(await statusOf(identifier), 'ON');
      const answer = await post(await make(identifier), sent);
      assert.deepEqual([answer.status, answer.text], [200, 'accepted\n'], title);
      const { 'set-cookie': cookie, location, ...headers } = answer.headers;
      assert.deepEqual([cookie, location], [undefined, undefined]);
      assert.deepEqual([headers['cache-control'], headers['referrer-policy']], ['no-store', 'strict-origin']);
      await withdrawn(identifier);
      await withdrawn(identifier, card);
    });
    await Promise.all(withdrawing);
  });

  test('the post is answered before a slow platform answers, and no withdrawal is lost', async () => {
    const people = Array.from({ length: 12 }, (_, index) => `outage.${index}@example.net`);
    for (const identifier of people) await subscribe(identifier, newBooks);
    await product.sandbox.addFault({ kind: 'latency', milliseconds: 4_000 });
    await product.sandbox.addFault({ kind: 'drop' });
    await product.sandbox.clearCalls();
    for (const identifier of people) {
      assert.equal((await post(await ours(identifier))).status, 200);
      // The sandbox lists a call when it has ended.
      assert.deepEqual(await product.sandbox.calls({ identifier }), [], 'no call ended yet');
    }
    await product.sandbox.clearFaults();
    for (const identifier of people) {
      await withdrawn(identifier);
    }
  });
});

suite('A person who opens the one-click address in a browser', () => {
  test('the person sees one button in the language of the browser, and a look changes nothing', async () => {
    const identifier = 'looks@example.net';
    await subscribe(identifier, newBooks);
    const href = await ours(identifier, newBooks);
    const visitor = createVisitor(product.url, { 'accept-language': 'fr' });
    await product.sandbox.clearCalls();
    for (const method of ['GET', 'HEAD', 'GET'] as const) {
      const looked = await request(href, { method, headers: { accept: 'text/html' } });
      assert.equal(looked.statusCode, 200);
      await looked.body.dump();
    }
    const page = await visitor.get(href);
    assert.match(page.text, /<html lang="fr"/);
    assert.match(page.text, /La Lettre du port/);
    assert.ok(!page.text.includes(identifier));
    assert.equal(readForm(page.text).press().fields.length, 2);
    assert.deepEqual(await product.sandbox.calls({ identifier }), []);
    assert.equal(await statusOf(identifier), 'ON');

    const done = await visitor.submit(page, () => undefined);
    assert.equal(done.status, 200);
    assert.equal(done.url, page.url, 'no redirect');
    assert.equal(visitor.cookies.size, 0);
    await withdrawn(identifier);
  });

  test('the address works with the text that mail programs append to it', async () => {
    const identifier = 'hung@example.net';
    await subscribe(identifier, newBooks);
    const made = [await ours(identifier, newBooks), await theirs()(identifier, newBooks.toUpperCase())];
    const ends = ['', '?utm_source=x&utm_medium=y', ')', '.', ').', '%3E', '%20', '&amp;x', '?fbclid=1#top'];
    for (const href of made)
      for (const more of ends) {
        const page = await createVisitor(product.url, { 'accept-language': 'fr' }).get(`${href}${more}`);
        assert.equal(page.status, 200, more);
        assert.match(page.text, /La Lettre du port/, more);
        assert.ok(!page.text.includes(identifier));
        assert.equal(page.headers['referrer-policy'], 'strict-origin');
      }
    assert.equal((await createVisitor(product.url).get(`${made[1]}.Visit`)).status, 200);
    assert.equal(await statusOf(identifier), 'ON');
    assert.equal((await post(`${made[0]}).?utm_source=x`)).status, 200);
    await withdrawn(identifier);
  });

  test('the page has the language of the person while the platform is down', async () => {
    const link = await ours('down@example.net');
    await using idle = await startProduct();
    await idle.sandbox.addFault({ kind: 'drop' });
    const page = await createVisitor(idle.url, { 'accept-language': 'de' }).get(new URL(link).pathname);
    assert.equal(page.status, 200);
    assert.equal(textOf(page.text, 'h1'), 'Abbestellen');
    const done = await createVisitor(idle.url, { 'accept-language': 'de' }).submit(page, () => undefined);
    assert.equal(done.status, 200);
    assert.match(done.text, /Angenommen|unterwegs/);
  });

  test('the undo switches nothing on: it sends a link to the mail address', async () => {
    const identifier = 'regrets@example.net';
    await subscribe(identifier, newBooks);
    const visitor = createVisitor(product.url, { 'accept-language': 'en' });
    const page = await visitor.open(await ours(identifier, newBooks));
    const done = await visitor.submit(page, () => undefined);
    assert.match(textOf(done.text, 'main') ?? '', /You’ll no longer get “[^”]+”\./);
    await withdrawn(identifier);

    const form = readForm(done.text);
    assert.equal(form.method, 'post');
    assert.match(form.action, /\/sign-in\/fresh\?lang=en/);
    assert.ok(!done.text.includes(identifier), 'the page has no identifier');
    assert.equal((await visitor.press(form)).status, 303);
    assert.equal((await lettersTo(visitor, identifier, 1)).length, 1);
    assert.equal(await statusOf(identifier), 'WITHDRAWN');
    const home = await visitor.get('/centers/shop');
    assert.notEqual(home.status, 200, 'a click starts no session');
  });

  test('a person without a mail address is offered no undo', async () => {
    const visitor = createVisitor(product.url);
    const done = await visitor.submit(await visitor.open(await ours('customer-4711')), () => undefined);
    assert.deepEqual(readForms(/<main[\s\S]*<\/main>/.exec(done.text)?.[0] ?? ''), []);
  });
});

suite('A one-click address that the customer signed', () => {
  test('the address names the same person with a long or escaped identifier', async () => {
    const sub = `${'q'.repeat(250)}@example.org`;
    await subscribe(sub, newBooks);
    const claims = { iss: 'https://shop.example', aud: 'shop', scope: 'one-click', exp: seconds() + 60, sub };
    const escaped = JSON.stringify(claims).replaceAll('q', '\\u0071');
    const head = Buffer.from(JSON.stringify({ alg: 'HS256' })).toString('base64url');
    const signed = `${head}.${Buffer.from(escaped).toString('base64url')}`;
    const token = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    assert.ok(token.length > 2_000);
    assert.equal((await post(`${product.url}/u/${token}`)).status, 200);
    await withdrawn(sub);
  });

  test('the address gets 503, to be sent again, while its keys cannot be read', async () => {
    const by = { alg: 'EdDSA', kid: 'edward', key: edward.privateKey };
    const href = await theirs({ ...by, claims: { iss: 'https://gone.example' } })(anna);
    const answer = await post(href);
    assert.equal(answer.status, 503);
    assert.equal(answer.headers['retry-after'], '30');
    const page = await createVisitor(product.url).get(href);
    assert.equal(page.status, 503);
    assert.ok(!page.text.includes(href.split('.')[1] ?? ''));
  });

  test('the address never appears in the log', async () => {
    const sub = 'never.in.a.log@example.net';
    const href = await theirs()(sub);
    await post(href);
    await createVisitor(product.url).get(href);
    await post(await theirs({ claims: { aud: 'bank' } })(sub));
    const output = product.output();
    for (const part of new URL(href).pathname.slice('/u/'.length).split('.'))
      assert.ok(!output.includes(part));
    assert.ok(!output.includes(sub));
    assert.match(output, /\/u\/:token/);
  });
});
