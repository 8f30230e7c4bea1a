import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readForm } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { type Product, startProduct } from '../../kit/product.ts';
import { setClockHere } from '../../kit/shifted-here.ts';
import { shop, signed } from '../../kit/shop.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';
import { ask, letterTo } from './mailbox.ts';

const shopPath = '/centers/shop';

let product: Product;
/** A second product on the same data; the two share nothing else. */
let beside: Product;

before(async () => {
  const centers = [shop];
  product = await startProduct({ centers });
  beside = await startProduct({ centers, env: { DATA_DIR: product.env['DATA_DIR'] ?? '' } });
});
after(async () => {
  setClockHere(0);
  await beside?.[Symbol.asyncDispose]();
  await product?.[Symbol.asyncDispose]();
});

const english = (origin: string) => createVisitor(origin, { 'accept-language': 'en' });
const now = () => Math.floor(Date.now() / 1000);

/** Uses a token at an origin and tells whether it lets its holder in. */
type Try = (origin: string) => Promise<boolean>;

async function isInside(visitor: Visitor, home = shopPath): Promise<boolean> {
  const { status, text } = await visitor.get(home);
  return status === 200 && text.includes('name="purpose"');
}

const opens =
  (path: string): Try =>
  async (origin) => {
    const visitor = english(origin);
    const { status, url, text } = await visitor.open(path);
    if (path.startsWith('/embed'))
      return status === 200 && text.includes('name="purpose"') && url.includes('v=');
    return isInside(visitor);
  };

/** Fills in the page's form. Each call of the result posts it, from a visitor without a session. */
function filled(page: Answer, fill: (form: ReturnType<typeof readForm>) => unknown = () => {}) {
  const form = page.text.includes('name="code"') ? readForm(page.text, 'code') : readForm(page.text);
  fill(form);
  return (origin: string) => english(origin).press(form);
}

async function mailFor(
  identifier: string,
): Promise<{ readonly link: string; readonly page: Answer; readonly code: string }> {
  const visitor = english(product.url);
  const page = await ask(visitor, identifier, shopPath);
  const letter = await letterTo(visitor, identifier);
  return { link: letter.link, page, code: letter.code };
}

/** Each kind of token that lets a person in: makes one and returns its use. A use may use the token up. */
const tokens: Readonly<Record<string, (identifier: string) => Promise<Try>>> = {
  'a session': async (identifier) => {
    const visitor = english(product.url);
    await visitor.open(`${shopPath}?t=${await signed(identifier, { iat: now() })}`);
    return async (origin) => {
      const again = english(origin);
      for (const [name, value] of visitor.cookies) again.cookies.set(name, value);
      return isInside(again);
    };
  },
  'a link of the product': async (identifier) => opens(await pathOf({ identifier })),
  'a link of the product for withdrawing': async (identifier) =>
    opens(await pathOf({ identifier, flags: ['--scope', 'withdraw'] })),
  'a link of the customer': async (identifier) =>
    opens(`${shopPath}?t=${await signed(identifier, { iat: now(), exp: now() + 9_000, jti: undefined })}`),
  'a link of the customer that does not say when it was issued': async (identifier) =>
    opens(`${shopPath}?t=${await signed(identifier, { exp: now() + 9_000, jti: undefined })}`),
  'a link of the customer that is good once': async (identifier) =>
    opens(`${shopPath}?t=${await signed(identifier, { iat: now() })}`),
  'a ticket': async (identifier) => opens(`/embed/shop?ticket=${await signed(identifier, { iat: now() })}`),
  'a ticket that does not say when it was issued': async (identifier) =>
    opens(`/embed/shop?ticket=${await signed(identifier)}`),
  'a view in a frame': async (identifier) => {
    const ticket = await signed(identifier, { iat: now() });
    const answer = await english(product.url).get(`/embed/shop?ticket=${ticket}`);
    const { pathname, search } = new URL(answer.location ?? '');
    return opens(`${pathname}${search}`);
  },
  'a link by mail': async (identifier) => {
    const { link } = await mailFor(identifier);
    return async (origin) => {
      const visitor = english(origin);
      const page = await visitor.open(link);
      if (page.status !== 200) return false;
      await visitor.submit(page, () => {});
      return isInside(visitor);
    };
  },
  'a link by mail whose page was open': async (identifier) => {
    const visitor = english(product.url);
    const send = filled(await visitor.open((await mailFor(identifier)).link));
    return async (origin) => (await send(origin)).status === 303;
  },
  'a passcode': async (identifier) => {
    const { page, code } = await mailFor(identifier);
    const send = filled(page, (form) => form.type('code', code));
    return async (origin) => (await send(origin)).status === 303;
  },
  'a form that asks for a fresh link': async (identifier) => {
    const visitor = english(product.url);
    await visitor.open(`${shopPath}?t=${await signed(identifier, { scope: 'withdraw', iat: now() })}`);
    const send = filled(await visitor.open(`${shopPath}/step-up`));
    return async (origin) => (await send(origin)).status === 303;
  },
};

async function pathOf(change: { identifier: string; flags?: readonly string[] }): Promise<string> {
  const { pathname, search } = new URL(await product.link({ center: 'shop', ...change }));
  return `${pathname}${search}`;
}

async function signOutEverywhere(identifier: string): Promise<void> {
  const visitor = english(product.url);
  await visitor.open(await pathOf({ identifier }));
  const page = await visitor.open(`${shopPath}/devices`);
  const gone = await visitor.submit(page, () => {});
  assert.equal(textOf(gone.text, 'h1'), 'You’re signed out');
}

suite('Signing out on all devices', () => {
  const people = Object.keys(tokens).map((kind, number) => [kind, `leaver${number}@example.org`] as const);

  for (const [kind, identifier] of people) {
    test(`signing out on all devices ends ${kind}`, async () => {
      const make = tokens[kind];
      assert.ok(make);
      assert.equal(await (await make(identifier))(product.url), true, 'the token lets the person in');
      const unused = await make(identifier);
      await signOutEverywhere(identifier);
      assert.equal(await unused(product.url), false);
      assert.equal(await unused(beside.url), false, 'the second product refuses it, too');
    });
  }

  test('signing out on all devices leaves tokens of others and later tokens valid', async () => {
    // Links have their time of issue in whole seconds; one of the second of the sign-out counts as older.
    setClockHere(1_100);
    assert.equal(
      await opens(await pathOf({ identifier: 'leaver0@example.org' }))(product.url),
      true,
      'a new link',
    );
    const { link } = await mailFor('leaver1@example.org');
    const visitor = english(product.url);
    await visitor.submit(await visitor.open(link), () => {});
    assert.equal(await isInside(visitor), true, 'a new message');
    const stranger = await signed('somebody.else@example.org', { exp: now() + 9_000, jti: undefined });
    assert.equal(await opens(`${shopPath}?t=${stranger}`)(product.url), true);
  });

  test('signing out on all devices leaves one-click addresses valid, so that withdrawing is always possible', async () => {
    const identifier = 'clicker@example.org';
    const ours = await product.link({ center: 'shop', identifier, flags: ['--one-click'] });
    const scope = 'one-click';
    const signedBefore = [
      await signed(identifier, { scope, iat: now(), exp: now() + 9_000, jti: undefined }),
      await signed(identifier, { scope, exp: now() + 9_000, jti: undefined }),
    ];
    await signOutEverywhere(identifier);
    for (const path of [new URL(ours).pathname, ...signedBefore.map((token) => `/u/${token}`)]) {
      const body = [['List-Unsubscribe', 'One-Click']] as const;
      const answer = await english(product.url).post(path, body, { accept: 'text/plain' });
      assert.deepEqual([answer.status, answer.text], [200, 'accepted\n']);
    }
    for (const token of signedBefore)
      assert.equal(await opens(`${shopPath}?t=${token}`)(product.url), false, 'the token opens no page');
  });

  test('a stranger who asked for a passcode does not learn that the person signed out', async () => {
    const identifier = 'watched@example.org';
    const { page, code } = await mailFor(identifier);
    const wrong = code === '000000' ? '000001' : '000000';
    const send = filled(page, (form) => form.type('code', wrong));
    const other = await mailFor(identifier);
    const before = await send(product.url);
    await signOutEverywhere(identifier);
    const attemptsLeft = (answer: Answer) => /Attempts left: ([0-9])/.exec(answer.text)?.[1];
    assert.equal(attemptsLeft(before), '4');
    assert.equal(attemptsLeft(await send(product.url)), '3');
    const right = filled(other.page, (form) => form.type('code', other.code));
    assert.equal(attemptsLeft(await right(product.url)), '4');
  });
});
