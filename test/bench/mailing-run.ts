/**
 * `npm run bench:mailing` runs the mailing at the published quotas, in real time, on one node and on three,
 * and draws docs/mailing.svg. It takes some 25 minutes and little CPU. `-- --share 0.25` takes a quarter of
 * all numbers, the quota of a trial; `--nodes 3 --keep <file>` writes the measured runs to a file instead.
 */
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runMailing } from './mailing.ts';
import { drawMailings, tableOf } from './mailing-chart.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    nodes: { type: 'string', default: '1,3' },
    share: { type: 'string', default: '1' },
    keep: { type: 'string' },
  },
});
const share = Number(values.share);
const runs = [];
for (const nodes of values.nodes.split(',').map(Number)) {
  const run = await runMailing({
    nodes,
    store: 'postgres',
    perMinute: 1_000 * share,
    perHour: 200_000 * share,
    clicks: 3_000 * share,
    clickSeconds: 60,
    visitors: 3_000 * share,
    visitSeconds: 600,
    leaveEvery: 10,
    longestSeconds: 1_800,
    say: (line) => process.stderr.write(`${nodes}: ${line}\n`),
  });
  runs.push(run);
}
if (values.keep !== undefined) writeFileSync(values.keep, JSON.stringify(runs));
else writeFileSync(new URL('../../docs/mailing.svg', import.meta.url), drawMailings(runs));
process.stdout.write(tableOf(runs));
