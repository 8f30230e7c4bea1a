import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Development } from '../../src/compose/parts.ts';
import { canaries } from './canaries.ts';
import { brokenOnPurpose } from './internal-errors.ts';
import { createSandboxClient, type SandboxClient } from './sandbox-client.ts';

const root = join(import.meta.dirname, '..', '..');
const main = join(root, 'src', 'main.mjs');

/** The entry file of a checkout; in an old one it is TypeScript. */
function mainOf(checkout: string): string {
  const path = join(checkout, 'src', 'main.mjs');
  return existsSync(path) ? path : join(checkout, 'src', 'main.ts');
}

/** Milliseconds until a start or an end fails. Beside all other tests either can take half a minute. */
const longest = 120_000;

/**
 * Deadlines of calls to the platform, for a product in the test's process. They are long, for on a busy
 * machine a small page takes longer than the usual ones allow. `test/upstream` and `test/chaos` test the
 * usual ones.
 */
export const unhurried = {
  token: 60_000,
  schema: 60_000,
  center: 60_000,
  subjectRead: 60_000,
  staff: 60_000,
};

/** Child processes that run now. */
const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});
process.once('SIGTERM', () => process.exit(143));

/** Settings for a platform that is a sandbox, and so allows as many calls as come. */
export const manyCalls = {
  PLATFORM_REQUESTS_PER_MINUTE: '1000000',
  PLATFORM_REQUESTS_PER_HOUR: '100000000',
};

/** Settings of a product whose platform is the sandbox at this address. */
export const tenantAt = (sandboxUrl: string) => ({
  PLATFORM_URL: sandboxUrl,
  PLATFORM_CLIENT_ID: 'sandbox',
  PLATFORM_CLIENT_SECRET: canaries.platformSecret,
});

export interface ProductOptions {
  /** Settings beside those of the kit; `{home}` in a value becomes the folder of `files`. */
  readonly env?: Readonly<Record<string, string>>;
  /** The content of its centers file, with `{home}` as in `env`; by default there is no such file. */
  readonly centers?: readonly object[];
  /** The store of its data; by default SAYSO_STORE decides: `postgres` or files. */
  readonly store?: 'postgres' | 'files';
  /** Files in a fresh folder: path → text. */
  readonly files?: Readonly<Record<string, string>>;
  /** A name for what the test breaks: internal errors in the log then fail no run (`internal-errors.ts`). */
  readonly broken?: string;
}

export interface ProcessOptions extends ProductOptions {
  /** A command that at last runs the arguments appended to it, such as `sh -c 'ulimit …; exec "$0" "$@"'`. */
  readonly launcher?: readonly string[];
  /** The folder of the checkout that it runs from; by default this one. */
  readonly checkout?: string;
}

export interface LinkOptions {
  readonly center: string;
  readonly identifier: string;
  /** Further flags of `npm run link`, such as `--scope withdraw`. */
  readonly flags?: readonly string[];
}

/** The real product, over its own sandbox, with its own data folder. */
export interface Product {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly metricsUrl: string;
  readonly sandbox: SandboxClient;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** The text that it has printed so far, on stdout and stderr. */
  output(): string;
  /** A person's link, made as `npm run link` makes it, but without a process. */
  link(change: LinkOptions): Promise<string>;
  /** The link that `npm run link` prints; its process has the clock that a test set for the product. */
  printLink(change: LinkOptions): Promise<string>;
  /** Ends it as a signal would; throws unless it ends by itself and in order. Its data stay for `start`. */
  stop(): Promise<void>;
  /** Starts it again, on the same ports and data. */
  start(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A product in this process. */
export interface ProductHere extends Product {
  /** Its Express app, while it runs. */
  readonly app: unknown;
}

/** A product in its own process. */
export interface ProductProcess extends Product {
  /** The id of its process; undefined while it does not run. */
  readonly pid: number | undefined;
  kill9(): Promise<void>;
  /** Stops the process by SIGSTOP, until `thaw`. */
  freeze(): void;
  thaw(): void;
}

/**
 * Starts the product in this process, for a tenth of the cost of a new one: its modules are read once, and
 * code that has run is warm. Use it with `await using`, which ends it and removes its data.
 */
export async function startProduct({
  development,
  ...options
}: ProductOptions & { readonly development?: Development } = {}): Promise<ProductHere> {
  const { settings, outputFile, parts, remove } = await prepare(options);
  let running: { readonly app: unknown; close(): Promise<void> } | undefined;

  const product: ProductHere = {
    ...parts,
    get app() {
      return running?.app;
    },
    async start() {
      if (running !== undefined) throw new Error('the product is running');
      if ('NODE_OPTIONS' in settings) throw new Error('NODE_OPTIONS are of a process: use startProcess');
      // Loaded only by tests that start a product here.
      const [{ readConfig }, { startSayso }] = await Promise.all([
        import('../../src/config/environment.ts'),
        import('../../src/compose/product.ts'),
      ]);
      const config = readConfig(settings, (path) => readFileSync(path, 'utf8'));
      running = await startSayso(config, {
        print: (text) => appendFileSync(outputFile, text),
        timeouts: unhurried,
        development,
      });
    },
    async stop() {
      const ending = running;
      running = undefined;
      await ending?.close();
    },
    async [Symbol.asyncDispose]() {
      try {
        await product.stop();
      } finally {
        await remove();
      }
    },
  };
  try {
    await product.start();
  } catch (fault) {
    await remove();
    throw fault;
  }
  return product;
}

/** Starts the product in its own process, for tests that need one, and waits until it is ready. */
export async function startProcess({
  launcher = [],
  checkout = root,
  ...options
}: ProcessOptions = {}): Promise<ProductProcess> {
  const { settings, outputFile, parts, remove } = await prepare(options, checkout);
  let running: ChildProcess | undefined;

  const product: ProductProcess = {
    ...parts,
    get pid() {
      return running?.pid;
    },
    async start() {
      if (running !== undefined) throw new Error('the product is running');
      const output = openSync(outputFile, 'a');
      const [command = process.execPath, ...args] = [...launcher, process.execPath, mainOf(checkout)];
      running = spawn(command, args, {
        cwd: checkout,
        env: settings,
        stdio: ['ignore', output, output],
      });
      closeSync(output);
      endWithUs(running);
      await waitUntilReady(running, `http://127.0.0.1:${settings['PORT']}/health/ready`, product.output);
    },
    async stop() {
      const code = await end('SIGTERM');
      if (code !== 0) throw new Error(`the product ended with ${code}:\n${product.output().slice(-4000)}`);
    },
    async kill9() {
      await end('SIGKILL');
    },
    freeze: () => void running?.kill('SIGSTOP'),
    thaw: () => void running?.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      try {
        if (running !== undefined) await product.stop();
      } finally {
        await remove();
      }
    },
  };

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string> {
    const child = running;
    running = undefined;
    if (child === undefined) return 'never started';
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode ?? '';
    const exited = once(child, 'exit');
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), longest);
    const [code, by] = await exited;
    clearTimeout(late);
    return code ?? by;
  }

  try {
    await product.start();
  } catch (fault) {
    await end('SIGKILL');
    await remove();
    throw fault;
  }
  return product;
}

type Environment = typeof import('../../src/config/environment.ts');
type LinkCommand = typeof import('../../src/cli/link.ts');
type Usage = typeof import('../../src/cli/usage.ts');
/** The link command of earlier commits, for benches: each command read its own options. */
interface EarlierLinkCommand {
  readLink(config: ReturnType<Environment['readConfig']>, args: readonly string[]): string | Promise<string>;
}

interface Preparation {
  readonly settings: Readonly<Record<string, string>>;
  /** The file that takes its output. */
  readonly outputFile: string;
  readonly parts: Omit<Product, 'start' | 'stop' | typeof Symbol.asyncDispose>;
  /** Removes its data after it has ended. */
  remove(): Promise<void>;
}

/** Makes what a product needs before it starts: ports, settings, a folder, a database. */
async function prepare(
  {
    centers,
    env: given = {},
    files = {},
    broken,
    store = process.env['SAYSO_STORE'] === 'postgres' ? 'postgres' : 'files',
  }: ProductOptions,
  checkout = root,
): Promise<Preparation> {
  const env = centers === undefined ? given : { CENTERS_FILE: '{home}/centers.json', ...given };
  const beside = databases.get(env['DATA_DIR'] ?? '');
  const isOwn = store === 'postgres' && beside === undefined && env['DATABASE_URL'] === undefined;
  const own = isOwn ? await makeDatabase() : undefined;
  const database = store === 'postgres' ? (own?.url ?? beside) : undefined;
  const home = mkdtempSync(join(tmpdir(), 'sayso-test-'));
  const written =
    centers === undefined
      ? files
      : { 'centers.json': JSON.stringify(centers).replaceAll('{home}', home), ...files };
  for (const [path, text] of Object.entries(written)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const [port, sandboxPort, metricsPort] = await freePorts(3);
  const settings: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    // All products of all tests share it, and so start in half the time.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'sayso'),
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    DATA_DIR: join(home, 'data'),
    SECRET: canaries.secret,
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_CLIENT_SECRET: canaries.platformSecret,
    LOG_LEVEL: 'debug',
    DRAIN_SECONDS: '0',
    DEMO_PORT: 'off',
    // Long, so that a busy machine fails no test; the deadline has tests of its own.
    ...(database === undefined ? {} : { DATABASE_URL: database, DATABASE_TIMEOUT_SECONDS: '5' }),
    ...(env['PLATFORM_URL'] === undefined ? { SANDBOX: 'on' } : manyCalls),
  };
  for (const [name, value] of Object.entries(env)) settings[name] = value.replaceAll('{home}', home);
  if (database !== undefined) databases.set(settings['DATA_DIR'] ?? '', database);
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const outputFile = join(
    process.env['SAYSO_OUTPUTS'] ?? home,
    `${broken === undefined ? 'product' : brokenOnPurpose}-${randomUUID()}.log`,
  );
  return {
    settings,
    outputFile,
    parts: {
      url: settings['PUBLIC_URL'] ?? `http://localhost:${port}`,
      sandboxUrl,
      metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
      sandbox: createSandboxClient(sandboxUrl, {
        clientId: settings['SANDBOX_CLIENT_ID'] ?? 'sandbox',
        clientSecret: settings['SANDBOX_CLIENT_SECRET'] ?? '',
      }),
      home,
      env: settings,
      output: () => readFileSync(outputFile, 'utf8'),
      async link({ center, identifier, flags = [] }) {
        // Loaded only by tests that make a link; another checkout makes links in its own way.
        const [{ readConfig }, command] = await Promise.all([
          import(join(checkout, 'src/config/environment.ts')) as Promise<Environment>,
          import(join(checkout, 'src/cli/link.ts')) as Promise<LinkCommand | EarlierLinkCommand>,
        ]);
        const config = readConfig(settings, (path) => readFileSync(path, 'utf8'));
        const args = ['--center', center, '--identifier', identifier, ...flags];
        if ('readLink' in command) return command.readLink(config, args);
        const { parse } = (await import(join(checkout, 'src/cli/usage.ts'))) as Usage;
        return command.oneLink(config, parse('link', args).values);
      },
      async printLink({ center, identifier, flags = [] }) {
        const args = [main, 'link', '--center', center, '--identifier', identifier, ...flags];
        const printed = promisify(execFile)(process.execPath, args, { cwd: root, env: settings });
        const { stdout } = await printed.catch(({ stderr }: { stderr?: string }) => {
          throw new Error(`the link command failed: ${stderr}`);
        });
        if (!/^https?:\/\/\S+\n$/.test(stdout)) throw new Error(`the link command printed: ${stdout}`);
        return stdout.trim();
      },
    },
    async remove() {
      await own?.end();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Data folder → database: a second product on the same folder uses the same database. */
const databases = new Map<string, string>();

/** Loads postgres.ts here, so that tests without a database look for none. */
async function makeDatabase() {
  const { postgres } = await import('./postgres.ts');
  if (postgres.skip !== false) throw new Error(postgres.skip);
  return postgres.database();
}

/** Kills the child when this process exits. */
export function endWithUs(child: ChildProcess): void {
  alive.add(child);
  child.once('exit', () => alive.delete(child));
}

async function waitUntilReady(child: ChildProcess, address: string, output: () => string): Promise<void> {
  const last = Date.now() + longest;
  while (Date.now() < last) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(
        `the product ended at start with ${child.exitCode ?? child.signalCode}:\n${output().slice(-4000)}`,
      );
    const answer = await fetch(address).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await pause(50);
  }
  throw new Error(`the product was not ready after ${longest} ms:\n${output().slice(-4000)}`);
}

/**
 * Ports that are free now, all held until all are found. They lie below the ports that a system gives to
 * outgoing connections: one of those could take the port before its product listens.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, holdPort));
  await Promise.all(servers.map(({ server }) => once(server.close(), 'close')));
  return servers.map(({ port }) => port);
}

async function holdPort(): Promise<{ readonly server: Server; readonly port: number }> {
  for (let tries = 0; ; tries += 1) {
    const port = randomInt(11_000, 32_000);
    // A connection that is made meanwhile would keep the server open.
    const server = createServer((socket) => socket.destroy());
    try {
      claim(port);
      await once(server.listen(port, '127.0.0.1'), 'listening');
      return { server, port };
    } catch (fault) {
      if (tries > 100) throw fault;
    }
  }
}

/** Reserves the port for the whole run: while its product restarts, no other process may take it. */
function claim(port: number): void {
  const run = process.env['SAYSO_OUTPUTS'];
  if (run !== undefined) writeFileSync(join(run, '..', `port-${port}`), '', { flag: 'wx' });
}
