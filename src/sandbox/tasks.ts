import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import type { Answer, Call, Endpoint } from './endpoint.ts';
import { fold, isGuid, type JsonObject, object } from './json.ts';
import { badRequest, NothingThere } from './refusal.ts';
import type { Seeds } from './seed.ts';
import type { Store } from './store.ts';
import { nameNote, newTask, shownTask, updatedTask } from './task-information.ts';
import { readTaskCreate, readTaskUpdate } from './task-request.ts';

const HOME = '/api/task-management/v1/tasks';

/** Routes that create, read and update tasks. Each task is stored with its last request. */
export function taskRoutes(parts: {
  endpoint: Endpoint;
  store: Store;
  seeds: Seeds;
  now: () => Date;
}): Router {
  const { endpoint, store, seeds, now } = parts;

  function find(call: Call): { id: string; task: JsonObject } {
    const type = call.query.get('taskTypeNameKey');
    if (type === null || type === '') throw badRequest('taskTypeNameKey is required and must be Issue');
    if (type.toLowerCase() !== 'issue') throw badRequest('taskTypeNameKey must be Issue');
    const id = fold(call.parameter('task'));
    const stored = store.find('tasks', id) ?? unplanted(id);
    if (stored === undefined && !isGuid(id)) throw badRequest('taskId must be a UUID');
    if (stored === undefined) throw new NothingThere();
    return { id, task: object(stored['task']) };
  }

  function unplanted(id: string): JsonObject | undefined {
    seeds.refreshTasks();
    return store.find('tasks', id);
  }

  function answer(task: JsonObject, status = 200): Answer {
    const note = nameNote(task);
    const headers = note === undefined ? {} : { 'X-Sandbox-Note': note };
    return { status, headers, body: shownTask(task, now()) };
  }

  return Router({ caseSensitive: true })
    .post(
      HOME,
      endpoint('create-task', ['ISSUE'], (call) => {
        const request = call.json();
        const id = randomUUID();
        const task = newTask(id, readTaskCreate(request), now());
        store.save('tasks', id, { task, request });
        return answer(task, 201);
      }),
    )
    .get(
      `${HOME}/:task`,
      endpoint('read-task', ['ISSUE', 'ISSUE_READ'], (call) => answer(find(call).task)),
    )
    .put(
      `${HOME}/:task`,
      endpoint('update-task', ['ISSUE'], (call) => {
        const { id, task } = find(call);
        const request = call.json();
        const next = updatedTask(task, readTaskUpdate(request), now());
        store.save('tasks', id, { task: next, request });
        return answer(next);
      }),
    );
}
