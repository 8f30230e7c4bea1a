import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { settingsFor, startPlatform } from '../../chaos/rig.ts';
import { canaries } from '../../kit/canaries.ts';
import { runCommand } from '../../kit/command.ts';
import { newFolder } from '../../kit/folder.ts';
import { binaries, type Cluster, startCluster } from '../../kit/postgres.ts';
import { startProcess } from '../../kit/product.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const skip =
  binaries() === undefined ? 'no binaries of PostgreSQL are installed (Debian: postgresql)' : false;
if (skip !== false && process.env['CI'] === 'true') throw new Error(skip);

/** The launcher that `npm start` runs. */
const launcher = ['sh', '-c', `exec "$0" ${join(root, 'scripts', 'start.mjs')}`];
const password = 'a-password-that-nobody-may-read';

suite('A start on PostgreSQL', { skip }, () => {
  let cluster: Cluster;
  const home = newFolder();

  before(async () => {
    cluster = await startCluster(['fsync=off']);
    const rules = join(cluster.folder, 'data', 'pg_hba.conf');
    const before = readFileSync(rules, 'utf8');
    const first =
      'host all guarded 127.0.0.1/32 scram-sha-256\nhostssl all encrypted 127.0.0.1/32 trust\nhostnossl all encrypted 127.0.0.1/32 reject\n';
    writeFileSync(rules, `${first}${before}`);
    await cluster.query(`CREATE ROLE guarded LOGIN PASSWORD '${password}'`);
    await cluster.query('CREATE ROLE encrypted LOGIN');
    await cluster.query('CREATE ROLE stranger LOGIN');
    await cluster.query('CREATE DATABASE sayso OWNER guarded');
    await cluster.query('SELECT pg_reload_conf()');
  });
  after(() => cluster?.end());

  function settings(change: (url: URL) => unknown): Record<string, string> {
    const url = new URL(cluster.url);
    url.username = 'guarded';
    url.password = password;
    url.pathname = '/sayso';
    change(url);
    return {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      PORT: '0',
      SANDBOX: 'on',
      DEMO_PORT: 'off',
      SECRET: canaries.secret,
      DATA_DIR: join(home, 'data'),
      DATABASE_URL: url.href,
    };
  }

  // `database.test.ts` tests addresses that are wrong at any start.
  for (const [flaw, change, word] of [
    ['encryption that it asks for', { username: 'encrypted' }, /takes only encrypted connections/],
    ['a user who owns nothing', { username: 'stranger' }, /may not make tables/],
    ['a wrong password', { password: 'wrong-password' }, /refuses the user or the password/],
  ] as const) {
    test(`A start with ${flaw} ends, and says so in one line without a password`, async () => {
      const { code, stdout, stderr } = await runCommand(
        [],
        settings((url) => Object.assign(url, change)),
      );
      assert.equal(code, 1);
      assert.match(stderr.trim().split('\n').at(-1) ?? '', word);
      assert.doesNotMatch(stdout + stderr, /a-password|wrong-password|\n\s+at /);
    });
  }

  test('A start needs no data folder, and runs under the permission model', async () => {
    await using platform = await startPlatform();
    const { DATABASE_URL = '' } = settings(() => undefined);
    const env = { ...settingsFor(platform.port), DATABASE_URL, DATA_DIR: '/proc/nobody-can-make-this' };
    await using product = await startProcess({ launcher, env });
    if (process.platform === 'linux')
      assert.match(readFileSync(`/proc/${product.pid}/cmdline`, 'utf8'), /--permission/);
    await product.stop();
    assert.doesNotMatch(product.output(), /a-password/);
  });
});
