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

/** Starts the balancer with two servers, whose handlers a test can replace. */
async function behindBalancer(mostRequests?: number) {
  const home = mkdtempSync(join(tmpdir(), 'sayso-balancer-'));
  chmodSync(home, 0o755);
  const accepts: RequestListener = (_incoming, answer) => void answer.end();
  const handlers = [accepts, accepts];
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
    /** Replaces the handlers of the two servers. */
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

  test('the balancer repeats a broken reading at the other node, and never repeats a POST', async () => {
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
        // On a reused connection HAProxy sends no answer but closes it, and the client sees an error.
        const answer = await site.ask('/', { method }).catch(() => undefined);
        await answer?.body.dump();
        statuses.push(answer?.statusCode ?? 502);
      }
      const count = (kind: string) => asked.filter((each) => each === `${kind} ${method}`).length;
      assert.ok(count('broken') >= 2, `${method} ${asked}`);
      if (method !== 'POST') {
        assert.deepEqual(new Set(statuses), new Set([200]), method);
        assert.equal(count('answered'), 8);
        continue;
      }
      assert.equal(asked.length, 8, 'each POST comes once');
      assert.equal(statuses.filter((status) => status === 502).length, count('broken'));
    }
  });

  test('a session stays at the node that answered it, while that node works', async () => {
    const broken = new Set<number>();
    const node = (which: number) => (incoming: http.IncomingMessage, answer: http.ServerResponse) => {
      if (broken.has(which)) return void incoming.destroy();
      if (incoming.url === '/link') answer.setHeader('set-cookie', 'sayso=s%3Amade-here; Path=/; HttpOnly');
      answer.end(String(which));
    };
    site.serve(node(0), node(1));
    const nodeOf = async (path: string, headers = {}) => (await site.ask(path, { headers })).body.text();
    const strangers = await Promise.all(Array.from({ length: 8 }, () => nodeOf('/page')));
    assert.equal(new Set(strangers).size, 2);
    const first = await nodeOf('/link');
    const cookie = { cookie: 'other=1; sayso=s%3Amade-here' };
    const pages = await Promise.all(Array.from({ length: 8 }, () => nodeOf('/page', cookie)));
    assert.deepEqual(new Set(pages), new Set([first]));
    broken.add(Number(first));
    assert.notEqual(await nodeOf('/page', cookie), first);
  });

  test('the balancer sends a POST to a node only when its body is complete', async () => {
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
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    await once(socket, 'secureConnect');
    socket.write('POST /stalled HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\na');
    for (let asked = 0; asked < 5; asked += 1) await (await site.ask('/meanwhile')).body.dump();
    assert.deepEqual([...new Set(heard)], ['/meanwhile']);
    socket.write('b');
    assert.ok(await within(10_000, async () => received.startsWith('HTTP/1.1 200')));
    assert.equal(heard.at(-1), '/stalled');
    socket.destroy();
  });

  test('the balancer limits the requests of one source except one-clicks, and serves other sources', async () => {
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
