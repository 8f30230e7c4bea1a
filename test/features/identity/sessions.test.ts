import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { productOf } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { createVisitor, type Visitor } from '../../kit/visitor.ts';
import { ask, letterTo } from './mailbox.ts';

const product = productOf();

async function signedIn(identifier: string, visitor = createVisitor(product.url)): Promise<Visitor> {
  const page = await visitor.open(await product.link({ center: books, identifier }));
  assert.equal(page.status, 200);
  // The product asks first when another person is signed in.
  if (page.url.includes('/sign-in/switch')) await visitor.submit(page, () => {});
  return visitor;
}

async function shownMask(visitor: Visitor): Promise<string | undefined> {
  const page = await visitor.get(`/centers/${books}`);
  return /<bdi>([^<]*)<\/bdi>/.exec(page.text)?.[1];
}

/** Signs out and returns the address that the answer leads to. */
async function signOut(visitor: Visitor): Promise<string> {
  const page = await visitor.open(`/centers/${books}`);
  const form = readForm(page.text, /\/sign-out/);
  const answer = await visitor.press(form);
  assert.equal(answer.status, 303);
  return answer.location ?? '';
}

suite('A session', () => {
  test('a session gets a new id at each sign-in, so that an earlier id is worth nothing', async () => {
    const visitor = await signedIn('fixed@example.org');
    const before = new Map(visitor.cookies);
    await ask(visitor, 'other@example.org', `/centers/${books}`);
    const letter = await letterTo(visitor, 'other@example.org');
    await visitor.submit(await visitor.open(letter.link), () => {});
    assert.notDeepEqual(new Map(visitor.cookies), before);
    assert.equal(await shownMask(visitor), 'o•••@example.org');

    const attacker = createVisitor(product.url);
    for (const [name, value] of before) attacker.cookies.set(name, value);
    assert.equal((await attacker.get(`/centers/${books}`)).status, 303);
  });

  test('a session stays ended after signing out, whatever races with it under its cookie', async () => {
    const visitor = await signedIn('dead@example.org');
    const old = new Map(visitor.cookies);
    const ghost = createVisitor(product.url);
    for (const [name, value] of old) ghost.cookies.set(name, value);
    const racing = Array.from({ length: 20 }, () => ghost.get(`/centers/${books}`));
    await signOut(visitor);
    await Promise.all(racing);
    for (let look = 0; look < 5; look += 1) {
      for (const [name, value] of old) ghost.cookies.set(name, value);
      assert.equal((await ghost.get(`/centers/${books}`)).status, 303);
    }
  });

  test('a sign-out on all devices needs the form that was made for the person', async () => {
    const visitor = await signedIn('form@example.org');
    const other = await signedIn('thief@example.org');
    const { action, fields } = readForm((await other.open(`/centers/${books}/devices`)).text).press();
    assert.equal((await visitor.post(action, fields)).status, 400);
    assert.equal((await visitor.post(action, [['token', 'x']])).status, 400);
    assert.equal((await visitor.get(`/centers/${books}`)).status, 200);
  });

  test('a page without script warns two minutes before the session ends, and leads on or out', async () => {
    const visitor = await signedIn('slow@example.org');
    const page = await visitor.open(`/centers/${books}`);
    const [, seconds, href] =
      /<noscript><meta http-equiv="refresh" content="(\d+); url=([^"]+)"><\/noscript>/.exec(page.text) ?? [];
    assert.ok(href);
    assert.ok(Number(seconds) <= 1680 && Number(seconds) > 1600, `${seconds} seconds`);
    const warning = await visitor.get(href.replaceAll('&amp;', '&'));
    assert.equal(warning.status, 200);
    assert.equal(textOf(warning.text, 'h1'), 'Are you still there?');
    assert.equal(warning.headers['set-cookie'], undefined, 'the warning does not prolong the session');
    assert.match(warning.text, /content="125"/);
    assert.match(warning.text, />Continue<\/a>/);
    const leave = readForm(warning.text, /\/sign-out/);
    assert.equal((await visitor.press(leave)).status, 303);
    const ended = await visitor.get(href.replaceAll('&amp;', '&'));
    assert.equal(textOf(ended.text, 'h1'), 'Your session has ended');
    assert.match(ended.text, /\/sign-in/);
  });

  test('limits ignore the address that a client claims, unless a proxy is trusted', async () => {
    let asked = 0;
    let status = 0;
    while (status !== 429 && asked < 60) {
      asked += 1;
      const visitor = createVisitor(product.url, { 'x-forwarded-for': `203.0.113.${asked}` });
      status = (await ask(visitor, `spoof${asked}@example.org`, `/centers/${books}`)).status;
    }
    assert.ok(asked > 30 && asked <= 41, `${asked} messages`);
  });

  test('the page after signing out keeps a language that only the record had', async () => {
    const reader = await signedIn('salma@example.org');
    const page = await reader.open(await signOut(reader));
    assert.match(page.text, /<html lang="ar" dir="rtl"/);
    assert.match(page.text, /href="\/centers\/[^"]*\/sign-in/, 'the way back in is offered');
  });
});
