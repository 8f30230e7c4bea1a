import { join } from 'node:path';
import type { Center, Centers } from './centers.ts';
import { type Folder, jsonFiles } from './folder.ts';
import { fold, type JsonObject, text } from './json.ts';
import { seedRecord, serialise } from './record.ts';
import type { Store } from './store.ts';

/** Puts what the data folder holds into the store, once: what is stored already stays as it is. */
export interface Seeds {
  /** Everything there is. */
  plant(): void;
  /** People added to the center's folder since. */
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

  /** What a directory holds, unless all of it could be read and nothing was added since. */
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
      inside: text(value['DataSubjectId']),
      record: serialise(seedRecord(value, parts.now())),
    }));
    // A file's own name goes before what another file says inside.
    for (const { named, record } of people) store.addSubject(center.id, named, record);
    for (const { inside, record } of people)
      if (inside !== undefined) store.addSubject(center.id, inside, record);
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

/** A file name may be percent-encoded. */
export function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
