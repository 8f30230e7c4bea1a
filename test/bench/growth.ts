import { gzip } from '../../src/web/gzip.ts';
import { createToHtml } from '../../src/web/render.ts';
import { median, taken } from './figures.ts';
import { lean } from './material.ts';
import { assets, find, pageOf, platformAt, viewsDir } from './page.ts';

/**
 * The exponent by which the CPU of a page (read, check, build, render, compress) grows with its purposes:
 * cost ~ purposes ^ exponent, between the smallest and the largest size.
 */
export async function measureGrowth(
  upstream: string,
  { sizes, rounds }: { sizes: readonly number[]; rounds: number },
): Promise<number> {
  const platform = platformAt(upstream);
  const toHtml = createToHtml({ viewsDir, assets, development: undefined });
  const view = async (purposes: number) => {
    const found = await find(platform, lean(purposes));
    return gzip(Buffer.from(toHtml('centers/preferences', pageOf(found))));
  };
  const largest = Math.max(...sizes);
  const cost = new Map<number, number>();
  for (const size of sizes) {
    const times = Math.max(1, Math.round(largest / size / 4));
    for (let warm = 0; warm < Math.min(times, 20); warm++) await view(size);
    const laps: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { cpu } = await taken(async () => {
        for (let time = 0; time < times; time++) await view(size);
      });
      laps.push(cpu / times);
    }
    cost.set(size, median(laps));
  }
  await platform.close();
  const smallest = Math.min(...sizes);
  const factor = (cost.get(largest) ?? Number.NaN) / (cost.get(smallest) ?? Number.NaN);
  return Math.log(factor) / Math.log(largest / smallest);
}
