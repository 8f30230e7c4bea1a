/**
 * deploy/haproxy.cfg and the files of deploy/proxies, each before the product: other addresses, ports and files, nothing
 * else. A proxy that is not on this machine is skipped, and says so.
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
import { readText } from './files.ts';
import { answering, type Contained, contain, haproxy, inHaproxy, substitute } from './processes.ts';

const books = 'b00c5000-0000-4000-8000-000000000001';

interface Proxy {
  readonly file: string;
  readonly program: string;
  /** Replaced in the file; each must be there. */
  substitutes(at: Places): Readonly<Record<string, string>>;
  /** Around the file, where it is a part of another one. */
  whole(text: string, at: Places): string;
  args(file: string, at: Places): readonly string[];
  /** Other ways to write the address of the metrics. */
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

/** Stands between proxy and product, and sees what comes. */
interface Between {
  readonly port: number;
  last: IncomingHttpHeaders;
  /** Breaks off instead of passing on. */
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

    /** By an answer, or by an end of the connection. */
    const isRefused = (path: string, method: string) =>
      call(path, { method }).then(
        ({ status }) => status >= 500,
        () => true,
      );

    test('passes links and one-clicks on, and logs neither, also where nothing answers.', async () => {
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

    test('names the client itself, and passes none of its own claims on.', async () => {
      const lies = {
        'x-forwarded-for': '192.0.2.7',
        forwarded: 'for=192.0.2.7',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'http',
      };
      assert.equal((await call('/', { headers: lies })).status, 200);
      const { last } = between;
      assert.equal(last['x-forwarded-for'], '127.0.0.1');
      assert.equal(last['x-forwarded-proto'], 'https');
      assert.equal(last.forwarded, undefined);
      assert.doesNotMatch(String(last['x-forwarded-host'] ?? ''), /evil/);
    });

    test('shows no metrics, and sends http to https.', async () => {
      const token = { authorization: 'Bearer gLMUoUTGmeyNEuxP8mxpAt0LIitxLUUIZdiaRudK35c' };
      between.last = {};
      for (const path of ['/metrics', ...(proxy.metrics ?? [])])
        assert.equal((await call(path, { headers: token })).status, 404, path);
      assert.deepEqual(between.last, {}, 'none is passed on');
      const { statusCode, headers, body } = await request(`${plain}/centers/x`);
      await body.dump();
      assert.equal(statusCode, 308, 'a post stays a post');
      assert.match(String(headers['location']), /^https:\/\/localhost(:\d+)?\/centers\/x$/);
    });
  });
}

test('The document names each file', () => {
  const text = readText('docs/proxies.md');
  for (const { file } of Object.values(proxies)) assert.ok(text.includes(`deploy/${file}`), file);
});
