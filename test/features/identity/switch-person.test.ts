import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { productOf } from '../../kit/for-suite.ts';
import { type Form, readForm } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { linkKeys, signed } from '../../kit/shop.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';
import { ask, letterTo } from './mailbox.ts';

const shop = '/centers/shop';
const title = 'This link is for someone else';
const codeTitle = 'This code is for someone else';

const product = productOf({
  centers: [
    { address: 'shop', center: books, linkKeys },
    { address: 'bank', center: bank, linkKeys },
  ],
});

function linkFor(
  sub: string,
  { center = 'shop', id, scope = 'manage' }: { center?: string; id?: string; scope?: string } = {},
): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  return signed(sub, { scope, aud: center, jti: id, iat, exp: iat + 3_600 }).then(
    (token) => `/centers/${center}?t=${token}`,
  );
}

async function signedIn(identifier: string, scope: 'manage' | 'withdraw' = 'manage'): Promise<Visitor> {
  const visitor = createVisitor(product.url, { 'accept-language': 'en' });
  assert.equal((await visitor.open(await linkFor(identifier, { scope }))).status, 200);
  return visitor;
}

async function mailLinkFor(identifier: string): Promise<string> {
  const visitor = createVisitor(product.url, { 'accept-language': 'en' });
  await ask(visitor, identifier, shop);
  return (await letterTo(visitor, identifier)).link;
}

/** A new address each time: messages to one address are limited. */
const another = () => `o${randomUUID()}@example.org`;

async function shownMask(visitor: Visitor, path = shop): Promise<string | undefined> {
  return /<bdi>([^<]*)<\/bdi>/.exec((await visitor.get(path)).text)?.[1];
}

const pressed = (page: Answer): ReturnType<Form['press']> => readForm(page.text).press();

for (const [kind, make] of [
  ['a link', linkFor],
  ['a link by mail', mailLinkFor],
] as const) {
  suite(`Following ${kind} of another person while signed in`, () => {
    test('the page asks first, and shows only the signed-in person in full', async () => {
      const visitor = await signedIn('anna@example.org');
      const omar = another();
      const link = await make(omar);
      const page = await visitor.open(link);
      assert.equal(page.status, 200);
      assert.equal(textOf(page.text, 'h1'), title);
      assert.match(page.text, /You’re signed in as anna@example\.org\./);
      assert.match(page.text, /<button[^>]*>Switch to o•••@example\.org<\/button>/);
      // The holder of a JWT can read its claims; those of a mailed link are sealed.
      const [, payload = ''] = link.includes('?t=') ? link.split('.') : [];
      for (const hidden of [omar, ...(payload === '' ? [] : [payload])]) {
        for (const part of [hidden, encodeURIComponent(hidden), Buffer.from(hidden).toString('base64url')]) {
          assert.ok(!page.text.includes(part) && !page.url.includes(part), part);
        }
      }
      assert.equal(textOf((await visitor.get(page.url)).text, 'h1'), title, 'the page may be loaded again');
      assert.match(page.text, new RegExp(`<a class="button" href="${shop}">`));
      assert.equal(await shownMask(visitor), 'a•••@example.org', 'the question changes nothing');
    });

    test('the button switches in any language of the center, under a new session id', async () => {
      const visitor = await signedIn('anna@example.org');
      const before = new Map(visitor.cookies);
      const page = await visitor.open(await make(another()));
      const href = /href="([^"]*lang=ar[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
      const arabic = await visitor.get(href ?? assert.fail('no other language'));
      assert.equal(textOf(arabic.text, 'h1'), 'هذا الرابط لشخص آخر');
      assert.match(arabic.text, /<html lang="ar" dir="rtl"/);
      const next = await visitor.submit(arabic, () => {});
      assert.equal(new URL(next.url).pathname, shop);
      assert.equal(await shownMask(visitor), 'o•••@example.org');
      assert.notDeepEqual(new Map(visitor.cookies), before);
      const old = createVisitor(product.url);
      for (const [name, value] of before) old.cookies.set(name, value);
      assert.equal((await old.get(shop)).status, 303, 'the earlier session has ended');
    });

    test('a switch needs the form that was shown to the signed-in person', async () => {
      const visitor = await signedIn('anna@example.org');
      const page = await visitor.open(await make(another()));
      const { action, fields } = pressed(page);
      assert.equal((await visitor.post(action, fields, { 'sec-fetch-site': 'cross-site' })).status, 403);
      const other = await signedIn('zoe@example.org');
      const theirs = pressed(await other.open(await make(another()))).fields;
      const leaving = theirs.find(([name]) => name === 'leaving')?.[1] ?? '';
      assert.notEqual(leaving, '');
      for (const sent of [undefined, '', 'made-up', leaving]) {
        const posted = fields.filter(([name]) => name !== 'leaving');
        const answer = await visitor.post(
          action,
          sent === undefined ? posted : [...posted, ['leaving', sent]],
        );
        assert.equal(answer.status, 303, String(sent));
        const again = await visitor.open(answer.location ?? '');
        assert.equal(textOf(again.text, 'h1'), title, 'the page asks again');
      }
      assert.equal(
        (await visitor.post(action.replace(/\bk=[^&]*/, 'k=made-up'), [['leaving', leaving]])).status,
        400,
      );
      assert.equal(await shownMask(visitor), 'a•••@example.org');
    });

    test('the page asks again when a third person has signed in since, and not when none is signed in', async () => {
      const visitor = await signedIn('anna@example.org');
      const { action, fields } = pressed(await visitor.open(await make(another())));
      await visitor.submit(await visitor.open(await linkFor('jonas@example.org')), () => {});
      assert.equal(await shownMask(visitor), 'j•••@example.org');
      const answer = await visitor.open((await visitor.post(action, fields)).location ?? '');
      assert.match(answer.text, /You’re signed in as j[^@]*@example\.org\./);
      assert.equal(await shownMask(visitor), 'j•••@example.org');
      visitor.cookies.clear();
      assert.equal((await visitor.post(action, fields)).status, 303);
      assert.equal(await shownMask(visitor), 'o•••@example.org');
    });

    test('the page does not ask where the same person, or no person, is signed in', async () => {
      const omar = another();
      const visitor = await signedIn(omar);
      const page = await visitor.open(await make(omar));
      assert.notEqual(textOf(page.text, 'h1'), title);
      const elsewhere = createVisitor(product.url, { 'accept-language': 'en' });
      await elsewhere.open(await linkFor('emil@example.org', { center: 'bank' }));
      assert.notEqual(textOf((await elsewhere.open(await make(another()))).text, 'h1'), title);
      assert.equal(await shownMask(elsewhere, '/centers/bank'), 'e•••@example.org');
    });
  });
}

/** A passcode of another person, and the address of its page, which opens in any browser. */
async function passcodeFor(identifier: string): Promise<{ readonly href: string; readonly code: string }> {
  const visitor = createVisitor(product.url, { 'accept-language': 'en' });
  const page = await ask(visitor, identifier, shop);
  return { href: page.url, code: (await letterTo(visitor, identifier)).code };
}

/** The post of the page that asks for a passcode. */
function typed(page: Answer, code: string): ReturnType<Form['press']> {
  return readForm(page.text, 'code').type('code', code).press();
}

suite('Typing another person’s passcode while signed in', () => {
  test('the page asks first, shows only the signed-in person in full, and its button switches', async () => {
    const visitor = await signedIn('anna@example.org');
    const omar = another();
    const { href, code } = await passcodeFor(omar);
    const { action, fields } = typed(await visitor.open(href), code);
    let page = await visitor.post(action, fields);
    for (let count = 0; count < 6; count += 1) {
      page = await visitor.post(action, fields);
      assert.equal(page.status, 200);
      assert.equal(textOf(page.text, 'h1'), codeTitle);
      assert.match(page.text, /You’re signed in as anna@example\.org\./);
      assert.match(page.text, /<button[^>]*>Switch to o•••@example\.org<\/button>/);
      assert.ok(!page.text.includes(omar));
      assert.match(page.text, new RegExp(`<a class="button" href="${shop}">`));
    }
    assert.equal(await shownMask(visitor), 'a•••@example.org');
    const next = await visitor.submit(page, () => {});
    assert.equal(next.url, `${product.url}${shop}`);
    assert.equal(await shownMask(visitor), 'o•••@example.org', 'the question has not used the passcode up');
  });

  test('a switch by a passcode needs the form that was shown to the signed-in person', async () => {
    const visitor = await signedIn('anna@example.org');
    const { href, code } = await passcodeFor(another());
    const { action, fields } = typed(await visitor.open(href), code);
    const other = await signedIn('zoe@example.org');
    const theirs = pressed(await other.post(action, fields)).fields;
    assert.equal(textOf((await visitor.post(action, theirs)).text, 'h1'), codeTitle, 'the page asks again');
    assert.equal(await shownMask(visitor), 'a•••@example.org');
  });

  test('the page does not ask the same person, or about a text that can be no passcode', async () => {
    const omar = another();
    const visitor = await signedIn(omar);
    const { href, code } = await passcodeFor(omar);
    const { action, fields } = typed(await visitor.open(href), code);
    assert.equal((await visitor.post(action, fields)).status, 303);
    const anna = await signedIn('anna@example.org');
    const none = typed(await anna.open((await passcodeFor(another())).href), 'none');
    const answer = await anna.post(none.action, none.fields);
    assert.equal(answer.status, 422);
    assert.notEqual(textOf(answer.text, 'h1'), codeTitle);
  });
});

suite('A link of another person that is good once', () => {
  test('the question does not use up a link that is good once, and the answer does', async () => {
    const link = await linkFor('omar@example.org', { id: randomUUID() });
    const visitor = await signedIn('anna@example.org');
    const page = await visitor.open(link);
    await visitor.open(link);
    const { action, fields } = pressed(page);
    assert.equal((await visitor.post(action, fields)).location, `${product.url}${shop}`);
    visitor.cookies.clear();
    const again = await visitor.post(action, fields);
    assert.equal(again.status, 410);
    assert.equal(await shownMask(visitor), undefined);
    assert.equal((await createVisitor(product.url).get(link)).status, 410);
  });

  test('a question of one center opens nothing in another', async () => {
    const visitor = await signedIn('anna@example.org');
    const { fields } = pressed(await visitor.open(await linkFor('omar@example.org')));
    assert.equal((await visitor.post('/centers/bank/sign-in/switch', fields)).status, 400);
  });
});

suite('A question that was left open', () => {
  test('an open question opens nothing once its person has signed out on all devices', async () => {
    const visitor = await signedIn('anna@example.org');
    const { action, fields } = pressed(await visitor.open(await linkFor('gone@example.org')));
    const owner = await signedIn('gone@example.org');
    await owner.submit(await owner.open(`${shop}/devices`), () => {});
    assert.equal((await visitor.post(action, fields)).status, 410);
    assert.equal(await shownMask(visitor), 'a•••@example.org');
  });
});

suite('Two people whose masks are alike', () => {
  const alike = 'a•••@example.org';

  test('two people with equal masks are never asked about by two equal masks', async () => {
    const visitor = await signedIn('anna@example.org');
    const page = await visitor.open(await linkFor('alex@example.org'));
    assert.equal(page.text.split(alike).length, 2, 'the mask stands once, for the other');
    assert.match(page.text, /<button[^>]*>Switch to a•••@example\.org<\/button>/);
    assert.match(page.text, />Stay as anna@example\.org<\/a>/);
  });

  test('two people with equal masks are told apart in words where a link only withdraws', async () => {
    const visitor = await signedIn('anna@example.org', 'withdraw');
    const page = await visitor.open(await linkFor('alex@example.org'));
    assert.ok(!page.text.includes('anna@example.org'), 'a link that was passed on shows no whole address');
    assert.match(page.text, /<button[^>]*>Switch to the other address<\/button>/);
    assert.match(page.text, />Stay as a•••@example\.org<\/a>/);
  });
});
