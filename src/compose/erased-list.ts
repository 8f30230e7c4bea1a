import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config/environment.ts';
import type { Maintained } from '../ports/maintained.ts';
import type { Erasure, PersonData } from '../ports/person-data.ts';
import type { Logger } from '../web/log.ts';
import type { Stores } from './stores.ts';

/**
 * The list of erasures, one line of JSON each, in a file beside the stores: a store that is restored from a backup has
 * lost those that came after it. undefined: there is no folder, and no file was named.
 */
export function erasedFileOf({ erasedFile, database, platform, dataDir }: Config): string | undefined {
  const hasFolder = database === undefined || platform === undefined;
  return erasedFile ?? (hasFolder ? join(dataDir, 'erased.jsonl') : undefined);
}

/** Has the store know what the file knows, and the file what the store knows. Gives how many were erased again. */
export async function syncErasedList(
  data: Pick<PersonData, 'apply' | 'erasures'>,
  file: string | undefined,
): Promise<number> {
  if (file === undefined) return 0;
  const listed = readList(file);
  const applied = await data.apply(listed);
  const known = new Set(listed.map(nameOf));
  append(
    file,
    (await data.erasures()).filter((each) => !known.has(nameOf(each))),
  );
  return applied;
}

/** What a backup brought back is gone before anybody is served. */
export async function applyErasures(
  { personData }: Pick<Stores, 'personData'>,
  config: Config,
  log: Logger,
): Promise<void> {
  const applied = await syncErasedList(personData, erasedFileOf(config));
  if (applied > 0) log.warn({ people: applied }, 'the store was restored: erased people were erased again');
}

/** Erasures of other nodes and commands get into the list of this one, too. */
export function sweptErasures({ personData }: Pick<Stores, 'personData'>, config: Config): Maintained {
  return { sweep: () => syncErasedList(personData, erasedFileOf(config)) };
}

function nameOf({ subjects, at }: Erasure): string {
  return `${subjects[0]} ${at}`;
}

/** A line that was cut off is left out: its erasure is in the store, and is written again. */
function readList(file: string): readonly Erasure[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const read = JSON.parse(line) as Erasure;
        const { subjects, sessions, passcodes, hostedLinks, words } = read;
        const isWhole = [subjects, sessions, passcodes, hostedLinks, words].every(Array.isArray);
        return isWhole && typeof read.at === 'number' ? [read] : [];
      } catch {
        return [];
      }
    });
}

function append(file: string, erasures: readonly Erasure[]): void {
  if (erasures.length === 0) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const opened = openSync(file, 'a', 0o600);
  try {
    // The line before may have been cut off.
    writeSync(opened, erasures.map((each) => `\n${JSON.stringify(each)}\n`).join(''));
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
