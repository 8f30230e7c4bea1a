import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { createTurn, endTurn } from '../src/turn.ts';

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

test('a turn is long after some milliseconds of work, and begins anew when it was ended', async () => {
  const begun = performance.now();
  const turn = createTurn();
  // A busy machine may take its time between two lines.
  assert.ok(!turn.isLong() || performance.now() - begun >= 10);
  while (performance.now() < begun + 20);
  assert.equal(turn.isLong(), true);
  const ended = performance.now();
  await turn.end();
  assert.ok(!turn.isLong() || performance.now() - ended >= 10);
});
