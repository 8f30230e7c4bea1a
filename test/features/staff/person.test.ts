import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runCommand } from '../../kit/command.ts';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { readForm, readForms, save, switches } from '../../kit/form.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { enter, findPerson, pressAbout, saidOn } from './fixture.ts';

const product = productOf({
  centers: [
    { address: 'books', center: books },
    { address: 'bank', center: bank },
  ],
});
const staff = forSuite(() => enter(product));

/** Searches by the field in the bar of a page. */
async function search(path: string, text: string) {
  const page = await staff.open(path);
  const bar = readForms(page.text).find((form) => form.controls.some(({ id }) => id === 'search'));
  return staff.press((bar ?? assert.fail('no search')).type('identifier', text));
}

/** Turns off all that is on, by the person's own link, or turns one purpose on. Returns the reference. */
async function turnAround(identifier: string): Promise<string> {
  const person = createVisitor(product.url);
  const page = await person.open(await product.link({ center: 'books', identifier }));
  const form = readForm(page.text);
  const { on, off } = switches(form);
  for (const value of on) form.untick('purpose', value);
  if (on.length === 0) form.tick('purpose', off[0]);
  const answer = await person.press(form, save);
  assert.equal(answer.status, 303);
  return new URL(answer.location ?? '', product.url).pathname.split('/').at(-1) ?? '';
}

describe('The page of a person', () => {
  test('the bar of every page finds a person, and no address, page or log has the identifier', async () => {
    for (const path of ['/staff', '/staff/notices', '/staff/audit', '/staff/no-such-page']) {
      const page = await search(path, 'jonas@example.org');
      assert.equal(page.status, 200, path);
      assert.equal(saidOn(page.text)[2], 'j•••@example.org');
      assert.doesNotMatch(page.text.replaceAll(/value="[^"]*"/g, ''), /jonas@example\.org/);
      assert.doesNotMatch(page.url, /jonas/);
    }
    assert.doesNotMatch((await staff.open('/staff/audit.csv')).text, /jonas/);
  });

  test('a person is found by the exact identifier or not at all', async () => {
    for (const other of ['\u212aate@example.org', 'kate@example.org\u00a0', ' kate@example.org']) {
      const answer = await search('/staff', other);
      assert.equal(answer.status, 422, JSON.stringify(other));
      assert.match(answer.text, /as the platform has it/);
    }
  });

  test('the page says what is on by center and since when, and each change by its name', async () => {
    const identifier = 'jonas@example.org';
    await turnAround(identifier);
    await turnAround(identifier);
    const page = await search('/staff', identifier);
    const block = saidOn(page.text, 'standing-0-block').join(' | ');
    assert.match(block, /^Harbour Books \|/);
    assert.match(
      block,
      /Purpose \| State \| Since \|.*\| On \| \d+ \w+ 20\d\d, [\d:]{8} \| Link in a message/,
    );
    const timeline = saidOn(page.text, 'timeline-block').join(' | ');
    assert.match(timeline, /[A-Z][\w ]+: (on|off) \|/);
    assert.doesNotMatch(timeline, /\d+ (on|off)\b/);
    const { Purposes } = await product.sandbox.subject(books, identifier);
    for (const { Id } of Purposes)
      assert.ok(!timeline.includes(Id.toLowerCase()), 'an id in place of a name');
  });

  test('the page does not say since when a purpose is on that was turned on elsewhere', async () => {
    const identifier = 'elsewhere@example.org';
    await turnAround(identifier);
    const { Purposes } = await product.sandbox.subject(books, identifier);
    await product.sandbox.change({
      center: books,
      identifier,
      Purposes: Purposes.map(({ Id }) => ({ Id, TransactionStatus: 'ACTIVE' })),
    });
    const page = await search('/staff', identifier);
    assert.match(saidOn(page.text, 'standing-0-block').join(' | '), /On \| Turned on elsewhere/);
  });

  test('the page is reached from a submission, and a submission from its reference', async () => {
    const identifier = 'by-reference@example.org';
    const reference = await turnAround(identifier);
    const found = await search('/staff', reference);
    assert.equal(new URL(found.location ?? '').pathname, `/staff/submissions/${reference}`);
    const submission = await staff.open(found.location ?? '');
    assert.match(saidOn(submission.text).join(' | '), /Change by b•••@example\.org/);
    assert.match(saidOn(submission.text, 'asked-block').join(' '), /Details Purpose [0-9a-f-]{36}/);
    const form = readForm(submission.text, 'person');
    const person = await staff.press(form);
    assert.equal(saidOn(person.text)[2], 'b•••@example.org');
  });

  test('a form about a person is valid only for the member who opened the page', async () => {
    const page = await search('/staff', 'jonas@example.org');
    const form = readForm(page.text, /^\/staff\/people\/choose$/);
    const { action, fields } = form.press();
    const other = (value: string) => `${value.slice(0, -2)}${value.endsWith('AA') ? 'BA' : 'AA'}`;
    const forged = fields.map(([name, value]) => [name, name === 'person' ? other(value) : value] as const);
    assert.equal((await staff.post(action, forged)).status, 400);
    const { stdout } = await runCommand(['staff-key'], product.env);
    const { pathname, search: key } = new URL(stdout.trim());
    const member = createVisitor(product.url);
    const theirs = readForm((await member.open(pathname + key)).text, 'identifier').press().fields;
    const person = fields.filter(([name]) => name === 'person');
    const sent = [...theirs.filter(([name]) => name === 'token'), ...person];
    assert.equal((await member.post('/staff/people', sent)).status, 400);
    assert.equal((await staff.post('/staff/people', fields)).status, 200);
    const named = ['identifier', 'jonas@example.org'] as const;
    for (const [form, status] of [
      [theirs, 200],
      [fields, 400],
    ] as const) {
      const token = form.filter(([name]) => name === 'token');
      assert.equal((await member.post('/staff/people', [...token, named])).status, status);
    }
  });

  test('the page says that nothing is known of an unknown identifier, and offers each center', async () => {
    const page = await search('/staff', 'nobody.at.all@example.org');
    assert.match(saidOn(page.text).join(' '), /Nothing is known of this identifier here/);
    const other = await findPerson(staff, 'nobody.at.all@example.org', bank);
    assert.match(saidOn(other.text, 'standing-0-block').join(' | '), /^Alster Bank/);
    assert.equal((await pressAbout(staff, other, { action: 'choose', center: bank })).status, 200);
  });

  test('the page opens while the platform is away, and says so in each center with a submission', async () => {
    const identifier = 'away@example.org';
    await turnAround(identifier);
    await product.sandbox.addFault({ kind: '500' });
    const page = await search('/staff', identifier);
    await product.sandbox.clearFaults();
    assert.equal(page.status, 200);
    assert.match(saidOn(page.text, 'standing-0-block').join(' '), /The platform does not answer/);
    assert.match(saidOn(page.text, 'timeline-block').join(' '), /: off/);
  });
});

describe('A list of submissions', () => {
  test('a list of submissions has names of changes and masked people, and its file has the names', async () => {
    await turnAround('listed@example.org');
    const page = await staff.open('/staff/submissions');
    const list = saidOn(page.text, 'submissions-block').join(' | ');
    assert.match(list, /Change \| State \| Person \| Center \| Channel \| Submitted/);
    assert.match(list, /[A-Z][\w ]+ off, \+1 more \| (Done|Pending) \| l•••@example\.org \| Harbour Books/);
    assert.doesNotMatch(page.text, /listed@example\.org/);
    const csv = (await staff.open('/staff/submissions.csv')).text;
    assert.match(csv, /,"[A-Z][\w ]+: off; [A-Z][\w ]+: off/);
    assert.match(list, /[A-Z][\w ]+ off, \+\d+ more \| (Done|Pending) \| j•••@example\.org/);
    assert.doesNotMatch(csv, /example\.org/);
  });
});
