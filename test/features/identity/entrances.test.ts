import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { request } from 'undici';
import { linkMint } from '../../../src/compose/secret.ts';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import { sealOneClick } from '../../../src/features/unsubscribe/token.ts';
import { createSeal } from '../../../src/store/seal.ts';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { type Product, startProduct } from '../../kit/product.ts';
import { books, newBooks } from '../../kit/sandbox-ids.ts';
import { shop, signed } from '../../kit/shop.ts';
import { storedRows } from '../../kit/stored-rows.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { enter } from '../staff/fixture.ts';

const key = 'sayso-key-of-asker-0123456789abcdef';

const sha256 = createHash('sha256').update(key).digest('hex');
const centers = [{ ...shop, apiKeys: [{ name: 'asker', scopes: ['may-send'], sha256 }] }];

interface Reply {
  readonly status: number;
  readonly text: string;
}

type Entrance = (product: Product, identifier: string) => Promise<Reply>;

/** A one-click path as a product with another PLATFORM_IDENTIFIER_ENCODING made it. */
function oneClick({ env }: Product, identifier: string): string {
  const subject = identifier as SubjectId;
  const click = { center: books, subject, purpose: newBooks, madeAt: Date.now() };
  return `/u/${sealOneClick(createSeal([env['SECRET'] ?? '']), click)}`;
}

const posted = (product: Product, path: string) =>
  request(product.url + path, { method: 'POST' }).then(async ({ statusCode, body }) => ({
    status: statusCode,
    text: await body.text(),
  }));

/**
 * Each way by which an identifier enters the running product. Other tests cover single sign-on and
 * `npm run link`: end-to-end/settings.test.ts, and cli/link-table.test.ts for a file of identifiers.
 */
const entrances: Readonly<Record<string, Entrance>> = {
  'a link of the product': (product, identifier) => {
    const claims = {
      subject: identifier as SubjectId,
      scope: 'manage',
      center: books,
      lifetime: 60,
    } as const;
    const token = linkMint([product.env['SECRET'] ?? '']).mint(claims);
    return createVisitor(product.url).open(`/centers/shop?t=${token}`);
  },
  'a link that a customer signed': async (product, identifier) =>
    createVisitor(product.url).open(
      `/centers/shop?t=${await signed(identifier, { exp: Math.floor(Date.now() / 1000) + 9_000 })}`,
    ),
  'a ticket of a frame': async (product, identifier) =>
    createVisitor(product.url, { 'sec-fetch-dest': 'iframe' }).open(
      `/embed/shop?ticket=${await signed(identifier)}`,
    ),
  'the page of a one-click address of the product': (product, identifier) =>
    createVisitor(product.url).get(oneClick(product, identifier)),
  'a one-click post of the product': (product, identifier) => posted(product, oneClick(product, identifier)),
  'a one-click post that a customer signed': async (product, identifier) =>
    posted(product, `/u/${await signed(identifier, { scope: 'one-click', purpose: newBooks })}`),
  'may-send': async (product, identifier) => {
    const answer = await request(`${product.url}/api/may-send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ purpose: newBooks, identifiers: ['anna@example.org', identifier] }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  },
  'the address for a passcode': async (product, identifier) => {
    const visitor = createVisitor(product.url);
    const page = await visitor.open('/centers/shop/sign-in');
    return visitor.submit(page, (form) => form.type('email', identifier));
  },
  'the staff’s search for a person': async (_product, identifier) => {
    const page = await staff.open('/staff/people');
    return staff.submit(page, (form) => form.type('identifier', identifier));
  },
};

const refusals: Readonly<Record<string, RegExp>> = {
  'a one-click post of the product': /can’t use this address/,
  'may-send': /^\{"error":"identifier-refused","wrong":\[1\]\}$/,
  'the staff’s search for a person': /of ASCII alone unless PLATFORM_IDENTIFIER_ENCODING/,
};

const product = productOf({ centers, store: 'files' });
const staff = forSuite(() => enter(product));

const submissions = (folder: string) => storedRows(folder).get('journal.sqlite submission')?.count;

suite('An identifier that the tenant does not accept', () => {
  for (const [name, enterBy] of Object.entries(entrances))
    test(`${name} is refused with an identifier beyond ASCII, and accepted with one in ASCII`, async () => {
      const rows = submissions(join(product.home, 'data'));
      const refused = await enterBy(product, 'jürgen@example.org');
      assert.ok(refused.status === 400 || refused.status === 422, `${refused.status} ${refused.text}`);
      assert.match(refused.text, refusals[name] ?? /We can’t use this address/);
      assert.equal(submissions(join(product.home, 'data')), rows, 'nothing is accepted');
      const control = await enterBy(product, 'juergen@example.org');
      assert.equal(control.status, 200, control.text);
    });

  test('a refused identifier causes no call and no fault of the platform', async () => {
    const calls = await product.sandbox.calls({});
    assert.deepEqual(
      calls.filter(({ identifier }) => /rgen@/.test(identifier ?? '') && !/^juergen@/.test(identifier ?? '')),
      [],
    );
    const metrics = await (await request(product.metricsUrl)).body.text();
    assert.match(metrics, /sayso_platform_call_seconds_count\{[^}]*outcome="ok"/);
    assert.doesNotMatch(metrics, /identifier-refused/);
  });

  test('a form from before PLATFORM_IDENTIFIER_ENCODING changed does not submit a refused identifier', async () => {
    const env = { PLATFORM_IDENTIFIER_ENCODING: 'utf-8' };
    await using changed = await startProduct({ centers, store: 'files', env });
    const visitor = createVisitor(changed.url);
    await visitor.open(await changed.link({ center: 'shop', identifier: 'jörg@example.org' }));
    const form = readForm((await visitor.open('/centers/shop/unsubscribe')).text);
    await changed.stop();
    Object.assign(changed.env, { PLATFORM_IDENTIFIER_ENCODING: 'refuse' });
    await changed.start();
    const answer = await visitor.press(form);
    assert.equal(answer.status, 400, answer.location ?? answer.text);
    assert.match(answer.text, /We can’t use this address/);
    assert.equal(submissions(join(changed.home, 'data')), 0);
  });

  test('identifiers are read in these files alone, so there is no other way in', () => {
    const src = join(import.meta.dirname, '../../../src');
    const readers = globSync('**/*.ts', { cwd: src }).filter((file) =>
      /\breadSubjectId\(|\bmap\(readSubjectId\)/.test(readFileSync(join(src, file), 'utf8')),
    );
    assert.deepEqual(readers.sort(), [
      'core/model/person/identifiers.ts',
      // The callers of these pass the identifier to `admit`.
      'core/model/person/mail-address.ts',
      'core/model/person/subject.ts',
      'features/identity/customer-token.ts',
      'features/identity/link-token.ts',
      'features/identity/single-sign-on.ts',
      // These read identifiers that the product sealed, or mask a value.
      'pages/person/profile.ts',
      'web/tokens.ts',
    ]);
  });
});
