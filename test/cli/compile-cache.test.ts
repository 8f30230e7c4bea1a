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

function makeCache(mode: number): void {
  mkdirSync(cache, { recursive: true });
  chmodSync(cache, mode);
}

const dataFolder = () => join(home, 'data');

suite('The compile cache', () => {
  test('the cache is made beside the code, for its owner only, whatever the umask', () => {
    const before = process.umask(0);
    try {
      assert.equal(compileCacheOf(root, dataFolder()), cache);
    } finally {
      process.umask(before);
    }
    assert.equal(statSync(cache).mode & 0o777, 0o700);
  });

  test('the cache is used beside a data folder inside the product', () => {
    mkdirSync(join(root, 'data'));
    assert.equal(compileCacheOf(root, join(root, 'data')), cache);
  });

  test('no cache is used inside the data folder, whatever path leads there', () => {
    makeCache(0o755);
    symlinkSync(root, join(home, 'link'));
    const inside = [root, join(root, 'node_modules'), cache, home, join(home, 'link'), `${root}/src/..`];
    for (const dataDir of inside) assert.equal(compileCacheOf(root, dataDir), undefined, dataDir);
    assert.equal(compileCacheOf(root, dataFolder()), cache);
  });

  test('no cache is used if others may write it but not the code', () => {
    for (const mode of [0o777, 0o775, 0o757]) {
      makeCache(mode);
      assert.equal(compileCacheOf(root, dataFolder()), undefined, mode.toString(8));
    }
    makeCache(0o775);
    chmodSync(join(root, 'src'), 0o775);
    assert.equal(compileCacheOf(root, dataFolder()), cache, 'the same users may write the code');
  });

  test('no cache is used if others may write in it or above it', () => {
    makeCache(0o755);
    mkdirSync(join(cache, 'v26'));
    chmodSync(join(cache, 'v26'), 0o777);
    assert.equal(compileCacheOf(root, dataFolder()), undefined);
    chmodSync(join(cache, 'v26'), 0o755);
    chmodSync(join(cache, '..'), 0o777);
    assert.equal(compileCacheOf(root, dataFolder()), undefined);
    chmodSync(join(cache, '..'), 0o755);
    assert.equal(compileCacheOf(root, dataFolder()), cache);
  });

  test('no cache is used behind a symbolic link', () => {
    mkdirSync(join(home, 'shared'));
    mkdirSync(join(cache, '..'), { recursive: true });
    symlinkSync(join(home, 'shared'), cache);
    assert.equal(compileCacheOf(root, dataFolder()), undefined);
  });

  test('no cache is used if its folder cannot be made', () => {
    writeFileSync(join(root, 'node_modules', '.cache'), '');
    assert.equal(compileCacheOf(root, dataFolder()), undefined);
  });

  test('a NODE_COMPILE_CACHE inside the data folder is refused', () => {
    const data = dataFolder();
    const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs');
    const env = { ...process.env, DATA_DIR: data, NODE_COMPILE_CACHE: join(data, 'code') };
    const { status, stderr } = spawnSync(process.execPath, [main, 'check'], { env, encoding: 'utf8' });
    assert.equal(status, 1);
    assert.equal(stderr, 'NODE_COMPILE_CACHE is in DATA_DIR, and what is in it is run: leave it out\n');
    assert.ok(!existsSync(join(data, 'journal.sqlite')));
  });
});
