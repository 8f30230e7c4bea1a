import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
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

/** Switches a purpose off, or one on if none is. */
async function withdraw(identifier: string): Promise<void> {
  const visitor = createVisitor(product.url);
  const page = await visitor.open(await product.link({ center: books, identifier }));
  await visitor.submit(page, (form) => {
    const boxes = form.controls.filter(({ name, disabled }) => name === 'purpose' && !disabled);
    const on = boxes.find(({ value }) => form.isTicked('purpose', value));
    if (on !== undefined) form.untick('purpose', on.value);
    else form.tick('purpose', boxes[0]?.value);
  });
}

async function command(...args: string[]): Promise<{ readonly code: number; readonly output: string }> {
  const { code, stdout, stderr } = await runCommand(['person', ...args], product.env);
  return { code, output: code === 0 ? stdout : stderr };
}

async function exported(identifier: string) {
  const { code, output } = await command('--identifier', identifier, '--export', '-');
  assert.equal(code, 0, output);
  return JSON.parse(output) as { readonly submissions: readonly object[]; readonly staff: readonly object[] };
}

const erase = (identifier: string) =>
  until(async () => {
    const done = await command('--identifier', identifier, '--erase', '--reason', 'asked by letter 17');
    return done.code === 0 ? done.output : undefined;
  });

suite('The data of a person', () => {
  test('the data can be exported, erased beside the running product, and erased again after a restored backup', async () => {
    const identifier = 'anna@example.org';
    await withdraw(identifier);
    assert.equal((await exported(identifier)).submissions.length, 1);
    const data = join(product.home, 'data');
    const journal = join(data, 'journal.sqlite');
    const isInFiles = existsSync(journal);
    const backup = join(product.home, 'journal.sqlite');
    if (isInFiles) {
      await until(async () => JSON.stringify(await exported(identifier)).includes('"state":"done"'));
      await product.stop();
      copyFileSync(journal, backup);
      await product.start();
    }
    const output = await erase(identifier);
    assert.match(output, /Erased: 1 submissions/);
    assert.match(output, /What stays, and why:\n {2}- /);
    assert.match(output, /keyed hashes of what was withdrawn/);
    const after = await exported(identifier);
    assert.deepEqual(after.submissions, []);
    assert.ok(after.staff.length >= 2, 'each use is in the audit log');
    if (!isInFiles) return;
    assert.doesNotMatch(readFileSync(join(data, 'erased.jsonl'), 'utf8'), /anna/);
    await product.stop();
    copyFileSync(backup, journal);
    await product.start();
    assert.deepEqual((await exported(identifier)).submissions, []);
    assert.match(product.output(), /erased people were erased again/);
  });

  test('an erasure needs a reason other than the identifier', async () => {
    for (const args of [[], ['--reason', ' '], ['--reason', 'omar@example.org asked']]) {
      const { code, output } = await command('--identifier', 'omar@example.org', '--erase', ...args);
      assert.equal(code, 2, output);
    }
  });

  test('staff can export the data, and erase it after a question', async () => {
    const identifier = 'jonas@example.org';
    const list = join(product.env['DATA_DIR'] ?? '', 'erased.jsonl');
    const lines = readFileSync(list, 'utf8').trim().split(/\n+/).length;
    await withdraw(identifier);
    const staff = await enter(product);
    const page = await findPerson(staff, identifier, books);
    const formOf = (text: string, action: string) =>
      readForms(text).find((form) => form.action === `/staff/people/${action}`) ?? assert.fail(action);
    const file = await staff.post('/staff/people/export', formOf(page.text, 'export').press().fields);
    assert.equal(file.headers['content-disposition'], 'attachment; filename="person.json"');
    assert.equal(JSON.parse(file.text).submissions.length, 1);
    const erased = await until(async () => {
      const opened = await findPerson(staff, identifier, books);
      const asked = await staff.post('/staff/people/erase', formOf(opened.text, 'erase').press().fields);
      assert.match(asked.text, /What stays, and why/);
      const sure = formOf(asked.text, 'erase').type('reason', 'Letter 18');
      const done = await staff.post('/staff/people/erase', sure.press().fields);
      return done.status === 200 ? done.text : undefined;
    });
    assert.match(erased, /The person is erased/);
    assert.equal(readFileSync(list, 'utf8').trim().split(/\n+/).length, lines + 1);
    assert.deepEqual((await exported(identifier)).submissions, []);
    const audit = await staff.open('/staff/audit');
    assert.match(audit.text, /erased a person/);
    assert.match(audit.text, /Letter 18/);
    assert.doesNotMatch(audit.text, /jonas@/);
  });
});
