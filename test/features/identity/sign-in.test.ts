import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { maskIdentifier, type SubjectId } from '../../../src/core/model/person/subject.ts';
import { canaries } from '../../kit/canaries.ts';
import { productOf } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { textOf } from '../../kit/html.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { createVisitor, type Visitor } from '../../kit/visitor.ts';
import { ask as askCenter, lettersTo, letterTo, tryCode } from './mailbox.ts';

const signIn = `/centers/${books}/sign-in`;

const product = productOf({ env: { TRUST_PROXY: '127.0.0.1, ::1' } });

let clients = 0;

/** Somebody from an address of their own, so that nobody uses up what is allowed to another. */
function someone(): Visitor {
  clients += 1;
  return createVisitor(product.url, { 'x-forwarded-for': `203.0.113.${clients}` });
}

const ask = (visitor: Visitor, email: string, center = books) =>
  askCenter(visitor, email, `/centers/${center}`);

async function restart(): Promise<void> {
  await product.stop();
  await product.start();
}

function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

/** Everything that may differ between two people on the way out: tokens. */
function withoutTokens(html: string): string {
  return html.replaceAll(/(name="token" value="|\bk=)[^"&]*/g, '$1…');
}

suite('Signing in by mail', () => {
  test('Whoever tries the sandbox finds each center’s sign-in page from its start page, and back from the mailbox.', async () => {
    const visitor = someone();
    const start = await visitor.open('/');
    const hrefs = [...start.text.matchAll(/href="([^"]+)">Sign in</g)].map(([, href = '']) => href);
    assert.equal(hrefs.length, 3);
    for (const href of hrefs) assert.match((await visitor.open(href)).text, /name="email"/);
    assert.match((await visitor.open('/sandbox/mailbox')).text, /<a class="button" href="\/">/);
  });

  test('A sign-in form is taken only with the token of its own center.', async () => {
    const visitor = someone();
    const page = await visitor.open(`/centers/${bank}/sign-in`);
    const form = readForm(page.text, 'email');
    const other = new Map(form.press().fields).get('token');
    const email = 'formless@example.org';
    for (const token of ['', 'forged', String(other)])
      assert.equal((await visitor.post(signIn, Object.entries({ email, token }))).status, 400, token);
    assert.deepEqual(await lettersTo(visitor, email), []);
  });

  test('Somebody who is not signed in is led to the sign-in page, in the language chosen there.', async () => {
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

  test('The passcode from the message opens the page of that person.', async () => {
    const visitor = someone();
    const page = await ask(visitor, 'Anna@Example.ORG');
    assert.equal(page.status, 200);
    assert.equal(textOf(page.text, 'h1'), 'Check your inbox for a sign-in link.');
    const letter = await letterTo(visitor, 'anna@example.org');
    const answer = await tryCode(visitor, page, letter.code);
    assert.equal(answer.status, 303);
    assert.equal(answer.location, `${product.url}/centers/${books}`);
    const choices = await visitor.open(`/centers/${books}`);
    assert.equal(choices.status, 200);
    assert.match(choices.text, /<bdi>a•••@example\.org<\/bdi>/);
  });

  test('The link from the message shows one button, and only the button opens the page.', async () => {
    const [asking, opening] = [someone(), someone()];
    await ask(asking, 'link@example.org');
    const letter = await letterTo(asking, 'link@example.org');
    for (let look = 0; look < 3; look += 1) {
      const page = await opening.get(letter.link);
      assert.equal(page.status, 200);
      assert.equal(page.headers['set-cookie'], undefined, 'looking signs nobody in');
      assert.match(page.text, /l•••@example\.org/);
    }
    const choices = await opening.submit(await opening.open(letter.link), () => {});
    assert.equal(choices.status, 200);
    assert.match(choices.text, /<bdi>l•••@example\.org<\/bdi>/);
  });

  test('Parameters that mail tools add do not break the link.', async () => {
    const visitor = someone();
    await ask(visitor, 'tools@example.org');
    const letter = await letterTo(visitor, 'tools@example.org');
    const key = new URL(letter.link, product.url).searchParams.get('k') ?? '';
    const path = letter.link.split('?')[0];
    for (const query of [
      `k=${key}&utm_source=mail&utm_medium=x`,
      `utm_source=mail&k=${key}`,
      `k=${key}?utm_source=mail`,
      `k=${key}).`,
      `k=${key}&mc_cid=1&mc_eid=2&fbclid=3#top`,
    ]) {
      assert.equal((await visitor.get(`${path}?${query}`)).status, 200, query);
    }
  });

  test('The same is answered for every address, known or not, in text, headers and cookies.', async () => {
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
      assert.ok(page.text.includes(masked), 'it says where the message went');
      shapes.add(withoutTokens(page.text).replace(masked, ''));
      const headers = Object.keys(sent.headers).sort().join();
      ways.add(`${sent.status} ${headers} ${(sent.location ?? '').length > 200} ${visitor.cookies.size}`);
      assert.equal((await lettersTo(visitor, address, 1)).length > 0, true, 'a message goes to each');
    }
    assert.equal(shapes.size, 1);
    assert.equal(ways.size, 1);
  });

  test('The platform is never asked about an address, so that its answer cannot take longer for some.', async () => {
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

  test('What is no address is said, and nothing is sent.', async () => {
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

  test('After five wrong passcodes the right one is refused too, a restart between them or not.', async () => {
    const visitor = someone();
    const page = await ask(visitor, 'guess@example.org');
    const letter = await letterTo(visitor, 'guess@example.org');
    const left = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      if (attempt === 4) await restart();
      const answer = await tryCode(visitor, page, wrong(letter.code));
      assert.equal(answer.status, 422);
      left.push(/Attempts left: (\d)/.exec(answer.text)?.[1]);
    }
    assert.deepEqual(left, ['4', '3', '2', '1', undefined]);
    const sixth = await tryCode(visitor, page, letter.code);
    assert.equal(sixth.status, 422);
    assert.match(sixth.text, /no longer valid/);
    assert.equal((await visitor.get(`/centers/${books}`)).status, 303, 'nobody is signed in');
    const opened = await visitor.submit(await visitor.open(letter.link), () => {});
    assert.equal(opened.status, 200, 'the link is as it was');
  });

  test('A passcode or link that was used is worth nothing, and each uses up the other.', async () => {
    const visitor = someone();
    const page = await ask(visitor, 'twice@example.org');
    const letter = await letterTo(visitor, 'twice@example.org');
    assert.equal((await tryCode(visitor, page, letter.code)).status, 303);
    assert.equal((await tryCode(someone(), page, letter.code)).status, 422);
    const used = await visitor.get(letter.link);
    assert.equal(used.status, 410);
    assert.match(used.text, /Email me a new link/);

    const other = await ask(visitor, 'other@example.org');
    const second = await letterTo(visitor, 'other@example.org');
    const button = readForm((await visitor.open(second.link)).text);
    assert.equal((await visitor.press(button)).status, 303);
    assert.equal((await someone().press(button)).status, 410);
    assert.equal((await tryCode(visitor, other, second.code)).status, 422);
  });

  test('The passcode works only in the browser that asked, and only in its center.', async () => {
    const [asking, other] = [someone(), someone()];
    await ask(asking, 'bound@example.org');
    const letter = await letterTo(asking, 'bound@example.org');
    const elsewhere = await ask(other, 'thief@example.org');
    assert.equal((await tryCode(other, elsewhere, letter.code)).status, 422);
    const link = letter.link.replace(books, bank);
    assert.equal((await other.get(link)).status, 400);
    const forged = await other.post(`${signIn}/passcode`, [
      ['token', 'Zm9yZ2Vk'],
      ['code', letter.code],
    ]);
    assert.equal(forged.status, 400);
  });

  test('Another message must wait a minute.', async () => {
    const visitor = someone();
    const page = await ask(visitor, 'waiting@example.org');
    assert.match(page.text, /You can ask for a new passcode in 60 seconds/);
    const resend = readForm(page.text, /\/resend/);
    const early = await visitor.press(resend);
    assert.equal(early.status, 200);
    assert.match(early.text, /You can ask for a new passcode in \d+ seconds/);
    assert.equal((await lettersTo(visitor, 'waiting@example.org', 1)).length, 1);
  });

  test('Nothing of it is written to the log.', async () => {
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
