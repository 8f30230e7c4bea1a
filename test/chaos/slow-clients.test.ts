import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startProduct } from '../kit/product.ts';
import { cookieOf } from '../kit/visitor.ts';
import { times } from './dice.ts';
import { closedLoop, createGun, percentile, type Shot } from './load.ts';
import { books, openForm } from './rig.ts';

/** What a slow client sends at first, and then a byte of once a second. */
const kindsOf = (
  cookie: string,
): Readonly<Record<string, { readonly first: string; readonly next: string }>> => ({
  'slow heads': { first: 'GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ', next: 'a' },
  // With a right: a stranger's body is not read at all.
  'slow bodies': {
    first: `POST /centers/${books} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nCookie: ${cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100000\r\n\r\n`,
    next: 'a',
  },
  'slow readers': { first: 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', next: '' },
});

suite('Slow clients', () => {
  test('keep no one else from an answer, and are sent away.', async () => {
    await using product = await startProduct({ env: { LOG_LEVEL: 'error' } });
    const { visitor } = await openForm(product, books, 'anna@example.org');
    const cookie = cookieOf(visitor);
    const read: Shot = { kind: 'read', url: `${product.url}/centers/${books}`, headers: { cookie } };
    const port = Number(new URL(product.url).port);
    const gun = createGun(product.url, 4);
    const measure = () => closedLoop({ clients: 2, ms: times(300, 2_000) }, () => gun.fire(read));
    await measure();
    const calm = await measure();

    const kinds = kindsOf(cookie);
    const each = Math.ceil(times(60, 1_000) / Object.keys(kinds).length);
    const sockets: { kind: string; socket: Socket; isOpen: boolean }[] = [];
    for (const [kind, { first, next }] of Object.entries(kinds)) {
      for (let index = 0; index < each; index += 1) {
        const socket = connect({ port, host: '127.0.0.1' });
        const client = { kind, socket, isOpen: true };
        sockets.push(client);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          client.isOpen = false;
        });
        if (kind === 'slow readers') socket.pause();
        else socket.resume();
        socket.write(first);
        if (next !== '') {
          const timer = setInterval(() => (client.isOpen ? socket.write(next) : clearInterval(timer)), 1_000);
          timer.unref();
        }
      }
    }
    await pause(500);
    const slow = await measure();
    const [before, during] = [percentile(calm, 0.99), percentile(slow, 0.99)];
    assert.ok(slow.length > 0 && slow.every(({ status }) => status === 200));

    // Heads have 10 s, looked at every 5 s.
    for (let waited = 0; waited < 20_000; waited += 250) {
      if (sockets.every(({ kind, isOpen }) => kind !== 'slow heads' || !isOpen)) break;
      await pause(250);
    }
    assert.equal(sockets.filter(({ kind, isOpen }) => kind === 'slow heads' && isOpen).length, 0);
    for (const { socket } of sockets) socket.destroy();
    await gun.close();
    process.stdout.write(
      `slow clients: ${sockets.length} connections, p99 of others ${before.toFixed(1)} ms, then ${during.toFixed(1)} ms\n`,
    );
  });
});
