import { join } from 'node:path';
import { Router } from 'express';
import { readJsonOf } from './body.ts';
import type { CallLog } from './calls.ts';
import type { Center, Centers } from './centers.ts';
import type { Faults } from './faults.ts';
import { type Folder, jsonFiles } from './folder.ts';
import { objects, text } from './json.ts';
import type { LateCalls } from './late-calls.ts';
import { unescaped } from './seed.ts';
import type { Store } from './store.ts';

/** Routes by which tests and people control the sandbox: faults, calls, ready-made people, stored tasks. */
export function controlRoutes(parts: {
  faults: Faults;
  calls: CallLog;
  centers: Centers;
  folder: Folder;
  store: Store;
  lateCalls: LateCalls;
}): Router {
  const { faults, calls, centers, folder, store, lateCalls } = parts;
  return Router({ caseSensitive: true })
    .get('/_sandbox/faults', (_request, response) => void response.json(faults.list()))
    .post('/_sandbox/faults', async (request, response) => {
      response.status(201).json(faults.add(await readJsonOf(request)));
    })
    .delete('/_sandbox/faults', (_request, response) => {
      faults.clear();
      response.status(204).end();
    })
    .delete('/_sandbox/faults/:id', (request, response) => {
      faults.clear(Number(request.params['id']));
      response.status(204).end();
    })
    .get('/_sandbox/late', (_request, response) => void response.json({ waiting: lateCalls.count() }))
    .post('/_sandbox/late', async (_request, response) => {
      await lateCalls.release();
      response.status(204).end();
    })
    .get('/_sandbox/calls', (request, response) => {
      const wanted = Object.entries(request.query);
      const found = calls.list().filter((call) => {
        const members = new Map<string, unknown>(Object.entries(call));
        return wanted.every(([member, value]) => String(members.get(member)) === String(value));
      });
      response.json(found);
    })
    .delete('/_sandbox/calls', (_request, response) => {
      calls.clear();
      response.status(204).end();
    })
    .get('/_sandbox/subjects', (_request, response) => {
      response.json(listPeople(centers, folder));
    })
    .get('/_sandbox/tasks', (_request, response) => void response.json(store.all('tasks')));
}

/** A person of the data folder, whose page a developer can open. */
export interface ReadyPerson {
  readonly center: string;
  readonly centerName: string;
  readonly template: string;
  readonly identifier: string;
  readonly language: string;
  readonly description: string;
}

export function listPeople(centers: Centers, folder: Folder): readonly ReadyPerson[] {
  return centers.list().flatMap((center) => people(center, folder));
}

/** Lists the people of a center: first those in its people.json, then all others with a file. */
function people(center: Center, folder: Folder): readonly ReadyPerson[] {
  const about = {
    center: center.id,
    centerName: center.summary.name,
    template: center.template,
  };
  const presented = objects(folder.file(join(center.path, 'people.json'))?.value['people']).flatMap(
    (person) => {
      const identifier = text(person['identifier']);
      if (identifier === undefined) return [];
      return {
        ...about,
        identifier,
        language: text(person['language']) ?? center.language,
        description: text(person['description']) ?? '',
      };
    },
  );
  const names = new Set(presented.map((person) => person.identifier));
  const filed = jsonFiles(folder, join(center.path, 'subjects')).flatMap(({ name, path }) => {
    const file = folder.file(path)?.value;
    const identifier = unescaped(name);
    const isPresented = names.has(identifier) || names.has(text(file?.['DataSubjectId']) ?? identifier);
    if (file === undefined || isPresented) return [];
    const language = text(file['Language']) ?? center.language;
    const count = objects(file['Purposes']).length;
    return {
      ...about,
      identifier,
      language,
      description: `${count} ${count === 1 ? 'purpose' : 'purposes'} on record`,
    };
  });
  return [...presented, ...filed];
}
