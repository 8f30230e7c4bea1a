import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { at, CLIENT, openTenant, type Reply, send, subjectPath, TASKS, V1, V2 } from './tenant.ts';

const PATH = '/api/access/v1/oauth/token';
const GOOD = {
  grant_type: 'client_credentials',
  client_id: CLIENT.clientId,
  client_secret: CLIENT.clientSecret,
};
const BASIC = `Basic ${Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64')}`;

let time = new Date('2026-05-04T10:00:00Z');

const tenant = forSuite(() => openTenant({ demo: true, options: { now: () => time, tokenLife: 600 } }));

function urlencoded(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> {
  return send(tenant.url, 'POST', PATH, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

function multipart(fields: Record<string, string>): Promise<Reply> {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return send(tenant.url, 'POST', PATH, {
    raw: `${parts.join('')}--edge--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  });
}

describe('a token', () => {
  const ways: Record<string, () => Promise<Reply>> = {
    multipart: () => multipart(GOOD),
    urlencoded: () => urlencoded(GOOD),
    'query parameters': () => send(tenant.url, 'POST', `${PATH}?${new URLSearchParams(GOOD)}`, {}),
    'HTTP Basic': () => urlencoded({ grant_type: 'client_credentials' }, { authorization: BASIC }),
  };
  for (const [way, ask] of Object.entries(ways)) {
    test(`is given for credentials by ${way}`, async () => {
      const reply = await ask();
      assert.equal(reply.status, 200);
      assert.equal(at(reply.body, 'token_type'), 'bearer');
      assert.equal(at(reply.body, 'expires_in'), 600);
      assert.equal(at(reply.body, 'ot-scopes'), 'CONSENT,CONSENT_READ,POLICY,ISSUE,ISSUE_READ');
      const token = String(at(reply.body, 'access_token'));
      assert.equal((await tenant.call('GET', V2, { token })).status, 200);
    });
  }

  const refusals: [string, () => Promise<Reply>, number, string][] = [
    ['no grant type', () => urlencoded({}), 400, 'invalid_request'],
    [
      'another grant type',
      () => urlencoded({ ...GOOD, grant_type: 'password' }),
      400,
      'unsupported_grant_type',
    ],
    ['a wrong secret', () => multipart({ ...GOOD, client_secret: 'wrong' }), 401, 'invalid_client'],
    ['a wrong id', () => urlencoded({ ...GOOD, client_id: 'other' }), 401, 'invalid_client'],
    ['no credentials', () => urlencoded({ grant_type: 'client_credentials' }), 401, 'invalid_client'],
    [
      'a scope the client lacks',
      () => urlencoded({ ...GOOD, scope: 'CONSENT EVERYTHING' }),
      400,
      'invalid_scope',
    ],
    [
      'a multipart body cut short',
      () =>
        send(tenant.url, 'POST', PATH, {
          raw: '--edge\r\nContent-Dis',
          headers: { 'content-type': 'multipart/form-data; boundary=edge' },
        }),
      400,
      'invalid_request',
    ],
    [
      'multipart without a boundary',
      () => send(tenant.url, 'POST', PATH, { raw: 'x', headers: { 'content-type': 'multipart/form-data' } }),
      400,
      'invalid_request',
    ],
  ];
  for (const [name, ask, status, error] of refusals) {
    test(`is refused with ${status} ${error} for ${name}`, async () => {
      const reply = await ask();
      assert.equal(reply.status, status);
      assert.equal(at(reply.body, 'error'), error);
      assert.equal(typeof at(reply.body, 'error_description'), 'string');
    });
  }

  for (const [scope, granted] of [
    ['read', 'CONSENT,CONSENT_READ,POLICY,ISSUE,ISSUE_READ'],
    ['read POLICY', 'POLICY'],
  ] as const) {
    test(`is given for the scope ${scope}`, async () => {
      const reply = await urlencoded({ ...GOOD, scope });
      assert.equal(reply.status, 200);
      assert.equal(at(reply.body, 'ot-scopes'), granted);
    });
  }

  test('is not given for a body of another type', async () => {
    const reply = await send(tenant.url, 'POST', PATH, {
      raw: JSON.stringify(GOOD),
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(reply.status, 415);
  });

  test('ends when its life is over', async () => {
    const token = await tenant.scoped('CONSENT_READ');
    time = new Date(time.getTime() + 599_000);
    assert.equal((await tenant.call('GET', V2, { token })).status, 200);
    time = new Date(time.getTime() + 1000);
    assert.equal((await tenant.call('GET', V2, { token })).status, 401);
  });

  test('outlives a restart of the sandbox', async () => {
    const token = await tenant.scoped('');
    await tenant.restart();
    assert.equal((await tenant.call('GET', V2, { token })).status, 200);
  });

  test('is never in the log of calls', async () => {
    await urlencoded(GOOD);
    const { text } = await tenant.call('GET', '/_sandbox/calls');
    assert.ok(text.includes('"token"'));
    assert.ok(!text.includes(CLIENT.clientSecret));
  });
});

describe('a call', () => {
  const center = 'b00c5000-0000-4000-8000-000000000001';
  const task = `${TASKS}/7a5c0000-0000-4000-8000-000000000001?taskTypeNameKey=Issue`;

  test('without a token, with a malformed or a forged one is 401', async () => {
    const token = await tenant.scoped('');
    const [header, payload] = token.split('.');
    const forged = `${header}.${Buffer.from(JSON.stringify({ 'ot-scopes': 'CONSENT', exp: 9e9 })).toString('base64url')}.${token.split('.')[2]}`;
    for (const bad of ['', 'nonsense', 'a.b.c', `${header}.${payload}.`, forged, `${token}x`]) {
      const reply = await tenant.call('GET', V2, { token: bad });
      assert.equal(reply.status, 401, bad);
      assert.equal(at(reply.body, 'error'), 'invalid_token');
    }
    const basic = await tenant.call('GET', V2, { token: '', headers: { authorization: BASIC } });
    assert.equal(basic.status, 401);
  });

  const needs: [method: string, path: string, allowed: string[]][] = [
    ['GET', V2, ['CONSENT', 'CONSENT_READ']],
    ['GET', `${V1}/${center}/preferences`, ['CONSENT', 'CONSENT_READ']],
    ['GET', subjectPath(center), ['CONSENT', 'CONSENT_READ']],
    ['PUT', subjectPath(center), ['CONSENT']],
    ['DELETE', subjectPath(center), ['CONSENT']],
    ['POST', '/api/consentmanager/v1/purposes', ['CONSENT']],
    ['POST', '/api/consentmanager/v1/custompreferences', ['CONSENT']],
    ['GET', '/api/privacynotice/v2/privacynotices', ['POLICY']],
    ['GET', '/api/privacynotice/v2/privacynotices/0071ce00-0000-4001-8000-000000000300/versions', ['POLICY']],
    ['POST', TASKS, ['ISSUE']],
    ['GET', task, ['ISSUE', 'ISSUE_READ']],
    ['PUT', task, ['ISSUE']],
  ];
  for (const [method, path, allowed] of needs) {
    test(`${method} ${path.split('?')[0]} needs ${allowed.join(' or ')}`, async () => {
      for (const scope of ['CONSENT', 'CONSENT_READ', 'POLICY', 'ISSUE', 'ISSUE_READ']) {
        const token = await tenant.scoped(scope);
        const reply = await tenant.call(method, path, {
          token,
          identifier: 'scope@example.org',
          ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
        });
        assert.equal(reply.status === 403, !allowed.includes(scope), `${scope}: ${reply.status}`);
        assert.notEqual(reply.status, 401);
      }
    });
  }

  test('of a client with fewer scopes is held to them', async () => {
    await using small = await openTenant({ demo: true, options: { scopes: ['CONSENT_READ'] } });
    assert.equal((await small.call('GET', V2)).status, 200);
    assert.equal((await small.call('DELETE', subjectPath(center), { identifier: 'a' })).status, 403);
  });
});
