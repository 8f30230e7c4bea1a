/**
 * `node test/bench/clicks.ts [--store postgres] [--people 2000]`: what a one-click post costs the product while the
 * platform is away, so that next to nothing but the taking is measured. Clients and product share the machine. The
 * first rounds warm it up.
 */
import { connect } from 'node:net';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { SubjectId } from '../../src/core/model/subject.ts';
import { sealOneClick } from '../../src/features/unsubscribe/token.ts';
import { createSeal } from '../../src/store/seal.ts';
import { cpuMsOf } from '../kit/cpu.ts';
import { freePorts, startProcess } from '../kit/product.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'files' },
    people: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '6' },
  },
});
const people = Number(values.people);
const center = 'b00c5000-0000-4000-8000-000000000001';
const body = 'List-Unsubscribe=One-Click';

const [nowhere] = await freePorts(1);
const store = values.store === 'postgres' ? 'postgres' : 'files';
await using product = await startProcess({
  store,
  env: {
    PLATFORM_URL: `http://127.0.0.1:${nowhere}`,
    PLATFORM_CLIENT_ID: 'client',
    PLATFORM_CLIENT_SECRET: 'secret',
    LOG_LEVEL: 'error',
  },
});
const { port } = new URL(product.url);
const metrics = async (name: string) => {
  const text = await (await fetch(product.metricsUrl)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
};
const seal = createSeal([product.env['SECRET'] ?? '']);
function post(who: string): string {
  const oneClick = { center, subject: who as SubjectId, purpose: undefined, madeAt: Date.now() };
  return `POST /unsubscribe/${sealOneClick(seal, oneClick)} HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** Milliseconds to its answer, on a connection of its own. */
function send(request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    socket.once('error', reject);
    socket.write(request);
    socket.once('data', (chunk) => {
      const head = chunk.toString('latin1');
      socket.destroy();
      if (head.startsWith('HTTP/1.1 200')) resolve(performance.now() - from);
      else reject(new Error(`answered ${head.slice(0, 100)}`));
    });
  });
}

const lines: string[] = [];
for (let round = 0; round < Number(values.rounds); round += 1) {
  const requests = Array.from({ length: people }, (_, index) => post(`r${round}.${index}@example.org`));
  await pause(1_500);
  const statements = await metrics('sayso_database_statements_total');
  const cpu = cpuMsOf(product.pid);
  const began = performance.now();
  const took = (await Promise.all(requests.map(send))).sort((one, other) => one - other);
  const seconds = (performance.now() - began) / 1_000;
  const each = (cpuMsOf(product.pid) - cpu) / people;
  const asked = ((await metrics('sayso_database_statements_total')) - statements) / people;
  const at = (share: number) => `${took[Math.ceil(took.length * share) - 1]?.toFixed(0)} ms`;
  lines.push(
    `${store}, ${people} at once: ${each.toFixed(2)} ms of CPU each, p50 ${at(0.5)}, p99 ${at(0.99)}, ${(people / seconds).toFixed(0)} a second, ${asked.toFixed(2)} statements each`,
  );
}
process.stdout.write(`${lines.join('\n')}\n`);
