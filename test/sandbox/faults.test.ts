import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import {
  addFault,
  at,
  centerOf,
  itemsOf,
  listAt,
  NOTICES,
  openTenant,
  type Reply,
  subjectPath,
  TASKS,
  V1,
  V2,
} from './tenant.ts';

const CENTER = 'b00c5000-0000-4000-8000-000000000001';
const LETTER = 'b00c5000-0000-4001-8000-000000000001';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ZOE = 'zoé@example.org';
const PUT = { body: { Purposes: [{ Id: LETTER }] } };

const tenant = forSuite(() => openTenant({ demo: true }));
const center = centerOf(tenant, CENTER);
const fault = (description: unknown) => addFault(tenant, description);
const clearFaults = () => tenant.call('DELETE', '/_sandbox/faults');
const faults = async () => listAt((await tenant.call('GET', '/_sandbox/faults')).body);
afterEach(async () => {
  await clearFaults();
  await center.withdraw(ZOE);
});

/** What a call is answered with. */
const statusOf = async (path: string, method = 'GET') => (await tenant.call(method, path)).status;
const schemaOf = `${V1}/${CENTER}/preferences`;

const letter = async () => (await center.statuses(ZOE))[LETTER];

function assertLimited({ status, headers }: Reply, expected: Record<string, unknown>): void {
  assert.equal(status, 429);
  const seen = {
    retryAfter: Number(headers['retry-after']),
    period: headers['svc-period'],
    made: Number(headers['svc-request-made']),
    allowed: Number(headers['svc-requests-allowed']),
  };
  assert.deepEqual(seen, expected);
  assert.match(String(headers['svc-ratelimit-event-id']), UUID);
}

describe('a fault', () => {
  test('strikes one operation, as often as told, or the calls that name a center, and no others', async () => {
    await fault({ kind: '401', operation: 'list-centers', count: 2 });
    assert.equal(await statusOf(schemaOf), 200);
    assert.deepEqual([await statusOf(V2), await statusOf(V2), await statusOf(V2)], [401, 401, 200]);
    await fault({ kind: '500', path: CENTER.toUpperCase() });
    assert.deepEqual([await statusOf(schemaOf), await statusOf(V2)], [500, 200]);
  });

  test('500 strikes everything until it is switched off, one by one or all', async () => {
    const both = [{ kind: 500 }, { kind: '500', status: 503, operation: 'list-notices' }];
    const [made] = listAt(await fault(both));
    assert.equal(await statusOf(V2), 500);
    assert.equal(await statusOf('/api/access/v1/oauth/token', 'POST'), 500);
    assert.equal((await faults()).length, 2);
    await tenant.call('DELETE', `/_sandbox/faults/${at(made, 'id')}`);
    assert.deepEqual([await statusOf(V2), await statusOf(NOTICES)], [200, 503]);
    await clearFaults();
    assert.equal(await statusOf(NOTICES), 200);
  });

  test('429 carries Retry-After and the four headers', async () => {
    await fault({ kind: '429', retryAfter: 3600, period: 'HOUR', count: 1 });
    const ofHour = { retryAfter: 3600, period: 'HOUR', made: 200_001, allowed: 200_000 };
    assertLimited(await tenant.call('GET', V2), ofHour);
    await fault({ kind: '429', allowed: 50, count: 1 });
    const limited = { retryAfter: 2, period: 'MINUTE', made: 51, allowed: 50 };
    assertLimited(await tenant.call('GET', V2), limited);
  });

  test('passes the first calls when told to skip them, and other people', async () => {
    await fault({ kind: '500', operation: 'read-subject', identifier: 'x@example.org', skip: 1, count: 1 });
    const seen = [];
    for (const name of ['x', 'y', 'x', 'x']) seen.push((await center.read(`${name}@example.org`)).status);
    assert.deepEqual(seen, [200, 200, 500, 200]);
  });

  test('latency waits, then answers, and does not hold up the closing', { timeout: 120_000 }, async () => {
    await fault({ kind: 'latency', milliseconds: 80, count: 1 });
    const began = performance.now();
    assert.equal((await tenant.call('GET', V2)).status, 200);
    assert.ok(performance.now() - began >= 75);
    const other = await openTenant({ demo: true });
    await addFault(other, { kind: 'latency', milliseconds: 60_000 });
    const hanging = assert.rejects(other.call('GET', V2));
    await new Promise((resolve) => setImmediate(resolve));
    await other.close();
    await hanging;
  });

  test('garbage sends another body, or half of the true one', async () => {
    await fault({ kind: 'garbage', operation: 'list-centers', count: 1 });
    const html = await tenant.call('GET', V2, { lawless: true });
    assert.equal(html.status, 200);
    assert.match(html.text, /^<!doctype html>/);
    const body = '{"DataSubjectId":"other"}';
    await fault({ kind: 'garbage', body, contentType: 'application/json', count: 1 });
    assert.equal((await center.read('a')).text, body);
    await fault({ kind: 'garbage', truncate: true, operation: 'read-schema', count: 1 });
    const half = await tenant.call('GET', schemaOf, { lawless: true });
    const whole = await tenant.call('GET', schemaOf);
    assert.ok(whole.text.startsWith(half.text) && half.text.length < whole.text.length);
    await fault({ kind: 'garbage', body: '', count: 1 });
    assert.equal((await tenant.call('GET', V2, { lawless: true })).text, '');
  });

  test('before the effect leaves nothing, after it leaves the effect', async () => {
    for (const struck of [{ kind: 'drop' }, { kind: '500' }, { kind: 'garbage', body: 'x' }])
      for (const when of ['before', 'after']) {
        await center.withdraw(ZOE);
        await fault({ ...struck, operation: 'update-subject', when, count: 1 });
        const put = center.ask('PUT', ZOE, { ...PUT, lawless: true });
        if (struck.kind === 'drop') await assert.rejects(put);
        else await put;
        assert.equal(await letter(), when === 'after' ? 'ACTIVE' : 'WITHDRAWN', `${struck.kind} ${when}`);
      }
  });

  test('refuse answers items with Status false, ignore says updated; both leave them as they are, and count writes alone', async () => {
    const offers = LETTER.replace(/1$/, '2');
    const write = async (...purposes: string[]) =>
      Object.entries(itemsOf(await center.put(ZOE, ...purposes))).map(([id, [status]]) => [id, status]);
    for (const [kind, status] of [
      ['refuse', false],
      ['ignore', true],
    ] as const) {
      await fault({ kind, purposes: [LETTER.toUpperCase()], count: 1 });
      assert.notEqual(await letter(), 'ACTIVE');
      assert.deepEqual(await write(LETTER, offers), [
        [LETTER, status],
        [offers, true],
      ]);
      assert.notEqual(await letter(), 'ACTIVE');
      await write(LETTER);
      assert.equal(await letter(), 'ACTIVE');
      await center.withdraw(ZOE);
    }
    await fault({ kind: 'ignore', operation: 'update-subject', count: 1 });
    assert.deepEqual(await write(LETTER), [[LETTER, true]]);
    assert.notEqual(await letter(), 'ACTIVE');
  });

  test('that is described wrongly is refused, and none of its list is kept', async () => {
    for (const bad of [
      7,
      { kind: 'sulk' },
      { kind: '500', operation: 'x' },
      { kind: '500', milliseconds: 5 },
      { kind: '500', count: '1' },
      { kind: 'drop', count: 0 },
      { kind: '500', status: 600 },
      { kind: '500', when: 'later' },
      { kind: 'garbage', contentType: 'a\nb' },
      { kind: 'latency', milliseconds: 2 ** 31 },
      { kind: 'ignore', purposes: [7] },
      { kind: 'late', answer: '404' },
      { kind: 'lag', operation: 'update-subject' },
      { kind: 'ignore', operation: 'read-subject' },
      { kind: 'drop', identifier: '' },
      { kind: 'drop', constructor: 1 },
      [{ kind: 'drop' }, { kind: 'sulk' }],
    ]) {
      const reply = await tenant.call('POST', '/_sandbox/faults', { body: bad });
      assert.equal(reply.status, 400, JSON.stringify(bad));
      assert.deepEqual(await faults(), []);
    }
  });
});

describe('the log of calls', () => {
  beforeEach(() => tenant.call('DELETE', '/_sandbox/calls'));
  const logged = async (query = '') => listAt((await tenant.call('GET', `/_sandbox/calls${query}`)).body);
  const told = (calls: unknown[], ...members: string[]) =>
    calls.map((call) => members.map((member) => at(call, member)));

  test('holds method, path, operation, identifier, body and status, and can be cleared', async () => {
    await center.put(ZOE, LETTER);
    await center.read(ZOE);
    await tenant.call('GET', subjectPath(CENTER), { token: '' });
    const calls = await logged();
    assert.deepEqual(told(calls, 'method', 'operation', 'identifier', 'status'), [
      ['PUT', 'update-subject', ZOE, 200],
      ['GET', 'read-subject', ZOE, 200],
      ['GET', 'read-subject', undefined, 401],
    ]);
    assert.deepEqual(at(calls[0], 'body'), PUT.body);
    assert.equal(at(calls[0], 'path'), subjectPath(CENTER));
    assert.equal((await logged('?operation=read-subject&status=200')).length, 1);
    await tenant.call('DELETE', '/_sandbox/calls');
    assert.deepEqual(await logged(), []);
  });

  test('keeps the query, the named headers and what is no call of the platform, but no secret by whatever name', async () => {
    await tenant.call('GET', `${V2}?page=1&sort=name,asc&identifier=anna.example.org&keyword=a`, {
      headers: { 'user-agent': 'stranger/1.0', accept: 'application/json', cookie: 'secret=canary' },
    });
    const names = [
      ...['client_secret', 'access_token', 'Authorization', 'pwd', 'passwd', 'jwt', 'auth', 'bearer'],
      ...['api_key', 'api-key', 'apikey', 'key'],
    ];
    const hidden = [
      ...names.map((name) => [name, 'canary']),
      ['a', 'Bearer canary'],
      ['b', 'eyJhIjox.canary.x'],
    ];
    await tenant.call('POST', `/oauth/token?client_id=sandbox&${new URLSearchParams(hidden)}`);
    const path = '/api/access/v1/oauth/token';
    await tenant.call('PATCH', `${path}?client_secret=canary`);
    await tenant.call('POST', `${path}?grant_type=client_credentials&client_secret=canary`);
    assert.equal((await tenant.call('GET', `${TASKS}/%zz`, { lawless: true })).status, 400);
    const { body, text } = await tenant.call('GET', '/_sandbox/calls');
    assert.deepEqual(told(listAt(body), 'method', 'path', 'operation', 'status'), [
      ['GET', V2, 'list-centers', 200],
      ['POST', '/oauth/token', undefined, 404],
      ['PATCH', path, undefined, 405],
      ['POST', path, 'token', 401],
      ['GET', `${TASKS}/%zz`, undefined, 400],
    ]);
    assert.equal(at(body, 0, 'query'), 'page=1&sort=name,asc&identifier=anna.example.org&keyword=a');
    assert.equal(at(body, 3, 'query'), 'grant_type=client_credentials&client_secret=%28hidden%29');
    assert.deepEqual(at(body, 0, 'headers'), { accept: 'application/json', 'user-agent': 'stranger/1.0' });
    for (const secret of ['canary', tenant.token]) assert.ok(!text.includes(secret));
  });
});

describe('what is no call of the platform', () => {
  test('is 405 with what is allowed where the path is known', async () => {
    for (const [method, path, allow] of [
      ['POST', subjectPath(CENTER), 'DELETE, GET, HEAD, PUT'],
      ['GET', '/api/access/v1/oauth/token', 'POST'],
      ['PATCH', NOTICES, 'GET, HEAD'],
    ] as const) {
      const reply = await tenant.call(method, path);
      assert.deepEqual([reply.status, reply.headers['allow']], [405, allow]);
    }
  });

  test('is 415 for a body of another type than JSON', async () => {
    const put = async (type: string) =>
      (await center.ask('PUT', ZOE, { ...PUT, headers: { 'content-type': type } })).status;
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])
      assert.equal(await put(type), 415, type);
    for (const type of ['Application/JSON; charset=utf-8', 'application/merge-patch+json', ''])
      assert.equal(await put(type), 200, type);
  });
});

describe('a quota', () => {
  let time = new Date('2026-05-04T10:00:30Z');
  const limited = forSuite(() => openTenant({ demo: true, options: { now: () => time } }));
  const ask = (path = NOTICES) => limited.call('GET', path);
  const set = async (method: 'PUT' | 'POST', body: unknown) =>
    (await limited.call(method, `/_sandbox/quota${method === 'POST' ? '/used' : ''}`, { body })).status;

  test('is kept for each operation and minute, the token with it', async () => {
    await limited.restart({ quota: { perMinute: 2 } });
    assert.deepEqual([(await ask()).status, (await ask()).status], [200, 200]);
    assertLimited(await ask(), { retryAfter: 30, period: 'MINUTE', made: 3, allowed: 2 });
    assert.equal((await ask(V2)).status, 200);
    time = new Date('2026-05-04T10:01:00Z');
    assert.equal((await ask()).status, 200);
    const sign = async () => (await limited.call('POST', '/api/access/v1/oauth/token')).status;
    assert.deepEqual([await sign(), await sign(), await sign()], [400, 400, 429]);
  });

  test('of an hour counts every operation together', async () => {
    time = new Date('2026-05-04T10:59:58Z');
    await limited.restart({ quota: { perHour: 2 } });
    await ask();
    await ask(V2);
    assertLimited(await ask(), { retryAfter: 2, period: 'HOUR', made: 3, allowed: 2 });
    time = new Date('2026-05-04T11:00:00Z');
    assert.equal((await ask()).status, 200);
  });

  test('can be changed and used up by others while it runs, and be told on every answer', async () => {
    await limited.restart();
    assert.equal((await ask()).headers['svc-period'], undefined);
    assert.equal(await set('PUT', { perMinute: 10, perHour: 20, headers: 'always' }), 204);
    const told = async () => {
      const { status, headers } = await ask();
      return [status, headers['svc-period'], headers['svc-request-made'], headers['svc-requests-allowed']];
    };
    assert.deepEqual(await told(), [200, 'MINUTE', '1', '10']);
    assert.equal(await set('POST', { calls: 15, operation: 'read-subject' }), 204);
    assert.deepEqual(await told(), [200, 'HOUR', '17', '20']);
    assert.equal(await set('POST', { calls: 3 }), 204);
    assert.deepEqual(await told(), [429, 'HOUR', '21', '20']);
    for (const wrong of [{ perMinute: -1 }, { headers: 'never' }, { perminute: 3 }, []])
      assert.equal(await set('PUT', wrong), 400);
    for (const wrong of [{ operation: 'dance' }, { operation: 'token' }, { calls: 1, operatoin: 'token' }])
      assert.equal(await set('POST', wrong), 400);
  });
});

test('without control there is neither log nor fault nor list of people', async () => {
  await using plain = await openTenant({ demo: true, options: { control: false } });
  for (const path of ['faults', 'calls', 'subjects', 'tasks']) {
    assert.equal((await plain.call('GET', `/_sandbox/${path}`)).status, 404);
  }
});

test('a port that is taken is an error, and the store can be opened again', async () => {
  await using taken = await openTenant({ demo: true });
  const port = Number(new URL(taken.url).port);
  await assert.rejects(openTenant({ demo: true, options: { port } }), { code: 'EADDRINUSE' });
});
