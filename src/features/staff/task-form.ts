import { deadlineZones } from '../../core/model/staff/task-deadline.ts';
import type { TaskDraft } from '../../core/model/staff/task-draft.ts';
import {
  type EditedTask,
  isLeft,
  moduleSources,
  taskLimits,
  taskPriorities,
} from '../../core/model/staff/task-form.ts';
import type { Note } from '../../pages/layout.ts';
import type { Field, InputField } from '../../pages/staff-fields.ts';
import { area, check, form, input, select } from './blocks.ts';
import { named } from './centers.ts';
import type { Listed, Mistake, Page } from './page.ts';
import { choose, collaboratorRows, parameterRows, type TaskChoices } from './task-fields.ts';

interface TaskFormPageInput {
  /** undefined: a new task. */
  readonly task: EditedTask | undefined;
  readonly draft: TaskDraft;
  readonly choices: TaskChoices;
  readonly token: string;
  readonly mistakes: readonly Mistake[];
  readonly notes: Listed<Note>;
  /** It is not known whether the task was made: the button says what pressing it again means. */
  readonly mayExist: boolean;
}

/** Everything that can be said of a task in one form, with its limits; the same for a new one and one to be edited. */
export function buildTaskFormPage(given: TaskFormPageInput): Page {
  const { task, mistakes } = given;
  const home = task === undefined ? '/staff/tasks' : taskHref(task.id);
  const fields = task === undefined ? newFields(given) : editFields(given, task);
  const save =
    task === undefined ? (given.mayExist ? 'Create it anyway' : 'Create the task') : 'Save the task';
  return {
    title: task === undefined ? 'New task' : 'Edit the task',
    section: 'tasks',
    crumbs: [{ href: home, label: task === undefined ? 'Tasks' : task.taskName || task.id }],
    notes: given.notes,
    mistakes: inOrder(mistakes, fields),
    blocks: [
      form({
        id: 'task',
        action: task === undefined ? '/staff/tasks/new' : `${home}/edit`,
        token: given.token,
        mistakes,
        fields,
        buttons: [{ name: 'action', value: 'save', label: save, tone: 'primary' }],
        links: [{ href: home, label: 'Leave without saving' }],
      }),
    ],
  };
}

export function taskHref(id: string): string {
  return `/staff/tasks/${encodeURIComponent(id)}`;
}

const required = 'required';
const guidHint = 'An id such as 123e4567-e89b-12d3-a456-426614174000.';
const atMost = (characters: number) => `At most ${characters} characters.`;

const part = (title: string): Field => ({ kind: 'part', title });

type Draw = ReturnType<typeof createDraw>;

/** Fields know their value by their name. */
function createDraw({ draft, task }: TaskFormPageInput) {
  const limitOf = (id: keyof typeof taskLimits) =>
    task !== undefined && (id === 'description' || id === 'sourceType') && isLeft(id, draft, task)
      ? `${atMost(taskLimits[id])} The platform has more than that: left as it is, it is not sent and stays.`
      : atMost(taskLimits[id]);
  type Name = { [N in keyof TaskDraft]: TaskDraft[N] extends string ? N : never }[keyof TaskDraft];
  return {
    limitOf,
    text: (id: Name & keyof typeof taskLimits, label: string, more: Partial<InputField> = {}): InputField =>
      input({
        id,
        label,
        value: draft[id],
        hint: limitOf(id),
        limit: taskLimits[id],
        ...more,
      }),
    guid: (id: Name, label: string, more: Partial<InputField> = {}): InputField =>
      input({ id, label, value: draft[id], hint: guidHint, ...more }),
  };
}

function newFields(given: TaskFormPageInput): readonly Field[] {
  const draw = createDraw(given);
  const { draft, choices } = given;
  return [
    ...firstFields(draw, given),
    part('Where it belongs'),
    ...choose({
      field: draw.guid('parentEntityId', 'Parent record', {
        required,
        hint: `The record that the task belongs to. ${guidHint}`,
      }),
      nothing: 'Choose what the task belongs to',
      other: 'Another record, by its id',
      groups: choices.parents,
    }),
    ...choose({
      field: draw.guid('orgGroupId', 'Organization', { required }),
      nothing: 'Choose an organization',
      other: 'Another organization, by its id',
      groups: [{ label: 'Of recent tasks', things: choices.organizations }],
    }),
    draw.text('taskTypeNameKey', 'Task type key', {
      required,
      hint: `${atMost(taskLimits.taskTypeNameKey)} Tasks of the type “Issue” can be opened here again.`,
    }),
    select({
      id: 'moduleSource',
      label: 'Module of the parent record',
      from: [['', 'Not said'], ...moduleSources.map((one) => [one, named(one)] as const)],
      chosen: draft.moduleSource,
    }),
    ...middleFields(draw, given),
    check({ id: 'isActive', label: 'The task is active', checked: draft.isActive }),
    ...lastFields(given),
  ];
}

function editFields(given: TaskFormPageInput, task: EditedTask): readonly Field[] {
  const draw = createDraw(given);
  return [
    ...firstFields(draw, given, task),
    ...middleFields(draw, given, task),
    { kind: 'hidden', name: 'deadline-was', value: given.draft.deadlineWas },
    ...lastFields(given, task),
  ];
}

function firstFields(draw: Draw, { draft }: TaskFormPageInput, task?: EditedTask): readonly Field[] {
  // An answer has room for 255 characters of a name (docs/platform-api.md, Tasks): a longer one may come back cut.
  const cut = task !== undefined && task.taskName.length >= 255;
  return [
    draw.text('taskName', 'Name', {
      required,
      hint: cut
        ? `${atMost(taskLimits.taskName)} The platform shows 255 of them: if the name was longer, write it anew.`
        : atMost(taskLimits.taskName),
    }),
    area({
      id: 'description',
      label: 'Description',
      value: draft.description,
      hint: draw.limitOf('description'),
      limit: taskLimits.description,
    }),
    select({
      id: 'priority',
      label: 'Priority',
      from: [
        ['', 'Not said: the platform takes medium'],
        ...taskPriorities.map((one) => [one, named(one)] as const),
      ],
      chosen: draft.priority,
    }),
  ];
}

function middleFields(
  draw: Draw,
  { draft, choices }: TaskFormPageInput,
  task?: EditedTask,
): readonly Field[] {
  const stays = task === undefined ? '' : ' Left empty, it stays as it is.';
  return [
    part('Who does it'),
    ...choose({
      field: draw.guid('assigneeId', 'Assignee', { hint: `${guidHint}${stays}` }),
      nothing: task === undefined ? 'Not assigned yet' : 'Stays as it is',
      other: 'Someone else, by id',
      groups: [{ label: 'Of recent tasks', things: choices.people }],
    }),
    draw.text('assigneeEmail', 'Assignee e-mail', {
      type: 'email',
      hint: `${atMost(taskLimits.assigneeEmail)} Id and e-mail may both be given: both are sent as they are.${stays}`,
    }),
    collaboratorRows(draft.collaborators, choices.people),
    part('Deadline'),
    input({
      id: 'deadline',
      label: 'Deadline: day',
      type: 'date',
      value: draft.deadline.date,
      size: 'short',
    }),
    input({
      id: 'deadline-time',
      label: 'Deadline: time, such as 17:30',
      type: 'time',
      value: draft.deadline.time,
      size: 'short',
    }),
    select({
      id: 'deadline-zone',
      label: 'Deadline: time zone of this day and time',
      hint: `The deadline is sent in UTC, worked out from this zone.${
        task === undefined ? '' : ' Without a day, it stays as it is.'
      }`,
      // What was typed already was meant in the zone that stands beside it.
      isOwnZone: task === undefined && draft.deadline.date === '' && draft.deadline.time === '',
      from: deadlineZones,
      chosen: draft.deadline.zone,
    }),
    seldom([
      draw.text('sourceType', 'Source type'),
      draw.guid('sourceId', 'Source id', { hint: `${guidHint}${stays}` }),
      ...(task === undefined
        ? [draw.guid('resourceId', 'Resource id'), draw.text('resourceTypeNameKey', 'Resource type key')]
        : []),
    ]),
  ];
}

/** Open where something in them is written. */
function seldom(fields: readonly InputField[]): Field {
  const open = fields.some(({ value }) => value !== '');
  return { kind: 'folded', id: 'seldom', label: 'Where it comes from', open, fields };
}

function lastFields({ draft }: TaskFormPageInput, task?: EditedTask): readonly Field[] {
  return [
    check({ id: 'isRequired', label: 'The task is required', checked: draft.isRequired }),
    parameterRows(
      draft.parameters,
      task === undefined
        ? 'Details of the task as pairs of name and value. Rows without name and value are not sent.'
        : 'The platform does not give back the parameters that a task has. Rows written here are sent; without rows the parameters are not touched.',
    ),
  ];
}

/** As the page has them from top to bottom, each with the label of its field. */
function inOrder(mistakes: readonly Mistake[], fields: readonly Field[]) {
  const within = (field: Field): readonly Field[] => {
    if (field.kind === 'rows') return field.rows.flatMap((row) => row.fields).flatMap(within);
    return field.kind === 'folded' ? field.fields : [field];
  };
  return fields.flatMap(within).flatMap((field) => {
    if (field.kind === 'hidden' || field.kind === 'rows' || field.kind === 'part' || field.kind === 'folded')
      return [];
    const own = mistakes.filter((one) => one.field === field.id);
    return own.map((one) => ({ field: one.field, text: `${field.label}: ${one.text}` }));
  });
}
