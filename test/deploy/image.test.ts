import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { newFolder } from '../kit/folder.ts';
import { readImage, readText, root } from './files.ts';

/** Paths that the Dockerfile copies, with their targets in the image. */
const copies = [...readText('Dockerfile').matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, line = '']) => {
  const words = line.split(' ');
  const to = words.pop() ?? '';
  return words.map((from) => ({ from, to: to === './' ? `./${from}` : to }));
});
const commands = [...readText('Dockerfile').matchAll(/^RUN (node .+)$/gm)].map(([, line = '']) =>
  line.split(' '),
);

suite('The Dockerfile without an engine', () => {
  const home = newFolder();

  test('the Dockerfile copies only existing files that .dockerignore admits', () => {
    const letIn = new Set(
      readText('.dockerignore')
        .split('\n')
        .filter((line) => line.startsWith('!'))
        .map((line) => line.slice(1)),
    );
    assert.ok(copies.length >= 5);
    for (const { from } of copies) {
      assert.ok(letIn.has(from), `${from} is ignored`);
      // The owner of the product supplies the license.
      if (from !== 'LICENSE*') assert.ok(globSync(from, { cwd: root }).length > 0, `${from} is not there`);
    }
  });

  test('the commands of the Dockerfile run on the copied files, with only the settings of the image', () => {
    const app = join(home, 'app');
    for (const { from, to } of copies)
      for (const file of globSync(from, { cwd: root }))
        if (file !== 'package-lock.json')
          cpSync(join(root, file), join(app, to === `./${from}` ? file : to), { recursive: true });
    mkdirSync(join(app, 'node_modules', '.cache', 'sayso'), { recursive: true, mode: 0o700 });
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(app, 'node_modules', name));
    const { environment } = readImage();
    const env = { PATH: dirname(process.execPath), ...environment, DATA_DIR: join(home, 'data') };
    assert.deepEqual(
      commands.map((command) => command.slice(-2)),
      [['src/main.mjs', 'compile']],
    );
    for (const [, ...args] of commands)
      execFileSync(process.execPath, args, { cwd: app, env, stdio: 'pipe' });
    const cache = join(app, 'node_modules', '.cache', 'sayso');
    assert.ok(readdirSync(cache, { recursive: true }).length > 100, 'code is compiled');
    assert.ok(!existsSync(env.DATA_DIR), 'no data folder is made');
  });
});
