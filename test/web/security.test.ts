import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Response, Router } from 'express';
import request from 'supertest';
import { Problem } from '../../src/core/model/problem.ts';
import {
  allow,
  allowFraming,
  allowOwnFrames,
  allowOwnFraming,
  securityHeaders,
} from '../../src/web/security.ts';
import { appOf } from './fixture.ts';

const answers: Readonly<Record<string, (response: Response) => void>> = {
  '/plain': () => undefined,
  '/framed': (response) => allowFraming(response, ['https://shop.example', 'https://www.shop.example']),
  '/framed/broken': (response) => {
    allowFraming(response, ['https://shop.example', 'https://evil.example;sandbox']);
    throw new Problem('platform-slow');
  },
  '/framed/by-nobody': (response) => allowFraming(response, []),
  '/around': allowOwnFrames,
  '/within': allowOwnFraming,
  '/rich': (response) => {
    const own = ['https://cdn.example/a.png', 'https://cdn.example/b.png', undefined, '/own.png'];
    allow(response, 'img-src', own);
    allow(response, 'img-src', [
      'javascript:alert(1)',
      'data:image/png;base64,AAAA',
      'https://x.example;script-src *',
      'https://x.example;sandbox;/a.png',
      'https://x.example,y.example/a.png',
      'https://*/a.png',
      "https://'unsafe-inline'/a.png",
    ]);
    allow(response, 'style-src', ['https://brand.example/style.css?v=1']);
    allow(response, 'form-action', ['https://login.example/authorize']);
  },
};
const router = Router();
for (const [path, answer] of Object.entries(answers))
  router.get(path, (_request, response) => {
    answer(response);
    response.send(path);
  });

const http = appOf(...securityHeaders({ https: false }), router).app;
const https = appOf(...securityHeaders({ https: true }), router).app;

function directives(policy: string | undefined): Record<string, string> {
  const parts = (policy ?? '').split(';').map((part) => part.trim().split(/ (.*)/s));
  return Object.fromEntries(parts.map(([name = '', sources = '']) => [name, sources]));
}

test('everything is forbidden that is not said', async () => {
  const { headers } = await request(http).get('/plain');
  assert.deepEqual(directives(headers['content-security-policy']), {
    'default-src': "'none'",
    'font-src': "'self'",
    'style-src': "'self'",
    'script-src': "'self'",
    'img-src': "'self'",
    'connect-src': "'self'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'report-uri': '/reports/csp',
    'report-to': 'csp',
  });
  assert.equal(headers['x-frame-options'], 'DENY');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'strict-origin');
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(headers['permissions-policy'] ?? '', /camera=\(\)/);
  assert.equal(headers['strict-transport-security'], undefined);
});

test('over https the browser is told to stay there', async () => {
  const { headers } = await request(https).get('/plain');
  assert.match(headers['strict-transport-security'] ?? '', /^max-age=31536000/);
  assert.ok('upgrade-insecure-requests' in directives(headers['content-security-policy']));
});

test('a framed answer names who may frame it, errors included', async () => {
  const framed = await request(http).get('/framed');
  const policy = directives(framed.headers['content-security-policy']);
  assert.equal(policy['frame-ancestors'], 'https://shop.example https://www.shop.example');
  assert.equal(framed.headers['x-frame-options'], undefined);
  const broken = await request(http).get('/framed/broken');
  assert.equal(broken.status, 503);
  assert.equal(
    directives(broken.headers['content-security-policy'])['frame-ancestors'],
    'https://shop.example',
  );
});

test('a page of ours may be shown in another one of ours, and nowhere else', async () => {
  const [around, inside] = [await request(http).get('/around'), await request(http).get('/within')];
  const policies = [around, inside].map(({ headers }) => directives(headers['content-security-policy']));
  assert.deepEqual(
    policies.map((policy) => [policy['frame-src'], policy['frame-ancestors']]),
    [
      ["'self'", "'none'"],
      [undefined, "'self'"],
    ],
  );
  assert.equal(around.headers['x-frame-options'], 'DENY');
  assert.equal(inside.headers['x-frame-options'], undefined);
  assert.equal(inside.headers['cross-origin-resource-policy'], 'same-origin');
});

test('an empty list of framers, an error and an unknown page are framed by nobody', async () => {
  for (const path of ['/framed/by-nobody', '/unknown']) {
    const { headers } = await request(http).get(path);
    assert.equal(directives(headers['content-security-policy'])['frame-ancestors'], "'none'");
    assert.equal(headers['x-frame-options'], 'DENY');
    assert.equal(headers['cache-control'], 'no-store');
  }
});

test('only origins of addresses are added, each once, and nothing can break out of the policy', async () => {
  const { headers } = await request(http).get('/rich');
  const policy = directives(headers['content-security-policy']);
  assert.equal(policy['img-src'], "'self' https://cdn.example");
  assert.equal(policy['style-src'], "'self' https://brand.example");
  assert.equal(policy['form-action'], "'self' https://login.example");
  assert.equal(policy['script-src'], "'self'");
});
