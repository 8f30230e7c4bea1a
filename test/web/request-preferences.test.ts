import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Router } from 'express';
import request from 'supertest';
import { readRequestPreferences } from '../../src/web/request-preferences.ts';
import { appOf } from './fixture.ts';

const router = Router();
router.get('/', (request, response) => {
  response.json(readRequestPreferences(request));
});
router.get('/again', (request, response) => {
  const first = readRequestPreferences(request);
  request.headers['sec-gpc'] = '0';
  response.json(readRequestPreferences(request) === first);
});
const { app } = appOf(router);

const cases: readonly [query: string, headers: Record<string, string>, preferences: object][] = [
  ['', {}, { browser: [], globalPrivacyControl: false }],
  ['?lang=fr-CA', {}, { visit: 'fr-CA', browser: [], globalPrivacyControl: false }],
  ['?lang=en_us', {}, { visit: 'en_us', browser: [], globalPrivacyControl: false }],
  ['?lang=fr&lang=de', {}, { browser: [], globalPrivacyControl: false }],
  ['?lang=%22%3E%3Cscript%3E', {}, { browser: [], globalPrivacyControl: false }],
  ['', { 'accept-language': 'de;q=0.5, ar, *' }, { browser: ['ar', 'de'], globalPrivacyControl: false }],
  ['', { 'sec-gpc': '1' }, { browser: [], globalPrivacyControl: true }],
  ['', { 'sec-gpc': '0' }, { browser: [], globalPrivacyControl: false }],
];

for (const [query, headers, preferences] of cases) {
  test(`"${query}" with ${JSON.stringify(headers)} is ${JSON.stringify(preferences)}`, async () => {
    const response = await request(app).get(`/${query}`).set(headers);
    assert.deepEqual(response.body, preferences);
  });
}

test('the preferences are read once for each request', async () => {
  const ask = (path: string) => request(app).get(path).set('sec-gpc', '1');
  assert.equal((await ask('/again')).body, true);
  assert.equal((await ask('/')).body.globalPrivacyControl, true);
});
