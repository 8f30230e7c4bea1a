import { basename, dirname, join, relative } from 'node:path';
import { readJson } from './body.ts';
import type { Folder, JsonFile } from './folder.ts';
import { isObject, text } from './json.ts';
import { badRequest } from './refusal.ts';
import type { Store } from './store.ts';

/** Files that replace those of the data folder while the sandbox runs; the store keeps them. */
export interface Replacements {
  /** The data folder with the replacements. */
  readonly folder: Folder;
  put(path: string, source: string): void;
  /** Removes all replacements under the path. */
  remove(path: string): void;
}

export function createReplacements(parts: {
  folder: Folder;
  store: Store;
  seedDir: string;
  now: () => Date;
}): Replacements {
  const { folder, store, seedDir } = parts;
  const files = new Map<string, JsonFile>();
  let children = new Map<string, Set<string>>();
  const unions = new Map<string, { from: readonly string[]; names: readonly string[] }>();

  function hold(path: string, source: string, modified: Date): void {
    files.set(path, { path, text: source, value: readObject(source), modified });
  }

  /** Collects the directories above the replaced files, with the names in each. */
  function index(): void {
    children = new Map();
    unions.clear();
    for (const path of files.keys()) {
      for (let inner = path; inner !== seedDir && inner !== dirname(inner); inner = dirname(inner)) {
        const names = children.get(dirname(inner)) ?? new Set();
        children.set(dirname(inner), names.add(basename(inner)));
      }
    }
  }

  for (const body of store.all('files')) {
    const source = text(body['text']) ?? '';
    hold(join(seedDir, text(body['path']) ?? ''), source, new Date(Number(body['modified'])));
  }
  index();

  return {
    folder: {
      file: (path) => files.get(path) ?? folder.file(path),
      names(path) {
        const from = folder.names(path);
        const added = children.get(path);
        if (added === undefined) return from;
        const known = unions.get(path);
        if (known?.from === from) return known.names;
        const names = [...new Set([...from, ...added])].sort();
        unions.set(path, { from, names });
        return names;
      },
    },
    put(path, source) {
      const modified = parts.now();
      hold(path, source, modified);
      index();
      const short = relative(seedDir, path);
      store.save('files', short, { path: short, text: source, modified: modified.getTime() });
    },
    remove(path) {
      for (const file of [...files.keys()].filter(
        (each) => each === path || each.startsWith(join(path, '/')),
      )) {
        files.delete(file);
        store.remove('files', relative(seedDir, file));
      }
      index();
    },
  };
}

function readObject(source: string) {
  const value = readJson(source);
  if (!isObject(value)) throw badRequest('A file of a center holds a JSON object');
  return value;
}
