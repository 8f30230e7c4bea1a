import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { startSandboxAlone } from '../../src/compose/sandbox.ts';
import { readConfig } from '../../src/config/environment.ts';
import { newFolder } from '../kit/folder.ts';
import { forSuite } from '../kit/for-suite.ts';
import { freePorts, startProduct } from '../kit/product.ts';
import { until } from '../kit/until.ts';
import { CLIENT, openTenant, send } from './tenant.ts';

/** Sends a request as a browser does after DNS rebinding: the foreign name is in Host. */
const askAs = (host: string, url: string, path: string, method = 'GET') =>
  send(url, method, path, { headers: { host } });

const foreign = [
  ...['evil.example', 'evil.example:4010', 'localhost.evil.example', 'localhost.', '127.0.0.1.nip.io'],
  ...['0.0.0.0', '192.168.1.5', '[::ffff:127.0.0.2]', 'localhost@evil.example', 'evil.example/localhost'],
];
const own = ['localhost', 'LOCALHOST:99', '127.0.0.1', '127.0.0.1:4010', '[::1]', '[::1]:4010'];
const secretsOfSandbox = [
  ...['/_sandbox/calls', '/_sandbox/people', '/_sandbox/tasks', '/_sandbox/faults', '/_sandbox/none'],
  ...['/api/consentmanager/v2/preferencecenters', '/api/access/v1/oauth/token', '/'],
];

suite('The sandbox', () => {
  const DATA_DIR = newFolder();
  const sandbox = forSuite(
    () => {
      const env = { DATA_DIR, SANDBOX_PORT: '0', SANDBOX_HOSTS: 'sandbox.team.example, other.example' };
      return startSandboxAlone(readConfig(env, (path) => readFileSync(path, 'utf8')));
    },
    ({ close }) => close(),
  );

  test('The sandbox answers to its own hosts and the configured ones, and to no other', async () => {
    for (const host of [...own, 'sandbox.team.example', 'other.example:8443'])
      assert.equal((await askAs(host, sandbox.url, '/_sandbox/calls')).status, 200, host);
    for (const host of foreign)
      for (const path of secretsOfSandbox)
        for (const method of host === 'evil.example' ? ['GET', 'POST', 'DELETE', 'OPTIONS'] : ['GET']) {
          const { status, text } = await askAs(host, sandbox.url, path, method);
          // Node itself refuses a malformed host.
          assert.ok(status === 403 || status === 400, `${host} ${method} ${path} ${status}`);
          assert.doesNotMatch(text, /[[{]/);
        }
  });

  test('The sandbox accepts requests from its own pages, and refuses those of other origins', async () => {
    const ask = async (origin: string, method = 'GET') =>
      (await send(sandbox.url, method, '/_sandbox/faults', { headers: { origin } })).status;
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:3000', 'https://sandbox.team.example'])
      assert.equal(await ask(origin), 200, origin);
    for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'null', 'file://', ''])
      for (const method of ['GET', 'POST', 'DELETE']) assert.equal(await ask(origin, method), 403, origin);
  });
});

suite('The product', () => {
  test('The product on the sandbox shows its links and the demo site to its own hosts alone', async () => {
    const [demoPort = 0] = await freePorts(1);
    const named = { SANDBOX_HOSTS: 'sayso.team.example', PUBLIC_URL: 'http://preferences.test:8080' };
    await using product = await startProduct({ env: { ...named, DEMO_PORT: String(demoPort) } });
    const url = `http://127.0.0.1:${product.env['PORT']}`;
    const demo = (host: string) =>
      askAs(host, `http://127.0.0.1:${demoPort}`, '/').then(
        ({ status }) => status,
        () => undefined,
      );
    for (const host of own) assert.equal(await until(() => demo(host), 'the demo has started'), 200, host);
    for (const host of [...own, 'sayso.team.example', 'preferences.test:8080']) {
      const { status, text } = await askAs(host, url, '/');
      assert.equal(status, 200, host);
      assert.match(text, /\?t=/);
    }
    for (const host of [...foreign, 'preferences.example']) {
      for (const path of ['/', '/sandbox/mailbox', '/staff', '/health/ready', '/embed.js', '/nowhere']) {
        const { status, text } = await askAs(host, url, path);
        assert.ok(status === 403 || status === 400, `${host} ${path} ${status}`);
        assert.doesNotMatch(text, /\?t=|<html/);
      }
      assert.notEqual(await demo(host), 200, host);
    }
    assert.equal((await askAs('evil.example', product.sandboxUrl, '/_sandbox/calls')).status, 403);
  });

  test('The product on a tenant answers to any host: the proxy decides', async () => {
    await using platform = await openTenant({ demo: true });
    await using product = await startProduct({
      env: {
        PLATFORM_URL: platform.url,
        PLATFORM_CLIENT_ID: CLIENT.clientId,
        PLATFORM_CLIENT_SECRET: CLIENT.clientSecret,
      },
    });
    assert.equal((await askAs('any.example', product.url, '/health/live')).status, 200);
  });
});
