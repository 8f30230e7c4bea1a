import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, suite, type TestContext, test } from 'node:test';
import { compileCacheOf } from '../../src/cli/compile-cache.mjs';
import { newFolder } from '../kit/folder.ts';

let home: string;
let root: string;
let cache: string;
beforeEach((t) => {
  home = newFolder(t as TestContext);
  root = join(home, 'product');
  cache = join(root, 'node_modules', '.cache', 'sayso');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(root, 'node_modules'));
  chmodSync(join(root, 'src'), 0o755);
});

function make(mode: number): void {
  mkdirSync(cache, { recursive: true });
  chmodSync(cache, mode);
}

const elsewhere = () => join(home, 'data');

suite('The compile cache', () => {
  test('is made among the code, for its owner alone, whatever the umask.', () => {
    const before = process.umask(0);
    try {
      assert.equal(compileCacheOf(root, elsewhere()), cache);
    } finally {
      process.umask(before);
    }
    assert.equal(statSync(cache).mode & 0o777, 0o700);
  });

  test('is used where it lies beside the data folder inside the product.', () => {
    mkdirSync(join(root, 'data'));
    assert.equal(compileCacheOf(root, join(root, 'data')), cache);
  });

  test('is none inside the data folder, by whatever way that leads there.', () => {
    make(0o755);
    symlinkSync(root, join(home, 'link'));
    const inside = [root, join(root, 'node_modules'), cache, home, join(home, 'link'), `${root}/src/..`];
    for (const dataDir of inside) assert.equal(compileCacheOf(root, dataDir), undefined, dataDir);
    assert.equal(compileCacheOf(root, elsewhere()), cache);
  });

  test('is none where others may write it and not the code.', () => {
    for (const mode of [0o777, 0o775, 0o757]) {
      make(mode);
      assert.equal(compileCacheOf(root, elsewhere()), undefined, mode.toString(8));
    }
    make(0o775);
    chmodSync(join(root, 'src'), 0o775);
    assert.equal(compileCacheOf(root, elsewhere()), cache, 'who may write it may write the code');
  });

  test('is none where others may write in or above it.', () => {
    make(0o755);
    mkdirSync(join(cache, 'v26'));
    chmodSync(join(cache, 'v26'), 0o777);
    assert.equal(compileCacheOf(root, elsewhere()), undefined);
    chmodSync(join(cache, 'v26'), 0o755);
    chmodSync(join(cache, '..'), 0o777);
    assert.equal(compileCacheOf(root, elsewhere()), undefined);
    chmodSync(join(cache, '..'), 0o755);
    assert.equal(compileCacheOf(root, elsewhere()), cache);
  });

  test('is none behind a link.', () => {
    mkdirSync(join(home, 'shared'));
    mkdirSync(join(cache, '..'), { recursive: true });
    symlinkSync(join(home, 'shared'), cache);
    assert.equal(compileCacheOf(root, elsewhere()), undefined);
  });

  test('is none where no folder can be made.', () => {
    writeFileSync(join(root, 'node_modules', '.cache'), '');
    assert.equal(compileCacheOf(root, elsewhere()), undefined);
  });

  test('that Node was told of is refused inside the data folder.', () => {
    const data = elsewhere();
    const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs');
    const env = { ...process.env, DATA_DIR: data, NODE_COMPILE_CACHE: join(data, 'code') };
    const { status, stderr } = spawnSync(process.execPath, [main, 'check'], { env, encoding: 'utf8' });
    assert.equal(status, 1);
    assert.equal(stderr, 'NODE_COMPILE_CACHE is in DATA_DIR, and what is in it is run: leave it out\n');
    assert.ok(!existsSync(join(data, 'journal.sqlite')));
  });
});
