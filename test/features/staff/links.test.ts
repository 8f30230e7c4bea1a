import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { readForm, save, switches } from '../../kit/form.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { type Answer, createVisitor } from '../../kit/visitor.ts';
import { lettersTo, letterTo } from '../identity/mailbox.ts';
import { enter, findPerson, pressAbout, saidOn } from './fixture.ts';

const maker = 'Sandbox staff (one-time-address)';

const product = productOf({
  centers: [
    { address: 'books', center: books },
    { address: 'bank', center: bank, signIn: { mail: false } },
  ],
});
const staff = forSuite(() => enter(product));

/** Finds a person and presses the button for a link; returns the pages before and after that. */
async function makeLink(identifier: string, center = books): Promise<readonly [Answer, Answer]> {
  const found = await findPerson(staff, identifier, center);
  return [found, await pressAbout(staff, found, { action: 'link', center })];
}

const linkIn = (text: string) => /https?:\/\/[^\s<"]+[?&]t=[\w.-]+/.exec(text)?.[0];
const pathOf = (link: string) => {
  const { pathname, search } = new URL(link);
  return pathname + search;
};

async function auditLines(): Promise<readonly string[]> {
  return (await staff.open('/staff/audit.csv')).text.split('\r\n');
}

describe('A link that staff have made for a person', () => {
  test('a link by staff is mailed to the person, and stands on no page that staff see', async () => {
    const identifier = 'anna@example.org';
    const [found, answer] = await makeLink(identifier);
    assert.equal(answer.status, 200);
    assert.match(answer.text, /A link is on its way/);
    for (const page of [found, answer]) assert.equal(linkIn(page.text), undefined);
    const copy = saidOn(answer.text, 'copy-block').join(' ');
    assert.match(copy, /a•••@example\.org/);
    assert.match(copy, /Our team sent you this link.*the link, which is in their message alone/);
    assert.doesNotMatch(JSON.stringify(answer.headers), /[?&]t=/);
    const letters = await lettersTo(staff, identifier, 1);
    assert.equal(letters.length, 1);
    assert.match(letters[0]?.text ?? '', /Our team sent you this link/);
    assert.match(letters[0]?.text ?? '', /valid for 7 days/);
    assert.doesNotMatch(letters[0]?.text ?? '', /passcode|Sandbox staff/i);
    assert.ok(
      (await auditLines()).some((line) => /made a link for a person,.*mailed to them,done$/.test(line)),
    );
  });

  test('a link by staff is mailed three times in an hour, and not again', async () => {
    const identifier = 'often@example.org';
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await makeLink(identifier))[1].status);
    assert.deepEqual(statuses, [200, 200, 200, 429]);
    assert.equal((await lettersTo(staff, identifier, 3)).length, 3);
  });

  test('a link by staff tells its maker to the product only', async () => {
    const letter = await letterTo(staff, 'anna@example.org');
    const token = new URL(letter.link, product.url).searchParams.get('t') ?? '';
    assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
    const parts = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    assert.doesNotMatch(parts.join(), /Sandbox staff|one-time-address/);
  });

  test('a link by staff opens all pages, and the journal names its maker for each change by it', async () => {
    const identifier = 'salma@example.org';
    await makeLink(identifier);
    const letter = await letterTo(staff, identifier);
    assert.equal(letter.lang, 'ar', 'in the language on record');
    const person = createVisitor(product.url);
    const page = await person.open(letter.link);
    assert.equal(page.status, 200);
    const form = readForm(page.text);
    const { action, fields } = form.tick('purpose', switches(form).off[0]).press(save);
    const first = await person.post(action, fields);
    const again = await person.post(action, fields);
    assert.equal(again.location, first.location);
    const reference = new URL(first.location ?? '').pathname.split('/').at(-1) ?? '';

    const details = await staff.open(`/staff/submissions/${reference}`);
    assert.ok(details.text.includes('Link made by staff'));
    assert.ok(details.text.includes(maker));
    assert.ok((await staff.open('/staff/submissions')).text.includes(maker));
    const rows = (await staff.open('/staff/submissions.csv')).text.split('\r\n');
    // A reference that begins with a hyphen would be a formula, so it is quoted behind an apostrophe.
    const row = rows.find((line) => line.replace(/^"'/, '').startsWith(reference));
    assert.match(row ?? '', /,staff-link,/);
    assert.ok(row?.endsWith(`,${maker}`), `the row is ${row}`);
    const lines = (await auditLines()).filter((line) => line.includes(reference) && /had made/.test(line));
    assert.equal(lines.length, 1, 'one submission is one line');
    assert.match(lines[0] ?? '', /,one-time-address,Sandbox staff,/);
    assert.doesNotMatch((await auditLines()).join(), /salma@example\.org/);

    const record = await person.open('/centers/books/record?lang=en');
    assert.match(record.text, /By a link from our team/);
  });

  test('a submission without a link by staff does not mention staff', async () => {
    const person = createVisitor(product.url);
    const link = await product.link({ center: 'books', identifier: 'jonas@example.org' });
    const result = await person.submit(await person.open(`${pathOf(link)}`), () => undefined, save);
    assert.equal(result.status, 200);
    const reference = new URL(result.url).pathname.split('/').at(-1) ?? '';
    const details = await staff.open(`/staff/submissions/${reference}`);
    assert.doesNotMatch(details.text, /Link made by/);
  });

  for (const [name, identifier, center] of [
    ['the identifier is no address', 'customer-4711', books],
    ['the center sends no mail', 'emil@example.org', bank],
  ] as const) {
    test(`a link by staff is shown where ${name}, and can only withdraw`, async () => {
      const [, answer] = await makeLink(identifier, center);
      const link = linkIn(answer.text) ?? assert.fail('no link is shown');
      assert.deepEqual(await lettersTo(staff, identifier), []);
      assert.ok((await auditLines()).some((line) => /shown for withdrawing only,done$/.test(line)));
      const visitor = createVisitor(product.url);
      const page = await visitor.open(pathOf(link));
      assert.equal(page.status, 200);
      const form = readForm(page.text);
      const off = form.controls.filter((each) => each.type === 'checkbox' && !each.checked);
      assert.ok(off.length > 0 && off.every(({ disabled }) => disabled));
      const { action, fields } = form.press(save);
      const purpose = off.find((each) => each.name === 'purpose')?.value ?? assert.fail();
      const forced = await visitor.post(action, [...fields, ['purpose', purpose]]);
      assert.equal(forced.status, 403);
      assert.equal((await visitor.get(`${new URL(page.url).pathname}/record`)).status, 403);
    });
  }
});
