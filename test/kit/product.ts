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

/** Another checkout may be of before it was JavaScript. */
function mainOf(checkout: string): string {
  const path = join(checkout, 'src', 'main.mjs');
  return existsSync(path) ? path : join(checkout, 'src', 'main.ts');
}

/** Milliseconds for a start or an end. Many times what either takes: beside all other tests it can take half a minute. */
const longest = 120_000;

/**
 * Deadlines of calls to the platform, for a product in the test's process: on a busy machine a small page takes longer
 * than a visitor of the product waits. What the deadlines do is tested by `test/upstream` and `test/chaos`.
 */
export const unhurried = {
  token: 60_000,
  schema: 60_000,
  center: 60_000,
  subjectRead: 60_000,
  staff: 60_000,
};

/** Children that are running. */
const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});
process.once('SIGTERM', () => process.exit(143));

/** Of a platform that is a sandbox all the same: it allows as many calls as come. */
export const manyCalls = {
  PLATFORM_REQUESTS_PER_MINUTE: '1000000',
  PLATFORM_REQUESTS_PER_HOUR: '100000000',
};

/** Settings of a product whose platform is the sandbox there. */
export const tenantAt = (sandboxUrl: string) => ({
  PLATFORM_URL: sandboxUrl,
  PLATFORM_CLIENT_ID: 'sandbox',
  PLATFORM_CLIENT_SECRET: canaries.platformSecret,
});

export interface ProductOptions {
  /** Settings beside those of the kit; `{home}` in a value becomes the folder of `files`. */
  readonly env?: Readonly<Record<string, string>>;
  /** What its centers file says, `{home}` as in `env`; by default there is none. */
  readonly centers?: readonly object[];
  /** What keeps its data: by default what SAYSO_STORE says, `postgres` or files. */
  readonly store?: 'postgres' | 'files';
  /** Path inside a fresh folder → its text. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the test breaks, so that faults of the product's own in its log fail no run (`internal-errors.ts`). */
  readonly broken?: string;
}

export interface ProcessOptions extends ProductOptions {
  /** A command that ends by running what is appended to it, such as `sh -c 'ulimit …; exec "$0" "$@"'`. */
  readonly launcher?: readonly string[];
  /** Where it is checked out; by default here. */
  readonly checkout?: string;
}

export interface LinkOptions {
  readonly center: string;
  readonly identifier: string;
  /** Further flags of `npm run link`, such as `--scope withdraw`. */
  readonly flags?: readonly string[];
}

/** The real product, over its own sandbox, with a data folder of its own. */
export interface Product {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly metricsUrl: string;
  readonly sandbox: SandboxClient;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** What it printed so far, stdout and stderr. */
  output(): string;
  /** A person's address, made as `npm run link` makes it, without a process. */
  link(change: LinkOptions): Promise<string>;
  /** What `npm run link` prints: by the clock of the product, too, where a test set one. */
  printLink(change: LinkOptions): Promise<string>;
  /** Ends it as a signal would; fails when it did not end by itself and in order. Its data stay for `start`. */
  stop(): Promise<void>;
  /** Again, on the same ports and data. */
  start(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** In this process. */
export interface ProductHere extends Product {
  /** Its routers, while it runs. */
  readonly app: unknown;
}

/** In a process of its own. */
export interface ProductProcess extends Product {
  /** undefined while it does not run. */
  readonly pid: number | undefined;
  kill9(): Promise<void>;
  /** It hangs (SIGSTOP), and goes on. */
  freeze(): void;
  thaw(): void;
}

/**
 * Starts the product in this process, where it costs a tenth: its modules are read once, and what has run is warm. Use
 * with `await using`, which ends it and removes its data.
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
      // Loaded only where one is started.
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

/** Starts the product in a process of its own, for what asks for one, and waits until it is ready. */
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
/** Of commits that benches compare with: each command read its own options. */
interface EarlierLinkCommand {
  readLink(config: ReturnType<Environment['readConfig']>, args: readonly string[]): string | Promise<string>;
}

interface Ground {
  readonly settings: Readonly<Record<string, string>>;
  /** Takes what it prints. */
  readonly outputFile: string;
  readonly parts: Omit<Product, 'start' | 'stop' | typeof Symbol.asyncDispose>;
  /** Its data, when it has ended. */
  remove(): Promise<void>;
}

/** What it needs before it starts: ports, settings, a folder, a database. */
async function prepare(
  {
    centers,
    env: given = {},
    files = {},
    broken,
    store = process.env['SAYSO_STORE'] === 'postgres' ? 'postgres' : 'files',
  }: ProductOptions,
  checkout = root,
): Promise<Ground> {
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
    // Shared by all products of all tests, which then start in half the time.
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
    // A busy machine is no fault of the product's: what the deadline does is tested by itself.
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
        // Loaded only where one is made; another checkout has addresses of its own.
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
        const told = promisify(execFile)(process.execPath, args, { cwd: root, env: settings });
        const { stdout } = await told.catch(({ stderr }: { stderr?: string }) => {
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

/** Data folder → the database that is used instead: a second product on the one is on the other. */
const databases = new Map<string, string>();

/** Not looked for where no product is on one. */
async function makeDatabase() {
  const { postgres } = await import('./postgres.ts');
  if (postgres.skip !== false) throw new Error(postgres.skip);
  return postgres.database();
}

/** Ends a child with this process. */
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
 * Ports that are free now, all held until all are found. Below those that systems give to whoever connects: many
 * connections are made before a product listens on its port, and one of them would have it.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, holdPort));
  await Promise.all(servers.map(({ server }) => once(server.close(), 'close')));
  return servers.map(({ port }) => port);
}

async function holdPort(): Promise<{ readonly server: Server; readonly port: number }> {
  for (let tries = 0; ; tries += 1) {
    const port = randomInt(11_000, 32_000);
    // A connection that somebody makes meanwhile would keep it open.
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

/** A product that is being restarted listens on no port: no other process of the same run may take it meanwhile. */
function claim(port: number): void {
  const run = process.env['SAYSO_OUTPUTS'];
  if (run !== undefined) writeFileSync(join(run, '..', `port-${port}`), '', { flag: 'wx' });
}
