import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, manyCalls } from '../kit/product.ts';
import { cookieOf, createVisitor } from '../kit/visitor.ts';
import type { Ready, Usage } from './contestant.ts';
import type { Load, Loaded } from './load.ts';

export interface Effort {
  readonly rounds: number;
  /** Milliseconds of load on one contestant in one round. */
  readonly duration: number;
  /** The most answers in that time. */
  readonly most: number;
  /** The most answers of each contestant before the first round. */
  readonly warmUp: number;
}

export interface Contestant {
  readonly name: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of resident memory before any load. */
  readonly idleRss: number;
  usage(): Promise<Usage>;
}

/**
 * Servers in their own processes, a stand-in platform, and a process that asks them. Use it with `await
 * using`.
 */
export interface Track {
  readonly upstream: string;
  /** Starts the server of this name from a checkout, by default from this one. */
  enter(name: string, checkout?: string): Promise<Contestant>;
  /** The laps of each contestant in all rounds, in which they take turns. */
  laps(contestants: readonly Contestant[], effort: Effort): Promise<readonly (readonly Lap[])[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Lap {
  /** Microseconds of CPU of the server's process for each answer. */
  readonly cpu: number;
  readonly bytes: number;
}

/** Enough to keep a server busy, too few for the product to turn any away as overload. */
const connections = 8;
const root = join(import.meta.dirname, '..', '..');
const compiled = join(root, 'node_modules', '.cache', 'sayso');
/** The script of `npm start`, which sets Node's memory. */
const starter = readFileSync(join(root, 'scripts', 'start.mjs'), 'utf8');
const flags: readonly string[] = starter.match(/--max-semi-space-size=\d+/g) ?? [];
/** The most runs of a lap. A lap is run again if a request was turned away, because the machine was busy. */
const attempts = 5;

/** Settings of a server under test, on the stand-in platform at `upstream`. */
export const settingsAt = (upstream: string, port: number) => ({
  PATH: process.env['PATH'] ?? '',
  NODE_ENV: 'production',
  PORT: String(port),
  SECRET: 'f54Lj26j7HwpGgIl9lBSPNGuogYlnUAeWzz4uRQuPMo',
  PLATFORM_URL: upstream,
  PLATFORM_CLIENT_ID: 'bench',
  PLATFORM_CLIENT_SECRET: 'bench-secret',
});

export async function openTrack(): Promise<Track> {
  const home = mkdtempSync(join(tmpdir(), 'sayso-bench-'));
  const children: ChildProcess[] = [];
  const start = (file: string, args: readonly string[], env: Record<string, string> = {}) => {
    const child = fork(file, args, {
      execArgv: args.includes('sayso-whole') ? [...flags] : [],
      // Compiled code is kept, as for a service that is started again.
      env: { NODE_COMPILE_CACHE: compiled, ...env },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    children.push(child);
    return child;
  };
  const stand = await tell<{ port: number; redisPort: number }>(
    start(join(import.meta.dirname, 'upstream.ts'), []),
  );
  const upstream = `http://127.0.0.1:${stand.port}`;
  const loader = start(join(import.meta.dirname, 'load.ts'), []);

  return {
    upstream,
    async enter(name, checkout = root) {
      const [port = 0] = await freePorts(1);
      const child = start(join(checkout, 'test', 'bench', 'contestant.ts'), [name], {
        ...settingsAt(upstream, port),
        ...manyCalls,
        BENCH_UPSTREAM: upstream,
        BENCH_REDIS: String(stand.redisPort),
        DATA_DIR: mkdtempSync(join(home, name)),
      });
      const ready = await tell<Ready>(child);
      const visit = await comeIn(ready);
      const usage = () => ask<Usage>(child, 'usage');
      return { name, port: ready.port, ...visit, idleRss: (await usage()).rss, usage };
    },
    async laps(contestants, { rounds, duration, most, warmUp }) {
      for (const each of contestants) await lap(each, { duration: duration * 8, most: warmUp });
      const laps = contestants.map((): Lap[] => []);
      for (let round = 0; round < rounds; round++)
        for (const [index, each] of contestants.entries())
          laps[index]?.push(await lap(each, { duration, most }));
      return laps;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(
        children
          .filter((child) => child.exitCode === null)
          .map((child) => {
            const exited = once(child, 'exit');
            child.disconnect();
            return exited;
          }),
      );
      rmSync(home, { recursive: true, force: true });
    },
  };

  async function lap(
    { port, path, headers, usage, name }: Contestant,
    { duration, most }: Pick<Effort, 'duration' | 'most'>,
  ): Promise<Lap> {
    const load: Load = { port, path, headers, connections, duration, most };
    for (let attempt = 0; attempt < attempts; attempt++) {
      const before = await usage();
      const { answers, others, bytes } = await ask<Loaded>(loader, load);
      const after = await usage();
      if (others === 0) return { cpu: (after.cpu - before.cpu) / answers, bytes };
    }
    throw new Error(`${name} keeps giving answers that are not 200`);
  }
}

/** Signs in once; returns the path and the headers of a signed-in person's browser. */
async function comeIn({ port, path }: Ready): Promise<{ path: string; headers: Record<string, string> }> {
  if (path === '/') return { path, headers: {} };
  const visitor = createVisitor(`http://127.0.0.1:${port}`);
  const page = await visitor.open(path);
  const cookie = cookieOf(visitor);
  if (page.status !== 200 || cookie === '') throw new Error(`the link led to ${page.status} ${page.url}`);
  return { path: new URL(page.url).pathname, headers: { cookie, 'accept-encoding': 'gzip' } };
}

function ask<T>(child: ChildProcess, question: object | string): Promise<T> {
  const answered = tell<T>(child);
  child.send(question);
  return answered;
}

async function tell<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController();
  const left = once(child, 'exit', { signal: ended.signal }).then(() => {
    throw new Error(`${child.spawnargs.slice(1).join(' ')} ended early`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal: ended.signal }), left]);
    return message;
  } finally {
    left.catch(() => undefined);
    ended.abort();
  }
}
