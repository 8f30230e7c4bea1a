import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files that run in one process, one after another. */
export interface Batch {
  readonly files: readonly string[];
  readonly milliseconds: number;
}

const durationsFile = join(import.meta.dirname, '../../node_modules/.cache/sayso-test-durations.json');

/** Milliseconds that each file took when it last ran on this machine. */
export function readDurations(): Map<string, number> {
  try {
    const known: unknown = JSON.parse(readFileSync(durationsFile, 'utf8'));
    return new Map(Object.entries(known ?? {}).map(([file, took]) => [file, Number(took)]));
  } catch {
    return new Map();
  }
}

export function writeDurations(durations: ReadonlyMap<string, number>): void {
  mkdirSync(dirname(durationsFile), { recursive: true });
  writeFileSync(durationsFile, JSON.stringify(Object.fromEntries(durations)));
}

/** Guessed seconds of files that have not run yet, as in a fresh checkout, by a part of their path. */
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

/** Files of one kind, to be run as so many batches. */
export interface Group {
  readonly files: readonly string[];
  readonly batches: number;
}

/** The batches of all groups, the longest first, so that no process ends long after the others. */
export function batchesOf(groups: readonly Group[], durations: ReadonlyMap<string, number>): Batch[] {
  return groups
    .flatMap(({ files, batches }) => {
      const timed = files
        .map((file) => ({ files: [file], milliseconds: durations.get(file) ?? guess(file) }))
        .sort(longestFirst);
      const made: Batch[] = [];
      for (const next of timed) {
        const shortest = made.length < batches ? undefined : made.sort(longestFirst).pop();
        made.push({
          files: [...(shortest?.files ?? []), ...next.files],
          milliseconds: (shortest?.milliseconds ?? 0) + next.milliseconds,
        });
      }
      return made;
    })
    .sort(longestFirst);
}

function longestFirst(one: Batch, other: Batch): number {
  return other.milliseconds - one.milliseconds;
}
