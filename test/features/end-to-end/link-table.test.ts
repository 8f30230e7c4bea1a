import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { runCommand } from '../../kit/command.ts';
import { productOf } from '../../kit/for-suite.ts';
import { books, newBooks } from '../../kit/sandbox-ids.ts';
import { createVisitor } from '../../kit/visitor.ts';

const root = join(import.meta.dirname, '..', '..', '..');

const product = productOf();
const anna = ['--identifier', 'anna@example.org'];

function start(...flags: string[]) {
  return spawn(process.execPath, ['src/main.mjs', 'link', '--center', books, ...flags], {
    cwd: root,
    env: product.env,
  });
}

/** Runs the command in a process of its own, with the people on its stdin. */
async function pipe(people: string, ...flags: string[]) {
  const child = start(...flags);
  child.stdin.end(people);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code: Number(code) };
}

/** Runs the command in this process, with the people in a file. */
function run(people: string, ...flags: string[]) {
  const file = join(product.home, 'people.csv');
  writeFileSync(file, people);
  return runCommand(['link', '--center', books, '--csv', file, ...flags], product.env);
}

suite('`npm run link -- --csv`', () => {
  test('links of people on stdin live as many days as told, in a process of its own', async () => {
    const people = 'identifier\nlisted@example.net\n';
    const { stdout, stderr, code } = await pipe(people, '--csv', '-', '--days', '7');
    assert.deepEqual([code, stderr], [0, '1 rows written, 0 left out\n']);
    const [names, row = ''] = stdout.split('\n');
    assert.match(names ?? '', /^identifier,manage_url,withdraw_url,one_click_url,/);
    const [, manage = '', withdraw = ''] = row.split(',');
    assert.match((await createVisitor(product.url).open(manage)).text, /name="element\./);
    assert.match((await createVisitor(product.url).open(withdraw)).text, /name="purpose"/);
    const { exp, iat } = JSON.parse(Buffer.from(manage.split('.')[1] ?? '', 'base64url').toString());
    assert.equal(exp - iat, 7 * 86_400);
  });

  test('a file is read, and a row left out makes the exit code 1', async () => {
    const whole = await run('identifier\nanna@example.org\njonas@example.org\n');
    assert.deepEqual([whole.code, whole.stdout.split('\n').length], [0, 4]);
    const partly = await run('identifier\nanna@example.org\n \nomar@example.org\n');
    assert.equal(partly.code, 1);
    assert.equal(partly.stdout.split('\n').length, 4);
    assert.match(partly.stderr, /^line 3 is left out: identifier must be .*\n2 rows written, 1 left out\n$/);
  });

  test('a command that cannot begin prints nothing on stdout and the reason on stderr', async () => {
    const { code, stdout, stderr } = await run('email\nanna@example.org\n');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /no column is called "identifier"/);
    const cases: readonly (readonly [code: number, why: RegExp, ...flags: string[]])[] = [
      [1, /ENOENT/, '--csv', '/no/such/file.csv'],
      [2, /--one-click does not go with --csv/, '--csv', '-', '--one-click'],
      [2, /--identifier does not go with --csv/, '--csv', '-', '--identifier', 'anna@example.org'],
      [2, /--purpose does not go with --csv/, '--csv', '-', '--purpose', books],
      [2, /--days must be a number/, '--csv', '-', '--days', 'x'],
      [2, /--center must be/, '--csv', '-', '--center', 'nowhere'],
      [2, /--purpose/, ...anna, '--purpose', newBooks],
      [2, /--headers/, ...anna, '--headers'],
      [2, /--purpose/, ...anna, '--one-click', '--purpose', 'newsletter'],
      [2, /--scope/, ...anna, '--one-click', '--scope', 'withdraw'],
      [2, /--days/, ...anna, '--one-click', '--days', '1'],
    ];
    for (const [ends, why, ...flags] of cases) {
      const { code, stderr } = await runCommand(['link', '--center', books, ...flags], product.env);
      assert.equal(code, ends, stderr);
      assert.match(stderr, why);
      assert.doesNotMatch(stderr, / at .*\.ts/, 'no stack');
    }
  });

  test('the command ends with a message when its reader closes, however many people follow', async () => {
    const child = start('--csv', '-');
    const stderr = text(child.stderr);
    const exited = once(child, 'exit');
    const people = 'someone@example.org\n'.repeat(1_000);
    child.stdin.on('error', () => {});
    const feed = () => {
      while (child.stdin.writable && child.stdin.write(people));
    };
    child.stdin.on('drain', feed);
    child.stdin.write('identifier\n');
    feed();
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = await exited;
    assert.equal(code, 1);
    assert.match(await stderr, /the reader of the links has gone/);
  });
});

test('`npm run link -- --one-click --headers` prints the two header lines of a mail', async () => {
  const args = ['link', '--center', books, ...anna, '--one-click', '--headers'];
  const { stdout } = await runCommand(args, product.env);
  const [first = '', second, ...rest] = stdout.split('\n');
  assert.match(first, new RegExp(`^List-Unsubscribe: <${product.url}/u/[\\w-]+>$`));
  assert.equal(second, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  assert.deepEqual(rest, ['']);
});
