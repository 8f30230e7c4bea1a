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

/** In a process of its own: what it prints where, and how it ends. */
function run(...args: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '', ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'src/main.mjs'), ...args], {
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

suite('A command', () => {
  test('gives its usage for --help, and for an option that it does not have.', async () => {
    for (const [name, about] of Object.entries(usage)) {
      for (const flag of ['--help', '-h']) {
        const ended = await runCommandLine([name, '--center', 'x', flag], settings);
        assert.deepEqual(ended, { code: 0, text: usageOf(about) });
      }
      const { code, text } = await runCommandLine([name, '--no-such-option'], { DATA_DIR: '/nowhere' });
      assert.equal(code, 2, text);
      assert.match(text, /--no-such-option/);
      assert.ok(text.endsWith(usageOf(about)), text);
    }
  });

  test('that is not there is told with those that are, on stderr, and ends with 2.', () => {
    const { status, stdout, stderr } = run('lnik');
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /^there is no command "lnik": serve, sandbox, link/);
  });

  test('of package.json is among them, and starts what it names.', () => {
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

  test('of the whole product takes --help behind npm start.', () => {
    assert.deepEqual(run('--help'), { status: 0, stdout: usageOf(usage.serve), stderr: '' });
  });
});
