import assert from 'node:assert/strict';
import { test } from 'node:test';
import express from 'express';
import { createServer } from '../../src/web/server.ts';

test('requests and responses have the prototypes of the application from the start, and work as before', async () => {
  const app = express();
  const born: boolean[] = [];
  app.get('/hello/:name', (request, response) => {
    response.json({ name: request.params.name, query: request.query['q'], secure: request.secure });
  });
  const server = createServer(app);
  server.prependListener('request', (request, response) => {
    born.push(
      Object.getPrototypeOf(request) === app.request,
      Object.getPrototypeOf(response) === app.response,
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const answer = await fetch(`http://127.0.0.1:${address.port}/hello/anna?q=1`);
  assert.deepEqual(await answer.json(), { name: 'anna', query: '1', secure: false });
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  assert.deepEqual(born, [true, true]);
});
