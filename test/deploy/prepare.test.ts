import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { newFolder } from '../kit/folder.ts';
import { readText, root } from './files.ts';

const lockfile = JSON.parse(readText('package-lock.json')) as {
  packages: Record<string, { dev?: boolean; integrity?: string }>;
};
const all = Object.entries(lockfile.packages).filter(([path]) => path !== '');

/** Returns the npm command that a folder with these packages runs; undefined when none. */
function npmCall(t: TestContext, installed: typeof all, ...options: readonly string[]): string | undefined {
  const folder = newFolder(t);
  const keep = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const path of ['scripts/prepare.mjs', 'package-lock.json'])
    cpSync(join(root, path), join(folder, path));
  if (installed.length > 0) {
    keep('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(installed) }));
    for (const [path] of installed) keep(`${path}/package.json`, '{}');
  }
  keep('npm.js', 'process.stderr.write(process.argv.slice(2).join(" "));');
  const env = { PATH: process.env['PATH'] ?? '', npm_execpath: join(folder, 'npm.js') };
  const { stderr } = spawnSync(process.execPath, [join(folder, 'scripts/prepare.mjs'), ...options], {
    env,
    encoding: 'utf8',
  });
  return /^ci .*/m.exec(stderr)?.[0];
}

suite('The preparation before a start', () => {
  const running = all.filter(([, { dev }]) => dev !== true);

  test('the preparation installs the packages of the product, without those of development', (t) => {
    assert.match(npmCall(t, []) ?? '', /--omit=dev/);
    assert.equal(npmCall(t, running), undefined);
  });

  test('the preparation with --dev installs the packages of development', (t) => {
    assert.match(npmCall(t, [], '--dev') ?? '', /--include=dev/);
    assert.match(npmCall(t, running, '--dev') ?? '', /--include=dev/);
    assert.equal(npmCall(t, all, '--dev'), undefined);
  });

  test('the preparation without --dev keeps installed packages of development', (t) => {
    const older = all.map(
      ([path, entry]) => [path, { ...entry, integrity: 'sha512-older' }] as (typeof all)[0],
    );
    assert.match(npmCall(t, older) ?? '', /--include=dev/);
    assert.equal(npmCall(t, all), undefined);
  });
});
