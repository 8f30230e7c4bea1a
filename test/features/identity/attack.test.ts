import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { type Product, startProduct } from '../../kit/product.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';
import { ask as askCenter, lettersTo, letterTo, tryCode } from './mailbox.ts';

const home = `/centers/${books}`;

let clients = 0;

/** A stranger from a network of their own. */
function stranger(product: Product): Visitor {
  clients += 1;
  return createVisitor(product.url, { 'x-forwarded-for': `10.${clients >> 8}.${clients & 0xff}.7` });
}

const ask = (visitor: Visitor, email: string) => askCenter(visitor, email, home);

async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.get(home)).status === 200;
}

async function openLink(visitor: Visitor, link: string): Promise<boolean> {
  await visitor.submit(await visitor.open(link), () => undefined);
  return isSignedIn(visitor);
}

const withoutTokens = (html: string) => html.replaceAll(/(name="token" value="|\bk=)[^"&]*/g, '$1…');
const start = (env: Readonly<Record<string, string>> = {}) =>
  startProduct({ store: 'files', env: { TRUST_PROXY: '127.0.0.1, ::1', ...env } });

/** How often the log says it; it is written a moment after the answer. */
async function timesTold(product: Product, what: RegExp): Promise<number> {
  const told = () => product.output().match(what)?.length ?? 0;
  return until(() => told() || undefined, String(what));
}

const product = forSuite(() => start());

suite('Strangers who guess passcodes', () => {
  const metric = async (name: string) => {
    const text = await (await fetch(product.metricsUrl)).text();
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? assert.fail(`no ${name}`));
  };

  /** Messages with passcodes of six digits, each good for five tries. */
  const pages: Answer[] = [];
  let tried = 0;

  async function guess(times: number): Promise<void> {
    for (let n = 0; n < times; n += 1) {
      const page = pages[Math.floor(tried / 5)] ?? assert.fail('too few messages');
      await tryCode(stranger(product), page, `00000${tried % 5}`);
      tried += 1;
    }
  }

  test('make passcodes longer, which the page says; those that were sent before are taken, until too many are tried.', async () => {
    const [early, late] = [stranger(product), stranger(product)];
    const earlyPage = await ask(early, 'early@example.org');
    const latePage = await ask(late, 'late@example.org');
    assert.match(earlyPage.text, /The 6 digits in the email/);
    for (let n = 0; n < 40; n += 1) pages.push(await ask(stranger(product), `guessed${n}@example.org`));
    await guess(49);
    assert.equal(await metric('sayso_passcodes_under_attack'), 0);
    await guess(1);
    assert.equal(await metric('sayso_passcodes_under_attack'), 1);
    assert.equal(await metric('sayso_wrong_passcodes_total'), 50);
    assert.equal(await timesTold(product, /passcodes have 8 digits now/g), 1);
    const person = stranger(product);
    const page = await ask(person, 'person@example.org');
    assert.match(page.text, /The 8 digits in the email/);
    const { code } = await letterTo(person, 'person@example.org');
    assert.match(code, /^\d{8}$/);
    const shown = await tryCode(person, page, `${code.slice(0, 4)} ${code.slice(4)}`);
    assert.equal(shown.status, 303);
    const { code: old } = await letterTo(early, 'early@example.org');
    assert.match(old, /^\d{6}$/);
    assert.equal((await tryCode(early, earlyPage, old)).status, 303, 'old passcodes live on');

    await guess(150);
    const refused = await tryCode(late, latePage, (await letterTo(late, 'late@example.org')).code);
    assert.equal(refused.status, 429);
    assert.match(refused.text, /open the link in the email instead/);
    assert.equal(await openLink(late, (await letterTo(late, 'late@example.org')).link), true);
  });

  test('are counted nowhere for a message of which no try can be right any more.', async () => {
    const page = await ask(stranger(product), 'dead@example.org');
    for (let n = 0; n < 4; n += 1) await tryCode(stranger(product), page, '12345678');
    assert.match((await tryCode(stranger(product), page, '12345678')).text, /no longer valid/);
    const counted = await metric('sayso_wrong_passcodes_total');
    const visitor = stranger(product);
    for (let n = 0; n < 41; n += 1) assert.equal((await tryCode(visitor, page, '12345678')).status, 422);
    assert.equal(await metric('sayso_wrong_passcodes_total'), counted);
  });
});

suite('Strangers who ask for messages to an address, again and again', () => {
  /** One more than an hour has messages for. */
  async function flood(address: string, times = 4): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (let n = 0; n < times; n += 1) answers.push(await ask(stranger(product), address));
    return answers;
  }

  test('fill nobody’s mailbox, and are answered as they would be for any other address.', async () => {
    const answers = await flood('flood@example.org');
    // The page shows where the message went, masked: this one is masked alike.
    const [calm] = await flood('fresh@example.org', 1);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.deepEqual(
      [...new Set([...answers, calm ?? assert.fail()].map(({ text }) => withoutTokens(text)))].length,
      1,
    );
    assert.equal((await lettersTo(stranger(product), 'flood@example.org', 3)).length, 3);
  });

  test('lock nobody out: the last message signs in who asks now, by its link and by its passcode.', async () => {
    await flood('anna@example.org');
    const [byCode, byLink] = [stranger(product), stranger(product)];
    const page = await ask(byCode, 'anna@example.org');
    assert.equal(page.status, 200);
    const letter = await letterTo(byCode, 'anna@example.org');
    assert.match(letter.text, /valid for 25 minutes/);
    assert.equal((await tryCode(byCode, page, letter.code)).status, 303);
    assert.equal(await isSignedIn(byCode), true);
    await flood('salma@example.org');
    assert.equal(await openLink(byLink, (await letterTo(byLink, 'salma@example.org')).link), true);
  });

  test('cannot touch the messages of a browser that has signed in before.', async () => {
    const address = 'known@example.org';
    const person = stranger(product);
    const first = await ask(person, address);
    assert.equal((await tryCode(person, first, (await letterTo(person, address)).code)).status, 303);
    const cookie = [...person.cookies].find(([name]) => name === 'sayso-known') ?? assert.fail('not known');
    await flood(address);
    const again = stranger(product);
    again.cookies.set(...cookie);
    const before = (await lettersTo(again, address)).length;
    const page = await ask(again, address);
    const letters = await lettersTo(again, address, before + 1);
    assert.equal(letters.length, before + 1, 'it gets a message of its own');
    const letter = await letterTo(again, address);
    for (const { text } of await flood(address, 3)) {
      const other = stranger(product);
      const asked: Answer = { ...page, text };
      assert.equal((await tryCode(other, asked, letter.code)).status, 422);
    }
    assert.equal((await tryCode(again, page, letter.code)).status, 303);
    assert.equal(await isSignedIn(again), true);
  });

  test('are not known by a cookie that was made up, or is another person’s.', async () => {
    const address = 'victim@example.org';
    await flood(address);
    const own = stranger(product);
    const first = await ask(own, 'attacker@example.org');
    await tryCode(own, first, (await letterTo(own, 'attacker@example.org')).code);
    const cookie = own.cookies.get('sayso-known') ?? assert.fail('not known');
    const sent = (await lettersTo(own, address)).length;
    for (const value of [cookie, `${cookie.slice(0, -3)}AAA`, 'made-up']) {
      const visitor = stranger(product);
      visitor.cookies.set('sayso-known', value);
      assert.equal((await ask(visitor, address)).status, 200);
    }
    assert.equal((await lettersTo(own, address)).length, sent);
  });
});

suite('The messages of the whole installation', () => {
  test('have a bound an hour, which is told to the operator, and which holds up nobody who is known.', async () => {
    await using product = await start({ SIGN_IN_MAILS_PER_HOUR: '4' });
    const person = stranger(product);
    await tryCode(
      person,
      await ask(person, 'anna@example.org'),
      (await letterTo(person, 'anna@example.org')).code,
    );
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await ask(stranger(product), `x${n}@example.org`)).status);
    assert.deepEqual(statuses, [200, 200, 200, 429, 429, 429]);
    assert.equal((await ask(person, 'anna@example.org')).status, 200);
    assert.equal((await lettersTo(person, 'anna@example.org', 2)).length, 2);
    assert.equal(await timesTold(product, /the bound of sign-in messages is reached/g), 1);
    const metrics = await (await fetch(product.metricsUrl)).text();
    assert.match(metrics, /^sayso_sign_in_messages_total\{outcome="sent"\} 5$/m);
    assert.match(metrics, /^sayso_sign_in_messages_total\{outcome="refused"\} 3$/m);
    // The link of a message that was used is a proof as well.
    const link = stranger(product);
    const letter = await letterTo(link, 'x0@example.org');
    await openLink(link, letter.link);
    const expired = await stranger(product).open(letter.link);
    assert.equal(expired.status, 410);
    assert.equal((await stranger(product).press(readForm(expired.text))).status, 303);
    assert.equal((await lettersTo(link, 'x0@example.org', 2)).length, 2);
  });
});
