import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readForm, save } from '../../kit/form.ts';
import { type MailServer, startMailServer } from '../../kit/mail-server.ts';
import { oneClick } from '../../kit/one-click.ts';
import { type Product, startProduct } from '../../kit/product.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { setClockHere } from '../../kit/shifted-here.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { enter, findPerson, pressAbout } from '../staff/fixture.ts';

/** A known person of each center. */
const someone: Readonly<Record<string, string>> = {
  [books]: 'jonas@example.org',
  [bank]: 'claire@example.org',
};
const minute = 60_000;
const centers = [
  { address: 'books', center: books, notify: true, rightsContact: 'privacy@books.example' },
  { address: 'bank', center: bank },
];

/** Switches off a purpose that was on. */
async function change(product: Product, center: string, identifier: string): Promise<void> {
  const [known] = (await product.sandbox.subject(center, someone[center] ?? '')).Purposes;
  assert.ok(known);
  const Purposes = [{ Id: known.Id, TransactionStatus: 'ACTIVE' }];
  await product.sandbox.change({ center, identifier, Purposes });
  const visitor = createVisitor(product.url, { 'accept-language': 'en' });
  const page = await visitor.open(await product.link({ center, identifier }));
  const saved = await visitor.submit(page, (form) => form.untick('purpose', known.Id.toLowerCase()), save);
  assert.equal(saved.status, 200);
}

const to = (mail: MailServer, address: string) => mail.received.filter((each) => each.to === address);

suite('A message about a change', () => {
  let mail: MailServer;
  let product: Product;
  let minutes = 0;
  const pass = (more: number) => {
    minutes += more;
    setClockHere(minutes * minute);
  };
  before(async () => {
    mail = await startMailServer();
    product = await startProduct({ centers, store: 'files', env: { SMTP_URL: mail.url } });
  });
  after(async () => {
    setClockHere(0);
    await product?.[Symbol.asyncDispose]();
    await mail?.[Symbol.asyncDispose]();
  });

  test('the message goes once to a person with a mail address, says what changed, when and how, and signs nobody in', async () => {
    await change(product, books, 'anna@example.org');
    await change(product, books, '+49 170 1234567');
    await change(product, bank, 'claire@example.org');
    pass(3);
    await until(() => to(mail, 'anna@example.org').length > 0, 'a message');
    const [message] = to(mail, 'anna@example.org');
    assert.ok(message);
    assert.match(message.text, /^Subject: .*preferences/im);
    assert.match(message.text, /^Auto-Submitted: auto-generated/im);
    assert.match(message.text, /By a link/);
    assert.match(message.text, /On → Off/);
    assert.match(message.text, / UTC/);
    assert.match(message.text, /privacy@books\.example/);
    const links = new Set(message.text.match(/https?:\/\/[^\s"<]+/g));
    assert.deepEqual(
      [...links],
      [`${new URL(product.url).origin.replace('127.0.0.1', 'localhost')}/centers/books`],
    );
    const stranger = createVisitor(product.url, { 'accept-language': 'en' });
    const page = await stranger.open('/centers/books');
    assert.match(page.url, /\/sign-in/);
    assert.doesNotMatch(page.text, /anna/);
    // All expected messages have arrived by now.
    pass(20);
    await change(product, books, 'jonas@example.org');
    pass(3);
    await until(() => to(mail, 'jonas@example.org').length > 0, 'the message of another person');
    assert.deepEqual(
      mail.received.map((each) => each.to),
      ['anna@example.org', 'jonas@example.org'],
    );
  });

  test('the same message is sent again after a lost answer or a temporary refusal', async () => {
    mail.behave = 'lost';
    await change(product, books, 'salma@example.org');
    pass(20);
    await until(() => to(mail, 'salma@example.org').length > 0, 'a message whose answer is lost');
    mail.behave = { refuses: 'DATA', code: 451 };
    pass(1);
    mail.behave = 'takes';
    pass(60);
    const all = await until(() => {
      const found = to(mail, 'salma@example.org');
      return found.length > 1 && found;
    }, 'the same message');
    assert.equal(new Set(all.map(({ messageId }) => messageId)).size, 1);
    assert.match(all[0]?.messageId ?? '', /^<[\w-]{16,}@localhost>$/);
  });

  test('the message is given up after a permanent refusal, and others get theirs', async () => {
    mail.behave = { refuses: 'RCPT', code: 550 };
    await change(product, books, 'refused@example.org');
    pass(20);
    await until(() => product.output().includes('a message about changes is refused'), 'the refusal');
    assert.doesNotMatch(product.output(), /refused@example/);
    mail.behave = 'takes';
    await change(product, books, 'salma@example.org');
    pass(60);
    await until(() => to(mail, 'salma@example.org').length > 2, 'a message of another person');
    assert.deepEqual(to(mail, 'refused@example.org'), []);
  });

  test('unsubscribing by one click sends one message, and none if nothing was on', async () => {
    const person = 'olga@example.org';
    const click = () => oneClick(product, person);
    const reads = () => product.sandbox.calls({ operation: 'read-subject', identifier: person });
    for (const other of ['one@example.org', 'two@example.org', 'six@example.org']) {
      const before = (await reads()).length;
      await click();
      await until(async () => (await reads()).length > before, 'a reading of the record');
      await change(product, books, other);
      pass(3);
      await until(() => to(mail, other).length > 0, 'the message of another person');
      pass(25 * 60);
    }
    assert.equal(to(mail, person).length, 1);
  });

  test('a change by staff sends a message even if the center sends no others', async () => {
    const staff = await enter(product);
    const page = await pressAbout(staff, await findPerson(staff, 'claire@example.org', bank), {
      action: 'choose',
      center: bank,
    });
    const form = readForm(page.text, 'reason').choose('what', 'everything').type('reason', 'Called');
    assert.equal((await staff.press(form)).status, 303);
    pass(20);
    await until(() => to(mail, 'claire@example.org').length > 0, 'a message');
    const [message] = to(mail, 'claire@example.org');
    assert.match(message?.text ?? '', /By our team, at your request/);
    assert.doesNotMatch(message?.text ?? '', /By a link/);
    assert.doesNotMatch(message?.text ?? '', /Called/);
  });
});
