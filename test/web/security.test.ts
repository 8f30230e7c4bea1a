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

/** The status and headers of an answer, and its content security policy by directive. */
async function answerOf(app: typeof http, path: string) {
  const { status, headers } = await request(app).get(path);
  const parts = (headers['content-security-policy'] ?? '').split(';');
  const policy = Object.fromEntries(parts.map((part) => part.trim().split(/ (.*)/s)));
  return { status, headers, policy: policy as Readonly<Record<string, string>> };
}

test('the policy forbids every source that it does not name', async () => {
  const { headers, policy } = await answerOf(http, '/plain');
  assert.deepEqual(policy, {
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
  const said = {
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    'strict-transport-security': undefined,
  };
  for (const [name, value] of Object.entries(said)) assert.equal(headers[name], value, name);
  assert.match(headers['permissions-policy'] ?? '', /camera=\(\)/);
});

test('an answer over https tells the browser to stay on https', async () => {
  const { headers, policy } = await answerOf(https, '/plain');
  assert.match(headers['strict-transport-security'] ?? '', /^max-age=31536000/);
  assert.ok('upgrade-insecure-requests' in policy);
});

const framers: readonly (readonly [what: string, path: string, by: string, within?: string])[] = [
  ['a framed answer', '/framed', 'https://shop.example https://www.shop.example'],
  ['an error of one', '/framed/broken', 'https://shop.example'],
  ['one with an empty list', '/framed/by-nobody', "'none'"],
  ['an unknown page', '/unknown', "'none'"],
  ['a page of ours with others in it', '/around', "'none'", "'self'"],
  ['a page of ours in another one', '/within', "'self'"],
];
for (const [what, path, by, within] of framers)
  test(`${what} is framed by ${by}, and frames ${within ?? 'no page'}`, async () => {
    const { status, headers, policy } = await answerOf(http, path);
    assert.equal(status, { '/framed/broken': 503, '/unknown': 404 }[path] ?? 200);
    assert.deepEqual([policy['frame-ancestors'], policy['frame-src']], [by, within]);
    assert.equal(headers['x-frame-options'], by === "'none'" ? 'DENY' : undefined);
    assert.equal(headers['cache-control'], 'no-store');
    if (path === '/within') assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  });

test('an address adds its origin once, and no address can break out of the policy', async () => {
  const { policy } = await answerOf(http, '/rich');
  assert.equal(policy['img-src'], "'self' https://cdn.example");
  assert.equal(policy['style-src'], "'self' https://brand.example");
  assert.equal(policy['form-action'], "'self' https://login.example");
  assert.equal(policy['script-src'], "'self'");
});
