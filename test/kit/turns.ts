/**
 * To be loaded into the product by `--import`: how much of its own processor time the longest turn of its event loop
 * took. On PORT_OF_TURNS `GET /turn` tells the milliseconds since it was last asked, and `GET /slowness` how much slower
 * than a quiet machine this one is.
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

// The commands that print a link have the same environment: theirs is not heard.
createServer({ keepAliveTimeout: 600_000 }, ({ url }, response) => {
  if (url === '/slowness') {
    response.end(String(slowness()));
    return;
  }
  // The turn that is being asked in is over first.
  setTimeout(() => {
    response.end(String(longest));
    longest = 0;
  }, 10);
})
  .on('error', () => undefined)
  .listen(port, '127.0.0.1')
  .unref();
