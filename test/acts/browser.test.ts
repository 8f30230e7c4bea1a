import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { createBrowser } from './browser.ts';

const whole = [
  'HTTP/1.1 303 See Other',
  'Location: /centers/1/results/2',
  'Set-Cookie: visit=1; Path=/',
  'Content-Length: 5',
  'Connection: close',
  '',
  'there',
].join('\r\n');

/** Has been asked, answers so many bytes and dies; `how` the connection ends is what a killed process makes of it. */
async function dies(after: number, how: 'reset' | 'closed') {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const end = () => (how === 'reset' ? socket.resetAndDestroy() : socket.end());
      if (after === 0) end();
      else socket.write(whole.slice(0, after), end);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: new URL(`http://127.0.0.1:${port}/`), [Symbol.dispose]: () => void server.close() };
}

describe('A browser whose process is killed under a request', () => {
  for (const how of ['reset', 'closed'] as const)
    test(`has no answer, and no fault, at whichever byte the connection is ${how}`, async () => {
      for (let after = 0; after < whole.length; after += 1) {
        using dying = await dies(after, how);
        const fields: [string, string][] = [['action', 'save']];
        const answer = await createBrowser('http://localhost').go('POST', dying.url, { fields });
        assert.equal(answer, undefined, `after ${after} bytes`);
      }
    });

  test('has the answer where its last byte came', async () => {
    using dying = await dies(whole.length, 'closed');
    const answer = await createBrowser('http://localhost').go('GET', dying.url);
    assert.equal(answer?.status, 303);
    assert.equal(answer.text, 'there');
    assert.equal(answer.location?.href, 'http://localhost/centers/1/results/2');
  });

  test('has none where nobody listens any more', async () => {
    const dead = await dies(0, 'closed');
    dead[Symbol.dispose]();
    assert.equal(await createBrowser('http://localhost').go('GET', dead.url), undefined);
  });
});
