import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as ask } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { startSandboxAlone } from '../../src/compose/sandbox.ts';
import { readConfig } from '../../src/config/environment.ts';
import { within } from '../chaos/rig.ts';
import { freePorts, type Product, startProduct } from '../kit/product.ts';

interface Told {
  readonly status: number;
  readonly text: string;
}

/** As a browser that was led to 127.0.0.1 by a name of somebody else: the name stands in Host. */
function send(
  url: string,
  path: string,
  { method = 'GET', ...headers }: Readonly<Record<string, string>>,
): Promise<Told> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = ask({ hostname, port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    asked.once('error', reject);
    asked.end();
  });
}

const foreign = [
  'evil.example',
  'evil.example:4010',
  'localhost.evil.example',
  'localhost.',
  '127.0.0.1.nip.io',
  '0.0.0.0',
  '192.168.1.5',
  '[::ffff:127.0.0.2]',
  'localhost@evil.example',
  'evil.example/localhost',
];
const own = ['localhost', 'LOCALHOST:99', '127.0.0.1', '127.0.0.1:4010', '[::1]', '[::1]:4010'];
const secretsOfSandbox = [
  ...['/_sandbox/calls', '/_sandbox/people', '/_sandbox/tasks', '/_sandbox/faults', '/_sandbox/none'],
  ...['/api/consentmanager/v2/preferencecenters', '/api/access/v1/oauth/token', '/'],
];

suite('The sandbox', () => {
  let home: string;
  let sandbox: { readonly url: string; close(): Promise<void> };
  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'sayso-hosts-'));
    const env = { DATA_DIR: home, SANDBOX_PORT: '0', SANDBOX_HOSTS: 'sandbox.team.example, other.example' };
    sandbox = await startSandboxAlone(readConfig(env, (path) => readFileSync(path, 'utf8')));
  });
  after(async () => {
    await sandbox?.close();
    rmSync(home, { recursive: true, force: true });
  });

  for (const host of foreign)
    test(`answers nothing to the host "${host}".`, async () => {
      for (const path of secretsOfSandbox)
        for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
          const { status, text } = await send(sandbox.url, path, { host, method });
          // Node itself refuses one that is no host.
          assert.ok(status === 403 || status === 400, `${method} ${path} ${status}`);
          assert.doesNotMatch(text, /[[{]/);
        }
    });

  for (const host of [...own, 'sandbox.team.example', 'other.example:8443'])
    test(`answers to the host "${host}".`, async () => {
      assert.equal((await send(sandbox.url, '/_sandbox/calls', { host })).status, 200);
    });

  for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'null', 'file://', ''])
    test(`takes nothing from a page of the origin "${origin}".`, async () => {
      for (const method of ['GET', 'POST', 'DELETE'])
        assert.equal((await send(sandbox.url, '/_sandbox/faults', { method, origin })).status, 403, method);
    });

  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:3000', 'https://sandbox.team.example'])
    test(`takes what a page of the origin "${origin}" sends.`, async () => {
      assert.equal((await send(sandbox.url, '/_sandbox/faults', { origin })).status, 200);
    });
});

suite('The product on the sandbox', () => {
  let product: Product;
  let demoPort: number;
  before(async () => {
    [demoPort = 0] = await freePorts(1);
    product = await startProduct({
      env: { SANDBOX_HOSTS: 'sayso.team.example', DEMO_PORT: String(demoPort) },
    });
    const isThere = () =>
      send(`http://127.0.0.1:${demoPort}`, '/', {}).then(
        () => true,
        () => false,
      );
    assert.ok(await within(30_000, isThere), 'the demo has started');
  });
  after(() => product?.[Symbol.asyncDispose]());

  const paths = ['/', '/sandbox/mailbox', '/staff', '/health/ready', '/embed.js', '/nowhere'];

  for (const host of foreign)
    test(`shows nothing to the host "${host}".`, async () => {
      for (const path of paths) {
        const { status, text } = await send(product.url, path, { host });
        assert.ok(status === 403 || status === 400, `${path} ${status}`);
        assert.doesNotMatch(text, /\?t=|<html/);
      }
      assert.notEqual((await send(`http://127.0.0.1:${demoPort}`, '/', { host })).status, 200);
    });

  for (const host of [...own, 'sayso.team.example'])
    test(`shows its ready-made links to the host "${host}".`, async () => {
      const { status, text } = await send(product.url, '/', { host });
      assert.equal(status, 200);
      assert.match(text, /\?t=/);
    });

  test('shows the site of the customer to localhost.', async () => {
    for (const host of own)
      assert.equal((await send(`http://127.0.0.1:${demoPort}`, '/', { host })).status, 200);
  });

  test('answers to the host of PUBLIC_URL.', async () => {
    await using named = await startProduct({ env: { PUBLIC_URL: 'http://preferences.test:8080' } });
    const [, port] = /:(\d+)$/.exec(`:${named.env['PORT']}`) ?? [];
    const url = `http://127.0.0.1:${port}`;
    assert.equal((await send(url, '/', { host: 'preferences.test:8080' })).status, 200);
    assert.equal((await send(url, '/', { host: 'preferences.example' })).status, 403);
    assert.equal((await send(named.sandboxUrl, '/_sandbox/calls', { host: 'evil.example' })).status, 403);
  });
});

suite('A product on a tenant', () => {
  test('answers to any host: what stands before it decides.', async () => {
    await using platform = await startProduct();
    await using product = await startProduct({
      env: {
        PLATFORM_URL: platform.sandboxUrl,
        PLATFORM_CLIENT_ID: 'sandbox',
        PLATFORM_CLIENT_SECRET: platform.env['SANDBOX_CLIENT_SECRET'] ?? '',
      },
    });
    assert.equal((await send(product.url, '/health/live', { host: 'any.example' })).status, 200);
  });
});
