import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import request from 'supertest';
import { Problem } from '../../src/core/model/problem.ts';
import { type BodyTimes, bodyTimes, formBody, isTooSlow, jsonBody } from '../../src/web/body.ts';
import { type BodyBounds, createBodyBudget } from '../../src/web/body-budget.ts';
import { createServer } from '../../src/web/server.ts';
import { until } from '../kit/until.ts';
import { appOf } from './fixture.ts';

const wide: BodyBounds = {
  bytes: 100_000,
  bytesOfStrangers: 50_000,
  bytesOfClient: 50_000,
  arrivingOfClient: 8,
  waitMs: 20_000,
  waiting: 100,
};
const json = { accept: 'application/json' };
const servers: Server[] = [];
after(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

/** Reads bodies at `/known` from senders with a right, at `/anyone` from all; the test ends each answer. */
function startApp(bounds: Partial<BodyBounds> = {}, times?: BodyTimes) {
  const budget = createBodyBudget({ ...wide, ...bounds });
  const unanswered: (() => void)[] = [];
  const right = (sent: { get(name: string): string | undefined }) => {
    if (sent.get('x-right') !== 'yes') throw new Problem('not-signed-in');
  };
  const answer: RequestHandler = (_request, response) => {
    unanswered.push(() => response.json({ taken: true }));
  };
  const router = Router();
  router.use((sent, _response, next) => {
    const ip = sent.get('x-from');
    if (ip !== undefined) Object.defineProperty(sent, 'ip', { value: ip });
    next();
  });
  router.post('/known', formBody({ right, size: 'page', budget, times }), answer);
  router.post('/anyone', formBody({ right: 'anyone', size: 'button', budget, times }), answer);
  router.post('/json', jsonBody({ right, bytes: 1_000, budget, times }), answer);
  const { app, lines } = appOf(router);
  const server = createServer(app);
  servers.push(server);
  const post = (path: string, bytes: number, from = '192.0.2.1') => {
    const sent = request(server)
      .post(path)
      .set({ ...json, 'x-right': 'yes', 'x-from': from });
    return sent.type('form').send(form(bytes));
  };
  return {
    budget,
    server,
    lines,
    unanswered,
    post,
    /** Posts to `/known` and waits for the handler; `end` answers the post and gives its status. */
    async hold(bytes: number, from?: string) {
      const { length } = unanswered;
      const answered = post('/known', bytes, from).then();
      await until(() => unanswered.length > length);
      const end = async () => {
        unanswered[length]?.();
        return (await answered).status;
      };
      return { end };
    },
  };
}

const form = (bytes: number) => 'a='.padEnd(bytes, 'x');

async function listening(server: Server): Promise<number> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Sends the head and the beginning of the body of a request, and collects the answer. */
async function begin(server: Server, path: string, { length = '', body = '' }) {
  const socket: Socket = connect(await listening(server), '127.0.0.1');
  let text = '';
  socket
    .on('error', () => undefined)
    .on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Accept: application/json',
    'X-Right: yes',
    'X-From: 192.0.2.1',
    'Content-Type: application/x-www-form-urlencoded',
    length,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return { socket, answer: () => text };
}

suite('A body', () => {
  test('is refused when it is encoded, and nothing is inflated', async () => {
    const { server } = startApp();
    for (const [encoding, body] of [
      ['gzip', gzipSync(Buffer.alloc(500_000, 'a'))],
      ['deflate', Buffer.from('a=1')],
      ['br', Buffer.from('a=1')],
      ['gzip, identity', Buffer.from('a=1')],
    ] as const) {
      const sent = request(server)
        .post('/known')
        .set({ ...json, 'x-right': 'yes' });
      const { status } = await sent.type('form').set('content-encoding', encoding).send(body);
      assert.equal(status, 415, encoding);
    }
  });

  test('is not read before its sender has shown a right', async () => {
    const { budget, server } = startApp();
    const answer = await request(server)
      .post('/known')
      .set(json)
      .type('form')
      .send('a='.padEnd(400_000, 'x'));
    assert.equal(answer.status, 401);
    assert.equal(budget.held(), 0);
  });

  test('is refused when it stalls, and gives its room back', async () => {
    const { budget, server } = startApp({}, { wholeMs: 60_000, graceMs: 40, leastPerSecond: 1_024 });
    const { socket, answer } = await begin(server, '/known', {
      length: 'Content-Length: 100',
      body: 'a=12345',
    });
    await until(() => answer().includes('too-slow'));
    assert.match(answer(), /^HTTP\/1\.1 408 /);
    socket.destroy();
    await until(() => budget.held() === 0);
  });

  test('gives its room back when its sender goes away', async () => {
    const { budget, server, lines } = startApp();
    const { socket } = await begin(server, '/known', { length: 'Content-Length: 100', body: 'a=12345' });
    await until(() => budget.held() === 7);
    socket.destroy();
    await until(() => budget.held() === 0);
    await until(() => lines.length > 0);
    const told = lines.map(({ level, msg, stack }) => ({ level, msg, stack }));
    assert.deepEqual(told, [{ level: 'info', msg: 'request broken off', stack: undefined }]);
  });
});

suite('The speed limit of a body', () => {
  const second = 1_000;
  const cases: readonly (readonly [arrived: number, ms: number, isTooSlow: boolean])[] = [
    [0, bodyTimes.graceMs, false],
    [1, bodyTimes.graceMs + second, true],
    [1_024, bodyTimes.graceMs + second, false],
    [1_023, bodyTimes.graceMs + second, true],
    [4_000_000, bodyTimes.wholeMs, false],
    [4_000_000, bodyTimes.wholeMs + 1, true],
  ];
  for (const [arrived, ms, expected] of cases) {
    test(`${expected ? 'refuses' : 'allows'} ${arrived} bytes after ${ms} ms`, () =>
      assert.equal(isTooSlow(bodyTimes, { arrived, ms }), expected));
  }
});

suite('The budget of body bytes', () => {
  test('lets a body wait for room that another one gives back with its answer', async () => {
    const { budget, unanswered, post, hold } = startApp();
    const first = await hold(40_000);
    const second = post('/known', 40_000).then();
    await pause(30);
    assert.equal(unanswered.length, 1, 'the second waits');
    assert.equal(budget.held(), 40_000);
    assert.equal(await first.end(), 200);
    await until(() => unanswered.length === 2);
    unanswered[1]?.();
    assert.equal((await second).status, 200);
    await until(() => budget.held() === 0);
  });

  test('counts a body of a client as arriving only until it has arrived', async () => {
    const { hold } = startApp({ arrivingOfClient: 1 });
    for (const { end } of [await hold(10), await hold(10)]) assert.equal(await end(), 200);
  });

  test('refuses a body with Retry-After when it finds no room in time, and at once when too many wait', async () => {
    for (const bounds of [{ waitMs: 20 }, { waiting: 0 }]) {
      const { post, hold } = startApp(bounds);
      const { end } = await hold(40_000);
      const second = await post('/known', 40_000);
      assert.deepEqual([second.status, second.headers['retry-after']], [503, '2']);
      assert.equal(await end(), 200);
    }
  });

  test('counts a client by its IPv4 address or its /64, without a port', async () => {
    for (const [one, same, other] of [
      ['192.0.2.1:40001', '192.0.2.1:40002', '192.0.2.2'],
      ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'],
    ] as const) {
      const { post, hold } = startApp({ waitMs: 20 });
      const first = await hold(40_000, one);
      assert.equal((await post('/known', 40_000, same)).status, 503, same);
      for (const { end } of [first, await hold(40_000, other)]) assert.equal(await end(), 200);
    }
  });

  test('holds no more than all clients may send together', async () => {
    const { budget, post, hold } = startApp({ waitMs: 20 });
    const held = [await hold(45_000), await hold(45_000, '192.0.2.2')];
    assert.equal((await post('/known', 45_000, '192.0.2.3')).status, 503);
    assert.equal(budget.held(), 90_000);
    for (const { end } of held) await end();
  });

  test('keeps room for senders with a right, however much strangers send', async () => {
    const bounds = { bytesOfStrangers: 15_000, arrivingOfClient: 1, waitMs: 20 };
    const { server, post, hold } = startApp(bounds);
    const stalled = await begin(server, '/anyone', { length: 'Content-Length: 12000', body: form(11_000) });
    await pause(20);
    assert.equal((await post('/anyone', 3_000)).status, 503, 'one body of the client is arriving');
    assert.equal((await post('/anyone', 5_000, '192.0.2.9')).status, 503, 'strangers have no more room');
    assert.equal(await (await hold(40_000)).end(), 200);
    stalled.socket.destroy();
  });

  test('refuses a body of unknown length once it is too much', async () => {
    const { server, budget } = startApp({ bytes: 20_000, waitMs: 20 });
    const body = `7530\r\n${'x'.repeat(0x7530)}\r\n0\r\n\r\n`;
    const { socket, answer } = await begin(server, '/known', { length: 'Transfer-Encoding: chunked', body });
    await until(() => answer().includes('overloaded'));
    assert.match(answer(), /^HTTP\/1\.1 503 /);
    socket.destroy();
    await until(() => budget.held() === 0);
  });
});
