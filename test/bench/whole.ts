/**
 * `node test/bench/whole.ts [--beside <checkout>] [--rounds 7] [--profile <folder>]`: CPU and bytes of a whole page of the product beside the
 * common Express stack, and beside the product of another checkout, in alternating rounds of one run.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { median } from './figures.ts';
import { openTrack } from './race.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    beside: { type: 'string' },
    profile: { type: 'string' },
  },
});
await using track = await openTrack(values);
const contestants = [
  await track.enter('sayso-whole'),
  await track.enter('common-whole'),
  ...(values.beside === undefined ? [] : [await track.enter('sayso-whole', values.beside)]),
];
for (const contestant of contestants) await track.run(contestant, { duration: 8_000, most: 3_000 });
const laps: { readonly cpu: number; readonly bytes: number }[][] = [];
for (let round = 0; round < Number(values.rounds); round += 1) {
  const lap = [];
  for (const contestant of contestants)
    lap.push(await track.run(contestant, { duration: 1_500, most: 50_000 }));
  laps.push(lap);
}
const names = ['here', 'the common stack', values.beside ?? ''];
for (const index of contestants.keys()) {
  const all = laps.map((lap) => lap[index]?.cpu ?? Number.NaN);
  const ratios = laps.map(
    ([own, ...others]) => (own?.cpu ?? Number.NaN) / ([own, ...others][index]?.cpu ?? Number.NaN),
  );
  const bytes = median(laps.map((lap) => lap[index]?.bytes ?? Number.NaN));
  process.stdout.write(
    `${names[index]}: ${median(all).toFixed(0)} µs of CPU (least ${Math.min(...all).toFixed(0)}), ${bytes} bytes with its head; here takes ${median(ratios).toFixed(2)} of it (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})\n`,
  );
}
