import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject, parseJson } from './json.ts';

/** A JSON file: its text is served, its value is read. */
export interface JsonFile {
  readonly path: string;
  readonly text: string;
  readonly value: JsonObject;
  readonly modified: Date;
}

/** The data folder: each reading sees the newest files, and an unchanged file is parsed once. */
export interface Folder {
  /** Reads the object in a file; undefined when absent or unreadable (one warning per change). */
  file(path: string): JsonFile | undefined;
  /** Lists the names in a directory, sorted; empty when it is absent. */
  names(path: string): readonly string[];
}

interface Known<T> {
  readonly stamp: string;
  readonly settled: boolean;
  readonly content: T;
}

/** File times are coarse: a file that changed this recently may change again under the same stamp. */
const SETTLED_AFTER_MS = 100;

function stampOf(stats: Stats): string {
  return `${stats.mtimeMs}:${stats.size}:${stats.ino}`;
}

function isSettled(stats: Stats): boolean {
  return performance.timeOrigin + performance.now() - stats.mtimeMs > SETTLED_AFTER_MS;
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function createFolder(warn: (line: string) => void): Folder {
  const files = new Map<string, Known<JsonFile | undefined>>();
  const listings = new Map<string, Known<readonly string[]>>();
  const complaints = new Map<string, string>();

  function complain(path: string, stamp: string, reason: string): void {
    if (complaints.get(path) === stamp) return;
    complaints.set(path, stamp);
    warn(`sandbox: ${path} is passed over: ${reason}`);
  }

  function read(path: string, stats: Stats, before: JsonFile | undefined): JsonFile | undefined {
    try {
      const source = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
      if (before?.text === source) return before;
      const value = parseJson(source);
      if (isObject(value)) return { path, text: source, value, modified: stats.mtime };
      complain(path, stampOf(stats), 'it does not hold a JSON object');
    } catch (fault) {
      complain(
        path,
        stampOf(stats),
        fault instanceof Error ? fault.message.replace(/\s+/g, ' ') : 'unreadable',
      );
    }
    return before;
  }

  return {
    file(path) {
      const stats = statsOf(path);
      const known = files.get(path);
      if (stats === undefined || stats.isDirectory()) {
        files.delete(path);
        return undefined;
      }
      const stamp = stampOf(stats);
      if (known?.settled && known.stamp === stamp) return known.content;
      const content = read(path, stats, known?.content);
      files.set(path, { stamp, settled: isSettled(stats), content });
      return content;
    },

    names(path) {
      const stats = statsOf(path);
      if (stats === undefined || !stats.isDirectory()) return [];
      const stamp = stampOf(stats);
      const known = listings.get(path);
      if (known?.settled && known.stamp === stamp) return known.content;
      const content = readdirSync(path).sort();
      listings.set(path, { stamp, settled: isSettled(stats), content });
      return content;
    },
  };
}

/** Lists the JSON files of a directory; a name has no `.json`, which may be in capitals. */
export function jsonFiles(folder: Folder, path: string): { name: string; path: string }[] {
  return folder
    .names(path)
    .filter((name) => name.toLowerCase().endsWith('.json') && !name.startsWith('.'))
    .map((name) => ({ name: name.slice(0, -'.json'.length), path: join(path, name) }));
}
