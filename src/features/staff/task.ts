import { mayDo } from '../../core/model/staff/staff-member.ts';
import type { AttributeValue, Task } from '../../core/model/staff/task.ts';
import { type Note, note } from '../../pages/layout.ts';
import type { Block, Cell, FactsView, TableView } from '../../pages/staff-page.ts';
import { cell, facts, folded, form, ownMoment, shortId, table, tag } from './blocks.ts';
import { named } from './centers.ts';
import { type Call, found } from './guarded-router.ts';
import { byName, type KnownNames } from './names.ts';
import { type Listed, type Page, taskHref } from './page.ts';

export async function findTask({ platform, known, parameter }: Call): Promise<Task> {
  const task = found(await platform.findTask(parameter('id')));
  known.note(task);
  return task;
}

export const remember = ({ log, member }: Call, { id, taskName }: Task) =>
  log.rememberTask(member.id, { id, name: taskName });

export async function readTask(call: Call) {
  const task = await findTask(call);
  await remember(call, task);
  const differs = call.query('differs').split(',');
  return {
    member: call.member,
    task,
    /** The action that just changed the task; '' for none. */
    was: call.query('was'),
    /** Names of fields for which the platform answered another value than was sent. */
    differs: differs.filter((name) => /^[a-zA-Z]{1,30}$/.test(name)),
    /** The name of the record to which the task belongs, if it is known. */
    parentName: await parentNameOf(call, task),
    /** Names for things of which the platform gives only the id. */
    known: call.known.names(),
  };
}

type TaskPageInput = Awaited<ReturnType<typeof readTask>>;

async function parentNameOf(call: Call, { parentEntityId }: Task): Promise<string | undefined> {
  const id = parentEntityId?.toLowerCase();
  if (id === undefined) return undefined;
  const center = (await call.centerNames()).find((one) => one.id === id);
  return center?.name ?? call.notices.lastNameOf(id);
}

/** The page of a task, with all that the platform gives about it. */
export function buildTaskPage(given: TaskPageInput): Page {
  const { member, task } = given;
  const path = taskHref(task.id);
  const turn =
    task.status === 'closed'
      ? { href: `${path}/reopen`, label: 'Open it again' }
      : { href: `${path}/close`, label: 'Close it' };
  return {
    title: task.taskName || 'Task without a name',
    section: 'tasks',
    crumbs: [{ href: '/staff/tasks', label: 'Tasks' }],
    notes: resultNotes(given),
    links: mayDo(member, 'editor') ? [{ href: `${path}/edit`, label: 'Edit' }, turn] : [],
    blocks: [mainFacts(given), folded('all', 'All fields', allFields(task))],
  };
}

const wasDone: ReadonlyMap<string, string> = new Map([
  ['created', 'The task is created'],
  ['saved', 'The task is saved'],
  ['closed', 'The task is closed'],
  ['reopened', 'The task is open again'],
]);

function resultNotes({ was, differs }: TaskPageInput): Listed<Note> {
  const title = wasDone.get(was);
  if (title === undefined) return [];
  return [
    note('success', title, 'The platform has answered so. Below is what it has now.'),
    differs.length > 0 &&
      note(
        'warning',
        'Not all of it is as it was sent',
        `The platform answered with something else for: ${differs.join(', ')}.`,
      ),
  ];
}

/** The eight facts that readers usually look for. */
function mainFacts({ task, parentName, known }: TaskPageInput): Block {
  const parent = parentName ?? (task.parentEntityId && shortId(task.parentEntityId));
  return facts('main', undefined, [
    ['Status', task.status && tag(named(task.status), task.status === 'open' ? 'success' : 'neutral')],
    ['Deadline', { ...ownMoment(task.deadline), more: task.pastDue === true && 'past due' }],
    ['Priority', task.priority && named(task.priority)],
    ['Assigned to', assignees(task, known) ?? 'not assigned'],
    ['Organization', task.orgGroupAttribute?.value ?? byName(task.orgGroupId, known)],
    ['Belongs to', cell(parent, { more: task.moduleSource && named(task.moduleSource) })],
    ['Type', task.taskType?.label ?? task.taskType?.name],
    ['Description', task.description],
  ]);
}

function assignees({ assignments, assigneeId }: Task, known: KnownNames): string | undefined {
  const names = assignments.filter((one) => !one.isCollaborator).flatMap(({ userName }) => userName ?? []);
  return names.length > 0 ? names.join(', ') : byName(assigneeId, known);
}

function allFields(task: Task): readonly (FactsView | TableView)[] {
  const { taskType: type } = task;
  return [
    facts('state', 'Task', [
      ['Id', task.id],
      ['Active', task.isActive],
      ['Required', task.isRequired],
    ]),
    facts('due', 'Deadline', [
      ['Deadline', ownMoment(task.deadline)],
      ['Past due', task.pastDue],
      ['Due date', ownMoment(task.dueDate?.date)],
      ['Days until or past it', task.dueDate?.numberOfDays],
      ['Due date text key', task.dueDate?.textKey],
      ['Due date colour', task.dueDate?.color],
      ['Due date icon', task.dueDate?.icon],
      ['Completed', ownMoment(task.completionDate)],
    ]),
    facts('belongs', 'Where it belongs', [
      ['Parent record', task.parentEntityId],
      ['Module', task.moduleSource && named(task.moduleSource)],
      ['Organization', attribute(task.orgGroupAttribute)],
      ['Organization id (deprecated)', task.orgGroupId],
      ['Source type', task.sourceType],
      ['Source id', task.sourceId],
      ['Address in the platform', task.relativeUrl],
    ]),
    assignmentTable(task),
    facts('workflow', 'Workflow', [
      ['Activity', task.activity && named(task.activity)],
      ['Activity key (deprecated)', task.activityKey],
      ['Presentation mode', task.presentationMode && named(task.presentationMode)],
      ['Workflow id', task.workflowId],
      ['Stage', task.stageName],
      ['Stage key', task.stageNameKey],
      ['Stage id', task.workflowStageId],
      ['Badge colour', task.badgeColor],
      ...entries(task.workflowAndStage, 'Workflow and stage'),
    ]),
    facts('permissions', 'What the platform allows', [
      ...Object.entries(task.permissions).map(([name, allowed]) => [words(name), allowed] as const),
      ['Can edit a required task', task.canEditRequiredTask],
    ]),
    facts('type', 'Task type', [
      ['Name', type?.name],
      ['Label', type?.label],
      ['Name key', type?.nameKey],
      ['Module', type?.module],
      ['Module translation key', type?.moduleNameTranslationKey],
      ['Icon', type?.icon],
      ['Id', type?.id],
    ]),
    facts('history', 'History', [
      ['Created', ownMoment(task.createdDate)],
      ['Created by', attribute(task.createdByAttribute)],
      ['Created by, id (deprecated)', task.createdBy],
      ['Modified', ownMoment(task.modifiedDate)],
      ['Modified by', attribute(task.modifiedByAttribute)],
      ['Modified by, id (deprecated)', task.modifiedBy],
    ]),
  ];
}

function assignmentTable(task: Task): TableView {
  return table({
    id: 'assignments',
    heading: 'Assignments',
    about: `Assignee id: ${task.assigneeId ?? 'none'}. Collaborators ${can(task.isCollaboratorSupported)}, groups ${can(task.isCollaboratorGroupSupported)}.`,
    caption: 'Who is assigned to this task',
    columns: {
      Who: ({ userName, userNameWithAttributes: more }) =>
        cell(userName, { more: more !== userName && more }),
      Kind: ({ type }) => type && named(type),
      As: ({ isCollaborator }) => (isCollaborator ? 'Collaborator' : 'Assignee'),
      Id: ({ assigneeId }) => assigneeId,
    },
    rows: task.assignments,
    empty: 'Not assigned yet. Edit the task to assign it.',
  });
}

function attribute(value: AttributeValue | undefined): Cell | undefined {
  return value && cell(value.value, { more: value.valueKey });
}

function entries(record: Task['workflowAndStage'], prefix: string): readonly [string, string][] {
  return Object.entries(record ?? {}).map(([name, value]) => [
    `${prefix}: ${words(name)}`,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
}

/** `canChangeStatus` → `Can change status`. */
function words(name: string): string {
  return named(name.replace(/([a-z])([A-Z])/g, '$1 $2'));
}

function can(value: boolean | undefined): string {
  return value === undefined ? 'not said' : value ? 'possible' : 'not possible';
}

/** Closing and reopening a task: one page with one button for both. */
export const turns = [
  {
    verb: 'close',
    status: 'closed',
    /** The words of the audit log. */
    does: 'closed a task',
    /** The value in the address of the task's page. */
    was: 'closed',
    title: 'Close this task?',
    lead: 'will have the status Closed. It can be opened again at any time.',
    label: 'Close the task',
  },
  {
    verb: 'reopen',
    status: 'open',
    does: 'opened a task again',
    was: 'reopened',
    title: 'Open this task again?',
    lead: 'will have the status Open.',
    label: 'Open the task again',
  },
] as const;

export type Turn = (typeof turns)[number];

export function turnPage(
  { verb, title, lead, label }: Turn,
  { task, told }: { readonly task: Task; readonly told?: Note },
): Page {
  const path = taskHref(task.id);
  return {
    title,
    section: 'tasks',
    crumbs: [{ href: path, label: task.taskName || task.id }],
    lead: [
      `“${task.taskName}” ${lead}`,
      task.taskName.length >= 255 &&
        'An update must carry the name, and the platform gives out 255 characters of it: a longer name would be cut to these.',
    ],
    notes: [told],
    blocks: [
      form({
        id: 'turn',
        action: `${path}/${verb}`,
        label,
        links: [{ href: path, label: 'Leave it as it is' }],
      }),
    ],
  };
}
