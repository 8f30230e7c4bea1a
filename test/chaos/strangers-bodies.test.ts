import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { quantile } from '../bench/figures.ts';
import { answering, type Balancer, certify, skip, startBalancer } from '../deploy/processes.ts';
import { type ProductProcess, startProcess } from '../kit/product.ts';
import { cookieOf } from '../kit/visitor.ts';
import { times } from './dice.ts';
import { books, oneClickOf, openForm, within } from './rig.ts';
import type { Order, Seen, Target } from './strangers.ts';

/** The limit of the node's heap in megabytes, at which 700 posts that inflate once killed it. */
const heap = 256;
/** Megabytes by which the process may grow during an attack. */
const mostGrowth = times(150, 250);

type Attack = Extract<Order, { kind: 'attack' }>;
type Trial = Pick<Attack, 'shape' | 'count'> & Partial<Pick<Attack, 'sources'>>;

/** Attacks by strangers and slow clients, on the node itself and on the balancer. */
const trials: Readonly<Record<string, Trial>> = {
  'stalled heads': { shape: 'stalled heads', count: times(20, 1_000) },
  'stalled bodies': { shape: 'stalled bodies', count: times(20, 600) },
  'gzip that inflates': { shape: 'gzip that inflates', count: times(30, 700) },
  'large bodies that stall': { shape: 'large bodies that stall', count: times(10, 700) },
  'stalled sign-ins': { shape: 'stalled sign-ins', count: times(30, 3_000) },
  'idle connections': { shape: 'idle connections', count: times(600, 6_000) },
  'slow bodies with a right': { shape: 'slow bodies with a right', count: times(20, 334) },
  'slow readers': { shape: 'slow readers', count: times(20, 334) },
  'many small posts': { shape: 'many small posts', count: times(4, 16) },
  'HTTP/1.0': { shape: 'HTTP/1.0', count: times(20, 600) },
  'a hello without a request': { shape: 'a hello without a request', count: times(20, 600) },
  'stalled bodies from many addresses': { shape: 'stalled bodies', count: 3_000, sources: 1_500 },
  'stalled sign-ins from many addresses': { shape: 'stalled sign-ins', count: 3_000, sources: 1_500 },
};

/** Statuses that refuse a request without a right: none of them reads, takes or redirects it. */
const refusals = new Set([400, 401, 408, 429, 503]);

/** An address for other people, and the target of strangers. */
interface Place {
  readonly url: string;
  readonly target: Target;
  readonly dispatcher: Agent;
}

interface Served {
  readonly status: number;
  readonly ms: number;
}

suite('Strangers', () => {
  let home: string;
  let product: ProductProcess;
  let balancer: Balancer | undefined;
  let certificate: ReturnType<typeof certify>;
  let cookie = '';
  let strangers: ChildProcess;
  const plain = new Agent();
  before(async () => {
    strangers = fork(join(import.meta.dirname, 'strangers.ts'));
    home = mkdtempSync(join(tmpdir(), 'sayso-strangers-'));
    chmodSync(home, 0o755);
    const env = {
      NODE_OPTIONS: `--max-old-space-size=${heap}`,
      LOG_LEVEL: 'error',
      TRUST_PROXY: '127.0.0.1',
    };
    product = await startProcess({ env });
    const { visitor } = await openForm(product, books, 'anna@example.org');
    cookie = cookieOf(visitor);
    if (skip !== false) return;
    certificate = certify(home);
    const port = Number(new URL(product.url).port);
    const nodePorts = [port, port] as const;
    balancer = await startBalancer({ home, certificateFile: certificate.file, nodePorts });
    await answering(`${balancer.url}/health/ready`, balancer, certificate.dispatcher);
  });
  after(async () => {
    strangers?.disconnect();
    await plain.destroy();
    await certificate?.dispatcher.destroy();
    await balancer?.end('SIGKILL');
    await product?.[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });

  let people = 0;
  /** A one-click address of a new person each time. */
  function oneClick(url: string): string {
    people += 1;
    return oneClickOf({ env: product.env, url }, `other.${people}@example.org`);
  }

  /** Asks as people with a right do, for a page and a one-click in turn. */
  async function serve({ url, dispatcher }: Place, count: number): Promise<readonly Served[]> {
    const served: Served[] = [];
    const ask = async (href: string, options: Parameters<typeof request>[1]) => {
      const began = performance.now();
      const answer = await request(href, { ...options, dispatcher }).catch(() => undefined);
      await answer?.body.dump();
      served.push({ status: answer?.statusCode ?? 0, ms: performance.now() - began });
    };
    for (let index = 0; index < count; index += 1) {
      await ask(`${url}/centers/${books}`, { headers: { cookie, accept: 'text/html' } });
      const headers = { accept: 'text/plain', 'content-type': 'application/x-www-form-urlencoded' };
      const body = 'List-Unsubscribe=One-Click';
      await ask(oneClick(url), { method: 'POST', headers, body });
      await pause(times(2, 10));
    }
    return served;
  }

  async function send(order: Order): Promise<Seen> {
    const answered = once(strangers, 'message');
    strangers.send(order);
    const [seen] = (await answered) as [Seen];
    return seen;
  }

  function megabytes(): number {
    const status = readFileSync(`/proc/${product.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  }

  const p99 = (served: readonly Served[]) =>
    quantile(
      served.map(({ ms }) => ms),
      0.99,
    ).toFixed(0);

  /** Tries each attack, and asserts that others are served meanwhile and that the node does not grow. */
  async function attack(where: string, place: Place, check: (name: string, count: number) => unknown) {
    const rounds = times(2, 100);
    let first = 0;
    await serve(place, 10);
    for (const [name, { shape, count, sources = 1 }] of Object.entries(trials)) {
      // In the small form attacks come from one address.
      if (times(sources > 1, false)) continue;
      const calm = await serve(place, rounds);
      const before = megabytes();
      // New addresses each time: the limit of an address lasts for a while.
      first += 2_000;
      await send({ kind: 'attack', target: place.target, shape, cookie, count, sources, first });
      try {
        const served = await serve(place, rounds);
        const growth = megabytes() - before;
        const { statuses } = await send({ kind: 'look' });
        process.stdout.write(
          `strangers, ${where}: ${count} × ${name}: p99 of others ${p99(calm)} ms, then ${p99(served)} ms; ` +
            `${growth.toFixed(0)} MB more; answered ${JSON.stringify(statuses)}\n`,
        );
        assert.deepEqual([...new Set(served.map(({ status }) => status))], [200], `${name}: what others met`);
        assert.ok(growth < mostGrowth, `${name}: ${growth} MB more`);
        assert.ok(
          statuses.every(([status]) => refusals.has(status)),
          `${name}: ${statuses}`,
        );
        await check(name, count);
      } finally {
        await send({ kind: 'end' });
      }
    }
  }

  /** Asserts that strangers see in the end what `expected` accepts. */
  async function expectSeen(name: string, expected: (seen: Seen) => boolean): Promise<void> {
    const isSeen = await within(60_000, async () => expected(await send({ kind: 'look' })));
    assert.ok(isSeen, `${name}: ${JSON.stringify(await send({ kind: 'look' }))}`);
  }

  test('strangers hold up no other person at a node, which refuses a body before it reads it', async () => {
    const port = Number(new URL(product.url).port);
    const place = { url: product.url, target: { port }, dispatcher: plain };
    await attack('at a node', place, async (name, count) => {
      // A head may take 10 s, which the node checks every 5 s.
      if (name === 'stalled heads') await expectSeen(name, ({ open }) => open === 0);
      // These bodies never end, but each is refused by its head.
      if (/^(stalled bodies|gzip|large bodies|HTTP)/.test(name))
        await expectSeen(name, ({ statuses }) => new Map(statuses).get(401) === count);
    });
  });

  test('strangers hold up no other person behind the balancer, which limits each source', {
    skip,
  }, async () => {
    assert.ok(balancer !== undefined);
    const { url } = balancer;
    const target = { port: Number(new URL(url).port), ca: certificate.authority };
    const place = { url, target, dispatcher: certificate.dispatcher };
    await attack('behind the balancer', place, async (name) => {
      if (name === 'idle connections') await expectSeen(name, ({ open }) => open <= 400);
    });
  });
});
