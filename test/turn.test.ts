import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { endTurn, mapInTurns } from '../src/turn.ts';

test('data that arrived during a turn is handled before the next step after endTurn', async () => {
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
  received.on('data', () => order.push('the data'));
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
  assert.deepEqual(order, ['the data', 'the next step']);
});

test('mapInTurns keeps the order of its items, and lets timers run between slow ones', async () => {
  let ticks = 0;
  const counting = setInterval(() => {
    ticks += 1;
  }, 1);
  const made = await mapInTurns([1, 2, 3, 4], (item, place) => {
    const begun = performance.now();
    while (performance.now() < begun + 12);
    return item * 10 + place;
  });
  clearInterval(counting);
  assert.deepEqual(made, [10, 21, 32, 43]);
  assert.ok(ticks >= 3, String(ticks));
});
