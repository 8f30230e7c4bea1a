/**
 * `npm run bench:mailing`: the mailing at the quotas that are published, in real time, on one node and on three: some
 * 25 minutes, little CPU. Draws docs/mailing.svg. `-- --share 0.25` takes a quarter of
 * everything, the quota of a trial; `--nodes 3 --keep <file>` keeps what was measured.
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
