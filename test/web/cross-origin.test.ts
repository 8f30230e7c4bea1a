import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Router } from 'express';
import request from 'supertest';
import { sameOriginOnly } from '../../src/web/cross-origin.ts';
import { appOf } from './fixture.ts';

const ours = 'https://preferences.example.org';
const router = Router().use(sameOriginOnly({ publicOrigin: ours }));
router.all('/', (_request, response) => {
  response.send('done');
});
const { app } = appOf(router);

const cases: readonly [name: string, headers: Record<string, string>, answer: string][] = [
  ['our own page, in a browser that says so', { 'sec-fetch-site': 'same-origin', origin: ours }, 'done'],
  [
    'our own page under another name of this machine',
    { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:3000' },
    'done',
  ],
  ['our own page, in a browser that only knows Origin', { origin: ours }, 'done'],
  ['a post that the browser itself repeats', { 'sec-fetch-site': 'none', origin: ours }, 'done'],
  ['nobody, as far as the browser knows', { 'sec-fetch-site': 'none' }, 'cross-site'],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 'cross-site'],
  ['another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: ours }, 'cross-site'],
  ['a sibling site', { 'sec-fetch-site': 'same-site', origin: 'https://shop.example.org' }, 'cross-site'],
  ['another site, in a browser that only knows Origin', { origin: 'https://evil.example' }, 'cross-site'],
  ['an origin that begins like ours', { origin: `${ours}.evil.example` }, 'cross-site'],
  ['our host by http', { origin: ours.replace('https', 'http') }, 'cross-site'],
  ['an origin that hides itself', { origin: 'null' }, 'cross-site'],
  [
    'a hidden origin, top level',
    { 'sec-fetch-site': 'cross-site', origin: 'null', 'sec-fetch-dest': 'document' },
    'cross-site',
  ],
  [
    'a frame without allow-same-origin',
    { 'sec-fetch-site': 'cross-site', origin: 'null', 'sec-fetch-dest': 'iframe' },
    'sandboxed-frame',
  ],
  ['nothing said at all', {}, 'cross-site'],
];

for (const [name, headers, answer] of cases) {
  test(`a post from ${name}: ${answer}`, async () => {
    const response = await request(app)
      .post('/')
      .set({ accept: 'application/json', ...headers });
    assert.equal(response.status, answer === 'done' ? 200 : 403);
    assert.equal(answer === 'done' ? response.text : response.body.error, answer);
  });
}

for (const method of ['post', 'put', 'delete', 'patch'] as const) {
  test(`${method} is a change`, async () => {
    const response = await request(app)[method]('/').set('sec-fetch-site', 'cross-site');
    assert.equal(response.status, 403);
  });
}

test('reading is open to links from anywhere', async () => {
  const response = await request(app).get('/').set('sec-fetch-site', 'cross-site');
  assert.equal(response.status, 200);
});
