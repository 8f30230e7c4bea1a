import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { Agent, request } from 'undici';
import { within } from '../chaos/rig.ts';
import { answering, certify, skip, startBalancer } from './processes.ts';

type Site = Awaited<ReturnType<typeof behindBalancer>>;

/** Two servers behind the balancer that do what a test says. */
async function behindBalancer(mostRequests?: number) {
  const home = mkdtempSync(join(tmpdir(), 'sayso-balancer-'));
  chmodSync(home, 0o755);
  const takes: RequestListener = (_incoming, answer) => void answer.end();
  const handlers = [takes, takes];
  const servers = handlers.map((_, which) =>
    http.createServer((incoming, answer) => {
      if (incoming.url === '/health/ready') answer.end('ready\n');
      else handlers[which]?.(incoming, answer);
    }),
  );
  for (const server of servers)
    await new Promise((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, () => resolve(undefined)));
  const [one = 0, two = 0] = servers.map((server) => (server.address() as AddressInfo).port);
  const { file, authority, dispatcher } = certify(home);
  const balancer = await startBalancer({
    home,
    certificateFile: file,
    nodePorts: [one, two],
    mostRequests,
  });
  const site = {
    balancer,
    authority,
    /** What its two servers do from now on. */
    serve(first: RequestListener, second = first) {
      handlers.splice(0, 2, first, second);
    },
    ask: (path: string, options: Parameters<typeof request>[1] = {}) =>
      request(`${balancer.url}${path}`, { ...options, dispatcher }),
    async [Symbol.asyncDispose]() {
      await dispatcher.destroy();
      await balancer.end('SIGKILL');
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
  try {
    await answering(`${balancer.url}/health/ready`, balancer, dispatcher);
    return site;
  } catch (fault) {
    await site[Symbol.asyncDispose]();
    throw fault;
  }
}

suite('The balancer of deploy/haproxy.cfg', { skip }, () => {
  let site: Site;
  before(async () => {
    site = await behindBalancer();
  });
  after(async () => {
    await site?.[Symbol.asyncDispose]();
  });

  test('asks another node for what only reads when one breaks off, and never posts twice.', async () => {
    const asked: string[] = [];
    const breaks: RequestListener = ({ method, socket }) => {
      asked.push(`broken ${method}`);
      socket.destroy();
    };
    const works: RequestListener = ({ method }, answer) => {
      asked.push(`answered ${method}`);
      answer.end();
    };
    site.serve(breaks, works);
    for (const method of ['GET', 'HEAD', 'POST'] as const) {
      asked.length = 0;
      const statuses: number[] = [];
      for (let tries = 0; tries < 8; tries += 1) {
        // On a connection that was used before, HAProxy ends it without a word: the client sees that it broke.
        const answer = await site.ask('/', { method }).catch(() => undefined);
        await answer?.body.dump();
        statuses.push(answer?.statusCode ?? 502);
      }
      const count = (what: string) => asked.filter((each) => each === `${what} ${method}`).length;
      assert.ok(count('broken') >= 2, `${method} ${asked}`);
      if (method !== 'POST') {
        assert.deepEqual(new Set(statuses), new Set([200]), method);
        assert.equal(count('answered'), 8);
        continue;
      }
      assert.equal(asked.length, 8, 'each of them once');
      assert.equal(statuses.filter((status) => status === 502).length, count('broken'));
    }
  });

  test('keeps a session at the node that answered it, as long as that node is there.', async () => {
    const broken = new Set<number>();
    const node = (which: number) => (incoming: http.IncomingMessage, answer: http.ServerResponse) => {
      if (broken.has(which)) return void incoming.destroy();
      if (incoming.url === '/link') answer.setHeader('set-cookie', 'sayso=s%3Amade-here; Path=/; HttpOnly');
      answer.end(String(which));
    };
    site.serve(node(0), node(1));
    const who = async (path: string, headers = {}) => (await site.ask(path, { headers })).body.text();
    const strangers = await Promise.all(Array.from({ length: 8 }, () => who('/page')));
    assert.equal(new Set(strangers).size, 2);
    const first = await who('/link');
    const cookie = { cookie: 'other=1; sayso=s%3Amade-here' };
    const pages = await Promise.all(Array.from({ length: 8 }, () => who('/page', cookie)));
    assert.deepEqual(new Set(pages), new Set([first]));
    broken.add(Number(first));
    assert.notEqual(await who('/page', cookie), first);
  });

  test('passes a post on once its body is there.', async () => {
    const heard: string[] = [];
    const hears: RequestListener = ({ url = '' }, answer) => {
      heard.push(url);
      answer.end();
    };
    site.serve(hears);
    const socket = connectTls({
      port: Number(new URL(site.balancer.url).port),
      host: '127.0.0.1',
      servername: 'localhost',
      ca: site.authority,
    });
    let told = '';
    socket.on('data', (chunk: Buffer) => {
      told += chunk.toString();
    });
    await once(socket, 'secureConnect');
    socket.write('POST /stalled HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\na');
    for (let asked = 0; asked < 5; asked += 1) await (await site.ask('/meanwhile')).body.dump();
    assert.deepEqual([...new Set(heard)], ['/meanwhile']);
    socket.write('b');
    assert.ok(await within(10_000, async () => told.startsWith('HTTP/1.1 200')));
    assert.equal(heard.at(-1), '/stalled');
    socket.destroy();
  });

  test('bounds the requests of one source, but for one-clicks, and serves the others.', async () => {
    await using bounding = await behindBalancer(50);
    const others = new Agent({ localAddress: '127.0.0.77', connect: { ca: bounding.authority } });
    const statusOf = async (path: string, options: Parameters<typeof request>[1] = {}) => {
      const { statusCode, headers, body } = await bounding.ask(path, options);
      await body.dump();
      if (statusCode === 429) assert.equal(headers['retry-after'], '10');
      return statusCode;
    };
    const isRefused = async () => {
      const statuses = await Promise.all(Array.from({ length: 60 }, () => statusOf('/')));
      return statuses.includes(429);
    };
    assert.ok(await within(60_000, isRefused));
    assert.equal(await statusOf('/u/a-token', { method: 'POST' }), 200);
    const other = await request(`${bounding.balancer.url}/`, { dispatcher: others });
    await other.body.dump();
    assert.equal(other.statusCode, 200);
    await others.destroy();
  });
});
