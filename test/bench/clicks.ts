/**
 * `node test/bench/clicks.ts [--store postgres] [--people 2000] [--rounds 6] [--nodes 2]` measures what a
 * one-click post costs the product while the platform is away. Clients and product share the machine, and the
 * clients' cost is told, too. The product goes on trying to reach the platform. In the pause after each round
 * it does nothing else, which shows the cost of these tries; the rest of a round is the cost of taking
 * clicks. The first rounds warm up. With `--nodes` one node takes turns with so many on one PostgreSQL.
 */
import { connect } from 'node:net';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuMsOf } from '../kit/cpu.ts';
import { freePorts, type ProductProcess, startProcess, tenantAt } from '../kit/product.ts';
import { books } from '../kit/sandbox-ids.ts';
import { median, quantile, taken } from './figures.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'files' },
    people: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '6' },
    nodes: { type: 'string', default: '1' },
  },
});
const people = Number(values.people);
const most = Number(values.nodes);
const store = values.store === 'postgres' || most > 1 ? 'postgres' : 'files';
const body = 'List-Unsubscribe=One-Click';
const pauseMs = 3_000;

const [nowhere] = await freePorts(1);
await using products = new AsyncDisposableStack();
const contestants: { readonly name: string; readonly nodes: readonly ProductProcess[] }[] = [];
for (const count of new Set([1, most])) {
  const nodes: ProductProcess[] = [];
  while (nodes.length < count) {
    // A product with the data folder of the first one shares its database.
    const dataFolder = nodes[0]?.env['DATA_DIR'];
    const env = {
      ...tenantAt(`http://127.0.0.1:${nowhere}`),
      LOG_LEVEL: 'error',
      ...(dataFolder === undefined ? {} : { DATA_DIR: dataFolder }),
    };
    nodes.push(products.use(await startProcess({ store, env })));
  }
  contestants.push({ name: `nodes: ${count}`, nodes });
}
const busiest = new Map<number, number[]>();
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const { name, nodes } of contestants) {
    const { line, busiestMs } = await lap(nodes, round);
    busiest.set(nodes.length, [...(busiest.get(nodes.length) ?? []), busiestMs]);
    process.stdout.write(`${contestants.length > 1 ? `${name}: ` : ''}${store}, ${line}\n`);
  }
if (most > 1) {
  // The first third warms up.
  const [one = Number.NaN, many = Number.NaN] = [1, most].map((count) => {
    const all = busiest.get(count) ?? [];
    return median(all.slice(Math.ceil(all.length / 3)));
  });
  process.stdout.write(
    `for each click ${one.toFixed(2)} ms of CPU of one node, ${many.toFixed(2)} ms of the busiest of ${most}: by that, ${most} take ${(one / many).toFixed(2)} times as many\n`,
  );
}

async function lap(nodes: readonly ProductProcess[], round: number) {
  const nodeOf = (index: number) => nodes[index % nodes.length] as ProductProcess;
  const requests: string[] = [];
  for (let index = 0; index < people; index += 1)
    requests.push(await post(nodeOf(index), `r${round}.${index}@example.org`));
  const cpu = () => nodes.map(({ pid }) => cpuMsOf(pid));
  const since = (before: readonly number[]) => cpu().map((ms, index) => ms - (before[index] ?? 0));
  const statements = await statementsOf(nodes);
  const before = cpu();
  let took: readonly number[] = [];
  const { wall, cpu: ownCpu } = await taken(async () => {
    took = await Promise.all(requests.map((request, index) => send(nodeOf(index), request)));
  });
  const [each, seconds, client] = [since(before), wall / 1_000, ownCpu / people];
  const all = sum(each) / people;
  const asked = ((await statementsOf(nodes)) - statements) / people;
  const resting = cpu();
  await pause(pauseMs);
  const triesASecond = sum(since(resting)) / (pauseMs / 1_000);
  const tries = (triesASecond * seconds) / people;
  const at = (share: number) => `${quantile(took, share).toFixed(0)} ms`;
  const line = [
    `${people} at once: ${(all - tries).toFixed(2)} ms of CPU each to take it`,
    `${tries.toFixed(2)} for tries (${triesASecond.toFixed(0)} ms a second)`,
    `${client.toFixed(2)} the client's; p50 ${at(0.5)}, p99 ${at(0.99)}, ${(people / seconds).toFixed(0)} a second`,
    ...(store === 'files' ? [] : [`${asked.toFixed(2)} statements each`]),
  ].join(', ');
  // The tries belong to no node: the first that comes makes them.
  return { line, busiestMs: Math.max(...each) / people - tries / nodes.length };
}

function sum(list: readonly number[]): number {
  return list.reduce((total, each) => total + each, 0);
}

async function statementsOf(nodes: readonly ProductProcess[]): Promise<number> {
  const asked = nodes.map(async ({ metricsUrl }) => {
    const text = await (await fetch(metricsUrl)).text();
    return Number(/^sayso_database_statements_total (\S+)$/m.exec(text)?.[1] ?? Number.NaN);
  });
  return sum(await Promise.all(asked));
}

async function post({ url, link }: ProductProcess, identifier: string): Promise<string> {
  const { pathname } = new URL(await link({ center: books, identifier, flags: ['--one-click'] }));
  return `POST ${pathname} HTTP/1.1\r\nhost: ${new URL(url).host}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** Sends the request on a new connection, and returns the milliseconds until its answer. */
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
