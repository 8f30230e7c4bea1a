import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RequestHandler, Router } from 'express';
import request from 'supertest';
import { createLog, requestLog } from '../../src/web/log.ts';
import { appOf } from './fixture.ts';

function startApp() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'info', stream: { write: (line: string) => lines.push(JSON.parse(line)) } });
  const router = Router();
  const answer: RequestHandler = (_request, response) => {
    response.status(202).send('done');
  };
  router.get('/centers/:center', answer);
  return { app: appOf(requestLog(log), router).app, log, lines };
}

test('an answer is logged as one line: method, pattern of the route, status, milliseconds', async () => {
  const { app, lines } = startApp();
  await request(app).get('/centers/shop?t=secret');
  await new Promise((soon) => setImmediate(soon));
  assert.equal(lines.length, 1);
  const { time, ms, ...line } = lines[0] ?? {};
  assert.deepEqual(line, {
    level: 'info',
    method: 'GET',
    route: '/centers/:center',
    status: 202,
    msg: 'answered',
  });
  assert.match(String(time), /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.equal(typeof ms, 'number');
});

test('a page that no route serves is not found, and its address is in no line', async () => {
  const { app, lines } = startApp();
  assert.equal((await request(app).get('/anna@example.org?t=secret')).status, 404);
  await new Promise((soon) => setImmediate(soon));
  assert.equal(lines[0]?.['route'], 'none');
  assert.doesNotMatch(JSON.stringify(lines), /anna|secret/);
});

test('a field with the name of a secret is redacted in the log', () => {
  const { log, lines } = startApp();
  log.warn(
    { identifier: 'anna', visit: { subject: 'anna' }, request: { headers: 'anna', url: 'anna' } },
    'oh',
  );
  assert.doesNotMatch(JSON.stringify(lines), /anna/);
});
