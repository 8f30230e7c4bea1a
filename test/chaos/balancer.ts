import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A load balancer in front of nodes: it asks each whether it is ready, and repeats a failed GET at another.
 */
export interface Balancer {
  readonly port: number;
  /** How often each node was chosen. */
  readonly chosen: readonly number[];
  /** The indexes of the nodes that are ready now. */
  ready(): readonly number[];
  close(): Promise<void>;
}

const everyMs = 250;

export async function startBalancer(ports: () => readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const isReady = new Map<number, boolean>();
  const chosen: number[] = [];
  let turn = 0;

  async function look(): Promise<void> {
    await Promise.all(
      ports().map(async (port, index) => {
        isReady.set(index, await isReadyAt(port, agent));
      }),
    );
  }
  let isClosed = false;
  const looking = (async () => {
    for (; !isClosed; await pause(everyMs)) await look();
  })();

  const ready = () => ports().flatMap((_port, index) => (isReady.get(index) === true ? [index] : []));

  function pass(from: IncomingMessage, to: ServerResponse, body: Buffer, tried: readonly number[]): void {
    const left = ready().filter((index) => !tried.includes(index));
    const others = ports().flatMap((_port, index) => (tried.includes(index) ? [] : [index]));
    const among = left.length > 0 ? left : others;
    turn += 1;
    const index = among[turn % among.length];
    if (index === undefined || isClosed) {
      to.writeHead(502).end();
      return;
    }
    chosen[index] = (chosen[index] ?? 0) + 1;
    const { connection: _, ...headers } = from.headers;
    const asked = request({
      port: ports()[index],
      host: '127.0.0.1',
      method: from.method,
      path: from.url,
      headers,
      agent,
    });
    asked.on('response', (answer) => {
      const { connection: __, ...answerHeaders } = answer.headers;
      to.writeHead(answer.statusCode ?? 502, answerHeaders);
      answer.pipe(to);
      answer.on('error', () => to.destroy());
      answer.on('aborted', () => to.destroy());
    });
    asked.on('error', () => {
      if (to.headersSent) return void to.destroy();
      if (from.method === 'GET') return pass(from, to, body, [...tried, index]);
      to.writeHead(502).end();
    });
    asked.end(body);
  }

  const server = createServer((from, to) => {
    const parts: Buffer[] = [];
    from.on('data', (part: Buffer) => parts.push(part));
    from.on('end', () => pass(from, to, Buffer.concat(parts), []));
    from.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    chosen,
    ready,
    async close() {
      isClosed = true;
      await looking;
      server.closeAllConnections();
      agent.destroy();
      await once(server.close(), 'close');
    },
  };
}

/** Asks a node whether it is ready, on a kept connection. */
function isReadyAt(port: number, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ port, host: '127.0.0.1', path: '/health/ready', agent, timeout: 3_000 });
    asked.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode === 200));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('close', () => resolve(false));
    asked.on('error', () => undefined);
    asked.end();
  });
}
