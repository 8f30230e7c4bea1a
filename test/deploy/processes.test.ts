import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { Agent, getGlobalDispatcher, request, setGlobalDispatcher } from 'undici';
import { books, linkTo, makeKnown, onRecord, type Platform, startPlatform, within } from '../chaos/rig.ts';
import { readForm } from '../kit/form.ts';
import { createVisitor, type Visitor } from '../kit/visitor.ts';
import {
  answering,
  byDigest,
  certify,
  type Deployed,
  deploy,
  makeSecrets,
  skip,
  startBalancer,
} from './processes.ts';

const made = () => randomBytes(32).toString('base64');
const save = { name: 'action', value: 'save' };

suite('The secrets of compose.yaml', () => {
  let home: string;
  let certificate: string;
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'sayso-secrets-'));
    certificate = join(home, 'certificate.pem');
    const pem = (what: string) => `-----BEGIN ${what}-----\nAAAA\n-----END ${what}-----\n`;
    writeFileSync(certificate, pem('CERTIFICATE') + pem('EC PRIVATE KEY'));
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  const given = (more: Readonly<Record<string, string>> = {}) => ({
    PLATFORM_CLIENT_SECRET: 'of-the-platform',
    CERTIFICATE: certificate,
    ...byDigest,
    ...more,
  });

  test('are made by chance once, and stay.', () => {
    const folder = join(home, 'twice');
    const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
    makeSecrets(folder, given());
    const [secret, url] = [read('node/secret'), read('node/database-url')];
    assert.equal(Buffer.from(secret, 'base64').length, 32);
    assert.equal(url, `postgres://sayso:${read('postgres/database-password')}@postgres/sayso`);
    assert.equal(read('balancer/certificate.pem'), readFileSync(certificate, 'utf8').trim());
    makeSecrets(folder, given({ PLATFORM_CLIENT_SECRET: 'another' }));
    assert.equal(read('node/secret'), secret);
    assert.equal(read('node/database-url'), url);
    assert.equal(read('node/platform-client-secret'), 'another');
    assert.equal(statSync(join(folder, 'node/secret')).mode & 0o222, 0);
  });

  test('take a SECRET that an installation brings, and no other one afterwards.', () => {
    const folder = join(home, 'brought');
    const [secret, another] = [made(), made()];
    const read = () => readFileSync(join(folder, 'node/secret'), 'utf8').trim();
    makeSecrets(folder, given({ SECRET: `${secret},the-one-before-that` }));
    assert.equal(read(), `${secret},the-one-before-that`);
    makeSecrets(folder, given({ SECRET: secret }));
    assert.throws(() => makeSecrets(folder, given({ SECRET: another })), /not the one that is kept/);
    assert.equal(read(), `${secret},the-one-before-that`);
  });

  test('take no SECRET that the nodes refuse, and no image without its digest.', () => {
    const folder = join(home, 'refused');
    assert.throws(() => makeSecrets(folder, given({ SECRET: 'correct-horse' })), /SECRET must be 32 random/);
    for (const name of Object.keys(byDigest))
      for (const image of ['postgres:17', 'postgres@sha256:abc', 'postgres:latest@sha256:'])
        assert.throws(() => makeSecrets(folder, given({ [name]: image })), new RegExp(`${name} must name`));
    assert.ok(!existsSync(folder), 'nothing is made');
  });

  test('are replaced in two steps, of which neither loses one.', () => {
    const folder = join(home, 'replaced');
    const read = () => readFileSync(join(folder, 'node/secret'), 'utf8').trim().split(',');
    makeSecrets(folder, given());
    const [first] = read();
    makeSecrets(folder, given(), '--add-secret');
    const [kept, added] = read();
    assert.equal(kept, first);
    makeSecrets(folder, given(), '--turn-secret');
    assert.deepEqual(read(), [added, first]);
    assert.throws(() => makeSecrets(folder, given(), '--turn'), /is not known/);
  });

  test('are not made of what is missing or no certificate.', () => {
    const folder = join(home, 'missing');
    assert.throws(
      () => makeSecrets(folder, given({ PLATFORM_CLIENT_SECRET: '' })),
      /PLATFORM_CLIENT_SECRET is/,
    );
    const half = join(home, 'half.pem');
    writeFileSync(half, readFileSync(certificate, 'utf8').split('-----BEGIN EC')[0] ?? '');
    assert.throws(() => makeSecrets(folder, given({ CERTIFICATE: half })), /holds no private key/);
  });
});

/** Two servers behind the balancer that do what a test says. */
async function behindBalancer(handlers: readonly [RequestListener, RequestListener]) {
  const home = mkdtempSync(join(tmpdir(), 'sayso-balancer-'));
  chmodSync(home, 0o755);
  const servers = handlers.map((handler) =>
    http.createServer((incoming, answer) => {
      if (incoming.url === '/health/ready') answer.end('ready\n');
      else handler(incoming, answer);
    }),
  );
  for (const server of servers)
    await new Promise((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, () => resolve(undefined)));
  const [one = 0, two = 0] = servers.map((server) => (server.address() as AddressInfo).port);
  const { file, authority, dispatcher } = certify(home);
  const balancer = await startBalancer({ home, certificateFile: file, nodePorts: [one, two] });
  const site = {
    balancer,
    authority,
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
    await using site = await behindBalancer([breaks, works]);
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
    await using site = await behindBalancer([node(0), node(1)]);
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
    await using site = await behindBalancer([hears, hears]);
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
    const takes: RequestListener = (_incoming, answer) => void answer.end();
    await using site = await behindBalancer([takes, takes]);
    const others = new Agent({ localAddress: '127.0.0.77', connect: { ca: site.authority } });
    const statusOf = async (path: string, options: Parameters<typeof request>[1] = {}) => {
      const { statusCode, headers, body } = await site.ask(path, options);
      await body.dump();
      if (statusCode === 429) assert.equal(headers['retry-after'], '10');
      return statusCode;
    };
    const isRefused = await within(60_000, async () => {
      const statuses = await Promise.all(Array.from({ length: 100 }, () => statusOf('/')));
      return statuses.includes(429);
    });
    assert.ok(isRefused);
    assert.equal(await statusOf('/u/a-token', { method: 'POST' }), 200);
    const other = await request(`${site.balancer.url}/`, { dispatcher: others });
    await other.body.dump();
    assert.equal(other.statusCode, 200);
    await others.destroy();
  });

  test('says who asks, whatever they say of themselves, and shows no metrics.', async () => {
    const heard: http.IncomingHttpHeaders[] = [];
    const hears: RequestListener = ({ headers }, answer) => {
      heard.push(headers);
      answer.end();
    };
    await using site = await behindBalancer([hears, hears]);
    const headers = {
      'x-forwarded-for': '192.0.2.1',
      forwarded: 'for=192.0.2.1',
      'x-forwarded-host': 'elsewhere.example',
      'x-forwarded-proto': 'http',
    };
    await (await site.ask('/', { headers })).body.dump();
    const [got] = heard;
    assert.equal(got?.['x-forwarded-for'], '127.0.0.1');
    assert.equal(got?.['x-forwarded-proto'], 'https');
    assert.equal(got?.['forwarded'], undefined);
    assert.equal(got?.['x-forwarded-host'], undefined);
    for (const path of ['/metrics', '/metrics?a', '/%6detrics', '/METRICS']) {
      const answer = await site.ask(path);
      await answer.body.dump();
      assert.equal(answer.statusCode, 404, path);
    }
    assert.equal(heard.length, 1);
    const plain = await request(`http://127.0.0.1:${site.balancer.plainPort}/a?b=c`, {
      headers: { host: 'preferences.example.org' },
    });
    await plain.body.dump();
    assert.equal(plain.statusCode, 308);
    assert.equal(plain.headers['location'], 'https://preferences.example.org/a?b=c');
    await (await site.ask('/centers/a-token-in-the-path?t=a-token-in-the-query')).body.dump();
    await pause(100);
    assert.match(site.balancer.output(), /GET 200/);
    assert.doesNotMatch(site.balancer.output(), /a-token/);
  });
});

suite('compose.yaml, as plain processes', { skip }, () => {
  const usual = getGlobalDispatcher();
  let platform: Platform;
  let deployed: Deployed;
  const crew = Array.from({ length: 8 }, (_, index) => `crew-${index}@example.org`);
  before(async () => {
    platform = await startPlatform();
    for (const who of crew) await makeKnown(platform.sandbox, who);
    deployed = await deploy(platform.port);
    // The test's visitor trusts its certificate.
    setGlobalDispatcher(deployed.dispatcher);
  });
  after(async () => {
    setGlobalDispatcher(usual);
    await deployed?.[Symbol.asyncDispose]();
    await platform?.[Symbol.asyncDispose]();
  });

  const link = (who: string) => linkTo({ url: deployed.url, env: { SECRET: deployed.secret } }, books, who);

  async function openPage(who: string) {
    const visitor = createVisitor(deployed.url);
    const page = await visitor.open(await link(who));
    assert.equal(page.status, 200, page.text.slice(0, 500));
    return { visitor, page };
  }

  /** Switches everything off that can be; gives what that is. */
  async function withdraw(
    who: string,
    { visitor, page }: { visitor: Visitor; page: { text: string; url: string } },
  ) {
    const given = await onRecord(platform.sandbox, books, who);
    const form = readForm(page.text);
    const on = form.controls.filter(
      ({ name, checked, disabled, value }) =>
        name === 'purpose' && checked && !disabled && given.has(value.toLowerCase()),
    );
    assert.ok(on.length > 0);
    for (const { value } of on) form.untick('purpose', value);
    const { action, fields } = form.press(save);
    const answer = await visitor.post(new URL(action, page.url).href, [...fields]).catch(() => undefined);
    return { purposes: on.map(({ value }) => value.toLowerCase()), status: answer?.status };
  }

  const isOff = async (who: string, purposes: readonly string[]) => {
    const given = await onRecord(platform.sandbox, books, who);
    return purposes.every((purpose) => !given.has(purpose));
  };

  test('what a person saves through the balancer arrives, whichever node they meet.', async () => {
    const { visitor, page } = await openPage('anna@example.org');
    const { purposes, status } = await withdraw('anna@example.org', { visitor, page });
    assert.equal(status, 303);
    assert.ok(await within(10_000, () => isOff('anna@example.org', purposes)));
    const bothAnswer = async () => {
      const opened = await Promise.all(Array.from({ length: 4 }, () => openPage('anna@example.org')));
      for (const { page: again } of opened) {
        const on = readForm(again.text).controls.filter(({ name, checked }) => name === 'purpose' && checked);
        assert.ok(on.every(({ value }) => !purposes.includes(value.toLowerCase())));
      }
      return (await pagesOf(0)) > 0 && (await pagesOf(1)) > 0;
    };
    assert.ok(await within(10_000, bothAnswer), 'one node is never asked');
  });

  /** What its metrics say, at the port that the balancer does not forward. */
  async function pagesOf(which: 0 | 1): Promise<number> {
    const { body } = await request(deployed.node(which).metricsUrl);
    const lines = [...(await body.text()).matchAll(/^sayso_request_seconds_count\{.*:center.*\} (\d+)$/gm)];
    return lines.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  test('a node that is killed takes no withdrawal with it, and no page fails.', async () => {
    const open = await Promise.all(crew.map(async (who) => ({ who, ...(await openPage(who)) })));
    // So that the kill meets submissions that are on their way.
    await platform.sandbox.addFault({ kind: 'latency', operation: 'update-subject', milliseconds: 700 });
    const sent = open.map(async ({ who, visitor, page }) => ({
      who,
      visitor,
      page,
      ...(await withdraw(who, { visitor, page })),
    }));
    await pause(400);
    await deployed.node(0).end('SIGKILL');
    let pages = 0;
    const until = Date.now() + 3_000;
    while (Date.now() < until) {
      const { visitor } = open[pages % open.length] ?? assert.fail();
      assert.equal((await visitor.open(`/centers/${books}`)).status, 200);
      pages += 1;
      await pause(100);
    }
    await platform.sandbox.clearFaults();
    const results = await Promise.all(sent);
    const broken = results.filter(({ status }) => status !== 303);
    // Whoever saw their post break sends the same form again.
    for (const each of broken) {
      const form = readForm(each.page.text);
      for (const value of each.purposes)
        for (const control of form.controls)
          if (control.value.toLowerCase() === value) form.untick('purpose', control.value);
      const { action, fields } = form.press(save);
      const again = await each.visitor.post(new URL(action, each.page.url).href, [...fields]);
      assert.equal(again.status, 303);
    }
    for (const { who, purposes } of results)
      assert.ok(await within(60_000, () => isOff(who, purposes)), `${who}: the withdrawal was lost`);
    await deployed.replace(0);
    process.stdout.write(
      `deploy: 1 of 2 nodes killed, ${results.length} withdrawals on record, ${broken.length} posts broken, ${pages} pages, 0 failed\n`,
    );
  });

  test('both nodes are replaced, one after the other, and nobody notices.', async () => {
    const people = await Promise.all(crew.slice(0, 4).map(openPage));
    let isGoing = true;
    const statuses = new Map<number, number>();
    const clients = people.map(async ({ visitor }) => {
      while (isGoing) {
        const { status } = await visitor.open(`/centers/${books}`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await pause(100);
      }
    });
    for (const which of [0, 1] as const) {
      assert.equal(await deployed.node(which).end('SIGTERM'), 0, deployed.node(which).output().slice(-2_000));
      await deployed.replace(which);
      // Until the balancer has seen that it is back, on a busy machine, too.
      await pause(6_000);
    }
    isGoing = false;
    await Promise.all(clients);
    assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]));
    process.stdout.write(`deploy: both nodes replaced under load, ${statuses.get(200)} pages, 0 failed\n`);
  });

  test('pg_dump and pg_restore give back what was kept.', async () => {
    const dump = execFileSync('pg_dump', ['--format=custom', deployed.database.url], {
      maxBuffer: 2 ** 28,
    });
    const { postgres } = await import('../kit/postgres.ts');
    const other = await postgres.database();
    try {
      execFileSync('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${other.url}`], { input: dump });
      const tables = (await deployed.database.query(
        "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
      )) as readonly { name: string }[];
      assert.ok(tables.length > 8, `${tables.length} tables`);
      for (const { name } of tables.filter(({ name }) => /journal|submission|evidence|record/.test(name))) {
        const sql = `SELECT count(*)::int AS rows, md5(string_agg(t::text, '' ORDER BY t::text)) AS digest FROM "${name}" t`;
        assert.deepEqual(await other.query(sql), await deployed.database.query(sql), name);
      }
    } finally {
      await other.end();
    }
  });
});
