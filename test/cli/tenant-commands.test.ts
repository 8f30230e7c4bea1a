import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { runCommand } from '../kit/command.ts';
import { newFolder } from '../kit/folder.ts';

const main = join(import.meta.dirname, '../../src/main.mjs');
const home = newFolder();

const env = { PATH: process.env['PATH'] ?? '', HOME: home, SANDBOX: 'on', DATA_DIR: join(home, 'data') };
const tokens = join(home, 'tokens.csv');

async function run(...args: readonly string[]): Promise<{ code: number; output: string }> {
  const { code, stdout, stderr } = await runCommand(args, env);
  return { code, output: stdout + stderr };
}

suite('The commands for moving in', () => {
  test('import-links imports a table, reports what was left out, and names no people or tokens', async () => {
    const token = Buffer.alloc(32, 9).toString('base64');
    const table = [
      'DataSubjectId,LinkToken,ExpiryDate',
      `anna@example.org,${token},2099-01-01`,
      `omar@example.org,${token.replace('CQ', 'Cg')},2001-01-01`,
      `eva@example.org,${token},`,
    ];
    writeFileSync(tokens, table.join('\n'));
    const { code, output } = await run('import-links', '--file', tokens);
    assert.equal(code, 1);
    assert.match(output, /^line 4 is left out: it has no ExpiryDate: say --days for such rows$/m);
    assert.match(output, /^1 tokens kept, 1 had ended, 1 left out$/m);
    assert.doesNotMatch(output, /@example|CQkJ/);
    const again = await run('import-links', '--file', tokens, '--days', '90');
    assert.equal(again.code, 0);
    assert.match(again.output, /^2 tokens kept, 1 had ended, 0 left out$/m);
  });

  test('a command prints its usage if an option is missing', async () => {
    for (const name of ['import-links', 'shadow']) {
      const { code, output } = await run(name);
      assert.notEqual(code, 0, name);
      assert.match(output, new RegExp(`Usage: npm run ${name} -- --`), name);
    }
    const shadow = await run('shadow', '--people', tokens, '--share', '101');
    assert.match(shadow.output, /--share must be a number from 1 to 100/);
  });

  test('the sandbox plays a recording without the demo', async () => {
    const folder = join(home, 'recorded');
    const center = 'd4af7000-0000-4000-8000-000000000001';
    mkdirSync(join(folder, 'centers', center, 'subjects'), { recursive: true });
    writeFileSync(join(folder, 'centers', center, 'preferences.json'), '{"Language":"en-us","Purposes":[]}');
    const person = join(folder, 'centers', center, 'subjects', 'person-1@example.org.json');
    writeFileSync(person, '{"Purposes":[]}');
    const child = spawn(process.execPath, [main, 'sandbox', '--from', folder], {
      env: { ...env, SANDBOX_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let output = '';
      // Keep reading: the process ends at its next line if the pipe is closed.
      while (!output.includes('\n')) output += String((await once(child.stdout, 'data'))[0]);
      const url = /Sandbox: (\S+)/.exec(output)?.[1] ?? assert.fail(output);
      const people = (await (await fetch(`${url}/_sandbox/subjects`)).json()) as { identifier: string }[];
      assert.deepEqual(
        people.map(({ identifier }) => identifier),
        ['person-1@example.org'],
      );
    } finally {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    }
  });
});
