import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { usage } from '../../src/cli/usage.ts';

const root = join(import.meta.dirname, '../..');
const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

const settings = { DATA_DIR: '/nowhere', PORT: 'wrong' };
const usageOf = ({ lines, about }: (typeof usage)[keyof typeof usage]) =>
  `Usage: ${lines.join('\n       ')}\n${about}\n`;

/** Runs a command in a process of its own; returns its output and status. */
function run(...args: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '', ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'src/main.mjs'), ...args], {
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

suite('A command', () => {
  test('a command prints its usage for --help and for an unknown option', async () => {
    for (const [name, about] of Object.entries(usage)) {
      for (const flag of ['--help', '-h']) {
        const result = await runCommandLine([name, '--center', 'x', flag], settings);
        assert.deepEqual(result, { code: 0, text: usageOf(about) });
      }
      const { code, text } = await runCommandLine([name, '--no-such-option'], { DATA_DIR: '/nowhere' });
      assert.equal(code, 2, text);
      assert.match(text, /--no-such-option/);
      assert.ok(text.endsWith(usageOf(about)), text);
    }
  });

  test('an unknown command lists the known ones on stderr, and exits with 2', () => {
    const { status, stdout, stderr } = run('lnik');
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /^there is no command "lnik": serve, sandbox, link/);
  });

  test('a script of package.json starts the command of its name', () => {
    const called = Object.entries(scripts).flatMap(([name, line]) => {
      const [, command] = /^node src\/main\.mjs ([\w-]+)$/.exec(line) ?? [];
      return command === undefined ? [] : [[name, command]];
    });
    assert.ok(called.length >= 6);
    for (const [name = '', command = ''] of called) {
      assert.equal(name, command);
      assert.ok(Object.hasOwn(usage, command), command);
    }
  });

  test('npm start accepts --help', () => {
    assert.deepEqual(run('--help'), { status: 0, stdout: usageOf(usage.serve), stderr: '' });
  });
});
