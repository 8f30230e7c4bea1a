import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { runCommand } from '../../kit/command.ts';
import { productOf } from '../../kit/for-suite.ts';
import { readForms } from '../../kit/form.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { createVisitor } from '../../kit/visitor.ts';
import { enter, findPerson } from '../staff/fixture.ts';

const product = productOf();

/** Switches a purpose off and waits until that is done. */
async function withdraw(identifier: string): Promise<void> {
  const visitor = createVisitor(product.url);
  const page = await visitor.open(await product.link({ center: books, identifier }));
  let isAny = false;
  await visitor.submit(page, (form) => {
    const boxes = form.controls.filter(({ name, disabled }) => name === 'purpose' && !disabled);
    const on = boxes.find(({ value }) => form.isTicked('purpose', value));
    if (on !== undefined) form.untick('purpose', on.value);
    else form.tick('purpose', boxes[0]?.value);
    isAny = true;
  });
  assert.ok(isAny);
}

async function command(...args: string[]): Promise<{ readonly code: number; readonly said: string }> {
  const { code, stdout, stderr } = await runCommand(['person', ...args], product.env);
  return { code, said: code === 0 ? stdout : stderr };
}

async function exported(identifier: string) {
  const { code, said } = await command('--identifier', identifier, '--export', '-');
  assert.equal(code, 0, said);
  return JSON.parse(said) as { readonly submissions: readonly object[]; readonly staff: readonly object[] };
}

const erase = (identifier: string) =>
  until(async () => {
    const done = await command('--identifier', identifier, '--erase', '--reason', 'asked by letter 17');
    return done.code === 0 ? done.said : undefined;
  });

suite('All that is kept about a person', () => {
  test('is given out, erased by a command beside the running product, and erased again over a restored backup', async () => {
    const identifier = 'anna@example.org';
    await withdraw(identifier);
    assert.equal((await exported(identifier)).submissions.length, 1);
    const data = join(product.home, 'data');
    const isInFiles = existsSync(join(data, 'journal.sqlite'));
    const backup = () => {
      for (const name of readdirSync(data))
        if (/^journal\.sqlite$/.test(name)) copyFileSync(join(data, name), join(product.home, name));
    };
    if (isInFiles) {
      await until(async () => JSON.stringify(await exported(identifier)).includes('"state":"done"'));
      await product.stop();
      backup();
      await product.start();
    }
    const said = await erase(identifier);
    assert.match(said, /Erased: 1 submissions/);
    assert.match(said, /What stays, and why:\n {2}- /);
    assert.match(said, /keyed hashes of what was withdrawn/);
    const after = await exported(identifier);
    assert.deepEqual(after.submissions, []);
    assert.ok(after.staff.length >= 2, 'each use is in the audit log');
    if (!isInFiles) return;
    assert.doesNotMatch(readFileSync(join(data, 'erased.jsonl'), 'utf8'), /anna/);
    await product.stop();
    copyFileSync(join(product.home, 'journal.sqlite'), join(data, 'journal.sqlite'));
    await product.start();
    assert.deepEqual((await exported(identifier)).submissions, []);
    assert.match(product.output(), /erased people were erased again/);
  });

  test('is refused to be erased without a reason, and with the identifier as the reason', async () => {
    for (const args of [[], ['--reason', ' '], ['--reason', 'omar@example.org asked']]) {
      const { code, said } = await command('--identifier', 'omar@example.org', '--erase', ...args);
      assert.equal(code, 2, said);
    }
  });

  test('is given out and erased by staff, who are asked first', async () => {
    const identifier = 'jonas@example.org';
    const list = join(product.env['DATA_DIR'] ?? '', 'erased.jsonl');
    const listed = readFileSync(list, 'utf8').trim().split(/\n+/).length;
    await withdraw(identifier);
    const staff = await enter(product);
    const page = await findPerson(staff, identifier, books);
    const formOf = (text: string, action: string) =>
      readForms(text).find((form) => form.action === `/staff/people/${action}`) ?? assert.fail(action);
    const given = await staff.post('/staff/people/export', formOf(page.text, 'export').press().fields);
    assert.equal(given.headers['content-disposition'], 'attachment; filename="person.json"');
    assert.equal(JSON.parse(given.text).submissions.length, 1);
    const erased = await until(async () => {
      const opened = await findPerson(staff, identifier, books);
      const asked = await staff.post('/staff/people/erase', formOf(opened.text, 'erase').press().fields);
      assert.match(asked.text, /What stays, and why/);
      const sure = formOf(asked.text, 'erase').type('reason', 'Letter 18');
      const done = await staff.post('/staff/people/erase', sure.press().fields);
      return done.status === 200 ? done.text : undefined;
    });
    assert.match(erased, /The person is erased/);
    assert.equal(readFileSync(list, 'utf8').trim().split(/\n+/).length, listed + 1);
    assert.deepEqual((await exported(identifier)).submissions, []);
    const audit = await staff.open('/staff/audit');
    assert.match(audit.text, /erased a person/);
    assert.match(audit.text, /Letter 18/);
    assert.doesNotMatch(audit.text, /jonas@/);
  });
});
