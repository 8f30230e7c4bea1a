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

/** Makes the calls in turn and returns their statuses. A call is a path, or a method and a path. */
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

/** Asserts a 429. `expected` lists its headers: retry-after, period, requests made, requests allowed. */
function assertLimited({ status, headers }: Reply, expected: string): void {
  const members = ['retry-after', 'svc-period', 'svc-request-made', 'svc-requests-allowed'];
  assert.equal(members.map((name) => headers[name]).join(' '), expected);
  assert.equal(status, 429);
  assert.match(String(headers['svc-ratelimit-event-id']), UUID);
}

describe('a fault', () => {
  test('a fault strikes its operation as often as its count, or all calls whose path holds its center', async () => {
    await fault({ kind: '401', operation: 'list-centers', count: 2 });
    assert.deepEqual(await statusesOf(schemaOf, V2, V2, V2), [200, 401, 401, 200]);
    await fault({ kind: '500', path: CENTER.toUpperCase() });
    assert.deepEqual(await statusesOf(schemaOf, V2), [500, 200]);
  });

  test('a 500 without operation strikes every call until it is deleted, alone or with all faults', async () => {
    const both = [{ kind: 500 }, { kind: '500', status: 503, operation: 'list-notices' }];
    const [made] = listAt(await fault(both));
    assert.deepEqual(await statusesOf(V2, 'POST /api/access/v1/oauth/token'), [500, 500]);
    assert.equal((await faults()).length, 2);
    await tenant.call('DELETE', `/_sandbox/faults/${at(made, 'id')}`);
    assert.deepEqual(await statusesOf(V2, NOTICES), [200, 503]);
    await clearFaults();
    assert.deepEqual(await statusesOf(NOTICES), [200]);
  });

  test('a 429 carries Retry-After and the four headers of the quota', async () => {
    await fault({ kind: '429', retryAfter: 3600, period: 'HOUR', count: 1 });
    assertLimited(await tenant.call('GET', V2), '3600 HOUR 200001 200000');
    await fault({ kind: '429', allowed: 50, count: 1 });
    assertLimited(await tenant.call('GET', V2), '2 MINUTE 51 50');
  });

  test('a fault passes the calls that it skips, and the calls for other people', async () => {
    await fault({ kind: '500', operation: 'read-subject', identifier: 'x@example.org', skip: 1, count: 1 });
    const seen = [];
    for (const name of ['x', 'y', 'x', 'x']) seen.push((await center.read(`${name}@example.org`)).status);
    assert.deepEqual(seen, [200, 200, 500, 200]);
  });

  test('a latency delays the answer, and does not delay the closing', { timeout: 120_000 }, async () => {
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

  test('a garbage fault sends another body, or half of the true body', async () => {
    await fault({ kind: 'garbage', operation: 'list-centers', count: 1 });
    const html = await tenant.call('GET', V2, { unchecked: true });
    assert.equal(html.status, 200);
    assert.match(html.text, /^<!doctype html>/);
    const body = '{"DataSubjectId":"other"}';
    await fault({ kind: 'garbage', body, contentType: 'application/json', count: 1 });
    assert.equal((await center.read('a')).text, body);
    await fault({ kind: 'garbage', truncate: true, operation: 'read-schema', count: 1 });
    const half = await tenant.call('GET', schemaOf, { unchecked: true });
    const whole = await tenant.call('GET', schemaOf);
    assert.ok(whole.text.startsWith(half.text) && half.text.length < whole.text.length);
    await fault({ kind: 'garbage', body: '', count: 1 });
    assert.equal((await tenant.call('GET', V2, { unchecked: true })).text, '');
  });

  test('a fault before the effect prevents the effect, and a fault after it does not', async () => {
    for (const struck of [{ kind: 'drop' }, { kind: '500' }, { kind: 'garbage', body: 'x' }])
      for (const when of ['before', 'after']) {
        await center.withdraw(ZOE);
        await fault({ ...struck, operation: 'update-subject', when, count: 1 });
        const put = center.ask('PUT', ZOE, { ...PUT, unchecked: true });
        if (struck.kind === 'drop') await assert.rejects(put);
        else await put;
        assert.equal(await letter(), when === 'after' ? 'ACTIVE' : 'WITHDRAWN', `${struck.kind} ${when}`);
      }
  });

  test('refuse answers Status false, ignore answers true; both change nothing and count only writes', async () => {
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

  test('a malformed fault is refused, with all faults of its list', async () => {
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
  const membersOf = (calls: unknown[], ...members: string[]) =>
    calls.map((call) => members.map((member) => at(call, member)));

  test('the log holds method, path, operation, identifier, body and status, and can be cleared', async () => {
    await center.put(ZOE, LETTER);
    await center.read(ZOE);
    await tenant.call('GET', subjectPath(CENTER), { token: '' });
    const calls = await logged();
    assert.deepEqual(membersOf(calls, 'method', 'operation', 'identifier', 'status'), [
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

  test('the log holds the query, some headers and unknown calls, but no secret under any name', async () => {
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
    assert.equal((await tenant.call('GET', `${TASKS}/%zz`, { unchecked: true })).status, 400);
    const { body, text } = await tenant.call('GET', '/_sandbox/calls');
    assert.deepEqual(membersOf(listAt(body), 'method', 'path', 'operation', 'status'), [
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

describe('an unknown call', () => {
  test('an unknown method of a known path is answered with 405 and the allowed methods', async () => {
    for (const [method, path, allow] of [
      ['POST', subjectPath(CENTER), 'DELETE, GET, HEAD, PUT'],
      ['GET', '/api/access/v1/oauth/token', 'POST'],
      ['PATCH', NOTICES, 'GET, HEAD'],
    ] as const) {
      const reply = await tenant.call(method, path);
      assert.deepEqual([reply.status, reply.headers['allow']], [405, allow]);
    }
  });

  test('a body of another type than JSON is answered with 415', async () => {
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

  test('a quota per minute counts each operation alone, also the token', async () => {
    await limited.restart({ quota: { perMinute: 2 } });
    assert.deepEqual([(await ask()).status, (await ask()).status], [200, 200]);
    assertLimited(await ask(), '30 MINUTE 3 2');
    assert.equal((await ask(V2)).status, 200);
    time = new Date('2026-05-04T10:01:00Z');
    assert.equal((await ask()).status, 200);
    const sign = async () => (await limited.call('POST', '/api/access/v1/oauth/token')).status;
    assert.deepEqual([await sign(), await sign(), await sign()], [400, 400, 429]);
  });

  test('a quota per hour counts all operations together', async () => {
    time = new Date('2026-05-04T10:59:58Z');
    await limited.restart({ quota: { perHour: 2 } });
    await ask();
    await ask(V2);
    assertLimited(await ask(), '2 HOUR 3 2');
    time = new Date('2026-05-04T11:00:00Z');
    assert.equal((await ask()).status, 200);
  });

  test('a quota can be changed, used up by other programs, and stated on every answer', async () => {
    await limited.restart();
    assert.equal((await ask()).headers['svc-period'], undefined);
    assert.equal(await set('PUT', { perMinute: 10, perHour: 20, headers: 'always' }), 204);
    const countsOf = async () => {
      const { status, headers } = await ask();
      return `${status} ${headers['svc-period']} ${headers['svc-request-made']} ${headers['svc-requests-allowed']}`;
    };
    assert.equal(await countsOf(), '200 MINUTE 1 10');
    assert.equal(await set('POST', { calls: 15, operation: 'read-subject' }), 204);
    assert.equal(await countsOf(), '200 HOUR 17 20');
    assert.equal(await set('POST', { calls: 3 }), 204);
    assert.equal(await countsOf(), '429 HOUR 21 20');
    for (const wrong of [{ perMinute: -1 }, { headers: 'never' }, { perminute: 3 }, []])
      assert.equal(await set('PUT', wrong), 400);
    for (const wrong of [{ operation: 'dance' }, { operation: 'token' }, { calls: 1, operatoin: 'token' }])
      assert.equal(await set('POST', wrong), 400);
  });
});

test('A sandbox without control serves no log, no faults and no list of people', async () => {
  await using plain = await openTenant({ demo: true, options: { control: false } });
  for (const path of ['faults', 'calls', 'subjects', 'tasks']) {
    assert.equal((await plain.call('GET', `/_sandbox/${path}`)).status, 404);
  }
});

test('A sandbox on an occupied port fails to start and releases its store', async () => {
  await using taken = await openTenant({ demo: true });
  const port = Number(new URL(taken.url).port);
  await assert.rejects(openTenant({ demo: true, options: { port } }), { code: 'EADDRINUSE' });
});
