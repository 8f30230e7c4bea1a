import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy between the product and a PostgreSQL, which can hang, refuse and cut connections. */
export interface Gate {
  /** The address of the database through the gate. */
  readonly url: string;
  pass(): void;
  /** Stops all traffic: connections are accepted and never answered. */
  hang(): void;
  /** Cuts all connections, and refuses new ones. */
  refuse(): void;
  /** Cuts all connections; new ones may be made. */
  cut(): void;
  /** Passes on the next request that holds `word`, and cuts its connection before the answer. */
  loseAnswer(word?: string): void;
  close(): Promise<void>;
}

export async function createGate(address: string): Promise<Gate> {
  const target = new URL(address);
  const pairs = new Set<{ near: Socket; far: Socket }>();
  let isHung = false;
  let losing: string | undefined;

  const server: Server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: target.hostname, port: Number(target.port || 5432), noDelay: true });
    const pair = { near, far };
    pairs.add(pair);
    let isLost = false;
    near.on('data', (chunk) => {
      if (losing !== undefined && chunk.includes(losing)) {
        losing = undefined;
        isLost = true;
      }
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (isLost) near.destroy();
      else near.write(chunk);
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        other.destroy();
        pairs.delete(pair);
      });
    }
    if (isHung) pause(pair);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };

  function pause({ near, far }: { near: Socket; far: Socket }): void {
    near.pause();
    far.pause();
  }
  function cut(): void {
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
  }

  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    pass() {
      isHung = false;
      for (const { near, far } of pairs) {
        near.resume();
        far.resume();
      }
      if (!server.listening) server.listen(port, '127.0.0.1');
    },
    hang() {
      isHung = true;
      for (const pair of pairs) pause(pair);
    },
    refuse() {
      server.close();
      cut();
    },
    cut,
    loseAnswer(word = 'COMMIT') {
      losing = word;
    },
    async close() {
      cut();
      if (server.listening) await once(server.close(), 'close');
    },
  };
}
