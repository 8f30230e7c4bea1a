import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { books as CENTER, newBooks as LETTER } from '../kit/sandbox-ids.ts';
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

/** What each call is answered with, one after the other: a GET unless it says otherwise. */
async function statusesOf(...calls: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const call of calls) {
    const [path = '', method = 'GET'] = call.split(' ').toReversed();
    statuses.push((await tenant.call(method, path)).status);
  }
  return statuses;
}
const schemaOf = `${V1}/${CENTER}/preferences`;

const letter = async () => (await center.statuses(ZOE))[LETTER];

/** The time to wait, the period, and how many calls of those that it allows were made. */
function assertLimited({ status, headers }: Reply, expected: string): void {
  const members = ['retry-after', 'svc-period', 'svc-request-made', 'svc-requests-allowed'];
  assert.equal(members.map((name) => headers[name]).join(' '), expected);
  assert.equal(status, 429);
  assert.match(String(headers['svc-ratelimit-event-id']), UUID);
}

describe('a fault', () => {
  test('strikes one operation, as often as told, or the calls that name a center, and no others', async () => {
    await fault({ kind: '401', operation: 'list-centers', count: 2 });
    assert.deepEqual(await statusesOf(schemaOf, V2, V2, V2), [200, 401, 401, 200]);
    await fault({ kind: '500', path: CENTER.toUpperCase() });
    assert.deepEqual(await statusesOf(schemaOf, V2), [500, 200]);
  });

  test('500 strikes everything until it is switched off, one by one or all', async () => {
    const both = [{ kind: 500 }, { kind: '500', status: 503, operation: 'list-notices' }];
    const [made] = listAt(await fault(both));
    assert.deepEqual(await statusesOf(V2, 'POST /api/access/v1/oauth/token'), [500, 500]);
    assert.equal((await faults()).length, 2);
    await tenant.call('DELETE', `/_sandbox/faults/${at(made, 'id')}`);
    assert.deepEqual(await statusesOf(V2, NOTICES), [200, 503]);
    await clearFaults();
    assert.deepEqual(await statusesOf(NOTICES), [200]);
  });

  test('429 carries Retry-After and the four headers', async () => {
    await fault({ kind: '429', retryAfter: 3600, period: 'HOUR', count: 1 });
    assertLimited(await tenant.call('GET', V2), '3600 HOUR 200001 200000');
    await fault({ kind: '429', allowed: 50, count: 1 });
    assertLimited(await tenant.call('GET', V2), '2 MINUTE 51 50');
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
      Object.values(itemsOf(await center.put(ZOE, ...purposes))).map(([status]) => status);
    for (const [kind, status] of [
      ['refuse', false],
      ['ignore', true],
    ] as const) {
      await fault({ kind, purposes: [LETTER.toUpperCase()], count: 1 });
      assert.notEqual(await letter(), 'ACTIVE');
      assert.deepEqual(await write(LETTER, offers), [status, true]);
      assert.notEqual(await letter(), 'ACTIVE');
      await write(LETTER);
      assert.equal(await letter(), 'ACTIVE');
      await center.withdraw(ZOE);
    }
    await fault({ kind: 'ignore', operation: 'update-subject', count: 1 });
    assert.deepEqual(await write(LETTER), [true]);
    assert.notEqual(await letter(), 'ACTIVE');
  });

  test('that is described wrongly is refused, and none of its list is kept', async () => {
    const of500 = [
      { operation: 'x' },
      { milliseconds: 5 },
      { count: '1' },
      { status: 600 },
      { when: 'later' },
    ];
    for (const bad of [
      ...[7, { kind: 'sulk' }, [{ kind: 'drop' }, { kind: 'sulk' }]],
      ...of500.map((wrong) => ({ kind: '500', ...wrong })),
      ...[{ count: 0 }, { identifier: '' }, { constructor: 1 }].map((wrong) => ({ kind: 'drop', ...wrong })),
      { kind: 'garbage', contentType: 'a\nb' },
      { kind: 'latency', milliseconds: 2 ** 31 },
      { kind: 'ignore', purposes: [7] },
      { kind: 'ignore', operation: 'read-subject' },
      { kind: 'late', answer: '404' },
      { kind: 'lag', operation: 'update-subject' },
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
    const names =
      'client_secret access_token Authorization pwd passwd jwt auth bearer api_key api-key apikey key';
    const hidden = Object.fromEntries(names.split(' ').map((name) => [name, 'canary']));
    const values = { ...hidden, a: 'Bearer canary', b: 'eyJhIjox.canary.x' };
    await tenant.call('POST', `/oauth/token?client_id=sandbox&${new URLSearchParams(values)}`);
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
    assertLimited(await ask(), '30 MINUTE 3 2');
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
    assertLimited(await ask(), '2 HOUR 3 2');
    time = new Date('2026-05-04T11:00:00Z');
    assert.equal((await ask()).status, 200);
  });

  test('can be changed and used up by others while it runs, and be told on every answer', async () => {
    await limited.restart();
    assert.equal((await ask()).headers['svc-period'], undefined);
    assert.equal(await set('PUT', { perMinute: 10, perHour: 20, headers: 'always' }), 204);
    const told = async () => {
      const { status, headers } = await ask();
      return `${status} ${headers['svc-period']} ${headers['svc-request-made']} ${headers['svc-requests-allowed']}`;
    };
    assert.equal(await told(), '200 MINUTE 1 10');
    assert.equal(await set('POST', { calls: 15, operation: 'read-subject' }), 204);
    assert.equal(await told(), '200 HOUR 17 20');
    assert.equal(await set('POST', { calls: 3 }), 204);
    assert.equal(await told(), '429 HOUR 21 20');
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
