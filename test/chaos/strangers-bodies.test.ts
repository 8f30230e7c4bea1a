import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { answering, type Balancer, certify, skip, startBalancer } from '../deploy/processes.ts';
import { type ProductProcess, startProcess } from '../kit/product.ts';
import { cookieOf } from '../kit/visitor.ts';
import { times } from './dice.ts';
import { percentile } from './load.ts';
import { books, oneClickOf, openForm, within } from './rig.ts';
import type { Order, Seen, Target } from './strangers.ts';

/** Megabytes of the node's heap, as when it died of 700 posts that inflate. */
const heap = 256;
/** Megabytes that the process may have beside what it has when it is calm. */
const mostGrowth = times(150, 250);

type Attack = Extract<Order, { kind: 'attack' }>;
type Trial = Pick<Attack, 'shape' | 'count'> & Partial<Pick<Attack, 'sources'>>;

/** What strangers and slow clients try, at the node itself and at the balancer. */
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

/** A node without a right refuses; none of these is read, taken or led on. */
const refusals = new Set([400, 401, 408, 429, 503]);

/** Where other people are, and strangers. */
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

  /** Another person's one-click address each time. */
  let people = 0;
  function oneClick(url: string): string {
    people += 1;
    return oneClickOf({ env: product.env, url }, `other.${people}@example.org`);
  }

  /** What people who have a right meet: their page and their one-click, one after another. */
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

  async function order(what: Order): Promise<Seen> {
    const told = once(strangers, 'message');
    strangers.send(what);
    const [seen] = (await told) as [Seen];
    return seen;
  }

  function megabytes(): number {
    const status = readFileSync(`/proc/${product.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  }

  const p99 = (served: readonly Served[]) => percentile(served, 0.99);

  async function tried(where: string, place: Place, check: (name: string, count: number) => unknown) {
    const rounds = times(2, 100);
    let first = 0;
    await serve(place, 10);
    for (const [name, { shape, count, sources = 1 }] of Object.entries(trials)) {
      // What is met of few from many addresses is met of one.
      if (times(sources > 1, false)) continue;
      const calm = await serve(place, rounds);
      const before = megabytes();
      // Other addresses each time: what was bounded before is bounded for a while.
      first += 2_000;
      await order({ kind: 'attack', target: place.target, shape, cookie, count, sources, first });
      try {
        const served = await serve(place, rounds);
        const growth = megabytes() - before;
        const { statuses } = await order({ kind: 'look' });
        process.stdout.write(
          `strangers, ${where}: ${count} × ${name}: p99 of others ${p99(calm).toFixed(0)} ms, then ${p99(served).toFixed(0)} ms; ` +
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
        await order({ kind: 'end' });
      }
    }
  }

  /** Asserts that strangers see this in the end. */
  async function expectSeen(what: string, isSo: (seen: Seen) => boolean): Promise<void> {
    const isThere = await within(60_000, async () => isSo(await order({ kind: 'look' })));
    assert.ok(isThere, `${what}: ${JSON.stringify(await order({ kind: 'look' }))}`);
  }

  test('hold up nobody at a node, which refuses a body before it reads it.', async () => {
    const port = Number(new URL(product.url).port);
    const place = { url: product.url, target: { port }, dispatcher: plain };
    await tried('at a node', place, async (name, count) => {
      // Heads have 10 s, looked at every 5 s.
      if (name === 'stalled heads') await expectSeen(name, ({ open }) => open === 0);
      // None of these bodies ever ends: each is refused by its head.
      if (/^(stalled bodies|gzip|large bodies|HTTP)/.test(name))
        await expectSeen(name, ({ statuses }) => new Map(statuses).get(401) === count);
    });
  });

  test('hold up nobody behind the balancer, which bounds each source.', { skip }, async () => {
    assert.ok(balancer !== undefined);
    const { url } = balancer;
    const target = { port: Number(new URL(url).port), ca: certificate.authority };
    const place = { url, target, dispatcher: certificate.dispatcher };
    await tried('behind the balancer', place, async (name) => {
      if (name === 'idle connections') await expectSeen(name, ({ open }) => open <= 400);
    });
  });
});
