import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { canaries, findCanaries } from '../kit/canaries.ts';
import { newFolder } from '../kit/folder.ts';
import { productOf } from '../kit/for-suite.ts';
import { createVisitor } from '../kit/visitor.ts';
import { books, click, healthOf, linkTo, send, someone, timed, within } from './rig.ts';

suite('A store that fails', () => {
  const product = productOf();

  async function leaver(identifier: string) {
    const person = await someone({ rig: { front: product, sandbox: product.sandbox }, who: identifier });
    person.form.untick('purpose', person.leaving);
    return person;
  }

  test('a post to a locked store is answered with 503 and calls no platform, and is taken afterwards', async () => {
    const person = await leaver('locked@example.org');
    await product.sandbox.clearCalls();
    const other = new DatabaseSync(join(product.home, 'data', 'journal.sqlite'), { timeout: 5_000 });
    other.exec('BEGIN IMMEDIATE');
    const first = await timed(() => send(person));
    const second = await timed(() => send(person));
    const ready = await healthOf(product, 'ready');
    assert.deepEqual([first.status, second.status, ready], [503, 503, 503]);
    assert.ok(first.headers['retry-after'] !== undefined);
    assert.deepEqual(await product.sandbox.calls({ operation: 'update-subject' }), []);
    other.exec('ROLLBACK');
    other.close();
    assert.equal((await send(person)).status, 303);
    assert.ok(await within(15_000, person.hasLeft));
    process.stdout.write(
      `store locked: first 503 after ${Math.round(first.ms)} ms, then ${Math.round(second.ms)} ms\n`,
    );
  });

  test('while sessions are locked no person can sign in, but a session or a one-click can withdraw', async () => {
    const person = await leaver('there@example.org');
    const other = new DatabaseSync(join(product.home, 'data', 'sessions.sqlite'), { timeout: 5_000 });
    other.exec('BEGIN IMMEDIATE');
    const link = await linkTo(product, books, 'jonas@example.org');
    const first = await timed(() => createVisitor(product.url).open(link));
    const second = await timed(() => createVisitor(product.url).open(link));
    assert.deepEqual([first.status, second.status], [503, 503]);
    assert.equal((await send(person)).status, 303);
    assert.equal((await click(product, 'jonas@example.org')).status, 200);
    other.exec('ROLLBACK');
    other.close();
    assert.equal((await createVisitor(product.url).open(link)).status, 200);
    process.stdout.write(
      `sessions locked: first 503 after ${Math.round(first.ms)} ms, then ${Math.round(second.ms)} ms\n`,
    );
  });

  test('without its store the product does not start, and prints no value of its settings', async (t) => {
    const file = join(newFolder(t), 'file');
    writeFileSync(file, '');
    const settings = { PORT: '0', SANDBOX: 'on', SECRET: canaries.secret, DATA_DIR: join(file, 'data') };
    const { code, text } = await runCommandLine([], settings);
    assert.equal(code, 1);
    assert.match(text, /ENOTDIR/);
    assert.deepEqual(findCanaries(text), []);
  });
});
