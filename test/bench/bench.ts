import { gunzipSync, gzipSync } from 'node:zlib';
import { request } from 'undici';
import { median } from './figures.ts';
import { measureGrowth } from './growth.ts';
import { measureMint } from './mint.ts';
import { type Contestant, type Effort, openTrack } from './race.ts';
import type { Figure } from './results.ts';
import { measureStart } from './start.ts';

interface WholeEffort extends Effort {
  /** Numbers of purposes on a page. */
  readonly sizes: readonly number[];
  /** The number of links of a mailing. */
  readonly rows: number;
}

const names = [
  'raw-trivial',
  'sayso-trivial',
  'raw-page',
  'sayso-page',
  'express-page',
  'raw-whole',
  'sayso-whole',
] as const;
type Name = (typeof names)[number];

/**
 * Takes all measurements. The servers take turns within every round, so that a busy machine is busy for all
 * of them. They are compared by the CPU time of their processes for an answer, which a busy machine changes
 * least.
 */
export async function bench(effort: WholeEffort, say: (line: string) => void): Promise<readonly Figure[]> {
  await using track = await openTrack();
  const contestants = await Promise.all(names.map((name) => track.enter(name)));
  say('servers');
  const laps = await track.laps(contestants, effort);
  const cpuOf = (name: Name) => laps[names.indexOf(name)]?.map(({ cpu }) => cpu) ?? [];
  const ratio = (one: Name, other: Name) =>
    median(cpuOf(one).map((cpu, round) => (cpuOf(other)[round] ?? Number.NaN) / cpu));
  const product = contestants[names.indexOf('sayso-whole')];
  if (product === undefined) throw new Error('the product did not take part');
  const loaded = await product.usage();
  const { sent, six } = await measureLength(product);
  say('growth');
  const growth = await measureGrowth(track.upstream, effort);
  say('links of a mailing');
  const minted = await measureMint(effort.rows);
  say('cold start');
  const start = await measureStart(track.upstream, effort.rounds);

  const figure = (what: string, value: string, aim: string): Figure => ({ what, value, aim });
  return [
    figure('trivial route of raw http', percent(ratio('sayso-trivial', 'raw-trivial')), '≥ 85 %'),
    figure('page path of raw http + ready buffer', percent(ratio('sayso-page', 'raw-page')), '≥ 20 %'),
    figure('  … of Express + res.render (EJS)', times(ratio('sayso-page', 'express-page')), '≥ 8 ×'),
    figure('whole page of raw http + unparsed read', percent(ratio('sayso-whole', 'raw-whole')), '≥ 15 %'),
    figure('bytes of a whole page, compressed', `${sent}`, '≤ 6144'),
    figure('  … of gzip -6', percent(sent / six), '≤ 115 %'),
    figure('cost ~ purposes ^', growth.toFixed(2), '≤ 1.0'),
    figure('cold start of Express hello', times(start), '≤ 2.5 ×'),
    figure('RSS idle', megabytes(product.idleRss), '≤ 120 MB'),
    figure('RSS under load', megabytes(loaded.rss), '≤ 250 MB'),
    figure('rows of links a second and core', minted.toFixed(0), '≥ 20000'),
  ];
}

async function measureLength({ port, path, headers }: Contestant) {
  const answer = await request(`http://127.0.0.1:${port}${path}`, { headers });
  const sent = Buffer.from(await answer.body.arrayBuffer());
  return { sent: sent.length, six: gzipSync(gunzipSync(sent), { level: 6 }).length };
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(0)} %`;
}

function times(ratio: number): string {
  return `${ratio.toFixed(1)} ×`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
