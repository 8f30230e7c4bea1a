import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A fault on the wire between the product and the platform. */
export interface WireFault {
  /** Milliseconds before an answer is passed on. */
  readonly latency?: number;
  /** Answers are passed on in pieces of so many bytes, one each `every` milliseconds. */
  readonly drip?: { readonly bytes: number; readonly every: number };
  /**
   * The connection is cut by RST: before the request is passed on, before its answer, or within the answer.
   */
  readonly reset?: 'before' | 'after' | 'within';
  /** The answer ends with FIN after so many bytes. */
  readonly truncate?: number;
  /** The product's side is ended (FIN) as soon as its request is passed on; the answer never comes. */
  readonly halfClose?: boolean;
  /** The text that is sent instead of the answer. */
  readonly instead?: string | Uint8Array;
  /** The answer is sent twice. */
  readonly twice?: boolean;
  /** New connections are refused by RST, old ones cut. */
  readonly down?: boolean;
}

export interface Wire {
  readonly port: number;
  /** From now on requests whose head holds `word`, such as an identifier, meet this fault; '' means all. */
  setFault(word: string, fault: WireFault): void;
  heal(): void;
  close(): Promise<void>;
}

/**
 * A TCP proxy that knows just enough of HTTP/1.1 to see where a request begins. It relies on what the product
 * does: one request at a time on a connection.
 */
export async function startProxy(target: number): Promise<Wire> {
  const faults = new Map<string, WireFault>();
  const faultOf = (head: string) => [...faults].find(([word]) => head.includes(word))?.[1] ?? {};
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    if (faultOf('').down) return void near.resetAndDestroy();
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    /** The fault of the request that is under way. */
    let current: WireFault = {};
    near.on('data', (chunk: Buffer) => {
      const head = chunk.toString('latin1');
      if (/^(?:GET|PUT|POST|DELETE) \S+ HTTP\/1\.1/.test(head)) current = faultOf(head);
      if (current.reset === 'before') return cut(near, far);
      if (current.halfClose) return void far.write(chunk, () => near.end());
      far.write(chunk);
      if (current.reset === 'after') setTimeout(() => cut(near, far), 30);
    });
    far.on('data', (chunk: Buffer) => {
      const now = current;
      if (now.reset === 'after' || now.halfClose) return;
      const latency = now.latency ?? 0;
      if (latency > 0) setTimeout(() => answer(chunk, now), latency).unref();
      else answer(chunk, now);
    });
    near.on('end', () => far.end());
    far.on('end', () => {
      if (current.instead === undefined && current.drip === undefined) near.end();
    });
    near.on('close', () => far.destroy());

    function answer(chunk: Uint8Array, now: WireFault): void {
      if (near.destroyed) return;
      if (now.instead !== undefined) near.end(now.instead);
      else if (now.reset === 'within') {
        near.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => cut(near, far));
      } else if (now.truncate !== undefined) near.end(chunk.subarray(0, now.truncate));
      else if (now.drip !== undefined) drip(near, chunk, now.drip);
      else {
        near.write(chunk);
        if (now.twice) near.write(chunk);
      }
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    setFault(word, fault) {
      faults.set(word, fault);
      if (fault.down) cutAll();
    },
    heal: () => faults.clear(),
    async close() {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}

function cut(...sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.resetAndDestroy();
}

function drip(to: Socket, chunk: Uint8Array, { bytes, every }: { bytes: number; every: number }): void {
  let at = 0;
  const timer = setInterval(() => {
    if (to.destroyed || at >= chunk.length) return clearInterval(timer);
    to.write(chunk.subarray(at, at + bytes));
    at += bytes;
  }, every);
}
