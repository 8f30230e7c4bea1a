/**
 * Strangers have their own process, so that their work does not slow the people who are measured beside them.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { books } from '../kit/sandbox-ids.ts';

/** A server under attack. */
export interface Target {
  readonly port: number;
  /** The certificate of its authority; undefined: it speaks no TLS. */
  readonly ca?: string | undefined;
}

/** The behaviour of one connection, which sends this and then no more. */
interface Shape {
  readonly sends: string | Buffer;
  /** The byte that follows once a second. */
  readonly drips?: string;
  /** Whether it sends the same again after each answer. */
  readonly repeats?: boolean;
  /** Whether it begins no TLS handshake where the server expects one. */
  readonly isPlain?: boolean;
  /** Whether it reads no answer. */
  readonly isDeaf?: boolean;
}

const inflating = gzipSync(Buffer.alloc(523_000, 'a'), { level: 9 });

function post(head: readonly string[], body: string | Buffer, { version = '1.1', path = '' } = {}): Buffer {
  const lines = [
    `POST /centers/${books}${path} HTTP/${version}`,
    'Host: localhost',
    // The header of our own page: a stranger can send any header.
    'Sec-Fetch-Site: same-origin',
    'Content-Type: application/x-www-form-urlencoded',
    ...head,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/** All shapes; `cookie` belongs to a person with a right. */
const shapes = (cookie: string) =>
  ({
    'stalled heads': { sends: `GET /centers/${books} HTTP/1.1\r\nHost: localhost\r\nX-A: `, drips: 'a' },
    'stalled bodies': { sends: post(['Content-Length: 10'], 'a') },
    'gzip that inflates': {
      sends: post(['Content-Encoding: gzip', `Content-Length: ${inflating.length + 10}`], inflating),
    },
    // With a right, for the body of a stranger is not read at all.
    'slow bodies with a right': {
      sends: post([`Cookie: ${cookie}`, 'Content-Length: 100000'], ''),
      drips: 'a',
    },
    'slow readers': { sends: 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', isDeaf: true },
    'large bodies that stall': { sends: post(['Content-Length: 500001'], Buffer.alloc(500_000, 'a')) },
    'stalled sign-ins': { sends: post(['Content-Length: 8000'], 'a'.repeat(7_000), { path: '/sign-in' }) },
    'idle connections': { sends: '' },
    'many small posts': { sends: post(['Content-Length: 7'], 'token=x'), repeats: true },
    'HTTP/1.0': { sends: post(['Content-Length: 10'], 'a', { version: '1.0' }) },
    'a hello without a request': { sends: Buffer.from('16030100c8010000c40303', 'hex'), isPlain: true },
  }) as const satisfies Readonly<Record<string, Shape>>;

export type Order =
  | {
      readonly kind: 'attack';
      readonly target: Target;
      readonly shape: keyof ReturnType<typeof shapes>;
      readonly cookie: string;
      readonly count: number;
      readonly sources: number;
      readonly first: number;
    }
  | { readonly kind: 'look' | 'end' };

/** `open`: the number of open connections. `statuses`: each status of an answer, with its count. */
export interface Seen {
  readonly open: number;
  readonly statuses: readonly (readonly [status: number, count: number])[];
}

/** An address of this machine's loopback network, another one for each `index`. */
function sourceOf(index: number): string {
  return `127.${1 + (index % 200)}.${Math.floor(index / 200) % 250}.${2 + Math.floor(index / 50_000)}`;
}

/**
 * Opens `count` connections of one shape, some at a time, from `sources` addresses with indexes from `first`
 * on.
 */
async function attack({ target, count, sources, first, ...order }: Extract<Order, { kind: 'attack' }>) {
  const shape: Shape = shapes(order.cookie)[order.shape];
  const open = new Set<Socket>();
  const statuses = new Map<number, number>();
  const timers: NodeJS.Timeout[] = [];

  function start(index: number): void {
    const localAddress = sourceOf(first + (index % sources));
    const raw = connect({ port: target.port, host: '127.0.0.1', localAddress, noDelay: true });
    open.add(raw);
    raw.once('close', () => open.delete(raw));
    raw.on('error', () => undefined);
    const isSecure = target.ca !== undefined && !shape.isPlain;
    const socket = isSecure ? connectTls({ socket: raw, ca: target.ca, servername: 'localhost' }) : raw;
    socket.on('error', () => undefined);
    if (shape.isDeaf) socket.pause();
    else
      socket.on('data', (chunk: Buffer) => {
        for (const [, status] of chunk.toString('latin1').matchAll(/HTTP\/1\.[01] (\d{3})/g)) {
          statuses.set(Number(status), (statuses.get(Number(status)) ?? 0) + 1);
          if (shape.repeats && !socket.destroyed) socket.write(shape.sends);
        }
      });
    if (shape.sends.length > 0) socket.write(shape.sends);
    const { drips } = shape;
    if (drips === undefined) return;
    const timer = setInterval(() => !socket.destroyed && socket.write(drips), 1_000);
    timer.unref();
    timers.push(timer);
  }

  for (let index = 0; index < count; index += 1) {
    start(index);
    if (index % 50 === 49) await pause(5);
  }
  return {
    seen: (): Seen => ({ open: open.size, statuses: [...statuses] }),
    async end() {
      for (const timer of timers) clearInterval(timer);
      const closing = [...open].map((socket) => (socket.destroyed ? undefined : once(socket, 'close')));
      for (const socket of open) socket.destroy();
      await Promise.all(closing);
    },
  };
}

let running: Awaited<ReturnType<typeof attack>> | undefined;
process.on('message', async (order: Order) => {
  if (order.kind === 'attack') running = await attack(order);
  const seen = running?.seen();
  if (order.kind === 'end') await running?.end();
  process.send?.(seen);
});
process.on('disconnect', () => process.exit(0));
