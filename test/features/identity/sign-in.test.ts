import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { maskIdentifier, type SubjectId } from '../../../src/core/model/person/subject.ts';
import { canaries } from '../../kit/canaries.ts';
import { productOf } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { createVisitor, type Visitor } from '../../kit/visitor.ts';
import { ask as askCenter, lettersTo, letterTo } from './mailbox.ts';

const signIn = `/centers/${books}/sign-in`;

const product = productOf({ env: { TRUST_PROXY: '127.0.0.1, ::1' } });

let clients = 0;

/** A visitor from an address of their own, so that no two visitors share a limit. */
function someone(): Visitor {
  clients += 1;
  return createVisitor(product.url, { 'x-forwarded-for': `203.0.113.${clients}` });
}

const ask = (visitor: Visitor, email: string, center = books) =>
  askCenter(visitor, email, `/centers/${center}`);

/** The page without tokens, the only part that may differ between two people. */
function withoutTokens(html: string): string {
  return html.replaceAll(/(name="token" value="|\bk=)[^"&]*/g, '$1…');
}

suite('Signing in by mail', () => {
  test('the sandbox leads from its start page to each center’s sign-in page, and back from the mailbox', async () => {
    const visitor = someone();
    const start = await visitor.open('/');
    const hrefs = [...start.text.matchAll(/href="([^"]+)">Sign in</g)].map(([, href = '']) => href);
    assert.equal(hrefs.length, 3);
    for (const href of hrefs) assert.match((await visitor.open(href)).text, /name="email"/);
    assert.match((await visitor.open('/sandbox/mailbox')).text, /<a class="button" href="\/">/);
  });

  test('a sign-in form is taken only with the token of its own center', async () => {
    const visitor = someone();
    const page = await visitor.open(`/centers/${bank}/sign-in`);
    const form = readForm(page.text, 'email');
    const other = new Map(form.press().fields).get('token');
    const email = 'formless@example.org';
    for (const token of ['', 'forged', String(other)])
      assert.equal((await visitor.post(signIn, Object.entries({ email, token }))).status, 400, token);
    assert.deepEqual(await lettersTo(visitor, email), []);
  });

  test('a visitor without a session is led to the sign-in page, in the language chosen there', async () => {
    const visitor = someone();
    for (const path of ['', '/unsubscribe', '/record', '/results/abc']) {
      const answer = await visitor.get(`/centers/${books}${path}?lang=fr`);
      assert.equal(answer.status, 303, path);
      assert.equal(answer.location, `${product.url}${signIn}?lang=fr`);
    }
    const signInPage = await visitor.open(`/centers/${books}?lang=fr`);
    assert.equal(textOf(signInPage.text, 'h1'), 'Gérer vos préférences');
    await visitor.submit(signInPage, (form) => form.type('email', 'fr@example.org'));
    const { link } = await letterTo(visitor, 'fr@example.org');
    assert.equal(new URL(link, product.url).searchParams.get('lang'), 'fr', 'the link of the message, too');
  });

  test('every address, known or not, gets the same answer in text, headers and cookies', async () => {
    const addresses = ['anna@example.org', 'nobody.at.all@example.net', 'salma@example.org', 'x@y.example'];
    const shapes = new Set<string>();
    const ways = new Set<string>();
    for (const address of addresses) {
      const visitor = someone();
      const signInPage = await visitor.open(signIn);
      const form = readForm(signInPage.text).type('email', address);
      const sent = await visitor.post(signIn, form.press().fields);
      const page = await visitor.get(sent.location ?? '');
      const masked = maskIdentifier(address as SubjectId);
      assert.ok(page.text.includes(masked), 'the page says where the message went');
      shapes.add(withoutTokens(page.text).replace(masked, ''));
      const headers = Object.keys(sent.headers).sort().join();
      ways.add(`${sent.status} ${headers} ${(sent.location ?? '').length > 200} ${visitor.cookies.size}`);
      assert.equal((await lettersTo(visitor, address, 1)).length > 0, true, 'a message goes to each');
    }
    assert.equal(shapes.size, 1);
    assert.equal(ways.size, 1);
  });

  test('the platform is never asked about an address, so that its answer cannot take longer for some', async () => {
    const visitor = someone();
    await ask(visitor, 'warm@example.org');
    await ask(visitor, 'warm@example.org', bank);
    const before = await product.sandbox.calls();
    for (const center of [books, bank])
      for (const email of ['anna@example.org', 'emil@example.org', 'unheard.of@example.net'])
        await ask(visitor, email, center);
    const after = await product.sandbox.calls();
    assert.equal(after.length, before.length);
  });

  test('an invalid address is named as a mistake, and no message is sent', async () => {
    const visitor = someone();
    for (const typed of ['', 'anna', 'a@b.example\r\nBcc: x@hidden.example']) {
      const signInPage = await visitor.open(signIn);
      const fields = readForm(signInPage.text)
        .press()
        .fields.map(([name, value]) => [name, name === 'email' ? typed : value] as const);
      const answer = await visitor.post(signIn, fields);
      assert.equal(answer.status, 422, JSON.stringify(typed));
      assert.match(answer.text, /id="email-mistake"/);
    }
    const box = await visitor.get('/sandbox/mailbox');
    assert.ok(!/b\.example|hidden\.example|Bcc:/.test(box.text));
  });

  test('another message must wait a minute', async () => {
    const visitor = someone();
    const page = await ask(visitor, 'waiting@example.org');
    assert.match(page.text, /You can ask for a new passcode in 60 seconds/);
    const resend = readForm(page.text, /\/resend/);
    const early = await visitor.press(resend);
    assert.equal(early.status, 200);
    assert.match(early.text, /You can ask for a new passcode in \d+ seconds/);
    assert.equal((await lettersTo(visitor, 'waiting@example.org', 1)).length, 1);
  });

  test('the log has no address, passcode or token of a sign-in', async () => {
    const visitor = someone();
    await ask(visitor, canaries.person);
    const letter = await letterTo(visitor, canaries.person);
    await visitor.submit(await visitor.open(letter.link), () => {});
    const output = product.output();
    for (const secret of [
      canaries.person,
      letter.code,
      new URL(letter.link, product.url).searchParams.get('k') ?? '',
    ]) {
      assert.ok(!output.includes(secret));
    }
  });
});
