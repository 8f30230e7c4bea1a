/**
 * `node test/bench/clicks.ts [--store postgres] [--people 2000] [--rounds 6] [--beside <checkout>] [--profile <folder>]`:
 * what a one-click post costs the product while the platform is away. Clients and product share the machine; what the
 * clients take is told, too. The tries of a platform that is away go on in the pause after each round, where nothing else
 * does: so it is known how much of a round was theirs, and the rest is the taking. The first rounds warm it up.
 * `--beside` takes turns with the product of another checkout; `--profile` has it leave a CPU profile.
 */
import { connect } from 'node:net';
import { resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { SubjectId } from '../../src/core/model/subject.ts';
import { sealOneClick } from '../../src/features/unsubscribe/token.ts';
import { createSeal } from '../../src/store/seal.ts';
import { canaries } from '../kit/canaries.ts';
import { cpuMsOf } from '../kit/cpu.ts';
import { freePorts, type ProductProcess, startProcess } from '../kit/product.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'files' },
    people: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '6' },
    beside: { type: 'string' },
    profile: { type: 'string' },
  },
});
const people = Number(values.people);
const store = values.store === 'postgres' ? 'postgres' : 'files';
const center = 'b00c5000-0000-4000-8000-000000000001';
const body = 'List-Unsubscribe=One-Click';
const pauseMs = 3_000;
const seal = createSeal([canaries.secret]);

const [nowhere] = await freePorts(1);
await using products = new AsyncDisposableStack();
const contestants: { readonly name: string; readonly product: ProductProcess }[] = [];
for (const checkout of [values.beside, '.'].filter((each) => each !== undefined)) {
  const product = await startProcess({ ...launched(), store, checkout: resolve(checkout), env: settings() });
  contestants.push({ name: checkout === '.' ? 'here' : checkout, product: products.use(product) });
}
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const { name, product } of contestants) {
    const told = await lap(product, round);
    process.stdout.write(`${contestants.length > 1 ? `${name}: ` : ''}${store}, ${told}\n`);
  }

function launched() {
  if (values.profile === undefined) return {};
  return { launcher: ['sh', '-c', `exec "$0" --cpu-prof --cpu-prof-dir=${values.profile} "$@"`] };
}

function settings() {
  return {
    PLATFORM_URL: `http://127.0.0.1:${nowhere}`,
    PLATFORM_CLIENT_ID: 'client',
    PLATFORM_CLIENT_SECRET: 'secret',
    LOG_LEVEL: 'error',
  };
}

async function lap(product: ProductProcess, round: number): Promise<string> {
  const requests = Array.from({ length: people }, (_, index) =>
    post(product, `r${round}.${index}@example.org`),
  );
  const statements = await statementsOf(product);
  const [cpu, ownCpu, began] = [cpuMsOf(product.pid), ownCpuMs(), performance.now()];
  const took = (await Promise.all(requests.map((request) => send(product, request)))).sort((a, b) => a - b);
  const seconds = (performance.now() - began) / 1_000;
  const [all, client] = [(cpuMsOf(product.pid) - cpu) / people, (ownCpuMs() - ownCpu) / people];
  const asked = ((await statementsOf(product)) - statements) / people;
  const before = cpuMsOf(product.pid);
  await pause(pauseMs);
  const triesASecond = (cpuMsOf(product.pid) - before) / (pauseMs / 1_000);
  const tries = (triesASecond * seconds) / people;
  const at = (share: number) => `${took[Math.ceil(took.length * share) - 1]?.toFixed(0)} ms`;
  return [
    `${people} at once: ${(all - tries).toFixed(2)} ms of CPU each to take it`,
    `${tries.toFixed(2)} for tries (${triesASecond.toFixed(0)} ms a second)`,
    `${client.toFixed(2)} the client's; p50 ${at(0.5)}, p99 ${at(0.99)}, ${(people / seconds).toFixed(0)} a second`,
    ...(store === 'files' ? [] : [`${asked.toFixed(2)} statements each`]),
  ].join(', ');
}

async function statementsOf({ metricsUrl }: ProductProcess): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^sayso_database_statements_total (\S+)$/m.exec(text)?.[1] ?? Number.NaN);
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function post({ url }: ProductProcess, who: string): string {
  const oneClick = { center, subject: who as SubjectId, purpose: undefined, madeAt: Date.now() };
  const token = sealOneClick(seal, oneClick);
  return `POST /unsubscribe/${token} HTTP/1.1\r\nhost: ${new URL(url).host}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** Milliseconds to its answer, on a connection of its own. */
function send({ url }: ProductProcess, request: string): Promise<number> {
  return new Promise((answered, reject) => {
    const from = performance.now();
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
    socket.once('error', reject);
    socket.write(request);
    socket.once('data', (chunk) => {
      const head = chunk.toString('latin1');
      socket.destroy();
      if (head.startsWith('HTTP/1.1 200')) answered(performance.now() - from);
      else reject(new Error(`answered ${head.slice(0, 100)}`));
    });
  });
}
