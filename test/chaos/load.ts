import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Hit {
  readonly kind: string;
  /** 0: no answer. */
  readonly status: number;
  readonly ms: number;
  readonly retryAfter: string | undefined;
}

export interface Shot {
  readonly kind: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * A client that costs next to nothing, so that on one machine the product is the one that is overloaded: so many
 * keep-alive connections, as a proxy in front has them, and of an answer only its status, Retry-After and length
 * are read. What finds no free connection waits for one; `ms` counts from when it is sent.
 */
export async function createGun(port: number, connections: number) {
  const barrels = Array.from({ length: connections }, () => createBarrel(port));
  await Promise.all(barrels.map(({ opened }) => opened));
  const idle = [...barrels];
  const waiting: ((barrel: Barrel) => void)[] = [];

  /** What the other side closed while nothing was sent is opened again. */
  async function take(): Promise<Barrel> {
    const barrel = idle.pop() ?? (await new Promise<Barrel>((resolve) => waiting.push(resolve)));
    return barrel.isOpen() ? barrel : createBarrel(port);
  }

  async function fire({ kind, url, method = 'GET', headers = {}, body = '' }: Shot): Promise<Hit> {
    const { host, pathname, search } = new URL(url);
    const lines = Object.entries({
      host,
      accept: 'text/html',
      ...headers,
      ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    const text = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
    const barrel = await take();
    const began = performance.now();
    const { status, retryAfter, isOpen } = await barrel.shoot(text);
    const ms = performance.now() - began;
    const free = isOpen ? barrel : createBarrel(port);
    const next = waiting.shift();
    if (next === undefined) idle.push(free);
    else next(free);
    return { kind, status, ms, retryAfter };
  }

  return {
    fire,
    close() {
      for (const barrel of barrels) barrel.close();
    },
  };
}

interface Landed {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly isOpen: boolean;
}

interface Barrel {
  readonly opened: Promise<unknown>;
  isOpen(): boolean;
  shoot(text: string): Promise<Landed>;
  close(): void;
}

function createBarrel(port: number): Barrel {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let land: ((landed: Landed) => void) | undefined;
  let head = '';
  let left = -1;
  const end = (landed: Landed) => {
    const told = land;
    land = undefined;
    told?.(landed);
  };
  socket.on('data', (chunk: Buffer) => {
    let bytes = chunk.length;
    if (left < 0) {
      head += chunk.toString('latin1');
      const at = head.indexOf('\r\n\r\n');
      if (at < 0) return;
      bytes = head.length - at - 4;
      head = head.slice(0, at);
      left = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    }
    left -= bytes;
    if (left > 0) return;
    const status = Number(head.slice(9, 12));
    const retryAfter = /\r\nretry-after: (\S+)/i.exec(head)?.[1];
    const isOpen = !/\r\nconnection: close/i.test(head);
    head = '';
    left = -1;
    end({ status, retryAfter, isOpen });
  });
  socket.on('error', () => undefined);
  socket.on('close', () => end({ status: 0, retryAfter: undefined, isOpen: false }));
  return {
    opened: once(socket, 'connect'),
    isOpen: () => !socket.destroyed && !socket.readableEnded,
    shoot: (text) =>
      new Promise((resolve) => {
        land = resolve;
        if (socket.destroyed) end({ status: 0, retryAfter: undefined, isOpen: false });
        else socket.write(text);
      }),
    close: () => socket.destroy(),
  };
}

/** So many at a time, each as soon as the one before it is answered, for so long. */
export async function closedLoop(
  { clients, ms }: { clients: number; ms: number },
  shoot: (index: number) => Promise<Hit>,
): Promise<Hit[]> {
  const hits: Hit[] = [];
  const last = performance.now() + ms;
  let index = 0;
  const client = async () => {
    while (performance.now() < last) {
      index += 1;
      hits.push(await shoot(index));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return hits;
}

/** So many a second, whatever becomes of those before; `unanswered` were so when the last was sent. */
export async function openLoop(
  { perSecond, ms }: { perSecond: number; ms: number },
  shoot: (index: number) => Promise<Hit>,
): Promise<{ readonly hits: readonly Hit[]; readonly unanswered: number }> {
  const flying: Promise<Hit>[] = [];
  let answered = 0;
  const began = performance.now();
  for (;;) {
    const now = performance.now() - began;
    if (now >= ms) break;
    const due = Math.floor((now / 1_000) * perSecond);
    while (flying.length < due)
      flying.push(
        shoot(flying.length).finally(() => {
          answered += 1;
        }),
      );
    await pause(2);
  }
  const unanswered = flying.length - answered;
  return { hits: await Promise.all(flying), unanswered };
}

/** `share` 0.99 is the p99. */
export function percentile(hits: readonly Pick<Hit, 'ms'>[], share: number): number {
  const sorted = hits.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
