import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Router } from 'express';
import request from 'supertest';
import type { Brand } from '../../src/core/model/center/brand.ts';
import { publishIcon, publishTheme } from '../../src/web/theme.ts';
import { newFolder } from '../kit/folder.ts';
import { appOf, assets } from './fixture.ts';

const plain: Brand = {
  name: 'Harbour Books',
  logoUrl: undefined,
  accent: '#8a1c4a',
  accentDark: undefined,
  radius: undefined,
  font: undefined,
  scheme: 'auto',
  stylesheetUrl: undefined,
};

const router = Router();
router.use(assets.handler);
router.get('/script.js', assets.fixed('app.js', { maxAge: 600, edit: (text) => text }));
const { app } = appOf(router);

test('a public file has a name that changes with its content, and is cached for ever', async () => {
  const href = assets.href('app.css');
  assert.match(href, /^\/assets\/app\.[\w-]{12}\.css$/);
  const response = await request(app).get(href);
  assert.equal(response.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(response.headers['content-type'], 'text/css; charset=utf-8');
});

for (const [accepted, coding] of [
  ['br, gzip', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['identity', undefined],
] as const) {
  test(`a client that accepts ${accepted} gets the file ${coding === undefined ? 'uncompressed' : `as ${coding}`}`, async () => {
    const response = await request(app)
      .get(assets.href('app.css'))
      .set('accept-encoding', accepted)
      .buffer(true)
      .parse((stream, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => done(null, Buffer.concat(parts)));
      });
    assert.equal(response.headers['content-encoding'], coding);
    assert.equal(response.headers['vary'], 'Accept-Encoding');
  });
}

test('an unknown or old name, and any other method, are not found', async () => {
  for (const path of ['/assets/app.css', '/assets/../package.json', '/assets/app.000000000000.css']) {
    assert.equal((await request(app).get(path)).status, 404);
  }
  assert.equal((await request(app).post(assets.href('app.css'))).status, 404);
  assert.throws(() => assets.href('nothing.css'));
});

test('a file under a fixed name is cached for a while, and other sites may use it', async () => {
  const { headers } = await request(app).get('/script.js');
  assert.equal(headers['cache-control'], 'public, max-age=600');
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
});

test('each style and script stays within its budget of compressed bytes', async () => {
  const sizes = { 'app.css': 8_400, 'app.js': 4_600 };
  for (const [name, most] of Object.entries(sizes)) {
    const { headers } = await request(app).get(assets.href(name)).set('accept-encoding', 'gzip');
    assert.ok(Number(headers['content-length']) < most, name);
  }
});

test('a brand is published as a stylesheet of custom properties', async () => {
  const brand = { ...plain, radius: 4, font: '"Source Serif", serif' };
  const { themeHref: href } = publishTheme(assets, brand);
  assert.ok(href);
  assert.match(href, /^\/assets\/theme\/brand\.[\w-]{12}\.css$/);
  const { text } = await request(app).get(href);
  assert.match(
    text,
    /^:root\{--brand-accent:#8a1c4a;--brand-on-accent:#ffffff;--brand-accent-dark:#[0-9a-f]{6};/,
  );
  assert.match(text, /--brand-radius:4px;--brand-font:"Source Serif", serif\}\n$/);
  assert.equal(publishTheme(assets, brand).themeHref, href);
  const nothing = { ...brand, accent: undefined, radius: undefined, font: undefined };
  assert.equal(publishTheme(assets, nothing).themeHref, undefined);
});

test('the product serves the fonts and the icon of a brand, and shows its mark in its colour', async (t) => {
  const home = newFolder(t);
  const [fontFile, iconFile] = [join(home, 'harbour.woff2'), join(home, 'icon.svg')];
  writeFileSync(fontFile, 'wOF2 and so on');
  writeFileSync(iconFile, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const brand = {
    ...plain,
    font: '"Harbour Sans", sans-serif',
    background: '#fff8ee',
    fonts: [{ family: 'Harbour Sans', fontFile, weight: '100 900', style: undefined }],
    iconFile,
  };
  const { themeHref = '', fontHrefs } = publishTheme(assets, brand);
  const sheet = (await request(app).get(themeHref)).text;
  assert.match(sheet, /--brand-page:#fff8ee;/);
  const face =
    /^@font-face\{font-family:"Harbour Sans";src:url\((\/assets\/theme\/font\.[\w-]{12}\.woff2)\) format\("woff2"\);font-weight:100 900;font-style:normal;font-display:swap\}$/m;
  const [, font = ''] = face.exec(sheet) ?? [];
  assert.deepEqual(fontHrefs, [font], 'a page asks for it at once');
  const { headers, body } = await request(app).get(font);
  assert.equal(headers['content-type'], 'font/woff2');
  assert.equal(String(body), 'wOF2 and so on');

  const icon = await request(app).get(publishIcon(assets, brand) ?? '');
  assert.equal(icon.headers['content-type'], 'image/svg+xml');
  assert.match(
    icon.headers['content-security-policy'] ?? '',
    /default-src 'none';.* sandbox$/,
    'runs nothing',
  );
  const mark = await request(app).get(publishIcon(assets, { ...brand, iconFile: undefined }) ?? '');
  assert.match(String(mark.body), /fill="#8a1c4a"/);
  assert.equal(publishIcon(assets, { ...brand, iconFile: undefined, accent: undefined }), undefined);
});
