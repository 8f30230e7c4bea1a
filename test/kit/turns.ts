/**
 * To be loaded into the product by `--import`: how much of its own processor time the longest turn of its event loop
 * took. A busy machine adds nothing to that. `GET /` on PORT_OF_TURNS tells the milliseconds since it was last asked.
 */
import { createServer } from 'node:http';

const port = Number(process.env['PORT_OF_TURNS']);
let longest = 0;
let last = process.threadCpuUsage();

setInterval(() => {
  const { user, system } = process.threadCpuUsage(last);
  last = process.threadCpuUsage();
  longest = Math.max(longest, (user + system) / 1_000);
}, 2).unref();

// The commands that print a link have the same environment: theirs is not heard.
createServer((_request, response) => {
  // The turn that is being asked in is over first.
  setTimeout(() => {
    response.end(String(longest));
    longest = 0;
  }, 10);
})
  .on('error', () => undefined)
  .listen(port, '127.0.0.1')
  .unref();
