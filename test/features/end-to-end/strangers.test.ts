import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { request } from 'undici';
import { times } from '../../chaos/dice.ts';
import { readForm } from '../../kit/form.ts';
import { type Product, startProduct, tenantAt } from '../../kit/product.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { storedRows } from '../../kit/stored-rows.ts';
import { eventually } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { routes } from '../../routes.ts';

const hour = 60 * 60 * 1000;
const eachRoute = times(8, 40);
const signIns = times(60, 200);

/** A request of a sender without any right, with made-up ids and tokens. */
function attempt(product: Product, { method, path }: (typeof routes)[number], turn: number) {
  const center = turn % 4 === 0 ? books : randomUUID();
  const filled = path
    .replace(':center', center)
    .replace('{/:page}', turn % 2 === 0 ? '' : `/${randomUUID()}`)
    .replace('{/*rest}', '/somewhere')
    .replace(/:\w+/g, () => randomUUID());
  const secret = randomUUID().replaceAll('-', '');
  const query = [
    `?t=${secret}.${secret}.${secret}`,
    `?ticket=${secret}.${secret}.${secret}`,
    `?v=${secret}&k=${secret}`,
    '',
  ][turn % 4];
  const headers = { accept: 'text/html', 'sec-fetch-site': turn % 2 === 0 ? 'same-origin' : 'none' };
  const post = {
    headers: {
      ...headers,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `token=${secret}&code=123456&email=${secret}@example.org&identifier=${secret}`,
  };
  return { href: `${product.url}${filled}${query}`, method, ...(method === 'POST' ? post : { headers }) };
}

const printed = (product: Product, expected: RegExp) =>
  eventually(() => assert.match(product.output(), expected));

suite('Strangers', () => {
  test('strangers cause few calls, few mails and no lasting rows', async (t) => {
    await using product = await startProduct({ env: { LOG_LEVEL: 'warn' } });
    const data = join(product.home, 'data');
    const visitor = createVisitor(product.url);
    const signIn = await visitor.open(`/centers/${books}/sign-in`);
    assert.equal(signIn.status, 200);
    const before = storedRows(data);
    await product.sandbox.clearCalls();

    const sent = Array.from({ length: eachRoute }, (_, turn) =>
      routes.map((rule) => ({ rule, turn })),
    ).flat();
    const failed = new Set<string>();
    const workers = 8;
    await Promise.all(
      Array.from({ length: workers }, async (_, worker) => {
        for (let index = worker; index < sent.length; index += workers) {
          const next = sent[index];
          if (next === undefined) continue;
          const { href, ...shape } = attempt(product, next.rule, next.turn);
          const answer = await request(href, shape);
          await answer.body.dump();
          if (answer.statusCode === 500) failed.add(`${next.rule.method} ${next.rule.path}`);
        }
      }),
    );
    const form = readForm(signIn.text);
    for (let turn = 0; turn < signIns; turn += 1) {
      form.type('email', `${randomUUID()}@example.org`);
      await visitor.post(`/centers/${books}/sign-in`, form.press().fields);
    }

    assert.deepEqual([...failed], []);
    const requests = sent.length + signIns;
    const calls = await product.sandbox.calls();
    assert.ok(calls.length <= requests / 60, `${calls.length} calls of ${requests} requests`);
    const box = await visitor.get('/sandbox/mailbox');
    const mails = new Set(box.text.match(/\/sandbox\/mailbox\/\d+/g)).size;
    t.diagnostic(`${calls.length} calls and ${mails} mails of ${requests} requests`);
    // One client has a limit of mails, however many it asks for.
    assert.ok(mails > 0 && mails <= 40, `${mails} mails of ${requests} requests`);

    const now = Date.now();
    for (const [table, { count, lastEnd }] of storedRows(data)) {
      const more = count - (before.get(table)?.count ?? 0);
      // One row proves that the journal can be written.
      if (table === 'journal.sqlite written') assert.ok(count <= 1, `${count} rows of ${table}`);
      // failed-sign-ins.ts of the staff limits these rows.
      else if (table === 'journal.sqlite audit') assert.ok(more <= 25, `${more} rows of ${table}`);
      else if (more > 0)
        assert.ok(lastEnd > 0 && lastEnd <= now + hour, `${more} rows of ${table}, to ${lastEnd}`);
    }

    // Unknown ids cost one look-up of the list, and a listed center is served.
    await product.sandbox.clearCalls();
    const other = createVisitor(product.url);
    for (let turn = 0; turn < 210; turn += 1)
      assert.equal((await other.get(`/centers/${randomUUID()}/sign-in`)).status, 404);
    assert.ok((await product.sandbox.calls()).length <= 1);
    assert.equal((await other.get(`/centers/${books}/sign-in`)).status, 200);
  });

  test('if the platform refuses its list of centers, sign-in is unavailable, the log says why, and links work', async () => {
    await using platform = await startProduct();
    await platform.sandbox.addFault({ kind: '500', status: 403, operation: 'list-centers' });
    const env = {
      ...tenantAt(platform.sandboxUrl),
      SMTP_URL: 'smtp://127.0.0.1:9',
    };
    await using product = await startProduct({ env });
    const visitor = createVisitor(product.url);
    assert.equal((await visitor.get(`/centers/${books}/sign-in`)).status, 502);
    await printed(product, /"level":"error".*refuses its list of centers.*CENTERS_FILE/);
    const link = await product.link({ center: books, identifier: 'anna@example.org' });
    assert.equal((await visitor.open(link)).status, 200);
    await printed(product, /"channel":"link".*"from":"127\.0\.0\.0\/24","msg":"signed in"/);
    for (const [channel, path] of [
      ['link', `/centers/${books}?t=${'x'.repeat(40)}`],
      ['mail', `/centers/${books}/sign-in/link?k=${'x'.repeat(40)}`],
      ['embed', `/embed/${books}?ticket=${'x'.repeat(40)}`],
    ] as const) {
      assert.equal((await visitor.get(path)).status, 400, path);
      const from = '"from":"127\\.0\\.0\\.0/24"';
      await printed(
        product,
        new RegExp(`"channel":"${channel}","why":"invalid",${from},"msg":"sign-in refused"`),
      );
    }
  });
});
