/**
 * A PostgreSQL for tests: the one at DATABASE_URL (test/run.ts starts one in memory), else at 127.0.0.1:5432,
 * else one that is started from installed binaries in a new folder. Each suite gets its own database, dropped
 * afterwards. Without a PostgreSQL the suites are skipped, and say so; with CI=true that is a failure.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { forSuite } from './for-suite.ts';
import { freePorts } from './product.ts';

export interface TestDatabase {
  readonly url: string;
  /** Deletes every row, keeps the tables, and returns the address. */
  emptied(): Promise<string>;
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** `end` closes a connection before the database is dropped. */
  beforeEnd(end: () => Promise<void>): void;
  end(): Promise<void>;
}

/** A PostgreSQL of one test, which may be stopped, hung and killed. */
export interface Cluster {
  /** The address of the database `postgres`, with its user `postgres`. */
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  start(): Promise<void>;
  /** False also after the server ended by itself. */
  isRunning(): boolean;
  /** `immediate` kills all its processes by SIGKILL. */
  stop(how?: 'fast' | 'immediate'): Promise<void>;
  /** Sends SIGSTOP to the postmaster and all its children. */
  freeze(): void;
  thaw(): void;
  end(): Promise<void>;
}

const usual = 'postgres://postgres@127.0.0.1:5432/postgres';

/** PostgreSQL for suites; `skip` is false, or the reason why there is none. */
export interface Postgres {
  readonly skip: string | false;
  database(): Promise<TestDatabase>;
}

let own: Promise<Cluster> | undefined;

export const postgres: Postgres = await findPostgres();

/** A database of the suite that calls this. */
export function databaseOf(): TestDatabase {
  return forSuite(
    () => postgres.database(),
    ({ end }) => end(),
  );
}

async function findPostgres(): Promise<Postgres> {
  for (const url of [process.env['DATABASE_URL'], usual]) {
    if (url !== undefined && (await answers(url)))
      return { skip: false, database: () => createDatabase(url) };
  }
  if (binaries() !== undefined)
    return {
      skip: false,
      async database() {
        own ??= startCluster();
        return createDatabase((await own).url);
      },
    };
  const skip = 'no PostgreSQL: set DATABASE_URL, or install one (Debian: postgresql)';
  if (process.env['CI'] === 'true') throw new Error(skip);
  process.stderr.write(`\n*** NOT TESTED: ${skip} ***\n\n`);
  return {
    skip,
    database: () => Promise.reject(new Error(skip)),
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The rows of the last of these statements. */
async function rowsOf(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const results = [await withClient(url, (client) => client.query<Record<string, unknown>>(sql))].flat();
  return results.at(-1)?.rows ?? [];
}

const deleteAll = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'layout' ORDER BY tablename
  LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
END $$`;

async function createDatabase(server: string): Promise<TestDatabase> {
  const name = `sayso_test_${randomBytes(8).toString('hex')}`;
  await withClient(server, (client) => client.query(`CREATE DATABASE ${name}`));
  const address = new URL(server);
  address.pathname = `/${name}`;
  const asker = createAsker(address.href);
  const ends: (() => Promise<void>)[] = [];
  return {
    url: address.href,
    async emptied() {
      await asker.ask(deleteAll);
      return address.href;
    },
    query: asker.ask,
    beforeEnd: (end) => void ends.push(end),
    async end() {
      for (const end of ends) await end();
      await asker.end();
      await withClient(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

/**
 * Sends queries by one kept connection, for a new one costs 30 ms; a query that comes meanwhile gets a new
 * one.
 */
function createAsker(url: string) {
  let idle: pg.Client | undefined;
  async function connected(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    client.once('end', () => {
      if (idle === client) idle = undefined;
    });
    await client.connect();
    return client;
  }
  return {
    /** The rows of the last of these statements. */
    async ask(sql: string): Promise<readonly Record<string, unknown>[]> {
      const client = idle ?? (await connected());
      idle = undefined;
      try {
        const results = [await client.query<Record<string, unknown>>(sql)].flat();
        // A connection is kept only if it is as a new one; an open transaction refuses DISCARD ALL.
        const isAsNew = await client.query('DISCARD ALL').then(
          () => true,
          () => false,
        );
        if (isAsNew && idle === undefined) idle = client;
        return results.at(-1)?.rows ?? [];
      } finally {
        if (idle !== client) await client.end().catch(() => undefined);
      }
    },
    async end(): Promise<void> {
      await idle?.end().catch(() => undefined);
    },
  };
}

/** The folder of the newest installed PostgreSQL; undefined without version 15 or later. */
export function binaries(): string | undefined {
  const folders = globSync('/usr/lib/postgresql/*/bin').filter((folder) =>
    existsSync(join(folder, 'initdb')),
  );
  const version = (folder: string) => Number(folder.split('/').at(-2));
  return folders
    .filter((folder) => version(folder) >= 15)
    .sort((one, other) => version(other) - version(one))[0];
}

/** The user that PostgreSQL runs as where this process is root, for PostgreSQL refuses root. */
export function owner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const ids = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  try {
    return { uid: ids('-u'), gid: ids('-g') };
  } catch {
    return { uid: 65_534, gid: 65_534 };
  }
}

const clusters = new Set<{ kill(): void; readonly folder: string }>();
process.on('exit', () => {
  for (const cluster of clusters) {
    cluster.kill();
    rmSync(cluster.folder, { recursive: true, force: true });
  }
});

/**
 * `folders` take data and log (WAL); each is empty and belongs to `owner()`. By default both lie in a new
 * folder.
 */
export async function startCluster(
  settings: readonly string[] = [],
  folders: { readonly data?: string; readonly log?: string } = {},
): Promise<Cluster> {
  const bin = binaries();
  if (bin === undefined) throw new Error('no binaries of PostgreSQL are installed');
  const as = owner();
  const folder = mkdtempSync(join(tmpdir(), 'sayso-postgres-'));
  if (as !== undefined) chownSync(folder, as.uid, as.gid);
  const data = join(folders.data ?? folder, 'data');
  const [port = 0] = await freePorts(1);
  const options = { cwd: folder, stdio: 'ignore', ...as } as const;
  execFileSync(
    join(bin, 'initdb'),
    [
      ...['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'],
      ...(folders.log === undefined ? [] : ['--wal-segsize=1', '-X', join(folders.log, 'wal')]),
    ],
    options,
  );
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let running: ChildProcess | undefined;

  const processes = (): number[] => {
    const pid = running?.pid;
    if (pid === undefined) return [];
    const all = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    return [
      pid,
      ...all
        .split('\n')
        .map(Number)
        .filter((each) => each > 0),
    ];
  };
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processes()) {
      try {
        process.kill(pid, name);
      } catch {
        // The process has just ended.
      }
    }
  };

  const cluster: Cluster = {
    url,
    port,
    folder,
    query: (sql) => rowsOf(url, sql),
    async start() {
      const flags = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`];
      const all = [...flags, ...settings].flatMap((setting) => ['-c', setting]);
      running = spawn(join(bin, 'postgres'), ['-D', data, ...all], options);
      const last = Date.now() + 30_000;
      while (!(await answers(url))) {
        if (running.exitCode !== null || Date.now() > last) throw new Error('PostgreSQL did not start');
        await pause(50);
      }
    },
    isRunning: () => running !== undefined && running.exitCode === null && running.signalCode === null,
    async stop(how = 'fast') {
      const child = running;
      if (child === undefined) return;
      const exited = child.exitCode === null ? once(child, 'exit') : undefined;
      if (how === 'fast') child.kill('SIGINT');
      else signal('SIGKILL');
      await exited;
      running = undefined;
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async end() {
      signal('SIGCONT');
      await cluster.stop('immediate');
      clusters.delete(kept);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const kept = { kill: () => signal('SIGKILL'), folder };
  clusters.add(kept);
  await cluster.start();
  return cluster;
}
