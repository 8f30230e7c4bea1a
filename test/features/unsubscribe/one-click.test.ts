import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { request } from 'undici';
import { runCommand } from '../../kit/command.ts';
import { productOf } from '../../kit/for-suite.ts';
import { readForm, readForms } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { standing } from '../../kit/moves.ts';
import { startProduct } from '../../kit/product.ts';
import { books, card, newBooks, orders } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { lettersTo } from '../identity/mailbox.ts';

const anna = 'anna@example.org';

const product = productOf();

/** By another way than ours: the shop's own system writes to the platform. */
const subscribe = (identifier: string, ...purposes: string[]) =>
  product.sandbox.subscribe(books, identifier, orders, ...purposes);

async function statusOf(identifier: string, purpose: string): Promise<string | undefined> {
  return standing(await product.sandbox.subject(books, identifier)).purposes[purpose]?.status;
}

/** As the command makes it. */
function oneClick(identifier: string, purpose?: string): Promise<string> {
  const flags = ['--one-click', ...(purpose === undefined ? [] : ['--purpose', purpose])];
  return product.link({ center: books, identifier, flags });
}

interface Shape {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
const boundary = '---FormBoundaryjWmhtjORrn';
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` };
const part = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--${boundary}--\r\n`;

/** What mailbox providers and mail programs send. */
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

suite('A mailbox provider that posts the one-click address', () => {
  test('withdraws, in whatever form.', async () => {
    const withdrawing = Object.entries(shapes).map(async ([shape, sent]) => {
      const identifier = `${shape.replaceAll(/\W+/g, '.')}@example.net`;
      await subscribe(identifier, newBooks, card);
      assert.equal(await statusOf(identifier, newBooks), 'ON');
      const answer = await post(await oneClick(identifier), sent);
      assert.equal(answer.status, 200, shape);
      assert.equal(answer.headers['set-cookie'], undefined);
      assert.equal(answer.headers['location'], undefined);
      assert.equal(answer.headers['cache-control'], 'no-store');
      await until(async () => (await statusOf(identifier, newBooks)) === 'WITHDRAWN');
      assert.equal(await statusOf(identifier, card), 'WITHDRAWN');
    });
    await Promise.all(withdrawing);
  });

  test('is answered before the platform is, while that is down, and nothing is lost.', async () => {
    const people = Array.from({ length: 12 }, (_, index) => `outage.${index}@example.net`);
    for (const identifier of people) await subscribe(identifier, newBooks);
    await product.sandbox.addFault({ kind: 'latency', milliseconds: 4_000 });
    await product.sandbox.addFault({ kind: 'drop' });
    await product.sandbox.clearCalls();
    for (const identifier of people) {
      assert.equal((await post(await oneClick(identifier))).status, 200);
      // A call is on the platform's list when it has ended.
      assert.deepEqual(await product.sandbox.calls({ identifier }), [], 'it waited for its call');
    }
    await product.sandbox.clearFaults();
    for (const identifier of people) {
      await until(async () => (await statusOf(identifier, newBooks)) === 'WITHDRAWN');
    }
  });
});

suite('Someone who opens the one-click address in a browser', () => {
  test('sees one button, in the language of the browser, and nothing changes by looking.', async () => {
    const identifier = 'looks@example.net';
    await subscribe(identifier, newBooks);
    const href = await oneClick(identifier, newBooks);
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
    assert.equal(await statusOf(identifier, newBooks), 'ON');

    const done = await visitor.submit(page, () => undefined);
    assert.equal(done.status, 200);
    assert.equal(done.url, page.url, 'no redirect');
    assert.equal(visitor.cookies.size, 0);
    await until(async () => (await statusOf(identifier, newBooks)) === 'WITHDRAWN');
  });

  test('sees it also with what mail programs hang on the address, and it is the same address.', async () => {
    const identifier = 'hung@example.net';
    await subscribe(identifier, newBooks);
    for (const more of ['?utm_source=x&utm_medium=y', ')', '.', '%3E', '%20', '?fbclid=1#top']) {
      const looked = await createVisitor(product.url).get(`${await oneClick(identifier, newBooks)}${more}`);
      assert.equal(looked.status, 200, more);
    }
    const answer = await post(`${await oneClick(identifier, newBooks)}).?utm_source=x`);
    assert.equal(answer.status, 200);
    await until(async () => (await statusOf(identifier, newBooks)) === 'WITHDRAWN');
  });

  test('gets the page in the own language also while the platform is down.', async () => {
    const link = await oneClick('down@example.net');
    await using idle = await startProduct();
    await idle.sandbox.addFault({ kind: 'drop' });
    const page = await createVisitor(idle.url, { 'accept-language': 'de' }).get(new URL(link).pathname);
    assert.equal(page.status, 200);
    assert.equal(textOf(page.text, 'h1'), 'Abbestellen');
    const done = await createVisitor(idle.url, { 'accept-language': 'de' }).submit(page, () => undefined);
    assert.equal(done.status, 200);
    assert.match(done.text, /Angenommen|unterwegs/);
  });

  test('reads from what it is, and its undo switches nothing on: it sends a link to the address itself.', async () => {
    const identifier = 'regrets@example.net';
    await subscribe(identifier, newBooks);
    const visitor = createVisitor(product.url, { 'accept-language': 'en' });
    const page = await visitor.open(await oneClick(identifier, newBooks));
    const done = await visitor.submit(page, () => undefined);
    assert.match(textOf(done.text, 'main') ?? '', /You’ll no longer get “[^”]+”\./);
    await until(async () => (await statusOf(identifier, newBooks)) === 'WITHDRAWN');

    const form = readForm(done.text);
    assert.equal(form.method, 'post');
    assert.match(form.action, /\/sign-in\/fresh\?lang=en/);
    assert.ok(!done.text.includes(identifier), 'the page has no identifier');
    assert.equal((await visitor.press(form)).status, 303);
    assert.equal((await lettersTo(visitor, identifier, 1)).length, 1);
    assert.equal(await statusOf(identifier, newBooks), 'WITHDRAWN');
    const home = await visitor.get(`/centers/${books}`);
    assert.notEqual(home.status, 200, 'a click opens no session');
  });

  test('is offered no undo without an address to send it to.', async () => {
    const visitor = createVisitor(product.url);
    const done = await visitor.submit(await visitor.open(await oneClick('customer-4711')), () => undefined);
    assert.deepEqual(readForms(/<main[\s\S]*<\/main>/.exec(done.text)?.[0] ?? ''), []);
  });
});

suite('The address of one click', () => {
  test('is printed as the two lines of a mail’s head.', async () => {
    const { stdout } = await runCommand(
      ['link', '--center', books, '--identifier', anna, '--one-click', '--headers'],
      product.env,
    );
    const [first = '', second, ...rest] = stdout.split('\n');
    assert.match(first, new RegExp(`^List-Unsubscribe: <${product.url}/u/[\\w-]+>$`));
    assert.equal(second, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    assert.deepEqual(rest, ['']);
  });

  test('is made of flags that fit together.', async () => {
    for (const [named, ...flags] of [
      ['--purpose', '--purpose', newBooks],
      ['--headers', '--headers'],
      ['--purpose', '--one-click', '--purpose', 'newsletter'],
      ['--scope', '--one-click', '--scope', 'withdraw'],
      ['--days', '--one-click', '--days', '1'],
    ])
      await assert.rejects(
        product.link({ center: books, identifier: anna, flags }),
        new RegExp(String(named)),
      );
  });
});
