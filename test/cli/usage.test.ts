import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { usage } from '../../src/cli/usage.ts';

const root = join(import.meta.dirname, '../..');
const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

function run(...args: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: '/nowhere', PORT: 'wrong' };
  return spawnSync(process.execPath, [join(root, 'src/main.ts'), ...args], { encoding: 'utf8', env });
}

suite('A command', () => {
  for (const [name, { lines, about }] of Object.entries(usage)) {
    test(`prints its usage with --help, and ends with 0: ${name}`, () => {
      for (const flag of ['--help', '-h']) {
        const { status, stdout, stderr } = run(name, '--center', 'x', flag);
        assert.equal(status, 0, stderr);
        assert.equal(stdout, `Usage: ${lines.join('\n       ')}\n${about}\n`);
        assert.equal(stderr, '');
      }
    });

    test(`prints its usage for an option that it does not have, and ends with 2: ${name}`, () => {
      const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: '/nowhere', SECRET: '' };
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [join(root, 'src/main.ts'), name, '--no-such-option'],
        { encoding: 'utf8', env },
      );
      assert.equal(status, 2, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, /--no-such-option/);
      assert.ok(stderr.endsWith(`Usage: ${lines.join('\n       ')}\n${about}\n`), stderr);
    });
  }

  test('that is not there is told with those that are, and ends with 2.', () => {
    const { status, stderr } = run('lnik');
    assert.equal(status, 2);
    assert.match(stderr, /^there is no command "lnik": serve, sandbox, link/);
  });

  test('of package.json is among them, and starts what it names.', () => {
    const called = Object.entries(scripts).flatMap(([name, line]) => {
      const [, command] = /^node src\/main\.ts ([\w-]+)$/.exec(line) ?? [];
      return command === undefined ? [] : [[name, command]];
    });
    assert.ok(called.length >= 6);
    for (const [name = '', command = ''] of called) {
      assert.equal(name, command);
      assert.ok(Object.hasOwn(usage, command), command);
    }
  });

  test('of the whole product takes --help behind npm start.', () => {
    const { status, stdout } = run('--help');
    assert.deepEqual([status, stdout.startsWith('Usage: npm start\n')], [0, true]);
  });
});
