import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Router } from 'express';
import request from 'supertest';
import { Problem, type ProblemCode } from '../../src/core/model/problem.ts';
import { formBody } from '../../src/web/body.ts';
import { appOf } from './fixture.ts';

function startApp() {
  const router = Router();
  router.get('/problem/:code', ({ params }) => {
    throw new Problem(params.code as ProblemCode);
  });
  router.get('/busy', () => {
    throw new Problem('platform-busy', { retryAfter: 12.3 });
  });
  router.get('/bug/:identifier', ({ params }) => {
    JSON.parse(params.identifier);
  });
  router.get('/late', (_request, response) => {
    response.write('half');
    throw new Error('too late');
  });
  router.post('/form', formBody({ right: 'anyone', size: 'page' }), ({ body }, response) => {
    response.json({ fields: Object.keys(body).length });
  });
  return appOf(router);
}

const statuses: Readonly<Record<number, readonly ProblemCode[]>> = {
  400: ['bad-request', 'form-refused', 'link-invalid', 'identifier-refused'],
  401: ['not-signed-in'],
  403: ['cross-site', 'sandboxed-frame', 'not-allowed'],
  404: ['not-found'],
  408: ['too-slow'],
  409: ['nonce-reused'],
  410: ['link-expired'],
  413: ['too-large'],
  415: ['encoded-body'],
  429: ['too-many-requests'],
  500: ['unexpected'],
  502: ['platform-refused', 'platform-unreadable', 'platform-denied', 'wrong-subject'],
  503: [
    'keys-unreachable',
    'platform-unreachable',
    'platform-slow',
    'platform-busy',
    'store-unavailable',
    'overloaded',
    'draining',
  ],
};

for (const [status, codes] of Object.entries(statuses))
  for (const code of codes) {
    test(`${code} is a page of status ${status}, with a reference that is logged once`, async () => {
      const { app, lines } = startApp();
      const response = await request(app).get(`/problem/${code}`).set('accept', 'text/html');
      assert.equal(response.status, Number(status));
      assert.match(response.text, new RegExp(`<h1>${code}</h1>`));
      assert.equal(lines.length, 1);
      assert.equal(lines[0]?.['code'], code);
      assert.equal(lines[0]?.['route'], '/problem/:code');
      assert.ok(response.text.includes(String(lines[0]?.['reference'])));
      assert.equal(response.headers['retry-after'] !== undefined, ['503', '429'].includes(status));
    });
  }

test('a client that asks for JSON gets JSON, one that asks for text gets text', async () => {
  const { app } = startApp();
  const json = await request(app).get('/problem/overloaded').set('accept', 'application/json');
  assert.equal(json.body.error, 'overloaded');
  assert.match(json.body.reference, /^[0-9a-f]{10}$/);
  const text = await request(app).get('/problem/overloaded').set('accept', 'text/plain');
  assert.match(text.text, /^overloaded \([0-9a-f]{10}\)\n$/);
});

test('the platform’s Retry-After is passed on, rounded up', async () => {
  const { headers } = await request(startApp().app).get('/busy');
  assert.equal(headers['retry-after'], '13');
});

test('a malformed address is a bad request', async () => {
  const response = await request(startApp().app).get('/bug/%E0%A4%A');
  assert.equal(response.status, 400);
});

test('a bug is a 500 whose stack and route are in the log, without the person in its address or fault', async () => {
  const { app, lines } = startApp();
  const response = await request(app).get('/bug/anna@example.org?t=secret').set('accept', 'text/html');
  assert.equal(response.status, 500);
  assert.match(response.text, /<h1>unexpected<\/h1>/);
  assert.doesNotMatch(response.text, /SyntaxError|JSON|anna|:\d+:\d+/);
  const logged = JSON.stringify(lines);
  assert.match(logged, /errors\.test\.ts/);
  assert.match(logged, /SyntaxError/);
  assert.match(logged, /\/bug\/:identifier/);
  assert.doesNotMatch(logged, /anna|secret/);
});

test('an error after the answer began breaks the answer off', async () => {
  const { app, lines } = startApp();
  await assert.rejects(request(app).get('/late'));
  assert.equal(lines.length, 1);
});

const urlencoded = 'application/x-www-form-urlencoded';
/** `answer`: the number of fields that were read, or the code of the error. */
const forms: readonly (readonly [what: string, body: string, answer: number | string, type?: string])[] = [
  ['with a name of 256 characters', `${'n'.repeat(256)}=1`, 1],
  ['with a longer name', `${'n'.repeat(257)}=1`, 'bad-request'],
  ['with a name of very many parts', `option.${'a.'.repeat(200_000)}=1`, 'bad-request'],
  ['with names of members of objects', '__proto__=1&constructor=2&a%5Bb%5D=3', 3],
  ['that is too large', `a=${'x'.repeat(600_000)}`, 'too-large'],
  ['of too many fields', 'a=1&'.repeat(6_000), 'too-large'],
  ['that is JSON', '{"a":1}', 'bad-request', 'application/json'],
  ['that is nothing', '', 'bad-request', ''],
  ['in an unknown charset', 'a=%E9', 'bad-request', `${urlencoded}; charset=klingon`],
  ['in another charset', 'a=%E9', 'bad-request', `${urlencoded}; charset=iso-8859-1`],
];
for (const [what, body, answer, type = urlencoded] of forms)
  test(`a form ${what} is answered with ${answer}`, async () => {
    const sent = request(startApp().app).post('/form').set({ accept: 'application/json' });
    const { body: answered } = await (type === '' ? sent : sent.set('content-type', type).send(body));
    assert.equal(answered.fields ?? answered.error, answer);
  });
