import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { at, CLIENT, listAt, NOTICES, openTenant, type Reply, subjectPath, TASKS, V1, V2 } from './tenant.ts';

const CENTER = 'b00c5000-0000-4000-8000-000000000001';
const LETTER = 'b00c5000-0000-4001-8000-000000000001';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const PUT = { identifier: 'fault@example.org', body: { Purposes: [{ Id: LETTER }] } };

const tenant = forSuite(() => openTenant({ demo: true }));
afterEach(async () => {
  await tenant.call('DELETE', '/_sandbox/faults');
  await tenant.call('DELETE', subjectPath(CENTER), { identifier: 'fault@example.org' });
});

async function fault(description: unknown): Promise<unknown> {
  const reply = await tenant.call('POST', '/_sandbox/faults', { body: description });
  assert.equal(reply.status, 201);
  return reply.body;
}

async function letter(): Promise<unknown> {
  const { body } = await tenant.call('GET', subjectPath(CENTER), { identifier: 'fault@example.org' });
  const item = listAt(body, 'Purposes').find((each) => at(each, 'Id') === LETTER);
  return at(item, 'TransactionStatus');
}

function assertLimited(reply: Reply, prefix: string, expected: Record<string, unknown>): void {
  assert.equal(reply.status, 429);
  const seen = {
    retryAfter: Number(reply.headers['retry-after']),
    period: reply.headers[`${prefix}-period`],
    made: Number(reply.headers[`${prefix}-request-made`]),
    allowed: Number(reply.headers[`${prefix}-requests-allowed`]),
  };
  assert.deepEqual(seen, expected);
  assert.match(String(reply.headers[`${prefix}-ratelimit-event-id`]), UUID);
}

describe('a fault', () => {
  test('401 strikes one operation, as often as told', async () => {
    await fault({ kind: '401', operation: 'list-centers', count: 2 });
    assert.equal((await tenant.call('GET', `${V1}/${CENTER}/preferences`)).status, 200);
    const seen = [];
    for (let i = 0; i < 3; i += 1) seen.push((await tenant.call('GET', V2)).status);
    assert.deepEqual(seen, [401, 401, 200]);
  });

  test('strikes the calls that name a center, and no others', async () => {
    await fault({ kind: '500', path: CENTER.toUpperCase() });
    assert.equal((await tenant.call('GET', `${V1}/${CENTER}/preferences`)).status, 500);
    assert.equal((await tenant.call('GET', V2)).status, 200);
  });

  test('500 strikes everything until it is switched off, one by one or all', async () => {
    const [made] = listAt(
      await fault([{ kind: 500 }, { kind: '500', status: 503, operation: 'list-notices' }]),
    );
    assert.equal((await tenant.call('GET', V2)).status, 500);
    assert.equal((await tenant.call('POST', '/api/access/v1/oauth/token')).status, 500);
    assert.equal(listAt((await tenant.call('GET', '/_sandbox/faults')).body).length, 2);
    await tenant.call('DELETE', `/_sandbox/faults/${at(made, 'id')}`);
    assert.equal((await tenant.call('GET', V2)).status, 200);
    assert.equal((await tenant.call('GET', NOTICES)).status, 503);
    await tenant.call('DELETE', '/_sandbox/faults');
    assert.equal((await tenant.call('GET', NOTICES)).status, 200);
  });

  test('429 carries Retry-After and the four headers', async () => {
    await fault({ kind: '429', retryAfter: 3600, period: 'HOUR', count: 1 });
    assertLimited(await tenant.call('GET', V2), 'svc', {
      retryAfter: 3600,
      period: 'HOUR',
      made: 200_001,
      allowed: 200_000,
    });
    await fault({ kind: '429', allowed: 50, count: 1 });
    const limited = { retryAfter: 2, period: 'MINUTE', made: 51, allowed: 50 };
    assertLimited(await tenant.call('GET', V2), 'svc', limited);
  });

  for (const kind of ['refuse', 'ignore']) {
    test(`${kind} of any operation counts PUT and DELETE alone`, async () => {
      await fault({ kind, count: 1 });
      assert.equal((await tenant.call('GET', V2)).status, 200);
      assert.notEqual(await letter(), 'ACTIVE');
      await tenant.call('PUT', subjectPath(CENTER), PUT);
      assert.notEqual(await letter(), 'ACTIVE');
      await tenant.call('PUT', subjectPath(CENTER), PUT);
      assert.equal(await letter(), 'ACTIVE');
    });
  }

  test('passes the first calls when told to skip them, and other people', async () => {
    await fault({ kind: '500', operation: 'read-subject', identifier: 'x@example.org', skip: 1, count: 1 });
    const read = async (identifier: string) =>
      (await tenant.call('GET', subjectPath(CENTER), { identifier })).status;
    assert.deepEqual(
      [
        await read('x@example.org'),
        await read('y@example.org'),
        await read('x@example.org'),
        await read('x@example.org'),
      ],
      [200, 200, 500, 200],
    );
  });

  test('latency waits, then answers', async () => {
    await fault({ kind: 'latency', milliseconds: 80, count: 1 });
    const began = performance.now();
    assert.equal((await tenant.call('GET', V2)).status, 200);
    assert.ok(performance.now() - began >= 75);
  });

  test('latency does not hold up the closing', { timeout: 120_000 }, async () => {
    const other = await openTenant({ demo: true });
    await other.call('POST', '/_sandbox/faults', { body: { kind: 'latency', milliseconds: 60_000 } });
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
    await fault({
      kind: 'garbage',
      body: '{"DataSubjectId":"other"}',
      contentType: 'application/json',
      count: 1,
    });
    assert.equal(
      (await tenant.call('GET', subjectPath(CENTER), { identifier: 'a' })).text,
      '{"DataSubjectId":"other"}',
    );
    await fault({ kind: 'garbage', truncate: true, operation: 'read-schema', count: 1 });
    const half = await tenant.call('GET', `${V1}/${CENTER}/preferences`, { lawless: true });
    const whole = await tenant.call('GET', `${V1}/${CENTER}/preferences`);
    assert.ok(whole.text.startsWith(half.text) && half.text.length < whole.text.length);
    await fault({ kind: 'garbage', body: '', count: 1 });
    assert.equal((await tenant.call('GET', V2, { lawless: true })).text, '');
  });

  for (const [kind, more] of [
    ['drop', {}],
    ['500', {}],
    ['garbage', { body: 'x' }],
  ] as const) {
    test(`${kind} before the effect leaves nothing, after it leaves the effect`, async () => {
      for (const [when, status] of [
        ['before', undefined],
        ['after', 'ACTIVE'],
      ] as const) {
        await tenant.call('DELETE', '/_sandbox/faults');
        const before = await letter();
        await fault({ kind, operation: 'update-subject', when, count: 1, ...more });
        const put = fetch(tenant.url + subjectPath(CENTER), {
          method: 'PUT',
          headers: {
            authorization: `Bearer ${tenant.token}`,
            identifier: PUT.identifier,
            'content-type': 'application/json',
          },
          body: JSON.stringify(PUT.body),
        });
        if (kind === 'drop') await assert.rejects(put);
        else await (await put).text();
        assert.equal(await letter(), status ?? before);
      }
    });
  }

  test('refuse answers items with Status false and leaves them as they are', async () => {
    const offers = LETTER.replace(/1$/, '2');
    await fault({ kind: 'refuse', operation: 'update-subject', purposes: [LETTER.toUpperCase()], count: 1 });
    const reply = await tenant.call('PUT', subjectPath(CENTER), {
      identifier: 'refuse@example.org',
      body: { Purposes: [{ Id: LETTER }, { Id: offers }] },
    });
    assert.deepEqual(
      listAt(reply.body, 'Purposes').map((item) => [at(item, 'Id'), at(item, 'Status')]),
      [
        [LETTER, false],
        [offers, true],
      ],
    );
    const { body } = await tenant.call('GET', subjectPath(CENTER), { identifier: 'refuse@example.org' });
    assert.deepEqual(
      listAt(body, 'Purposes').map((item) => at(item, 'Id')),
      [offers],
    );
  });

  test('ignore of some purposes leaves those alone as they are', async () => {
    const offers = LETTER.replace(/1$/, '2');
    const identifier = 'ignore@example.org';
    await tenant.call('PUT', subjectPath(CENTER), { identifier, body: { Purposes: [{ Id: offers }] } });
    await fault({ kind: 'ignore', purposes: [LETTER.toUpperCase()], operation: 'update-subject', count: 1 });
    const body = { Purposes: [{ Id: LETTER }] };
    const reply = await tenant.call('PUT', subjectPath(CENTER), { identifier, body });
    assert.deepEqual(
      listAt(reply.body, 'Purposes').map((item) => [at(item, 'Id'), at(item, 'Status')]),
      [
        [LETTER, true],
        [offers, true],
      ],
    );
    const { body: seen } = await tenant.call('GET', subjectPath(CENTER), { identifier });
    assert.deepEqual(
      listAt(seen, 'Purposes').map((item) => [at(item, 'Id'), at(item, 'TransactionStatus')]),
      [[offers, 'WITHDRAWN']],
    );
  });

  test('ignore says updated and changes nothing', async () => {
    await fault({ kind: 'ignore', operation: 'update-subject', count: 1 });
    const before = await letter();
    const reply = await tenant.call('PUT', subjectPath(CENTER), PUT);
    assert.equal(at(reply.body, 'Purposes', 0, 'Status'), true);
    assert.equal(await letter(), before);
  });

  for (const bad of [
    7,
    {},
    { kind: 'sulk' },
    { kind: '500', operation: 'x' },
    { kind: '500', count: -1 },
    { kind: '500', body: 7 },
    { kind: '500', milliseconds: 5 },
    { kind: '500', count: '1' },
    { kind: '500', status: 99 },
    { kind: '500', status: 600 },
    { kind: '500', when: 'later' },
    { kind: '429', period: 'DAY' },
    { kind: 'garbage', truncate: 'yes' },
    { kind: 'garbage', contentType: 'a\nb' },
    { kind: 'latency', milliseconds: 2 ** 31 },
    { kind: 'refuse', purposes: LETTER },
    { kind: 'ignore', purposes: [7] },
    { kind: 'late', answer: '404' },
    { kind: 'unknown-subject', answer: 'late' },
    { kind: 'lag', operation: 'update-subject' },
    { kind: 'refuse', operation: 'token' },
    { kind: 'ignore', operation: 'read-subject' },
    { kind: 'drop', count: 0 },
    { kind: 'drop', identifier: '' },
    { kind: 'drop', constructor: 1 },
    [{ kind: 'drop' }, { kind: 'sulk' }],
  ]) {
    test(`described as ${JSON.stringify(bad)} is refused`, async () => {
      const reply = await tenant.call('POST', '/_sandbox/faults', { body: bad });
      assert.equal(reply.status, 400);
      assert.equal(listAt((await tenant.call('GET', '/_sandbox/faults')).body).length, 0);
    });
  }
});

describe('the log of calls', () => {
  test('holds method, path, operation, identifier, body and status, and can be cleared', async () => {
    await tenant.call('DELETE', '/_sandbox/calls');
    await tenant.call('PUT', subjectPath(CENTER), PUT);
    await tenant.call('GET', subjectPath(CENTER), { identifier: 'zoé@example.org' });
    await tenant.call('GET', subjectPath(CENTER), { token: '' });
    const calls = listAt((await tenant.call('GET', '/_sandbox/calls')).body);
    assert.deepEqual(
      calls.map((call) => [
        at(call, 'method'),
        at(call, 'operation'),
        at(call, 'identifier'),
        at(call, 'status'),
      ]),
      [
        ['PUT', 'update-subject', PUT.identifier, 200],
        ['GET', 'read-subject', 'zoé@example.org', 200],
        ['GET', 'read-subject', undefined, 401],
      ],
    );
    assert.deepEqual(at(calls[0], 'body'), PUT.body);
    assert.equal(at(calls[0], 'path'), subjectPath(CENTER));
    const some = await tenant.call('GET', '/_sandbox/calls?operation=read-subject&status=200');
    assert.equal(listAt(some.body).length, 1);
    await tenant.call('DELETE', '/_sandbox/calls');
    assert.deepEqual((await tenant.call('GET', '/_sandbox/calls')).body, []);
  });

  test('keeps the query, the named headers and what is no call of the platform, but never a secret', async () => {
    await tenant.call('DELETE', '/_sandbox/calls');
    const { clientId, clientSecret } = CLIENT;
    await tenant.call('GET', `${V2}?page=1&sort=name,asc`, {
      headers: { 'user-agent': 'stranger/1.0', accept: 'application/json', cookie: 'secret=7' },
    });
    await tenant.call('POST', `/oauth/token?client_id=${clientId}&client_secret=${clientSecret}&a=1`);
    await tenant.call('PATCH', `/api/access/v1/oauth/token?client_secret=${clientSecret}`);
    await tenant.call(
      'POST',
      `/api/access/v1/oauth/token?grant_type=client_credentials&client_secret=${clientSecret}&access_token=x`,
    );
    const { body, text } = await tenant.call('GET', '/_sandbox/calls');
    assert.deepEqual(
      listAt(body).map((call) => [
        at(call, 'method'),
        at(call, 'path'),
        at(call, 'query'),
        at(call, 'operation'),
        at(call, 'status'),
      ]),
      [
        ['GET', V2, 'page=1&sort=name,asc', 'list-centers', 200],
        ['POST', '/oauth/token', 'client_id=sandbox&client_secret=%28hidden%29&a=1', undefined, 404],
        ['PATCH', '/api/access/v1/oauth/token', 'client_secret=%28hidden%29', undefined, 405],
        [
          'POST',
          '/api/access/v1/oauth/token',
          'grant_type=client_credentials&client_secret=%28hidden%29&access_token=%28hidden%29',
          'token',
          401,
        ],
      ],
    );
    assert.deepEqual(at(body, 0, 'headers'), { accept: 'application/json', 'user-agent': 'stranger/1.0' });
    for (const secret of [clientSecret, tenant.token, 'secret=7']) assert.ok(!text.includes(secret));
  });

  test('hides a secret by whatever name it comes, and nothing else', async () => {
    await tenant.call('DELETE', '/_sandbox/calls');
    const names = [
      'Authorization',
      'pwd',
      'passwd',
      'jwt',
      'auth',
      'bearer',
      'api_key',
      'api-key',
      'apikey',
      'key',
    ];
    const hidden = [
      ...names.map((name) => [name, 'canary']),
      ['a', 'Bearer canary'],
      ['b', 'eyJhIjox.canary.x'],
    ];
    await tenant.call('GET', `/nope?${new URLSearchParams(hidden)}`);
    await tenant.call('GET', `${V2}?identifier=anna.example.org&sort=name,asc&keyword=a`);
    const { body, text } = await tenant.call('GET', '/_sandbox/calls');
    assert.doesNotMatch(text, /canary/);
    assert.equal(at(body, 1, 'query'), 'identifier=anna.example.org&sort=name,asc&keyword=a');
  });

  test('holds an address that cannot be decoded', async () => {
    await tenant.call('DELETE', '/_sandbox/calls');
    assert.equal((await tenant.call('GET', `${TASKS}/%zz`, { lawless: true })).status, 400);
    const { body } = await tenant.call('GET', '/_sandbox/calls');
    assert.deepEqual([at(body, 0, 'path'), at(body, 0, 'status')], [`${TASKS}/%zz`, 400]);
  });

  test('shows an answer that was dropped as status 0', async () => {
    await tenant.call('DELETE', '/_sandbox/calls');
    await fault({ kind: 'drop', count: 1 });
    await assert.rejects(tenant.call('GET', V2));
    assert.equal(at((await tenant.call('GET', '/_sandbox/calls')).body, 0, 'status'), 0);
  });
});

describe('what is no call of the platform', () => {
  const known: [method: string, path: string, allow: string][] = [
    ['POST', subjectPath(CENTER), 'DELETE, GET, HEAD, PUT'],
    ['GET', '/api/access/v1/oauth/token', 'POST'],
    ['DELETE', `${V1}/${CENTER}/preferences`, 'GET, HEAD'],
    ['DELETE', TASKS, 'POST'],
    ['PATCH', NOTICES, 'GET, HEAD'],
  ];
  for (const [method, path, allow] of known) {
    test(`is 405 for ${method} ${path}, with what is allowed`, async () => {
      const reply = await tenant.call(method, path);
      assert.equal(reply.status, 405);
      assert.equal(reply.headers['allow'], allow);
    });
  }

  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
    test(`is 415 for a body of ${type}`, async () => {
      const headers = { 'content-type': type };
      const put = await tenant.call('PUT', subjectPath(CENTER), { ...PUT, headers });
      assert.equal(put.status, 415);
      assert.equal((await tenant.call('POST', TASKS, { body: {}, headers })).status, 415);
    });
  }

  for (const type of [
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/merge-patch+json',
    '',
  ]) {
    test(`is not a body of "${type}"`, async () => {
      const headers = { 'content-type': type };
      assert.equal((await tenant.call('PUT', subjectPath(CENTER), { ...PUT, headers })).status, 200);
    });
  }
});

describe('a quota', () => {
  let time = new Date('2026-05-04T10:00:30Z');

  for (const prefix of ['ot', 'svc'] as const) {
    test(`is kept for each operation and minute, with the headers of ${prefix}`, async () => {
      time = new Date('2026-05-04T10:00:30Z');
      await using limited = await openTenant({
        demo: true,
        options: { quota: { perMinute: 2 }, headerPrefix: prefix, now: () => time },
      });
      const ask = () =>
        limited.call('GET', `${TASKS}/7a5c0000-0000-4000-8000-000000000001?taskTypeNameKey=Issue`);
      assert.deepEqual([(await ask()).status, (await ask()).status], [200, 200]);
      assertLimited(await ask(), prefix, { retryAfter: 30, period: 'MINUTE', made: 3, allowed: 2 });
      assert.equal((await limited.call('GET', NOTICES)).status, 200);
      time = new Date('2026-05-04T10:01:00Z');
      assert.equal((await ask()).status, 200);
    });
  }

  test('can be changed and used up by others while it runs, and be told on every answer', async () => {
    time = new Date('2026-05-04T10:00:30Z');
    await using limited = await openTenant({ demo: true, options: { now: () => time } });
    const set = (path: string, method: 'PUT' | 'POST', body: object) => limited.call(method, path, { body });
    assert.equal((await limited.call('GET', NOTICES)).headers['svc-period'], undefined);
    const quota = { perMinute: 10, perHour: 20, headers: 'always' };
    assert.equal((await set('/_sandbox/quota', 'PUT', quota)).status, 204);
    const told = async () => {
      const { status, headers } = await limited.call('GET', NOTICES);
      return [status, headers['svc-period'], headers['svc-request-made'], headers['svc-requests-allowed']];
    };
    assert.deepEqual(await told(), [200, 'MINUTE', '1', '10']);
    const used = { calls: 15, operation: 'read-subject' };
    assert.equal((await set('/_sandbox/quota/used', 'POST', used)).status, 204);
    assert.deepEqual(await told(), [200, 'HOUR', '17', '20']);
    assert.equal((await set('/_sandbox/quota/used', 'POST', { calls: 3 })).status, 204);
    assert.deepEqual(await told(), [429, 'HOUR', '21', '20']);
    for (const wrong of [{ perMinute: -1 }, { headers: 'never' }, []]) {
      assert.equal((await set('/_sandbox/quota', 'PUT', wrong)).status, 400);
    }
    assert.equal((await set('/_sandbox/quota', 'PUT', { perminute: 3 })).status, 400);
    for (const wrong of [{ operation: 'dance' }, { operation: 'token' }, { calls: 1, operatoin: 'token' }])
      assert.equal((await set('/_sandbox/quota/used', 'POST', wrong)).status, 400);
  });

  test('counts the token endpoint too, good credentials or not', async () => {
    time = new Date('2026-05-04T10:00:30Z');
    await using limited = await openTenant({
      demo: true,
      options: { quota: { perMinute: 2 }, now: () => time },
    });
    const ask = () => limited.call('POST', '/api/access/v1/oauth/token');
    assert.equal((await ask()).status, 400);
    const reply = await ask();
    assert.equal(reply.status, 429);
    assert.equal(reply.headers['svc-request-made'], '3');
    assert.equal((await limited.call('GET', V2)).status, 200);
  });

  test('of an hour, the token with it, counts every operation together', async () => {
    time = new Date('2026-05-04T10:59:58Z');
    await using limited = await openTenant({
      demo: true,
      options: { quota: { perHour: 3 }, now: () => time },
    });
    await limited.call('GET', NOTICES);
    await limited.call('GET', V2);
    assertLimited(await limited.call('GET', NOTICES), 'svc', {
      retryAfter: 2,
      period: 'HOUR',
      made: 4,
      allowed: 3,
    });
    time = new Date('2026-05-04T11:00:00Z');
    assert.equal((await limited.call('GET', NOTICES)).status, 200);
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

test('the list of people has those presented and those with a file', async () => {
  const center = '5c000000-0000-4000-8000-000000000009';
  await using people = await openTenant({
    files: {
      [`centers/${center}/preferences.json`]: {
        Language: 'de',
        Template: 'ENHANCED',
        PortalSettings: { Title: 'Shop' },
      },
      [`centers/${center}/subjects/b%2Bc%40example.org.json`]: { Purposes: [{ Id: 'x' }] },
      [`centers/${center}/people.json`]: {
        people: [{ identifier: 'a', description: 'First' }, { language: 'fr' }, 7],
      },
    },
  });
  const about = { center, centerName: 'Shop', template: 'ENHANCED', language: 'de' };
  assert.deepEqual((await people.call('GET', '/_sandbox/subjects')).body, [
    { ...about, identifier: 'a', description: 'First' },
    { ...about, identifier: 'b+c@example.org', description: '1 purpose on record' },
  ]);
});
