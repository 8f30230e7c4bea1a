/**
 * Loaded into the product with `--import`: measures the processor time of turns of its event loop. On
 * PORT_OF_TURNS `GET /turn` answers the milliseconds of the longest turn since the last request, and `GET
 * /slowness` how much slower this machine is than a quiet one.
 */
import { createServer } from 'node:http';
import { slowness, threadMilliseconds } from './cpu.ts';

const port = Number(process.env['PORT_OF_TURNS']);
let longest = 0;
let last = threadMilliseconds();

setInterval(() => {
  const now = threadMilliseconds();
  longest = Math.max(longest, now - last);
  last = now;
}, 2).unref();

// Commands that print a link have the same environment; their server gets no port, and its error is ignored.
createServer({ keepAliveTimeout: 600_000 }, ({ url }, response) => {
  if (url === '/slowness') {
    response.end(String(slowness()));
    return;
  }
  // The turn of this request is over first.
  setTimeout(() => {
    response.end(String(longest));
    longest = 0;
  }, 10);
})
  .on('error', () => undefined)
  .listen(port, '127.0.0.1')
  .unref();
