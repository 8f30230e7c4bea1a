import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Router } from 'express';
import request from 'supertest';
import { gzip } from '../../src/web/gzip.ts';
import { securityHeaders } from '../../src/web/security.ts';
import { viewHelpers } from '../../src/web/view-helpers.ts';
import { samples } from '../samples/pages.ts';
import { appOf, render } from './fixture.ts';

const { embedded, arabic } = samples['centers/preferences'];
assert.ok(embedded && arabic);

const router = Router();
router.get('/', (_request, response) => render(response, 'centers/preferences', arabic));
router.get('/mistaken', (_request, response) =>
  render(response, 'centers/preferences', arabic, { status: 422 }),
);
router.get('/pictures', (_request, response) => {
  const brand = {
    ...embedded.layout.brand,
    logoUrl: 'https://logos.example/a.svg',
    stylesheetUrl: 'https://brand.example/a.css',
  };
  return render(response, 'centers/preferences', { ...embedded, layout: { ...embedded.layout, brand } });
});
const { app } = appOf(...securityHeaders({ https: false }), router);

test('a page has its type, language and status in its headers', async () => {
  const { headers } = await request(app).get('/');
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['content-language'], 'ar');
  assert.equal(headers['vary'], 'Accept-Encoding');
  assert.equal((await request(app).get('/mistaken')).status, 422);
});

test('a compressed page has the same content as a plain one', async () => {
  const plain = await request(app).get('/').set('accept-encoding', 'identity');
  const compressed = await request(app).get('/').set('accept-encoding', 'gzip');
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(compressed.headers['content-encoding'], 'gzip');
  assert.equal(compressed.text, plain.text);
  assert.ok(Number(compressed.headers['content-length']) < Number(plain.headers['content-length']) / 2);
});

test('a page arrives whole, whatever its characters', async () => {
  for (const sign of ['a', 'é', '•', '漢', '🙂', 'é'.repeat(9)]) {
    const note = { tone: 'info' as const, title: sign, lines: [sign.repeat(20_000)], receipt: undefined };
    const page = { ...arabic, notes: [note] };
    const { app: one } = appOf(
      Router().get('/', (_, response) => render(response, 'centers/preferences', page)),
    );
    const { text, headers } = await request(one).get('/').set('accept-encoding', 'identity');
    assert.ok(text.includes(sign.repeat(20_000)), sign);
    assert.ok(text.endsWith('</html>\n') || text.endsWith('</html>'), sign);
    assert.equal(Number(headers['content-length']), Buffer.byteLength(text));
  }
});

test('the policy allows only the pictures and stylesheets of the page itself', async () => {
  const { headers } = await request(app).get('/pictures');
  const policy = headers['content-security-policy'] ?? '';
  assert.match(policy, /img-src 'self' https:\/\/logos\.example https:\/\/images\.example\.org;/);
  assert.match(policy, /style-src 'self' https:\/\/brand\.example;/);
});

test('the compressed length of an answer varies while its content stays the same', async () => {
  const long = Buffer.from('one purpose after the other, and so on. '.repeat(40_000));
  assert.deepEqual(gunzipSync(await gzip(long)), long);
  const page = Buffer.from('the same page, again and again. '.repeat(100));
  const members = await Promise.all(Array.from({ length: 40 }, () => gzip(page)));
  for (const member of members) assert.deepEqual(gunzipSync(member), page);
  assert.ok(new Set(members.map((member) => member.length)).size > 5);
});

test('a text has attributes for its language and direction only if it has its own, and they are escaped', () => {
  const { langDir } = viewHelpers;
  assert.equal(langDir({ lang: undefined, dir: undefined }), '');
  assert.equal(langDir({ lang: 'ar', dir: 'rtl' }), ' lang="ar" dir="rtl"');
  assert.equal(langDir({ lang: 'fr', dir: undefined }), ' lang="fr"');
  assert.equal(langDir({ lang: 'a"><b', dir: undefined }), ' lang="a&#34;&gt;&lt;b"');
});
