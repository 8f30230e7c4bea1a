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

/** What is begun first when nothing is known of it, by parts of paths. */
const guesses: readonly (readonly [part: string, milliseconds: number])[] = [
  ['browser', 60_000],
  ['acts', 45_000],
  ['chaos', 30_000],
  ['features', 15_000],
];

function guess(file: string): number {
  return guesses.find(([part]) => file.includes(part))?.[1] ?? 1_000;
}

/** The longest first, so that no process ends long after the others. `hands`: how many batches for `together`. */
export function dealOut({
  together,
  alone,
  durations,
  hands,
}: {
  readonly together: readonly string[];
  readonly alone: readonly string[];
  readonly durations: ReadonlyMap<string, number>;
  readonly hands: number;
}): Batch[] {
  const timed = (files: readonly string[]) =>
    files
      .map((file) => ({ files: [file], milliseconds: durations.get(file) ?? guess(file) }))
      .sort(longestFirst);
  const dealt: Batch[] = [];
  for (const { files, milliseconds } of timed(together)) {
    const shortest = dealt.length < hands ? undefined : dealt.sort(longestFirst).pop();
    dealt.push({
      files: [...(shortest?.files ?? []), ...files],
      milliseconds: (shortest?.milliseconds ?? 0) + milliseconds,
    });
  }
  return [...timed(alone), ...dealt].sort(longestFirst);
}

function longestFirst(one: Batch, other: Batch): number {
  return other.milliseconds - one.milliseconds;
}
