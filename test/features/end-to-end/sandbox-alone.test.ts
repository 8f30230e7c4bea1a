import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { startSandboxAlone } from '../../../src/compose/sandbox.ts';
import { readConfig } from '../../../src/config/environment.ts';
import type { Environment } from '../../../src/config/reading.ts';
import { at, connect, NOTICES, type Reply, send, subjectPath } from '../../sandbox/tenant.ts';

async function startAlone(settings: Environment) {
  const home = mkdtempSync(join(tmpdir(), 'sayso-sandbox-alone-'));
  const env = { DATA_DIR: home, SANDBOX_PORT: '0', ...settings };
  const { url, close } = await startSandboxAlone(readConfig(env, () => ''));
  const dispose = async () => {
    await close();
    rmSync(home, { recursive: true, force: true });
  };
  return { url, [Symbol.asyncDispose]: dispose };
}

/** Replies to three calls: two windows of one call each cannot hold them. */
async function threeCalls(settings: Environment): Promise<readonly Reply[]> {
  await using sandbox = await startAlone(settings);
  const token = await connect(sandbox.url);
  const replies: Reply[] = [];
  while (replies.length < 3) replies.push(await send(sandbox.url, 'GET', NOTICES, { token }));
  return replies;
}

suite('The sandbox alone', () => {
  for (const [settings, prefix, period] of [
    [{ SANDBOX_REQUESTS_PER_MINUTE: '1' }, 'svc', 'MINUTE'],
    [{ SANDBOX_REQUESTS_PER_HOUR: '1' }, 'svc', 'HOUR'],
    [{ SANDBOX_REQUESTS_PER_HOUR: '1', SANDBOX_RATE_LIMIT_PREFIX: 'ot' }, 'ot', 'HOUR'],
  ] as const) {
    test(`a call past ${Object.keys(settings).join(' with ')} gets 429 with the five ${prefix} headers`, async () => {
      const refused = (await threeCalls(settings)).find(({ status }) => status === 429);
      assert.ok(refused);
      assert.equal(refused.headers[`${prefix}-period`], period);
      assert.equal(refused.headers[`${prefix}-requests-allowed`], '1');
      for (const name of ['retry-after', `${prefix}-request-made`, `${prefix}-ratelimit-event-id`])
        assert.ok(refused.headers[name], name);
    });
  }

  test('the client gets the scopes of SANDBOX_SCOPES, and tokens that live SANDBOX_TOKEN_SECONDS', async () => {
    const statuses = async (settings: Environment) =>
      (await threeCalls(settings)).map(({ status }) => status);
    assert.deepEqual(await statuses({}), [200, 200, 200], 'all scopes, and no quota');
    assert.deepEqual(await statuses({ SANDBOX_SCOPES: 'CONSENT_READ, ISSUE' }), [403, 403, 403]);
    await using sandbox = await startAlone({ SANDBOX_TOKEN_SECONDS: '7' });
    const token = await send(sandbox.url, 'POST', '/api/access/v1/oauth/token', {
      raw: 'grant_type=client_credentials&client_id=sandbox&client_secret=sandbox-secret',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(at(token.body, 'expires_in'), 7);
  });

  for (const [setting, status] of [
    [undefined, 'ACTIVE'],
    ['by-center', undefined],
  ] as const) {
    test(`a purpose in two centers has one consent unless SANDBOX_CONSENT is by-center (${setting ?? 'not set'})`, async () => {
      await using sandbox = await startAlone({ SANDBOX_CONSENT: setting });
      const { url } = sandbox;
      const [shop, club] = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002'];
      const Id = 'aaaaaaaa-0000-4001-8000-000000000001';
      for (const center of [shop, club]) {
        const body = { Language: 'en', Purposes: [{ Id, Label: 'News', Status: 'ACTIVE' }] };
        await send(url, 'PUT', `/_sandbox/centers/${center}/preferences`, { body });
      }
      const ask = { token: await connect(url), identifier: 'anna@example.org' };
      const given = { ...ask, body: { Purposes: [{ Id }] } };
      assert.equal((await send(url, 'PUT', subjectPath(shop), given)).status, 200);
      const { body } = await send(url, 'GET', subjectPath(club), ask);
      assert.equal(at(body, 'Purposes', 0, 'TransactionStatus'), status);
    });
  }

  test('the start prints a command that gets a token, and no secret of the settings', async () => {
    const home = mkdtempSync(join(tmpdir(), 'sayso-sandbox-alone-'));
    const env = {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: home,
      SANDBOX_PORT: '0',
      SANDBOX_CLIENT_ID: 'team a',
      SANDBOX_CLIENT_SECRET: 'hidden-secret',
    };
    const main = join(import.meta.dirname, '../../../src/main.mjs');
    const child = spawn(process.execPath, [main, 'sandbox'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    try {
      let printed = '';
      for await (const chunk of child.stdout) {
        printed += String(chunk);
        if (printed.includes('docs/sandbox.md')) break;
      }
      assert.doesNotMatch(printed, /hidden-secret/);
      assert.match(printed, /^The product on it: PLATFORM_URL=http\S+ .*npm start$/m);
      const [, command = ''] = /^A token: (.*)$/m.exec(printed) ?? [];
      const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('curl', 'curl -s')], { env });
      assert.match(stdout, /"access_token"/);
    } finally {
      assert.equal(child.exitCode, null, 'the sandbox still runs');
      child.kill();
      await exited;
      rmSync(home, { recursive: true, force: true });
    }
  });
});
