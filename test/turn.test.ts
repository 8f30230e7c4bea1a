import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { endTurn, mapInTurns } from '../src/turn.ts';

test('a turn that began with something received ends before what others have sent meanwhile', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const [[received], sender]: [Socket[], Socket] = await Promise.all([
    once(server, 'connection'),
    connect(address.port, '127.0.0.1'),
  ]);
  assert.ok(received);
  const order: string[] = [];
  received.on('data', () => order.push('what was sent'));
  await new Promise<void>((done) => {
    readFile(import.meta.filename, async () => {
      sender.write('x');
      await endTurn();
      order.push('the next step');
      done();
    });
  });
  sender.destroy();
  received.destroy();
  server.close();
  assert.deepEqual(order, ['what was sent', 'the next step']);
});

test('what is made one after the other is in its order, and lets others run once it took long', async () => {
  let others = 0;
  const counting = setInterval(() => {
    others += 1;
  }, 1);
  const made = await mapInTurns([1, 2, 3, 4], (item, place) => {
    const begun = performance.now();
    while (performance.now() < begun + 12);
    return item * 10 + place;
  });
  clearInterval(counting);
  assert.deepEqual(made, [10, 21, 32, 43]);
  assert.ok(others >= 3, String(others));
});
