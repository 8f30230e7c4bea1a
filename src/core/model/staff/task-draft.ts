import { eachName } from '../each-name.ts';
import type { Task } from './task.ts';
import { typedDeadline } from './task-deadline.ts';

/** Suffix of the menu beside an id field. A typed id wins over a chosen one. */
export const chosenSuffix = '-chosen';

export const emptyCollaborator = { type: 'user', id: '', email: '' };
export type CollaboratorDraft = Readonly<typeof emptyCollaborator>;

/** A parameter row; `type` is `text`, `number`, `flag` or `object`. */
export const emptyParameter = { name: '', type: 'text', value: '' };
export type ParameterDraft = Readonly<typeof emptyParameter>;

export const emptyTaskDraft: TaskDraft = {
  ...readTaskDraft({}),
  taskTypeNameKey: 'Issue',
  isActive: true,
};

/** A draft to edit the platform's task. The platform does not return e-mail addresses and parameters. */
export function draftOf(task: Task): TaskDraft {
  const collaborators = task.assignments.filter((one) => one.isCollaborator);
  return {
    ...emptyTaskDraft,
    taskName: task.taskName,
    ...eachName(
      ['description', 'assigneeId', 'sourceType', 'sourceId', 'priority'],
      (name) => task[name] ?? '',
    ),
    collaborators: collaborators.map(({ type, assigneeId }) => ({
      type: type ?? 'user',
      id: assigneeId ?? '',
      email: '',
    })),
    deadline: typedDeadline(task.deadline),
    deadlineWas: task.deadline ?? '',
    isRequired: task.isRequired ?? false,
  };
}

type Posted = Readonly<Record<string, readonly string[]>>;

/** A task as typed: not checked, and complete. */
export type TaskDraft = Readonly<ReturnType<typeof readTaskDraft>>;

/**
 * Reads the posted form. Fields are named as in docs/platform-api.md, Tasks; rows `collaborators.0.type`,
 * `parameters.0.name` and so on.
 */
export function readTaskDraft(form: Posted) {
  // A browser ends a line with two characters; the limits count one.
  const text = (name: string) => (form[name]?.[0] ?? '').replaceAll('\r\n', '\n');
  const word = (name: string) => text(name).trim();
  const id = (name: string) => word(name) || word(`${name}${chosenSuffix}`);
  return {
    ...eachName(['parentEntityId', 'orgGroupId', 'assigneeId'], id),
    ...eachName(['taskName', 'description', 'sourceType'], text),
    ...eachName(['taskTypeNameKey', 'assigneeEmail', 'sourceId', 'resourceId'], word),
    ...eachName(['resourceTypeNameKey', 'moduleSource', 'priority'], word),
    ...eachName(['isActive', 'isRequired'], (name) => form[name] !== undefined),
    collaborators: rowsOf(form, 'collaborators').map(
      (row): CollaboratorDraft => ({
        ...collaboratorOf({
          chosen: word(`${row}.collaboratorId${chosenSuffix}`),
          type: word(`${row}.type`),
          id: word(`${row}.collaboratorId`),
        }),
        email: word(`${row}.collaboratorEmail`),
      }),
    ),
    deadline: { date: word('deadline'), time: word('deadline-time'), zone: word('deadline-zone') || 'UTC' },
    /**
     * The platform's own text of the deadline, which is sent again unchanged unless the deadline is edited.
     */
    deadlineWas: word('deadline-was'),
    parameters: rowsOf(form, 'parameters').map(
      (row): ParameterDraft => ({
        name: word(`${row}.name`),
        type: word(`${row}.type`) || 'text',
        value: text(`${row}.value`),
      }),
    ),
  };
}

/**
 * The typed collaborator, or the chosen one if no id is typed. `chosen` joins type and id, such as
 * `group:6c00…`.
 */
function collaboratorOf({ chosen, type, id }: { chosen: string; type: string; id: string }) {
  const [, chosenType = '', chosenId = ''] = /^(user|group):(.*)$/.exec(chosen) ?? [];
  return id !== '' || chosenId === '' ? { type, id } : { type: chosenType, id: chosenId };
}

/** The names of the posted rows, in their order. */
function rowsOf(form: Posted, name: string): readonly string[] {
  const numbers = Object.keys(form).flatMap((field) => {
    const match = new RegExp(`^${name}\\.(\\d{1,4})\\.`).exec(field);
    return match === null ? [] : [Number(match[1])];
  });
  return [...new Set(numbers)].sort((one, other) => one - other).map((number) => `${name}.${number}`);
}
