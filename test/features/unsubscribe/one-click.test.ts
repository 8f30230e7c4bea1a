import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { times } from '../../chaos/dice.ts';
import { runCommand } from '../../kit/command.ts';
import { productOf } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { standing } from '../../kit/moves.ts';
import { startProduct } from '../../kit/product.ts';
import { books, card, newBooks, orders } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';

const retired = 'b00c5000-0000-4001-8000-000000000090';
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
  'urlencoded with a charset and any Accept': {
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', accept: '*/*' },
    body: 'List-Unsubscribe=One-Click',
  },
  'urlencoded without the key': { headers: urlencoded, body: '' },
  'multipart without the key': { headers: multipart, body: `--${boundary}--\r\n` },
  'multipart with another field': { headers: multipart, body: part('unsubscribe', '1') },
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
  'from a program that hides where it is': {
    headers: { ...urlencoded, origin: 'null', 'sec-fetch-site': 'cross-site' },
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

  test('also leaves a purpose that no page draws, and is told the same of one that nobody knows.', async () => {
    await post(await oneClick(anna, retired.toUpperCase()));
    await until(async () => (await statusOf(anna, retired)) === 'WITHDRAWN');
    assert.equal(await statusOf(anna, newBooks), 'ON');
    await product.sandbox.clearCalls();
    const answer = await post(await oneClick(anna, '00000000-0000-4000-8000-00000000dead'));
    assert.equal(answer.status, 200);
    await until(async () => (await product.sandbox.calls({ operation: 'read-subject' })).length > 0);
    assert.deepEqual(await product.sandbox.calls({ operation: 'update-subject' }), []);
    assert.equal(await statusOf(anna, newBooks), 'ON');
  });

  test('withdraws once, however often it posts at the same time.', async () => {
    const identifier = 'fifty.times@example.net';
    await subscribe(identifier, newBooks);
    await product.sandbox.clearCalls();
    const href = await oneClick(identifier);
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(href)));
    assert.deepEqual(
      [...new Set(answers.map(({ status, text }) => `${status} ${text}`))],
      ['200 accepted\n'],
    );
    await until(async () => (await statusOf(identifier, newBooks)) === 'WITHDRAWN');
    assert.equal((await product.sandbox.calls({ method: 'DELETE', identifier })).length, 1);
  });

  test('leaves one row and one entry on My record, however often it posts what is done.', async () => {
    const identifier = 'over.and.over@example.net';
    await subscribe(identifier, newBooks);
    const href = await oneClick(identifier);
    /** Those of others, recorded before, may end meanwhile. */
    const rows = (after: number) => {
      const journal = new DatabaseSync(join(product.home, 'data', 'journal.sqlite'), { readOnly: true });
      const made = journal.prepare('SELECT sequence, state FROM submission WHERE sequence > ?').all(after);
      journal.close();
      return made;
    };
    const before = Math.max(0, ...rows(0).map(({ sequence }) => Number(sequence)));
    await product.sandbox.clearCalls();
    for (let posts = 0; posts < times(40, 100); posts++) {
      assert.equal((await post(href)).status, 200);
      await pause(posts < 10 ? 100 : 10);
    }
    await until(async () => rows(before).every(({ state }) => state === 'done'));
    assert.equal(rows(before).length, 1);
    const calls = await product.sandbox.calls({ identifier });
    assert.ok(calls.length < times(20, 50), `${calls.length} calls`);
    const visitor = createVisitor(product.url, { 'accept-language': 'en' });
    await visitor.open(await product.link({ center: books, identifier }));
    const record = await visitor.get(`/centers/${books}/record`);
    const done = record.text.split('<li class="record-entry"').slice(1);
    assert.equal(done.filter((entry) => !entry.includes('class="tag')).length, 1);
  });

  test('withdraws again with the same address after the person came back, by whatever way.', async () => {
    const identifier = 'comes.back@example.net';
    const href = await oneClick(identifier);
    for (let round = 0; round < 3; round++) {
      await subscribe(identifier, newBooks);
      assert.equal(await statusOf(identifier, newBooks), 'ON');
      await post(href);
      await until(async () => (await statusOf(identifier, newBooks)) === 'WITHDRAWN');
    }
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
  let href: string;
  beforeEach(async () => {
    await product.sandbox.clearCalls();
  });

  test('sees one button, in the language of the browser, and nothing changes by looking.', async () => {
    const identifier = 'looks@example.net';
    await subscribe(identifier, newBooks);
    href = await oneClick(identifier, newBooks);
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

  test('is told that there is nothing at an address that was made up.', async () => {
    for (const token of ['AAAA', 'not%20a%20token', '%20'])
      for (const method of ['GET', 'POST'] as const) {
        const headers = { accept: 'text/html' };
        const answer = await request(`${product.url}/u/${token}`, { method, headers });
        assert.equal(answer.statusCode, 404);
        assert.match(await answer.body.text(), /<h1>/);
      }
    assert.deepEqual(await product.sandbox.calls({ operation: 'update-subject' }), []);
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

  test('still opens after the secret was changed, and no longer once the old one is gone.', async () => {
    const href = await oneClick('rotation@example.net');
    const path = new URL(href).pathname;
    const old = product.env['SECRET'] ?? '';
    const fresh = 'UPQDPT2bB1OBHt9macIc10ZOEuPnEnCHUAAY9GPS3hU';
    for (const [secret, status] of [
      [`${fresh},${old}`, 200],
      [fresh, 404],
    ] as const) {
      await using other = await startProduct({ env: { SECRET: secret } });
      const answer = await request(`${other.url}${path}`, { method: 'POST' });
      await answer.body.dump();
      assert.equal(answer.statusCode, status);
    }
  });
});
