import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { makeCertificate } from '../browser/sites.ts';
import { postgres } from '../kit/postgres.ts';
import { freePorts, manyCalls } from '../kit/product.ts';
import { until } from '../kit/until.ts';
import type { Compose } from './compose-schema.ts';
import { readImage, readText, readYaml, root } from './files.ts';

export const haproxy = process.env['HAPROXY'] ?? '/usr/sbin/haproxy';
const [compose] = readYaml('compose.yaml') as readonly [Compose];
const image = readImage();

/** The reason why the tests cannot run here, or false; with CI=true a reason is thrown. */
export const skip: string | false = findSkip();

function findSkip(): string | false {
  if (postgres.skip !== false) return postgres.skip;
  if (existsSync(haproxy)) return false;
  const why = `no HAProxy at ${haproxy}: install it (Debian: haproxy), or set HAPROXY to its path`;
  if (process.env['CI'] === 'true') throw new Error(why);
  process.stderr.write(`\n*** NOT TESTED: ${why} ***\n\n`);
  return why;
}

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export type Contained = ReturnType<typeof contain>;

/** Starts a plain process with the command and environment of a container. */
export function contain(
  [command = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    output: () => printed,
    hasEnded,
    /** Ends the process, and returns its exit code, or the signal that ended it. */
    async end(signal: NodeJS.Signals): Promise<number | string> {
      if (hasEnded()) return child.exitCode ?? child.signalCode ?? '';
      const exited = once(child, 'exit');
      child.kill(signal);
      const [code, by] = await exited;
      return code ?? by;
    },
  };
}

/** Texts of deploy/haproxy.cfg, with their replacements in a test. */
export function inHaproxy(at: {
  readonly plainPort: number;
  readonly port: number;
  readonly certificateFile: string;
  readonly nodePorts: readonly [number, number];
}): Readonly<Record<string, string>> {
  return {
    'bind :8080': `bind 127.0.0.1:${at.plainPort}`,
    'bind :8443': `bind 127.0.0.1:${at.port}`,
    '/run/secrets/certificate.pem': at.certificateFile,
    'node-1:3000': `127.0.0.1:${at.nodePorts[0]}`,
    'node-2:3000': `127.0.0.1:${at.nodePorts[1]}`,
  };
}

export type Balancer = Awaited<ReturnType<typeof startBalancer>>;

/** Starts HAProxy with deploy/haproxy.cfg, at other addresses and perhaps with a lower limit of requests. */
export async function startBalancer(given: {
  readonly home: string;
  readonly certificateFile: string;
  readonly nodePorts: readonly [number, number];
  /** Limit of requests from one source in ten seconds; by default the limit of the file. */
  readonly mostRequests?: number | undefined;
}) {
  const [plainPort = 0, port = 0] = await freePorts(2);
  const file = join(given.home, 'haproxy.cfg');
  const substituted = substitute(readText('deploy/haproxy.cfg'), {
    ...inHaproxy({ ...given, plainPort, port }),
    'sc0_http_req_rate gt 3000': `sc0_http_req_rate gt ${given.mostRequests ?? 3_000}`,
  });
  writeFileSync(file, substituted);
  execFileSync(haproxy, ['-c', '-q', '-f', file]);
  const running = contain([haproxy, '-db', '-f', file], {});
  return { ...running, url: `https://localhost:${port}`, plainPort };
}

/** Replaces texts; throws when one is missing, because the file has changed. */
export function substitute(text: string, by: Readonly<Record<string, string>>): string {
  return Object.entries(by).reduce((sum, [from, to]) => {
    if (!sum.includes(from)) throw new Error(`the file no longer has ${from}`);
    return sum.replaceAll(from, to);
  }, text);
}

/** Makes a certificate for localhost, and a client that trusts it. */
export function certify(home: string) {
  const { key, cert } = makeCertificate(['localhost']);
  const file = join(home, 'certificate.pem');
  writeFileSync(file, cert + key, { mode: 0o600 });
  // Far below the balancer's five seconds, so that no request meets a connection that is closing.
  const dispatcher = new Agent({ keepAliveTimeout: 1_000, connect: { ca: cert } });
  return { file, authority: cert, dispatcher };
}

/** Names of images by digest, as an operator supplies them. */
export const byDigest = {
  HAPROXY_IMAGE: `haproxy:3.2@sha256:${'a'.repeat(64)}`,
  POSTGRES_IMAGE: `postgres:17@sha256:${'b'.repeat(64)}`,
};

/** Runs the service of compose.yaml that makes the secrets, as a worker, into a folder. */
export async function makeSecrets(
  folder: string,
  given: Readonly<Record<string, string>>,
  ...argv: string[]
): Promise<void> {
  const { command = [], environment } = compose.services.secrets;
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    env[name] = /^\$\{/.test(value) ? (given[name] ?? '') : value;
  Object.assign(env, { SECRETS_FOLDER: folder, CERTIFICATE_FILE: given['CERTIFICATE'] ?? '' });
  const [, script = ''] = command;
  const running = new Worker(join(root, script), { env, argv, stderr: true });
  const errors = text(running.stderr);
  const [code] = await once(running, 'exit');
  if (code !== 0) throw new Error(await errors);
}

export type Deployed = Awaited<ReturnType<typeof deploy>>;

/** Starts compose.yaml without containers: two nodes by the image's command, a new database, HAProxy. */
export async function deploy(platformPort: number) {
  const home = mkdtempSync(join(tmpdir(), 'sayso-deploy-'));
  const secrets = join(home, 'secrets');
  const certificate = certify(home);
  await makeSecrets(secrets, {
    PLATFORM_CLIENT_SECRET: 'sandbox-secret',
    CERTIFICATE: certificate.file,
    ...byDigest,
  });
  const database = await postgres.database();
  // The test's database has another address and user than compose.yaml.
  writeFileSync(join(secrets, 'node', 'url-of-the-test'), database.url, { mode: 0o600 });
  const [one = 0, two = 0, ...metricsPorts] = await freePorts(4);
  const ports = [one, two] as const;
  const certificateFile = join(secrets, 'balancer', 'certificate.pem');
  const balancer = await startBalancer({ home, certificateFile, nodePorts: ports });
  mkdirSync(join(home, 'nothing', 'erased'), { recursive: true });
  chmodSync(join(home, 'nothing'), 0o500);

  function environmentOf(which: 0 | 1): Readonly<Record<string, string>> {
    const named = {
      ...image.environment,
      ...compose.services[which === 0 ? 'node-1' : 'node-2'].environment,
    };
    const values: Record<string, string> = {};
    for (const [name, value] of Object.entries(named)) values[name] = inFolders(value);
    return {
      ...values,
      DATABASE_URL_FILE: join(secrets, 'node', 'url-of-the-test'),
      PUBLIC_URL: balancer.url,
      PLATFORM_URL: `http://127.0.0.1:${platformPort}`,
      PLATFORM_CLIENT_ID: 'sandbox',
      TASK_ORGANIZATION: '',
      ...manyCalls,
      TRUST_PROXY: '127.0.0.1',
      // Twice the default, because a busy machine must not look like a slow database.
      DATABASE_TIMEOUT_SECONDS: '2',
      HOST: '127.0.0.1',
      PORT: String(ports[which]),
      METRICS_PORT: String(metricsPorts[which]),
    };
  }

  /** Replaces paths of a container by folders of this machine. */
  function inFolders(path: string): string {
    return path
      .replace(/(^|=)\/run\/secrets/, `$1${join(secrets, 'node')}`)
      .replace(/(^|=)\/app(?=\/|$)/, `$1${root}`)
      .replace(/(^|=)\/data(?=\/|$)/, `$1${join(home, 'nothing')}`);
  }

  function start(which: 0 | 1) {
    const [, ...args] = image.command;
    const running = contain([process.execPath, ...args.map(inFolders)], environmentOf(which));
    return {
      ...running,
      metricsUrl: `http://127.0.0.1:${metricsPorts[which]}/metrics`,
      /** Resolves once the node is ready. */
      ready: answering(`http://127.0.0.1:${ports[which]}/health/ready`, running),
    };
  }

  const nodes: [ReturnType<typeof start>, ReturnType<typeof start>] = [start(0), start(1)];
  const deployed = {
    url: balancer.url,
    balancer,
    dispatcher: certificate.dispatcher,
    /** Environment of the first node. */
    environment: environmentOf(0),
    secret: readFileSync(join(secrets, 'node', 'secret'), 'utf8').trim(),
    database,
    node: (which: 0 | 1) => nodes[which],
    /** Starts a node in place of one that has ended. */
    async replace(which: 0 | 1) {
      nodes[which] = start(which);
      await nodes[which].ready;
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(nodes.map(({ ready }) => ready));
      await Promise.all([...nodes.map((node) => node.end('SIGKILL')), balancer.end('SIGKILL')]);
      await certificate.dispatcher.destroy();
      await database.end();
      rmSync(home, { recursive: true, force: true });
    },
  };
  try {
    await Promise.all(nodes.map(({ ready }) => ready));
    await answering(`${balancer.url}/health/ready`, balancer, certificate.dispatcher);
  } catch (fault) {
    await deployed[Symbol.asyncDispose]();
    throw fault;
  }
  return deployed;
}

/** Waits until a GET is answered with 200. */
export function answering(url: string, running: Contained, dispatcher?: Agent): Promise<unknown> {
  return until(async () => {
    if (running.hasEnded()) throw new Error(`${url} does not answer:\n${running.output().slice(-4_000)}`);
    const answer = await request(url, dispatcher === undefined ? {} : { dispatcher }).catch(() => undefined);
    await answer?.body.dump();
    return answer?.statusCode === 200;
  }, url);
}
