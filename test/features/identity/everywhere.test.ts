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
/** Another product over the same data, which shares nothing else with it. */
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

/** Whether somebody is let in, by that or by what it leads to. */
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

/** Fills the page's form; `send` posts it, as often as it is called, as somebody without a session. */
function filled(page: Answer, fill: (form: ReturnType<typeof readForm>) => unknown = () => {}) {
  const form = page.text.includes('name="code"') ? readForm(page.text, 'code') : readForm(page.text);
  fill(form);
  return (origin: string) => english(origin).press(form);
}

async function mailFor(
  who: string,
): Promise<{ readonly link: string; readonly page: Answer; readonly code: string }> {
  const visitor = english(product.url);
  const page = await ask(visitor, who, shopPath);
  const letter = await letterTo(visitor, who);
  return { link: letter.link, page, code: letter.code };
}

/** Everything that lets a person in, and what it takes to be let in by it. One of each kind is used up by trying. */
const tokens: Readonly<Record<string, (who: string) => Promise<Try>>> = {
  'a session': async (who) => {
    const visitor = english(product.url);
    await visitor.open(`${shopPath}?t=${await signed(who, { iat: now() })}`);
    return async (origin) => {
      const again = english(origin);
      for (const [name, value] of visitor.cookies) again.cookies.set(name, value);
      return isInside(again);
    };
  },
  'a link of ours': async (who) => opens(await pathOf({ identifier: who })),
  'a link of ours for withdrawing': async (who) =>
    opens(await pathOf({ identifier: who, flags: ['--scope', 'withdraw'] })),
  'a link of the customer': async (who) =>
    opens(`${shopPath}?t=${await signed(who, { iat: now(), exp: now() + 9_000, jti: undefined })}`),
  'a link of the customer that does not say when it was issued': async (who) =>
    opens(`${shopPath}?t=${await signed(who, { exp: now() + 9_000, jti: undefined })}`),
  'a link of the customer that is good once': async (who) =>
    opens(`${shopPath}?t=${await signed(who, { iat: now() })}`),
  'a ticket': async (who) => opens(`/embed/shop?ticket=${await signed(who, { iat: now() })}`),
  'a ticket that does not say when it was issued': async (who) =>
    opens(`/embed/shop?ticket=${await signed(who)}`),
  'a view in a frame': async (who) => {
    const answer = await english(product.url).get(`/embed/shop?ticket=${await signed(who, { iat: now() })}`);
    const { pathname, search } = new URL(answer.location ?? '');
    return opens(`${pathname}${search}`);
  },
  'a link by mail': async (who) => {
    const { link } = await mailFor(who);
    return async (origin) => {
      const visitor = english(origin);
      const page = await visitor.open(link);
      if (page.status !== 200) return false;
      await visitor.submit(page, () => {});
      return isInside(visitor);
    };
  },
  'a link by mail whose page was open': async (who) => {
    const visitor = english(product.url);
    const send = filled(await visitor.open((await mailFor(who)).link));
    return async (origin) => (await send(origin)).status === 303;
  },
  'a passcode': async (who) => {
    const { page, code } = await mailFor(who);
    const send = filled(page, (form) => form.type('code', code));
    return async (origin) => (await send(origin)).status === 303;
  },
  'a form that asks for a fresh link': async (who) => {
    const visitor = english(product.url);
    await visitor.open(`${shopPath}?t=${await signed(who, { scope: 'withdraw', iat: now() })}`);
    const send = filled(await visitor.open(`${shopPath}/step-up`));
    return async (origin) => (await send(origin)).status === 303;
  },
};

async function pathOf(change: { identifier: string; flags?: readonly string[] }): Promise<string> {
  const { pathname, search } = new URL(await product.link({ center: 'shop', ...change }));
  return `${pathname}${search}`;
}

async function signOutEverywhere(who: string): Promise<void> {
  const visitor = english(product.url);
  await visitor.open(await pathOf({ identifier: who }));
  const page = await visitor.open(`${shopPath}/devices`);
  const gone = await visitor.submit(page, () => {});
  assert.equal(textOf(gone.text, 'h1'), 'You’re signed out');
}

suite('Signing out on all devices', () => {
  const people = Object.keys(tokens).map((kind, number) => [kind, `leaver${number}@example.org`] as const);

  for (const [kind, who] of people) {
    test(`ends ${kind}, which let the person in before.`, async () => {
      const make = tokens[kind];
      assert.ok(make);
      assert.equal(await (await make(who))(product.url), true, 'it lets the person in');
      const unused = await make(who);
      await signOutEverywhere(who);
      assert.equal(await unused(product.url), false);
      assert.equal(await unused(beside.url), false, 'nor by another product');
    });
  }

  test('leaves alone what is of others, and what is issued afterwards.', async () => {
    // A link says in whole seconds when it was issued: one of the second of the sign-out is of before it.
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

  test('leaves one-click addresses as they are, ours and the customer’s: leaving is always possible.', async () => {
    const who = 'clicker@example.org';
    const ours = await product.link({ center: 'shop', identifier: who, flags: ['--one-click'] });
    const scope = 'one-click';
    const signedBefore = [
      await signed(who, { scope, iat: now(), exp: now() + 9_000, jti: undefined }),
      await signed(who, { scope, exp: now() + 9_000, jti: undefined }),
    ];
    await signOutEverywhere(who);
    for (const path of [new URL(ours).pathname, ...signedBefore.map((token) => `/u/${token}`)]) {
      const body = [['List-Unsubscribe', 'One-Click']] as const;
      const answer = await english(product.url).post(path, body, { accept: 'text/plain' });
      assert.deepEqual([answer.status, answer.text], [200, 'accepted\n']);
    }
    for (const token of signedBefore)
      assert.equal(await opens(`${shopPath}?t=${token}`)(product.url), false, 'and they open nothing');
  });

  test('tells a stranger who asked for a passcode in the person’s name nothing.', async () => {
    const who = 'watched@example.org';
    const { page, code } = await mailFor(who);
    const wrong = code === '000000' ? '000001' : '000000';
    const send = filled(page, (form) => form.type('code', wrong));
    const other = await mailFor(who);
    const before = await send(product.url);
    await signOutEverywhere(who);
    const left = (answer: Answer) => /Attempts left: ([0-9])/.exec(answer.text)?.[1];
    assert.equal(left(before), '4');
    assert.equal(left(await send(product.url)), '3');
    const right = filled(other.page, (form) => form.type('code', other.code));
    assert.equal(left(await right(product.url)), '4');
  });
});
