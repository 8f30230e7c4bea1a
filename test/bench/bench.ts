import { gunzipSync, gzipSync } from 'node:zlib';
import { median } from './figures.ts';
import { measureGrowth } from './growth.ts';
import { measureMint } from './mint.ts';
import { type Contestant, openTrack, type Track } from './race.ts';
import { createStarter, type programs } from './start.ts';

export interface Effort {
  readonly rounds: number;
  /** Milliseconds of load on one contestant in one round, and the most answers. */
  readonly duration: number;
  readonly most: number;
  /** Answers of each contestant before the first round, at most. */
  readonly warmUp: number;
  /** Numbers of purposes. */
  readonly sizes: readonly number[];
  /** Links of a mailing. */
  readonly rows: number;
}

/** One line of the report. `aim` is said where speed has a budget. */
export interface Line {
  readonly what: string;
  readonly value: string;
  readonly aim: string | undefined;
}

const names = [
  'raw-trivial',
  'sayso-trivial',
  'express-trivial',
  'raw-page',
  'sayso-page',
  'express-page',
  'raw-whole',
  'sayso-whole',
  'common-whole',
] as const;
type Name = (typeof names)[number];

/**
 * All measurements. The servers take turns within every round, so that a busy machine is busy for all of them, and
 * are compared by the CPU time that their processes use for an answer, which a busy machine changes least.
 */
export async function bench(effort: Effort, say: (line: string) => void): Promise<readonly Line[]> {
  await using track = await openTrack();
  const entered = names.map(async (name) => [name, await track.enter(name)] as const);
  const contestants = new Map<Name, Contestant>(await Promise.all(entered));
  const cpuByContestant = await race(track, contestants, effort, say);
  const ratio = (one: Name, other: Name) =>
    median(
      (cpuByContestant.get(one) ?? []).map(
        (cpu, round) => (cpuByContestant.get(other)?.[round] ?? Number.NaN) / cpu,
      ),
    );
  const micros = (name: Name) => `${median(cpuByContestant.get(name) ?? []).toFixed(0)} µs`;
  const product = contestants.get('sayso-whole');
  if (product === undefined) throw new Error('the product did not take part');
  const loaded = await product.usage();
  const length = await measureLength(product);
  const common = contestants.get('common-whole');
  if (common === undefined) throw new Error('the common stack did not take part');
  const commonLength = await measureLength(common);
  say('growth');
  const growth = await measureGrowth(track.upstream, effort);
  say('links of a mailing');
  const minted = await measureMint(effort.rows);
  say('cold start');
  const start = await measureStart(track.upstream, effort.rounds);

  return [
    {
      what: 'trivial route of raw http',
      value: percent(ratio('sayso-trivial', 'raw-trivial')),
      aim: '≥ 85 %',
    },
    { what: '  … of stock Express', value: times(ratio('sayso-trivial', 'express-trivial')), aim: undefined },
    {
      what: 'page path of raw http + ready buffer',
      value: percent(ratio('sayso-page', 'raw-page')),
      aim: '≥ 20 %',
    },
    {
      what: '  … of Express + res.render (EJS)',
      value: times(ratio('sayso-page', 'express-page')),
      aim: '≥ 8 ×',
    },
    {
      what: 'whole page of raw http + unparsed read',
      value: percent(ratio('sayso-whole', 'raw-whole')),
      aim: '≥ 15 %',
    },
    {
      what: '  … CPU, of the common Express stack',
      value: percent(1 / ratio('sayso-whole', 'common-whole')),
      aim: '≤ 80 %',
    },
    { what: 'CPU of a whole page', value: micros('sayso-whole'), aim: '≤ 1400 µs' },
    ...names.map((name) => ({ what: `CPU of ${name}`, value: micros(name), aim: undefined })),
    { what: 'bytes of a whole page, compressed', value: `${length.sent}`, aim: '≤ 6144' },
    { what: '  … of the common Express stack', value: `${commonLength.sent}`, aim: undefined },
    { what: '  … of gzip -6', value: percent(length.sent / length.six), aim: undefined },
    { what: '  … HTML', value: `${length.plain}`, aim: undefined },
    { what: 'cost ~ purposes ^', value: growth.exponent.toFixed(2), aim: '≤ 1.0' },
    ...[...growth.cost].map(([size, cpu]) => ({
      what: `  … page of ${size} purposes`,
      value: `${cpu.toFixed(0)} µs`,
      aim: undefined,
    })),
    { what: 'cold start of Express hello', value: times(start.ratio), aim: '≤ 2.5 ×' },
    { what: '  … first answer', value: `${start.sayso.toFixed(0)} ms`, aim: undefined },
    { what: 'RSS idle', value: megabytes(product.idleRss), aim: '≤ 120 MB' },
    { what: 'RSS under load', value: megabytes(loaded.rss), aim: '≤ 250 MB' },
    { what: 'rows of links a second and core', value: minted.toFixed(0), aim: '≥ 20000' },
  ];
}

async function race(
  track: Track,
  contestants: ReadonlyMap<Name, Contestant>,
  { rounds, duration, most, warmUp }: Effort,
  say: (line: string) => void,
): Promise<ReadonlyMap<Name, readonly number[]>> {
  const cpuByContestant = new Map<Name, number[]>(names.map((name) => [name, []]));
  say('warming up');
  for (const contestant of contestants.values())
    await track.run(contestant, { duration: duration * 8, most: warmUp });
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    for (const [name, contestant] of contestants)
      cpuByContestant.get(name)?.push((await track.run(contestant, { duration, most })).cpu);
  }
  return cpuByContestant;
}

async function measureLength({ port, path, headers }: Contestant) {
  const { request } = await import('undici');
  const answer = await request(`http://127.0.0.1:${port}${path}`, { headers });
  const sent = Buffer.from(await answer.body.arrayBuffer());
  const plain = gunzipSync(sent);
  return { plain: plain.length, sent: sent.length, six: gzipSync(plain, { level: 6 }).length };
}

async function measureStart(upstream: string, rounds: number) {
  using starter = createStarter(upstream);
  const laps: Record<keyof typeof programs, number[]> = { sayso: [], 'express-hello': [] };
  for (let round = 0; round <= rounds; round++) {
    for (const program of ['express-hello', 'sayso'] as const) {
      const took = await starter.start(program);
      // The first start makes the data folder and warms the disk.
      if (round > 0) laps[program].push(took);
    }
  }
  const ratios = laps.sayso.map((took, round) => took / (laps['express-hello'][round] ?? Number.NaN));
  return { ratio: median(ratios), sayso: median(laps.sayso) };
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
