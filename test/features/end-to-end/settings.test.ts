import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { canaries } from '../../kit/canaries.ts';
import { runCommand } from '../../kit/command.ts';
import { newFolder } from '../../kit/folder.ts';
import { freePorts, startProduct } from '../../kit/product.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { createVisitor } from '../../kit/visitor.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Runs the product in a process until it ends. */
function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: root, env: { PATH: process.env['PATH'] ?? '', ...env }, timeout: 120_000 };
    execFile(process.execPath, [join(root, 'src', 'main.mjs'), ...args], options, (fault, stdout, stderr) => {
      resolve({
        code: typeof fault?.code === 'number' ? fault.code : fault === null ? 0 : -1,
        stdout,
        stderr,
      });
    });
  });
}

suite('Settings', () => {
  const home = newFolder();

  test('bad settings stop the start with a message that names all of them and no value', async () => {
    const env = {
      DATA_DIR: join(home, 'never'),
      PORT: 'canary-port',
      PUBLIC_URL: 'canary-url',
      SECRET: 'canary-short',
      LOG_LEVEL: 'canary-level',
      PLATFORM_URL: 'http://canary.example',
      CENTERS_FILE: join(home, 'canary-file'),
      SANDBOX_PORT: 'canary-sandbox',
    };
    const { code, stdout, stderr } = await run([], env);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    for (const name of Object.keys(env).filter((name) => name !== 'DATA_DIR'))
      assert.match(stderr, new RegExp(`\\b${name}\\b`));
    assert.match(stderr, /PLATFORM_CLIENT_ID/);
    assert.match(stderr, /PLATFORM_CLIENT_SECRET/);
    assert.doesNotMatch(stderr, /canary|at file:|node:internal/);
    assert.ok(!existsSync(join(env.DATA_DIR, 'journal.sqlite')), 'no journal was created');
  });

  test('an unusable folder or port is named in one line', async () => {
    const file = join(home, 'a-file');
    writeFileSync(file, '');
    const [port] = await freePorts(1);
    const busy = createServer().listen(port);
    await once(busy, 'listening');
    // A process of its own ends the parts that run before the port is tried.
    const ended = [
      await runCommand([], { DATA_DIR: file, PORT: '0' }),
      await run([], { LOG_LEVEL: 'silent', DATA_DIR: join(home, 'busy'), PORT: String(port) }),
      await runCommand([], {
        DATA_DIR: join(home, 'dataless'),
        PORT: '0',
        SANDBOX_DATA: join(home, 'nowhere'),
      }),
    ];
    busy.close();
    for (const [index, named] of [/a-file/, /EADDRINUSE/, /SANDBOX_DATA/].entries()) {
      assert.equal(ended[index]?.code, 1);
      assert.match(ended[index]?.stderr ?? '', named);
      assert.doesNotMatch(ended[index]?.stderr ?? '', /\n\s+at /);
    }
  });

  test('`link` prints one line on stdout, or the reason on stderr', async () => {
    const env = { DATA_DIR: join(home, 'links'), PUBLIC_URL: 'https://preferences.example', SANDBOX: 'on' };
    const args = ['link', '--center', books, '--identifier', canaries.person];
    const { code, stdout, stderr } = await runCommand(args, env);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      new RegExp(`^https://preferences\\.example/centers/${books}\\?t=[\\w-]+\\.[\\w-]+\\.[\\w-]+\n$`),
    );
    assert.equal(stderr, '');
    const kept = join(env.DATA_DIR, 'secret');
    assert.ok(readFileSync(kept, 'utf8').trim().length >= 43, 'a secret was created');
    assert.equal(statSync(kept).mode & 0o077, 0, 'only its owner may read it');
    const wrong: readonly (readonly string[])[] = [
      ['link'],
      ['link', '--center', 'nowhere', '--identifier', 'a'],
      ['link', '--center', books],
      ['link', '--center', books, '--identifier', '\u0007'],
      ['link', '--center', books, '--identifier', 'anna@example.org\u00a0'],
      ['link', '--center', books, '--identifier', 'jürgen@example.org'],
      ['link', '--center', books, '--identifier', 'jürgen@example.org', '--one-click'],
      ['one-click', '--center', books, '--identifier', '\u212aate@example.org'],
      [...args, '--scope', 'everything'],
      [...args, '--days', '0'],
    ];
    for (const some of wrong) {
      const failed = await runCommand(some, env);
      assert.equal(failed.code, 2, some.join(' '));
      assert.doesNotMatch(failed.stderr, /\n\s+at /, `${some.join(' ')}: no stack for a typing mistake`);
    }
  });

  test('in sandbox mode links and sessions outlive a restart, because the secret is kept', async () => {
    await using product = await startProduct({ env: { SECRET: '' } });
    const link = await product.link({ center: books, identifier: canaries.person });
    const visitor = createVisitor(product.url);
    assert.equal((await visitor.open(link)).status, 200);
    const file = join(product.home, 'data', 'secret');
    const made = readFileSync(file, 'utf8');
    await product.stop();
    await product.start();
    assert.equal(readFileSync(file, 'utf8'), made);
    assert.equal((await visitor.open(`/centers/${books}`)).status, 200, 'the session is still there');
    assert.equal((await createVisitor(product.url).open(link)).status, 200, 'the link still opens');
    assert.ok(!product.output().includes(made.trim()));
  });

  test('links use the public address, and only listed centers are served, at their names', async () => {
    const listed = [
      {
        address: 'Harbour-Books',
        center: books.toUpperCase(),
        brand: { name: 'The Harbour', accent: '#004488' },
      },
    ];
    await using product = await startProduct({
      centers: listed,
      files: { secret: `${canaries.secret}\n` },
      env: {
        SECRET: '',
        SECRET_FILE: '{home}/secret',
        TRUST_PROXY: '127.0.0.1',
      },
    });
    const link = await product.link({ center: 'harbour-books', identifier: canaries.person });
    assert.ok(link.startsWith(`${product.url}/centers/harbour-books?t=`));
    assert.equal(
      new URL(await product.link({ center: books, identifier: canaries.person })).pathname,
      '/centers/harbour-books',
    );
    const visitor = createVisitor(product.url);
    const forged = { 'x-forwarded-host': 'attacker.example', 'x-forwarded-proto': 'https' };
    const opened = await visitor.get(link, forged);
    assert.equal(opened.location, `${product.url}/centers/harbour-books`);
    const page = await visitor.open('/centers/harbour-books', forged);
    assert.equal(page.status, 200);
    assert.match(page.text, /The Harbour/);
    assert.doesNotMatch(page.text, /attacker\.example/);
    assert.equal((await visitor.get('/centers/HARBOUR-books')).status, 200);
    for (const path of [
      `/centers/${books}`,
      '/centers/ba4c0000-0000-4000-8000-000000000001',
      '/centers/nowhere',
    ])
      assert.equal((await visitor.get(path)).status, 404, path);
    assert.ok(!existsSync(join(product.home, 'data', 'secret')), 'a given secret is not created again');
  });
});
