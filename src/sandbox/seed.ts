import { join } from 'node:path';
import type { Center, Centers } from './centers.ts';
import { type Folder, jsonFiles } from './folder.ts';
import { fold, type JsonObject, text } from './json.ts';
import { seedRecord, serialise } from './record.ts';
import type { Store } from './store.ts';

/** Copies the data folder into the store, once: a record in the store is never overwritten. */
export interface Seeds {
  /** Copies all people and tasks. */
  plant(): void;
  /** Copies people whose files are new in the center's folder. */
  refresh(center: Center): void;
  refreshTasks(): void;
}

export function createSeeds(parts: {
  folder: Folder;
  centers: Centers;
  store: Store;
  seedDir: string;
  now: () => Date;
}): Seeds {
  const { folder, centers, store } = parts;
  const planted = new Map<string, readonly string[]>();

  /** Reads a directory; empty when all its files were read before and none is new. */
  function arrivals(path: string): { name: string; value: JsonObject }[] {
    const names = folder.names(path);
    if (planted.get(path) === names) return [];
    const files = jsonFiles(folder, path).map((file) => ({
      name: file.name,
      value: folder.file(file.path)?.value,
    }));
    if (files.every(({ value }) => value !== undefined)) planted.set(path, names);
    return files.flatMap(({ name, value }) => (value === undefined ? [] : { name, value }));
  }

  function plantPeople(center: Center): void {
    const people = arrivals(join(center.path, 'subjects')).map(({ name, value }) => ({
      named: unescaped(name),
      idInside: text(value['DataSubjectId']),
      record: serialise(seedRecord(value, parts.now())),
    }));
    // The name of a file wins over the identifier idInside another file.
    for (const { named, record } of people) store.addSubject(center.id, named, record);
    for (const { idInside, record } of people)
      if (idInside !== undefined) store.addSubject(center.id, idInside, record);
  }

  function plantTasks(): void {
    for (const { value: task } of arrivals(join(parts.seedDir, 'tasks'))) {
      const id = text(task['id']);
      if (id !== undefined) store.add('tasks', fold(id), { task, request: {} } satisfies JsonObject);
    }
  }

  return {
    plant() {
      store.together(() => {
        for (const center of centers.list()) plantPeople(center);
        plantTasks();
      });
    },
    refresh: (center) => store.together(() => plantPeople(center)),
    refreshTasks: () => store.together(plantTasks),
  };
}

/** Decodes a file name, which may be percent-encoded. */
export function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
