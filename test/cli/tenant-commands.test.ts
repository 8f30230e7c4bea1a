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

async function run(...args: readonly string[]): Promise<{ code: number; told: string }> {
  const { code, stdout, stderr } = await runCommand(args, env);
  return { code, told: stdout + stderr };
}

suite('The commands for moving in', () => {
  test('import a table of link tokens, say what was left out, and name neither people nor tokens.', async () => {
    const token = Buffer.alloc(32, 9).toString('base64');
    const table = [
      'DataSubjectId,LinkToken,ExpiryDate',
      `anna@example.org,${token},2099-01-01`,
      `omar@example.org,${token.replace('CQ', 'Cg')},2001-01-01`,
      `eva@example.org,${token},`,
    ];
    writeFileSync(tokens, table.join('\n'));
    const { code, told } = await run('import-links', '--file', tokens);
    assert.equal(code, 1);
    assert.match(told, /^line 4 is left out: it has no ExpiryDate: say --days for such rows$/m);
    assert.match(told, /^1 tokens kept, 1 had ended, 1 left out$/m);
    assert.doesNotMatch(told, /@example|CQkJ/);
    const again = await run('import-links', '--file', tokens, '--days', '90');
    assert.equal(again.code, 0);
    assert.match(again.told, /^2 tokens kept, 1 had ended, 0 left out$/m);
  });

  test('say how they are used where something is missing.', async () => {
    for (const name of ['import-links', 'shadow']) {
      const { code, told } = await run(name);
      assert.notEqual(code, 0, name);
      assert.match(told, new RegExp(`Usage: npm run ${name} -- --`), name);
    }
    const shadow = await run('shadow', '--people', tokens, '--share', '101');
    assert.match(shadow.told, /--share must be a number from 1 to 100/);
  });

  test('play a recording beside it, with nothing of the demo.', async () => {
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
      let told = '';
      // Read on: a pipe that is closed ends it at its next line.
      while (!told.includes('\n')) told += String((await once(child.stdout, 'data'))[0]);
      const url = /Sandbox: (\S+)/.exec(told)?.[1] ?? assert.fail(told);
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
