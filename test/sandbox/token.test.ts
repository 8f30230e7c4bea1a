import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { books as center } from '../kit/sandbox-ids.ts';
import { at, CLIENT, NOTICES, openTenant, type Reply, send, subjectPath, TASKS, V1, V2 } from './tenant.ts';

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

describe('a token', () => {
  test('a token has its lifetime and the requested scopes', async () => {
    const all = 'CONSENT,CONSENT_READ,POLICY,ISSUE,ISSUE_READ';
    for (const [more, granted] of [
      [{}, all],
      [{ scope: 'read' }, all],
      [{ scope: 'read POLICY' }, 'POLICY'],
    ] as const) {
      const { status, body } = await urlencoded({ ...GOOD, ...more });
      assert.equal(status, 200);
      assert.partialDeepStrictEqual(body, { token_type: 'bearer', expires_in: 600, 'ot-scopes': granted });
    }
  });

  test('a client gets a token by form, Basic, multipart and query, as published clients ask', async () => {
    const { grant_type, ...client } = GOOD;
    const multipart = new FormData();
    for (const [name, value] of Object.entries(GOOD)) multipart.append(name, value);
    for (const [way, query, init] of [
      ['form', '', { body: new URLSearchParams(GOOD) }],
      ['Basic', '', { body: new URLSearchParams({ grant_type }), headers: { authorization: BASIC } }],
      ['multipart', '', { body: multipart }],
      ['query', `?${new URLSearchParams({ grant_type, ...client })}`, {}],
    ] as const) {
      const answer = await fetch(`${tenant.url}${PATH}${query}`, { method: 'POST', ...init });
      const token = String(at(await answer.json(), 'access_token'));
      assert.equal((await tenant.call('GET', V2, { token })).status, 200, way);
    }
  });

  test('a malformed request for a token is refused with a code and a description', async () => {
    const typed = (type: string, raw: string) =>
      send(tenant.url, 'POST', PATH, { raw, headers: { 'content-type': type } });
    const multipart = (boundary: string) => typed(`multipart/form-data${boundary}`, '--edge\r\nContent-Dis');
    assert.equal((await typed('application/json', JSON.stringify(GOOD))).status, 415);
    for (const [ask, status, error] of [
      [urlencoded({}), 400, 'invalid_request'],
      [urlencoded({ ...GOOD, grant_type: 'password' }), 400, 'unsupported_grant_type'],
      [urlencoded({ ...GOOD, client_secret: 'wrong' }), 401, 'invalid_client'],
      [urlencoded({ ...GOOD, client_id: 'other' }), 401, 'invalid_client'],
      [urlencoded({ grant_type: 'client_credentials' }), 401, 'invalid_client'],
      [urlencoded({ ...GOOD, scope: 'CONSENT EVERYTHING' }), 400, 'invalid_scope'],
      [multipart('; boundary=edge'), 400, 'invalid_request'],
      [multipart(''), 400, 'invalid_request'],
    ] as const) {
      const reply = await ask;
      assert.deepEqual([reply.status, at(reply.body, 'error')], [status, error]);
      assert.equal(typeof at(reply.body, 'error_description'), 'string');
    }
  });

  test('a token stays valid over a restart, and expires after its lifetime', async () => {
    const token = await tenant.scoped('CONSENT_READ');
    await tenant.restart();
    time = new Date(time.getTime() + 599_000);
    assert.equal((await tenant.call('GET', V2, { token })).status, 200);
    time = new Date(time.getTime() + 1000);
    assert.equal((await tenant.call('GET', V2, { token })).status, 401);
  });
});

describe('a call', () => {
  const task = `${TASKS}/7a5c0000-0000-4000-8000-000000000001?taskTypeNameKey=Issue`;

  test('a call without a token, or with a malformed or forged token, is answered with 401', async () => {
    const token = await tenant.scoped('');
    const [header, payload, signature] = token.split('.');
    const claims = Buffer.from(JSON.stringify({ 'ot-scopes': 'CONSENT', exp: 9e9 })).toString('base64url');
    const forged = `${header}.${claims}.${signature}`;
    for (const bad of ['', 'nonsense', 'a.b.c', `${header}.${payload}.`, forged, `${token}x`]) {
      const reply = await tenant.call('GET', V2, { token: bad });
      assert.equal(reply.status, 401, bad);
      assert.equal(at(reply.body, 'error'), 'invalid_token');
    }
    const basic = await tenant.call('GET', V2, { token: '', headers: { authorization: BASIC } });
    assert.equal(basic.status, 401);
  });

  test('a call needs the scope of its operation', async () => {
    const needs = [
      ['GET', V2, 'CONSENT CONSENT_READ'],
      ['GET', `${V1}/${center}/preferences`, 'CONSENT CONSENT_READ'],
      ['GET', subjectPath(center), 'CONSENT CONSENT_READ'],
      ['PUT', subjectPath(center), 'CONSENT'],
      ['DELETE', subjectPath(center), 'CONSENT'],
      ['POST', '/api/consentmanager/v1/purposes', 'CONSENT'],
      ['POST', '/api/consentmanager/v1/custompreferences', 'CONSENT'],
      ['GET', NOTICES, 'POLICY'],
      ['GET', `${NOTICES}/0071ce00-0000-4001-8000-000000000300/versions`, 'POLICY'],
      ['POST', TASKS, 'ISSUE'],
      ['GET', task, 'ISSUE ISSUE_READ'],
      ['PUT', task, 'ISSUE'],
    ] as const;
    for (const scope of ['CONSENT', 'CONSENT_READ', 'POLICY', 'ISSUE', 'ISSUE_READ']) {
      const ask = { token: await tenant.scoped(scope), identifier: 'scope@example.org' };
      for (const [method, path, allowed] of needs) {
        const body = method === 'PUT' || method === 'POST' ? {} : undefined;
        const { status } = await tenant.call(method, path, { ...ask, body });
        assert.equal(status === 403, !allowed.split(' ').includes(scope), `${method} ${path}, ${scope}`);
        assert.notEqual(status, 401);
      }
    }
  });
});
