import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Router } from 'express';
import request from 'supertest';
import { classOf } from '../../src/compose/operation.ts';
import { createDrain } from '../../src/web/drain.ts';
import { type Answered, createServerTiming, observeAnswers } from '../../src/web/timing.ts';
import { appOf } from './fixture.ts';

test('Server-Timing adds up the calls of its own request alone', async () => {
  const timing = createServerTiming();
  const router = Router();
  router.get('/page/:name', async (request, response) => {
    await new Promise((soon) => setImmediate(soon));
    timing.add('read-subject', request.params.name === 'a' ? 1 : 10);
    timing.add('read-subject', 2);
    response.send('page');
  });
  const { app } = appOf(timing.middleware, router);
  const [a, b] = await Promise.all([request(app).get('/page/a'), request(app).get('/page/b')]);
  assert.match(a.headers['server-timing'] ?? '', /^read-subject;dur=3\.0, total;dur=\d+\.\d$/);
  assert.match(b.headers['server-timing'] ?? '', /^read-subject;dur=12\.0, total;dur=/);
  timing.add('outside', 1);
});

test('every answer is reported by the pattern of its route, never by its address', async () => {
  const told: Answered[] = [];
  const router = Router();
  router.get('/people/:identifier', (_request, response) => void response.send(''));
  const { app } = appOf(
    observeAnswers(classOf, (answered) => told.push(answered)),
    router,
  );
  await request(app).get('/people/anna@example.org?t=secret');
  await request(app).get('/nothing/anna@example.org');
  await request(app).propfind('/people/anna@example.org');
  while (told.length < 3) await new Promise((soon) => setImmediate(soon));
  assert.deepEqual(
    told.map(({ method, route, status, requestClass }) => [method, route, status, requestClass]),
    [
      ['GET', '/people/:identifier', 200, 'read'],
      ['GET', 'none', 404, 'read'],
      ['other', 'none', 404, 'read'],
    ],
  );
  assert.doesNotMatch(JSON.stringify(told), /anna|secret/);
});

test('a draining server closes the connection after every answer, also of requests in flight', async () => {
  const drain = createDrain();
  const router = Router();
  router.get('/slow', (_request, response) => {
    drain.begin();
    response.send('');
  });
  router.get('/quick', (_request, response) => void response.send(''));
  const { app } = appOf(drain.middleware, router);
  const connection = async (path: string) =>
    (await request(app).get(path).set('connection', 'keep-alive')).headers['connection'];
  assert.notEqual(await connection('/quick'), 'close');
  assert.equal(drain.isDraining(), false);
  for (const path of ['/slow', '/quick']) assert.equal(await connection(path), 'close');
  assert.equal(drain.isDraining(), true);
});
