/**
 * `node test/bench/whole.ts [--beside <checkout>] [--rounds 7]` measures CPU and bytes of a whole page of the
 * product, beside the common Express stack and the product of another checkout. They take turns in the rounds
 * of one run.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { median } from './figures.ts';
import { openTrack } from './race.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, beside: { type: 'string' } },
});
await using track = await openTrack();
const contestants = [
  await track.enter('sayso-whole'),
  await track.enter('common-whole'),
  ...(values.beside === undefined ? [] : [await track.enter('sayso-whole', values.beside)]),
];
const effort = { rounds: Number(values.rounds), duration: 1_500, most: 50_000, warmUp: 3_000 };
const laps = await track.laps(contestants, effort);
const names = ['here', 'the common stack', values.beside ?? ''];
for (const [index, ofOne] of laps.entries()) {
  const all = ofOne.map(({ cpu }) => cpu);
  const ratios = all.map((cpu, round) => (laps[0]?.[round]?.cpu ?? Number.NaN) / cpu);
  const bytes = median(ofOne.map((lap) => lap.bytes));
  process.stdout.write(
    `${names[index]}: ${median(all).toFixed(0)} µs of CPU (least ${Math.min(...all).toFixed(0)}), ${bytes} bytes with its head; here takes ${median(ratios).toFixed(2)} of it (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})\n`,
  );
}
