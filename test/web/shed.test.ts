import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Router } from 'express';
import request from 'supertest';
import { classOf } from '../../src/compose/operation.ts';
import type { Fault } from '../../src/web/errors.ts';
import { createLoadShedder, createRejection, type RequestClass } from '../../src/web/load-shedder.ts';
import { createToHtml } from '../../src/web/render.ts';
import { guardPage } from '../samples/page-guard.ts';
import { appOf, assets, problemPage, root } from './fixture.ts';

const toHtml = createToHtml({ viewsDir: join(root, 'views'), assets, development: guardPage });

/** Shows every part of the request that it gets: the page is built once for all visitors. */
const pageOf = ({ code, request: { method, originalUrl, path, query } }: Fault) =>
  problemPage({ code, reference: [method, originalUrl, path, ...Object.keys(query)].join(' ') });

/** The app sheds staff at two requests in flight, reads at three and opt-ins at four. */
function startApp(delay = 0) {
  const shedClasses: RequestClass[] = [];
  const loadShedder = createLoadShedder({
    classOf,
    loopDelay: () => delay,
    thresholds: {
      staff: { delay: 10, inFlight: 2 },
      read: { delay: 20, inFlight: 3 },
      'opt-in': { delay: 30, inFlight: 4 },
    },
    onShed: (what) => shedClasses.push(what),
  });
  const waiting: (() => void)[] = [];
  const router = Router();
  router.use((request, response) => {
    request.resume();
    waiting.push(() => response.end('served'));
  });
  const { app } = appOf(loadShedder.middleware(createRejection({ problemPage: pageOf, toHtml })), router);
  return { app, loadShedder, shedClasses, waiting };
}

const classes: readonly (readonly [method: string, path: string, is: RequestClass])[] = [
  ['GET', '/staff', 'staff'],
  ['POST', '/staff/tasks', 'staff'],
  ['POST', '/reports/csp', 'staff'],
  ['GET', '/', 'read'],
  ['GET', '/centers/shop', 'read'],
  ['GET', '/centers/staff', 'read'],
  ['POST', '/centers/shop/sign-in', 'read'],
  ['GET', '/centers/shop/results/abc', 'opt-in'],
  ['POST', '/centers/shop', 'withdrawal'],
  ['POST', '/centers/shop/page-2', 'withdrawal'],
  ['GET', '/centers/shop/unsubscribe', 'withdrawal'],
  ['POST', '/centers/shop/unsubscribe', 'withdrawal'],
  ['POST', '/u/token', 'withdrawal'],
  ['GET', '/U/token', 'withdrawal'],
  ['GET', '/users', 'read'],
];
for (const [method, path, is] of classes) {
  test(`${method} ${path} counts as ${is}`, () => {
    assert.equal(classOf({ method, path }), is);
  });
}

test('more requests in flight shed more classes, but never withdrawals', async () => {
  const { app, loadShedder, shedClasses, waiting } = startApp();
  const held: Promise<unknown>[] = [];
  const hold = async () => {
    held.push(request(app).post('/centers/shop').then());
    const count = held.length;
    while (waiting.length < count) await new Promise((soon) => setImmediate(soon));
  };
  const statusOf = async (path: string) => (await request(app).get(path)).status;
  await hold();
  await hold();
  assert.equal(loadShedder.inFlight(), 2);
  assert.equal(await statusOf('/staff'), 503);
  await hold();
  assert.equal(await statusOf('/centers/shop'), 503);
  loadShedder.admit('opt-in');
  await hold();
  assert.throws(() => loadShedder.admit('opt-in'), { code: 'overloaded' });
  await hold();
  assert.equal(loadShedder.inFlight(), 5);
  assert.deepEqual(shedClasses, ['staff', 'read', 'opt-in']);
  for (const answer of waiting) answer();
  await Promise.all(held);
  await new Promise((soon) => setImmediate(soon));
  assert.equal(loadShedder.inFlight(), 0);
});

/** Starts `count` requests, each with the last byte of its body missing. */
async function begin(context: TestContext, method: 'GET' | 'POST', count: number) {
  const { app, ...parts } = startApp();
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`${method} /centers/shop HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\na`);
    return socket;
  });
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  while (parts.waiting.length < count) await new Promise((soon) => setImmediate(soon));
  return { ...parts, sockets };
}

test('a post that stalls is not in flight until the last byte of its body arrives', async (context) => {
  const { loadShedder, waiting, sockets } = await begin(context, 'POST', 5);
  assert.equal(loadShedder.inFlight(), 0);
  loadShedder.admit('staff');
  for (const socket of sockets) socket.write('b');
  while (loadShedder.inFlight() < 5) await new Promise((soon) => setImmediate(soon));
  assert.throws(() => loadShedder.admit('opt-in'), { code: 'overloaded' });
  for (const answer of waiting) answer();
  while (loadShedder.inFlight() > 0) await new Promise((soon) => setImmediate(soon));
});

test('a request whose body is not read is in flight from its head on', async (context) => {
  const { loadShedder } = await begin(context, 'GET', 1);
  assert.equal(loadShedder.inFlight(), 1);
});

test('a late event loop sheds nothing while few requests are in flight', () => {
  const { loadShedder } = startApp(1_000);
  loadShedder.admit('staff');
  loadShedder.admit('read');
  loadShedder.admit('opt-in');
});

test('a shed request gets a page or JSON, with Retry-After and without its own address', async () => {
  const { app, waiting } = startApp();
  const held = [1, 2, 3].map(() => request(app).post('/centers/shop').then());
  while (waiting.length < 3) await new Promise((soon) => setImmediate(soon));
  const page = await request(app).get('/centers/shop?t=secret').set('accept', 'text/html');
  assert.equal(page.status, 503);
  assert.equal(page.headers['retry-after'], '2');
  assert.match(page.text, /<h1[^>]*>overloaded<\/h1>/);
  assert.match(page.text, />GET \/ \/</);
  assert.doesNotMatch(page.text, /secret/);
  const json = await request(app).get('/centers/shop').set('accept', 'application/json');
  assert.deepEqual(
    [json.status, json.headers['retry-after'], json.body],
    [503, '2', { error: 'overloaded' }],
  );
  for (const answer of waiting) answer();
  await Promise.all(held);
});
