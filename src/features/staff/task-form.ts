import { Problem } from '../../core/model/problem.ts';
import { deadlineZones } from '../../core/model/staff/task-deadline.ts';
import type { TaskDraft } from '../../core/model/staff/task-draft.ts';
import {
  type EditedTask,
  isLeft,
  type Mistake,
  moduleSources,
  taskLimits,
  taskPriorities,
} from '../../core/model/staff/task-form.ts';
import type { Note } from '../../pages/layout.ts';
import type { Field, InputField } from '../../pages/staff-fields.ts';
import { check, figures, form, input, select } from './blocks.ts';
import { named } from './centers.ts';
import { listed, type Page, taskHref } from './page.ts';
import { faultNote } from './plain.ts';
import { choose, collaboratorRows, parameterRows, type TaskChoices } from './task-fields.ts';

export interface ShownTaskForm {
  /** The task to edit; undefined for a new one. */
  readonly task?: EditedTask;
  readonly draft: TaskDraft;
  readonly mistakes?: readonly Mistake[];
  /** The reason why the task was not written; a note if the form was sent before. */
  readonly trouble?: Problem | Note;
}

/** The form with all fields of a task and their limits, for a new task or to edit one. */
export function buildTaskFormPage(shown: ShownTaskForm, choices: TaskChoices): Page {
  const { task, mistakes = [], trouble } = shown;
  const home = task === undefined ? '/staff/tasks' : taskHref(task.id);
  const fields = fieldsOf(shown, choices);
  /** Whether the task may already exist. The button then says what pressing it again means. */
  const mayExist = trouble instanceof Problem ? trouble.answerLost : trouble !== undefined;
  const save = task === undefined ? (mayExist ? 'Create it anyway' : 'Create the task') : 'Save the task';
  return {
    title: task === undefined ? 'New task' : 'Edit the task',
    section: 'tasks',
    crumbs: [{ href: home, label: task === undefined ? 'Tasks' : task.taskName || task.id }],
    notes: [trouble instanceof Problem ? faultNote(trouble, task ? 'update' : 'create') : trouble],
    mistakes: inOrder(mistakes, fields),
    blocks: [
      form({
        id: 'task',
        action: task === undefined ? '/staff/tasks/new' : `${home}/edit`,
        fields,
        buttons: [{ name: 'action', value: 'save', label: save, tone: 'primary' }],
        links: [{ href: home, label: 'Leave without saving' }],
      }),
    ],
  };
}

const required = 'required';
export const guidHint = 'An id such as 123e4567-e89b-12d3-a456-426614174000.';
const atMost = (characters: number) => `At most ${figures.format(characters)} characters.`;

const part = (title: string): Field => ({ kind: 'part', title });

type TextName = { [N in keyof TaskDraft]: TaskDraft[N] extends string ? N : never }[keyof TaskDraft];

/** The fields from top to bottom. Some are only for a new task. */
function fieldsOf({ draft, task }: ShownTaskForm, choices: TaskChoices): readonly Field[] {
  const isNew = task === undefined;
  const stays = isNew ? '' : ' Left empty, it stays as it is.';
  // An answer has at most 255 characters of a name (docs/platform-api.md, Tasks): a longer name may come back
  // cut.
  const isCut = !isNew && task.taskName.length >= 255;
  const limitOf = (id: keyof typeof taskLimits) =>
    !isNew && (id === 'description' || id === 'sourceType') && isLeft(id, draft, task)
      ? `${atMost(taskLimits[id])} The platform has more than that: left as it is, it is not sent and stays.`
      : atMost(taskLimits[id]);
  const text = (id: TextName & keyof typeof taskLimits, label: string, more: Partial<InputField> = {}) =>
    input({ id, label, value: draft[id], hint: limitOf(id), limit: taskLimits[id], ...more });
  const guid = (id: TextName, label: string, more: Partial<InputField> = {}) =>
    input({ id, label, value: draft[id], hint: guidHint, ...more });
  const seldom = listed([
    text('sourceType', 'Source type'),
    guid('sourceId', 'Source id', { hint: `${guidHint}${stays}` }),
    isNew && guid('resourceId', 'Resource id'),
    isNew && text('resourceTypeNameKey', 'Resource type key'),
  ]);
  const ofNew = [
    part('Where it belongs'),
    ...choose({
      field: guid('parentEntityId', 'Parent record', {
        required,
        hint: `The record that the task belongs to. ${guidHint}`,
      }),
      nothing: 'Choose what the task belongs to',
      other: 'Another record, by its id',
      groups: choices.parents,
    }),
    ...choose({
      field: guid('orgGroupId', 'Organization', { required }),
      nothing: 'Choose an organization',
      other: 'Another organization, by its id',
      groups: [{ label: 'Of recent tasks', things: choices.organizations }],
    }),
    text('taskTypeNameKey', 'Task type key', {
      required,
      hint: `${atMost(taskLimits.taskTypeNameKey)} Tasks of the type “Issue” can be opened here again.`,
    }),
    select({
      id: 'moduleSource',
      label: 'Module of the parent record',
      none: 'Not said',
      from: moduleSources,
      labelOf: named,
      chosen: draft.moduleSource,
    }),
  ];
  return listed([
    text('taskName', 'Name', {
      required,
      hint: isCut
        ? `${atMost(taskLimits.taskName)} The platform shows 255 of them: if the name was longer, write it anew.`
        : atMost(taskLimits.taskName),
    }),
    input({
      id: 'description',
      type: 'area',
      label: 'Description',
      value: draft.description,
      hint: limitOf('description'),
      limit: taskLimits.description,
    }),
    select({
      id: 'priority',
      label: 'Priority',
      none: 'Not said: the platform takes medium',
      from: taskPriorities,
      labelOf: named,
      chosen: draft.priority,
    }),
    ...(isNew ? ofNew : []),
    part('Who does it'),
    ...choose({
      field: guid('assigneeId', 'Assignee', { hint: `${guidHint}${stays}` }),
      nothing: isNew ? 'Not assigned yet' : 'Stays as it is',
      other: 'Someone else, by id',
      groups: [{ label: 'Of recent tasks', things: choices.people }],
    }),
    text('assigneeEmail', 'Assignee e-mail', {
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
      hint: `The deadline is sent in UTC, worked out from this zone.${isNew ? '' : ' Without a day, it stays as it is.'}`,
      // A day and time that were already typed were meant in the zone beside them.
      isOwnZone: isNew && draft.deadline.date === '' && draft.deadline.time === '',
      from: deadlineZones,
      chosen: draft.deadline.zone,
    }),
    {
      kind: 'folded',
      id: 'seldom',
      label: 'Where it comes from',
      open: seldom.some(({ value }) => value !== ''),
      fields: seldom,
    },
    isNew
      ? check({ id: 'isActive', label: 'The task is active', checked: draft.isActive })
      : { kind: 'hidden', name: 'deadline-was', value: draft.deadlineWas },
    check({ id: 'isRequired', label: 'The task is required', checked: draft.isRequired }),
    parameterRows(
      draft.parameters,
      isNew
        ? 'Details of the task as pairs of name and value. Rows without name and value are not sent.'
        : 'The platform does not give back the parameters that a task has. Rows written here are sent; without rows the parameters are not touched.',
    ),
  ]);
}

/** The mistakes in the order of the page, each with the label of its field. */
function inOrder(mistakes: readonly Mistake[], fields: readonly Field[]) {
  const within = (field: Field): readonly Field[] => {
    if (field.kind === 'rows') return field.rows.flatMap((row) => row.fields).flatMap(within);
    return field.kind === 'folded' ? field.fields : [field];
  };
  return fields
    .flatMap(within)
    .flatMap((field) =>
      mistakes
        .filter((one) => 'id' in field && one.field === field.id)
        .map((one) => ({ ...one, label: 'label' in field ? field.label : '' })),
    );
}
