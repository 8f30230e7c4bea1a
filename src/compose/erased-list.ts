import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config/environment.ts';
import type { Erasure, ErasureOutcome, PersonData } from '../ports/person-data.ts';

/**
 * The file that lists erasures as lines of JSON, apart from the stores: a restored backup lacks later
 * erasures. undefined if there is neither a data folder nor ERASED_FILE.
 */
export function erasedFileOf(config: Config): string | undefined {
  return config.erasedFile ?? (usesFolder(config) ? join(config.dataDir, 'erased.jsonl') : undefined);
}

/** True if the data folder holds data. With a database and a tenant it holds none. */
export function usesFolder({ database, platform }: Config): boolean {
  return database === undefined || platform === undefined;
}

/**
 * Applies the file's erasures to the store and appends the store's to the file. Returns how many people were
 * erased again.
 */
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

/**
 * Erases a person and lists it at once: a backup may be restored before the next sweep. `fault`: the list
 * could not be written; the sweep tries again.
 */
export async function eraseListed(
  data: PersonData,
  file: string | undefined,
  ...request: Parameters<PersonData['erase']>
): Promise<{ readonly outcome: ErasureOutcome; readonly fault: unknown }> {
  const outcome = await data.erase(...request);
  const fault: unknown = await syncErasedList(data, file).then(
    () => undefined,
    (reason) => reason,
  );
  return { outcome, fault };
}

function nameOf({ subjects, at }: Erasure): string {
  return `${subjects[0]} ${at}`;
}

/** Skips a line that was cut off: its erasure is in the store and is appended again. */
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
  // The text starts with a line end, because the last line of the file may have been cut off.
  const lines = erasures.map((each) => `\n${JSON.stringify(each)}\n`).join('');
  appendFileSync(file, lines, { mode: 0o600, flush: true });
}
