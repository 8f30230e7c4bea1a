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

/** A visitor from a network that no other visitor uses. */
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

/** Counts an event in the log, which is written a moment after the answer. */
async function countLogged(product: Product, event: RegExp): Promise<number> {
  const count = () => product.output().match(event)?.length ?? 0;
  return until(() => count() || undefined, String(event));
}

const product = forSuite(() => start());

suite('Strangers who guess passcodes', () => {
  const metric = async (name: string) => {
    const text = await (await fetch(product.metricsUrl)).text();
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? assert.fail(`no ${name}`));
  };

  /** Pages that ask for a passcode of six digits; each passcode may be tried five times. */
  const pages: Answer[] = [];
  let tried = 0;

  async function guess(times: number): Promise<void> {
    for (let n = 0; n < times; n += 1) {
      const page = pages[Math.floor(tried / 5)] ?? assert.fail('too few messages');
      await tryCode(stranger(product), page, `00000${tried % 5}`);
      tried += 1;
    }
  }

  test('passcodes get 8 digits after 50 wrong ones, and those of 6 digits are accepted until 200 are wrong', async () => {
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
    assert.equal(await countLogged(product, /passcodes have 8 digits now/g), 1);
    const person = stranger(product);
    const page = await ask(person, 'person@example.org');
    assert.match(page.text, /The 8 digits in the email/);
    const { code } = await letterTo(person, 'person@example.org');
    assert.match(code, /^\d{8}$/);
    const shown = await tryCode(person, page, `${code.slice(0, 4)} ${code.slice(4)}`);
    assert.equal(shown.status, 303);
    const { code: old } = await letterTo(early, 'early@example.org');
    assert.match(old, /^\d{6}$/);
    assert.equal((await tryCode(early, earlyPage, old)).status, 303, 'an older passcode is still accepted');

    await guess(150);
    const refused = await tryCode(late, latePage, (await letterTo(late, 'late@example.org')).code);
    assert.equal(refused.status, 429);
    assert.match(refused.text, /open the link in the email instead/);
    assert.equal(await openLink(late, (await letterTo(late, 'late@example.org')).link), true);
  });

  test('tries of a passcode that is no longer valid do not count as wrong passcodes', async () => {
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
  /** Asks for messages to an address; the default is one more than the address gets at once. */
  async function flood(address: string, times = 4): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (let n = 0; n < times; n += 1) answers.push(await ask(stranger(product), address));
    return answers;
  }

  test('repeated requests fill no mailbox, and each gets the answer that any other address gets', async () => {
    const answers = await flood('flood@example.org');
    // The page shows the address masked; both addresses have the same mask.
    const [other] = await flood('fresh@example.org', 1);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.deepEqual(
      [...new Set([...answers, other ?? assert.fail()].map(({ text }) => withoutTokens(text)))].length,
      1,
    );
    assert.equal((await lettersTo(stranger(product), 'flood@example.org', 3)).length, 3);
  });

  test('the last message still signs its receiver in, by its link and by its passcode', async () => {
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

  test('a browser that signed in before gets a message of its own, which strangers cannot touch', async () => {
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
    assert.equal(letters.length, before + 1, 'the known browser gets a message of its own');
    const letter = await letterTo(again, address);
    for (const { text } of await flood(address, 3)) {
      const other = stranger(product);
      const asked: Answer = { ...page, text };
      assert.equal((await tryCode(other, asked, letter.code)).status, 422);
    }
    assert.equal((await tryCode(again, page, letter.code)).status, 303);
    assert.equal(await isSignedIn(again), true);
  });

  test('a cookie that is forged or of another person gets no message of its own', async () => {
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
  test('messages to strangers have an hourly limit, which is logged and does not stop known browsers', async () => {
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
    assert.equal(await countLogged(product, /the bound of sign-in messages is reached/g), 1);
    const metrics = await (await fetch(product.metricsUrl)).text();
    assert.match(metrics, /^sayso_sign_in_messages_total\{outcome="sent"\} 5$/m);
    assert.match(metrics, /^sayso_sign_in_messages_total\{outcome="refused"\} 3$/m);
    // The link of a used message is a proof of its receiver as well.
    const link = stranger(product);
    const letter = await letterTo(link, 'x0@example.org');
    await openLink(link, letter.link);
    const expired = await stranger(product).open(letter.link);
    assert.equal(expired.status, 410);
    assert.equal((await stranger(product).press(readForm(expired.text))).status, 303);
    assert.equal((await lettersTo(link, 'x0@example.org', 2)).length, 2);
  });
});
