import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files that run in one process, one after another. */
export interface Batch {
  readonly files: readonly string[];
  readonly milliseconds: number;
}

const remembered = join(
  import.meta.dirname,
  '..',
  '..',
  'node_modules',
  '.cache',
  'sayso-test-durations.json',
);

/** How long each file took when it last ran here, in milliseconds. */
export function readDurations(): Map<string, number> {
  try {
    const known: unknown = JSON.parse(readFileSync(remembered, 'utf8'));
    return new Map(Object.entries(known ?? {}).map(([file, took]) => [file, Number(took)]));
  } catch {
    return new Map();
  }
}

export function writeDurations(durations: ReadonlyMap<string, number>): void {
  mkdirSync(dirname(remembered), { recursive: true });
  writeFileSync(remembered, JSON.stringify(Object.fromEntries(durations)));
}

/** What is begun first when nothing is known of it, as in a fresh checkout, by parts of paths. */
const guesses: readonly (readonly [part: string, seconds: number])[] = [
  ['acts/acts', 60],
  ['browser', 25],
  ['chaos', 20],
  ['deploy/processes', 30],
  ['store', 10],
  ['centers', 10],
  ['features', 5],
];

function guess(file: string): number {
  return (guesses.find(([part]) => file.includes(part))?.[1] ?? 1) * 1_000;
}

/** Files of one kind, for so many processes. */
export interface Pile {
  readonly files: readonly string[];
  readonly hands: number;
}

/** The longest first, so that no process ends long after the others. */
export function dealOut(piles: readonly Pile[], durations: ReadonlyMap<string, number>): Batch[] {
  return piles
    .flatMap(({ files, hands }) => {
      const timed = files
        .map((file) => ({ files: [file], milliseconds: durations.get(file) ?? guess(file) }))
        .sort(longestFirst);
      const dealt: Batch[] = [];
      for (const next of timed) {
        const shortest = dealt.length < hands ? undefined : dealt.sort(longestFirst).pop();
        dealt.push({
          files: [...(shortest?.files ?? []), ...next.files],
          milliseconds: (shortest?.milliseconds ?? 0) + next.milliseconds,
        });
      }
      return dealt;
    })
    .sort(longestFirst);
}

function longestFirst(one: Batch, other: Batch): number {
  return other.milliseconds - one.milliseconds;
}
