/**
 * `npm run bench` measures the product beside other servers that do the same, on this machine, in about two
 * minutes. Servers run in their own processes, and another process asks them on loopback. `-- --rounds 9`
 * runs more rounds, `-- --keep` writes docs/results/bench.json and the page of results.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { bench } from './bench.ts';
import { keepResult } from './results.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: { rounds: { type: 'string', default: '5' }, keep: { type: 'boolean', default: false } },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a number');
const lines = await bench(
  { rounds, duration: 1_000, most: 50_000, warmUp: 4_000, sizes: [10, 30, 100, 300, 1_000], rows: 50_000 },
  (line) => process.stderr.write(`${line}\n`),
);
for (const { what, value, aim } of lines)
  process.stdout.write(`${what.padEnd(42)} ${value.padStart(16)}   ${aim === undefined ? '' : `(${aim})`}\n`);
if (values.keep) keepResult('bench', { title: 'The page', command: 'npm run bench', figures: lines });
