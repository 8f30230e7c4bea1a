/**
 * Measures moving in, in processes as an operator starts them, and keeps the results. `node
 * test/bench/moving-in.ts import [rows]` imports link tokens into files and into PostgreSQL. `shadow [people]
 * [share]` makes a shadow run of one center at the published quota. The run is stopped after a third of the
 * people, killed after two thirds, and started again. That takes 20 minutes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createWriteStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { postgres } from '../kit/postgres.ts';
import { createSandboxClient } from '../kit/sandbox-client.ts';
import { books, newBooks } from '../kit/sandbox-ids.ts';
import { keepResult } from './results.ts';

const [command, ...parameters] = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'moving-in-'));
const secret = randomBytes(32).toString('base64');
const identifier = (number: number) => `person-${number}@example.org`;
const written = (count: number) => Math.round(count).toLocaleString('en');
const megabytes = (bytes: number) => `${written(bytes / 1e6)} MB`;

/** The largest resident set of a process so far, in bytes. */
function peakOf({ pid }: ChildProcess): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

interface Ran {
  readonly seconds: number;
  readonly peak: number;
  readonly output: string;
  readonly signal: NodeJS.Signals | null;
}

async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  watch: (child: ChildProcess) => Promise<void> | void = () => undefined,
): Promise<Ran> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.mjs'), ...args], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(home, 'data'), SECRET: secret, ...env },
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += String(text)));
  const ended = once(child, 'exit');
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, peakOf(child));
    await watch(child);
    await Promise.race([ended, pause(100)]);
  }
  process.stdout.write(output);
  return {
    seconds: (performance.now() - began) / 1_000,
    peak,
    output: output.trim(),
    signal: child.signalCode,
  };
}

async function measureImport(rows: number): Promise<void> {
  const file = join(home, 'linktokens.csv');
  const token = (row: number) => createHash('sha256').update(String(row)).digest('base64');
  const lines = function* () {
    yield 'DataSubjectId,LinkToken,ExpiryDate,CreatedDate\n';
    for (let row = 1; row <= rows; row += 1)
      yield `${identifier(row)},${token(row)},2099-01-01T00:00:00.000,2026-01-01T00:00:00.000\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(file));
  const database = await postgres.database();
  try {
    const take = async (env: Readonly<Record<string, string>>) => {
      const ran = await run(['import-links', '--file', file], { SANDBOX: 'on', ...env });
      const kept = ran.output.split('\n').at(-1) ?? '';
      if (kept !== `${rows} tokens kept, 0 had ended, 0 left out`) throw new Error(ran.output);
      return ran;
    };
    const inFiles = await take({});
    const inDatabase = await take({ DATABASE_URL: database.url });
    const [row] = await database.query(`SELECT pg_total_relation_size('hosted_link') AS bytes`);
    const value = ({ seconds, peak }: Ran, bytes: number) =>
      `${written(seconds)} s, ${megabytes(peak)} of memory, ${megabytes(bytes)} kept`;
    keepResult('import-links', {
      title: `Import of ${written(rows)} link tokens`,
      command: 'node test/bench/moving-in.ts import',
      note: `A file of ${megabytes(statSync(file).size)}. Memory is the most that the process held.`,
      figures: [
        { what: 'files', value: value(inFiles, statSync(join(home, 'data/hosted-links.sqlite')).size) },
        { what: 'PostgreSQL', value: value(inDatabase, Number(row?.['bytes'])) },
      ],
    });
  } finally {
    await database.end();
  }
}

const client = { clientId: 'sandbox', clientSecret: 'sandbox-secret' };
const published = { perMinute: 1_000, perHour: 200_000 };

async function measureShadow(people: number, share: number): Promise<void> {
  const sandbox = await startSandbox({
    ...client,
    port: 0,
    dataDir: join(home, 'sandbox'),
    log: () => undefined,
  });
  const control = createSandboxClient(sandbox.url, client);
  const all = Array.from({ length: people }, (_, index) => identifier(index + 1));
  // Every other person is on record.
  for (const one of all.filter((_, index) => index % 2 === 0)) {
    const Purposes = [{ Id: newBooks, TransactionStatus: 'ACTIVE' }];
    await control.change({ center: books, identifier: one, Purposes });
  }
  await control.allow(published);
  writeFileSync(join(home, 'people.csv'), `identifier\n${all.join('\n')}\n`);
  writeFileSync(join(home, 'centers.json'), JSON.stringify([{ address: 'shop', center: books }]));
  const out = join(home, 'shadow');
  const args = ['shadow', '--people', join(home, 'people.csv'), '--out', out, '--share', String(share)];
  const env = {
    PLATFORM_URL: sandbox.url,
    PLATFORM_CLIENT_ID: client.clientId,
    PLATFORM_CLIENT_SECRET: client.clientSecret,
    PLATFORM_REQUESTS_PER_MINUTE: String(published.perMinute),
    PLATFORM_REQUESTS_PER_HOUR: String(published.perHour),
    PUBLIC_URL: 'http://localhost:1',
    CENTERS_FILE: join(home, 'centers.json'),
  };
  let refused = 0;
  let looked = performance.now();
  const looking = (signal: NodeJS.Signals | undefined, at: number) => async (child: ChildProcess) => {
    // The sandbox remembers 2,000 calls.
    if (performance.now() - looked > 30_000) {
      refused += (await control.calls({ status: '429' })).length;
      await control.clearCalls();
      looked = performance.now();
    }
    if (signal !== undefined && lineOf(out) >= at) child.kill(signal);
  };
  const runs = [
    await run(args, env, looking('SIGTERM', people / 3)),
    await run(args, env, looking('SIGKILL', (people * 2) / 3)),
    await run(args, env, looking(undefined, 0)),
  ];
  if (runs[1]?.signal !== 'SIGKILL') throw new Error('it was not killed: a run ended too early');
  refused += (await control.calls({ status: '429' })).length;
  await sandbox.close();
  const { centers, calls } = JSON.parse(readFileSync(join(out, 'shadow.json'), 'utf8'));
  const { people: counted, unknown, unread, findings } = centers[books];
  const report = readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'));
  const named = all.filter((one) => report.some((text) => text.includes(one))).length;
  const seconds = runs.reduce((sum, ran) => sum + ran.seconds, 0);
  keepResult('shadow', {
    title: `A shadow run of ${written(people)} people within the quota`,
    command: 'node test/bench/moving-in.ts shadow',
    note: 'One center at the published quota, 1,000 calls a minute, in processes of their own.',
    figures: [
      {
        what: `at ${share} % of the quota`,
        value: `${written(seconds)} s, ${megabytes(Math.max(...runs.map(({ peak }) => peak)))} of memory`,
      },
      {
        what: 'people counted after SIGTERM, SIGKILL and two starts',
        value: written(counted),
        aim: written(people),
      },
      { what: 'of them not on record', value: written(unknown), aim: written(people / 2) },
      {
        what: 'calls counted, 429 received',
        value: `${written(calls)}, ${refused}`,
        aim: `${written(people)}, 0`,
      },
      {
        what: 'rules broken, records not read',
        value: `${Object.keys(findings).length}, ${Object.keys(unread).length}`,
        aim: '0, 0',
      },
      { what: 'people named in the report and its state', value: String(named), aim: '0' },
    ],
  });
}

/** The line of the people's file that a shadow run has come to. */
function lineOf(out: string): number {
  try {
    return JSON.parse(readFileSync(join(out, 'shadow-state.json'), 'utf8')).line;
  } catch {
    return 0;
  }
}

try {
  if (command === 'import') await measureImport(Number(parameters[0] ?? 1_000_000));
  else if (command === 'shadow')
    await measureShadow(Number(parameters[0] ?? 10_000), Number(parameters[1] ?? 50));
  else throw new Error('say import or shadow');
} finally {
  rmSync(home, { recursive: true, force: true });
}
