import { join } from 'node:path';
import type { Center, Centers } from './centers.ts';
import { type Folder, jsonNames } from './folder.ts';
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

  /** The names of a directory, unless nothing was added since the last look. */
  function news(path: string): string[] {
    const names = folder.names(path);
    if (planted.get(path) === names) return [];
    planted.set(path, names);
    return jsonNames(folder, path);
  }

  function plantPeople(center: Center): void {
    const path = join(center.path, 'subjects');
    for (const name of news(path)) {
      const file = folder.file(join(path, `${name}.json`));
      if (file === undefined) continue;
      const identifier = text(file.value['DataSubjectId']) ?? unescaped(name);
      store.addSubject(center.id, identifier, serialise(seedRecord(file.value, parts.now())));
    }
  }

  function plantTasks(): void {
    const path = join(parts.seedDir, 'tasks');
    for (const name of news(path)) {
      const task = folder.file(join(path, `${name}.json`))?.value;
      const id = text(task?.['id']);
      if (task !== undefined && id !== undefined)
        store.add('tasks', fold(id), { task, request: {} } satisfies JsonObject);
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
