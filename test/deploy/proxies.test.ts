/**
 * Runs deploy/haproxy.cfg and each file of deploy/proxies before the product, with only addresses, ports and
 * files replaced. A proxy that is not installed is skipped with a reason.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as ask, createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { makeCertificate } from '../browser/sites.ts';
import { freePorts, type Product, startProduct } from '../kit/product.ts';
import { books } from '../kit/sandbox-ids.ts';
import { readText } from './files.ts';
import { answering, type Contained, contain, haproxy, inHaproxy, substitute } from './processes.ts';

interface Proxy {
  readonly file: string;
  readonly program: string;
  /** Texts of the file with their replacements; all must occur. */
  substitutes(at: Places): Readonly<Record<string, string>>;
  /** Wraps the file, when it is a part of a whole configuration. */
  whole(text: string, at: Places): string;
  args(file: string, at: Places): readonly string[];
  /** Other spellings of the path of the metrics. */
  readonly metrics?: readonly string[];
}

interface Places {
  readonly home: string;
  readonly behind: number;
  readonly tls: number;
  readonly plain: number;
}

const proxies: Readonly<Record<string, Proxy>> = {
  HAProxy: {
    file: 'haproxy.cfg',
    program: haproxy,
    substitutes: ({ home, behind, tls, plain }) =>
      inHaproxy({
        plainPort: plain,
        port: tls,
        certificateFile: `${home}/both.pem`,
        nodePorts: [behind, behind],
      }),
    whole: (text) => text,
    args: (file) => ['-db', '-f', file],
    metrics: ['/metrics?a', '/%6detrics', '/METRICS'],
  },
  nginx: {
    file: 'proxies/nginx.conf',
    program: '/usr/sbin/nginx',
    substitutes: ({ home, behind, tls, plain }) => ({
      '127.0.0.1:3000': `127.0.0.1:${behind}`,
      'listen 443': `listen 127.0.0.1:${tls}`,
      'listen 80': `listen 127.0.0.1:${plain}`,
      'preferences.example.org': 'localhost',
      '/etc/ssl': home,
      '/var/log/nginx': home,
    }),
    whole: (text, { home }) =>
      `pid ${home}/pid; daemon off; error_log ${home}/main.log; events {}\nhttp {\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${home}/${name};`).join('\n')}\n${text}\n}\n`,
    args: (file, { home }) => ['-p', home, '-c', file, '-e', `${home}/early.log`],
  },
  Caddy: {
    file: 'proxies/Caddyfile',
    program: '/usr/bin/caddy',
    substitutes: ({ home, behind, tls, plain }) => ({
      '127.0.0.1:3000': `127.0.0.1:${behind}`,
      '{\n\t# Neither': `{\n\tadmin off\n\thttp_port ${plain}\n\thttps_port ${tls}\n\tdefault_bind 127.0.0.1\n\t# Neither`,
      'log default {': `log default {\n\t\toutput file ${home}/preferences.log`,
      'preferences.example.org {': `localhost:${tls} {\n\ttls ${home}/preferences.pem ${home}/preferences.key`,
    }),
    whole: (text) => text,
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  Apache: {
    file: 'proxies/apache.conf',
    program: '/usr/sbin/apache2',
    substitutes: ({ home, behind, tls, plain }) => ({
      '127.0.0.1:3000': `127.0.0.1:${behind}`,
      '*:443': `127.0.0.1:${tls}`,
      '*:80': `127.0.0.1:${plain}`,
      'preferences.example.org': 'localhost',
      '/etc/ssl': home,
      '/var/log/apache2': home,
    }),
    whole: (text, { home, tls, plain }) => {
      const modules = [
        ...['mpm_event', 'authz_core', 'ssl', 'socache_shmcb', 'proxy', 'proxy_http'],
        ...['headers', 'rewrite', 'alias'],
      ];
      const load = modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
      return `${load.join('\n')}\nServerName localhost\nDefaultRuntimeDir ${home}\nPidFile ${home}/pid\nErrorLog ${home}/main.log\nUser www-data\nGroup www-data\nMutex file:${home} default\nListen 127.0.0.1:${tls}\nListen 127.0.0.1:${plain}\n${text}`;
    },
    args: (file) => ['-D', 'FOREGROUND', '-f', file],
  },
};

/** A server between proxy and product that records the headers. */
interface Between {
  readonly port: number;
  last: IncomingHttpHeaders;
  /** When true, the server closes connections instead of forwarding. */
  isBroken: boolean;
  readonly server: Server;
}

async function startBetween(productPort: () => number): Promise<Between> {
  const server = createServer((incoming, response) => {
    if (incoming.url !== '/health/ready') between.last = incoming.headers;
    if (between.isBroken) return void incoming.socket.destroy();
    const { method, url: path, headers } = incoming;
    const onward = ask({ host: '127.0.0.1', port: productPort(), method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  const [port = 0] = await freePorts(1);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const between: Between = { port, last: {}, isBroken: false, server };
  return between;
}

function skipped(name: string, program: string): string | false {
  if (existsSync(program)) return false;
  return `there is no ${name} at ${program}: its file was not run`;
}

for (const [name, proxy] of Object.entries(proxies)) {
  suite(`${name} before the product`, { skip: skipped(name, proxy.program) }, () => {
    let home: string;
    let product: Product;
    let between: Between;
    let running: Contained;
    let base: string;
    let plain: string;
    let agent: Agent;

    before(async () => {
      home = mkdtempSync(join(tmpdir(), 'sayso-proxy-'));
      const [tls = 0, plainPort = 0] = await freePorts(2);
      base = `https://localhost:${tls}`;
      plain = `http://localhost:${plainPort}`;
      product = await startProduct({
        env: {
          PUBLIC_URL: base,
          SANDBOX: 'on',
          TRUST_PROXY: '127.0.0.1',
          METRICS_TOKEN: 'gLMUoUTGmeyNEuxP8mxpAt0LIitxLUUIZdiaRudK35c',
        },
      });
      between = await startBetween(() => Number(product.env['PORT']));
      const { key, cert } = makeCertificate(['localhost']);
      writeFileSync(join(home, 'preferences.pem'), cert);
      writeFileSync(join(home, 'preferences.key'), key);
      writeFileSync(join(home, 'both.pem'), cert + key);
      agent = new Agent({ connect: { ca: cert } });
      const at: Places = { home, behind: between.port, tls, plain: plainPort };
      const file = join(home, basename(proxy.file));
      const text = substitute(readText(`deploy/${proxy.file}`), proxy.substitutes(at));
      writeFileSync(file, proxy.whole(text, at));
      mkdirSync(join(home, 'of-its-own'));
      running = contain([proxy.program, ...proxy.args(file, at)], { HOME: join(home, 'of-its-own') });
      await answering(`${base}/health/live`, running, agent);
    });
    after(async () => {
      await running?.end(name === 'nginx' ? 'SIGQUIT' : 'SIGTERM');
      await agent?.close();
      between?.server.close();
      between?.server.closeAllConnections();
      await product?.[Symbol.asyncDispose]();
      if (home !== undefined) rmSync(home, { recursive: true, force: true });
    });

    async function call(
      path: string,
      { method = 'GET', headers = {} as Readonly<Record<string, string>>, body = '' } = {},
    ) {
      const answer = await request(base + path, {
        method: method as 'GET' | 'POST',
        headers: { accept: 'text/html', ...headers },
        dispatcher: agent,
        ...(body === '' ? {} : { body }),
      });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    }

    /** Returns whether a call fails, by an error status or by the end of the connection. */
    const isRefused = (path: string, method: string) =>
      call(path, { method }).then(
        ({ status }) => status >= 500,
        () => true,
      );

    test('the proxy forwards links and one-clicks, and logs neither, even when the product is away', async () => {
      const link = new URL(await product.link({ center: books, identifier: 'anna@example.org' }));
      const oneClick = new URL(
        await product.printLink({ center: books, identifier: 'anna@example.org', flags: ['--one-click'] }),
      );
      assert.equal(oneClick.origin, base);
      const opened = await call(link.pathname + link.search);
      assert.equal(opened.status, 303, opened.text);
      const type = { 'content-type': 'application/x-www-form-urlencoded', accept: '*/*;q=0.1, text/plain' };
      const body = 'List-Unsubscribe=One-Click';
      const clicked = await call(oneClick.pathname, { method: 'POST', headers: type, body });
      assert.deepEqual([clicked.status, clicked.text], [200, 'accepted\n']);
      between.isBroken = true;
      for (const method of ['GET', 'POST']) assert.ok(await isRefused(oneClick.pathname, method), method);
      between.server.closeAllConnections();
      await new Promise((resolve) => between.server.close(resolve));
      assert.ok(await isRefused(link.pathname + link.search, 'GET'));
      await once(between.server.listen(between.port, '127.0.0.1'), 'listening');
      between.isBroken = false;
      await pause(200);
      const logs = globSync('**/*.log', { cwd: home }).map((file) => readFileSync(join(home, file), 'utf8'));
      const all = logs.join('\n') + running.output();
      assert.match(all, /POST/, 'something is logged');
      for (const token of [oneClick.pathname, '/u/', String(link.searchParams.get('t')), '?t='])
        assert.ok(!all.includes(token), `${token} is in\n${all}`);
    });

    test('the proxy states the client’s address, and removes headers by which the client claims another', async () => {
      const claims = {
        'x-forwarded-for': '192.0.2.7',
        forwarded: 'for=192.0.2.7',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'http',
      };
      assert.equal((await call('/', { headers: claims })).status, 200);
      const { last } = between;
      assert.equal(last['x-forwarded-for'], '127.0.0.1');
      assert.equal(last['x-forwarded-proto'], 'https');
      assert.equal(last.forwarded, undefined);
      assert.doesNotMatch(String(last['x-forwarded-host'] ?? ''), /evil/);
    });

    test('the proxy hides the metrics, and redirects http to https', async () => {
      const token = { authorization: 'Bearer gLMUoUTGmeyNEuxP8mxpAt0LIitxLUUIZdiaRudK35c' };
      between.last = {};
      for (const path of ['/metrics', ...(proxy.metrics ?? [])])
        assert.equal((await call(path, { headers: token })).status, 404, path);
      assert.deepEqual(between.last, {}, 'no call reaches the product');
      const { statusCode, headers, body } = await request(`${plain}/centers/x`);
      await body.dump();
      assert.equal(statusCode, 308, 'a POST stays a POST');
      assert.match(String(headers['location']), /^https:\/\/localhost(:\d+)?\/centers\/x$/);
    });
  });
}

test('docs/proxies.md names each file', () => {
  const text = readText('docs/proxies.md');
  for (const { file } of Object.values(proxies)) assert.ok(text.includes(`deploy/${file}`), file);
});
