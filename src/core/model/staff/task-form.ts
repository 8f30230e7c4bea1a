import { isGuid } from '../center/center-config.ts';
import type {
  Task,
  TaskCollaborator,
  TaskContext,
  TaskCreate,
  TaskPriority,
  TaskStatus,
  TaskUpdate,
} from './task.ts';
import { readDeadline, typedDeadline } from './task-deadline.ts';
import type { CollaboratorDraft, ParameterDraft, TaskDraft } from './task-draft.ts';

/** The members of a task that are needed to edit it. */
export type EditedTask = Pick<Task, 'id' | 'taskName' | 'description' | 'sourceType' | 'assignments'>;

/** `field` is the id of the field in the form. */
export interface Mistake {
  readonly field: string;
  readonly text: string;
}

/** Longest texts in UTF-16 units (docs/platform-api.md, Tasks). */
export const taskLimits = {
  taskName: 512,
  description: 2000,
  taskTypeNameKey: 100,
  assigneeEmail: 255,
  collaboratorEmail: 255,
  sourceType: 16,
  resourceTypeNameKey: 100,
} as const;

/** The module names that the platform accepts (docs/platform-api.md, Tasks). */
export const moduleSources: readonly string[] = [
  'ASSESSMENT',
  'AUDIT',
  'CYBER_RISK',
  'DATA_MAPPING',
  'DATA_GOVERNANCE',
  'ESG',
  'ERM',
  'INCIDENT',
  'ISSUE',
  'ITRM',
  'PROGRAM_BENCHMARKING',
  'MATURITY_PLANNING',
  'RISK',
  'VENDOR',
  'VENDOR_PORTAL',
  'COMPLIANCE_MGMT',
  'SPEAK_UP',
  'ENTITY_SCOPE',
  'CONTROL_OBJECTIVE',
  'EXCEPTION',
];

export const taskPriorities: readonly TaskPriority[] = ['low', 'medium', 'high'];

export type Read<T> =
  | { readonly kind: 'mistakes'; readonly mistakes: readonly Mistake[] }
  | { readonly kind: 'task'; readonly task: T };

/** Checks a draft against every limit of docs/platform-api.md, Tasks. */
export function readTaskCreate(draft: TaskDraft): Read<TaskCreate> {
  const reading = startReading(draft);
  const task: TaskCreate = {
    ...reading.both(),
    parentEntityId: reading.guid('parentEntityId', true) ?? '',
    orgGroupId: reading.guid('orgGroupId', true) ?? '',
    taskTypeNameKey: reading.text('taskTypeNameKey', true) ?? '',
    isActive: draft.isActive,
    resourceId: reading.guid('resourceId', false),
    resourceTypeNameKey: reading.text('resourceTypeNameKey', false),
    moduleSource: reading.oneOf('moduleSource', moduleSources),
  };
  return reading.done(task);
}

/**
 * Reads an update. A text that was emptied is sent empty; a text that was already empty is left out, and so
 * is an unchanged text that is too long for an update. `before`: the task on the platform.
 */
export function readTaskUpdate(draft: TaskDraft, before: EditedTask): Read<TaskUpdate> {
  const left = longTexts.filter((name) => isLeft(name, draft, before));
  const reading = startReading({ ...draft, ...Object.fromEntries(left.map((name) => [name, ''])) });
  const both = reading.both();
  const text = (name: LongText) =>
    left.includes(name) ? undefined : (both[name] ?? (before[name] ? '' : undefined));
  const hadCollaborators = before.assignments.some((one) => one.isCollaborator);
  const task: TaskUpdate = {
    ...both,
    description: text('description'),
    sourceType: text('sourceType'),
    collaborators: both.collaborators ?? (hadCollaborators ? [] : undefined),
  };
  return reading.done(task);
}

/** Texts that may be longer in an answer than in a request. */
const longTexts = ['description', 'sourceType'] as const;
type LongText = (typeof longTexts)[number];

/** Whether the text is unchanged and too long for an update, so that it is left out. */
export function isLeft(name: LongText, draft: TaskDraft, before: EditedTask): boolean {
  const [was, is] = [before[name] ?? '', draft[name]].map((text) => text.replaceAll('\r\n', '\n'));
  return was !== undefined && was.length > taskLimits[name] && is === was;
}

/**
 * The update that only closes or reopens a task. All values from the platform are sent back, in case it reads
 * an absent member as empty; texts that are too long for an update are left out.
 */
export function statusUpdate(task: Task, status: TaskStatus): TaskUpdate {
  const fits = (text: string | undefined, most: number) =>
    text !== undefined && text.length <= most ? text : undefined;
  const collaborators = task.assignments.flatMap(({ isCollaborator, assigneeId: id, type }) =>
    isCollaborator && id !== undefined && type !== undefined ? [{ id, email: undefined, type }] : [],
  );
  const { taskName, assigneeId, deadline, priority, isRequired, sourceId } = task;
  return {
    taskName,
    assigneeId,
    deadline,
    priority,
    isRequired,
    sourceId,
    status,
    description: fits(task.description, taskLimits.description),
    collaborators: collaborators.length > 0 ? collaborators : undefined,
    sourceType: fits(task.sourceType, taskLimits.sourceType),
  };
}

/** Names of the members whose answered value differs from the sent one. */
export function differences(sent: TaskUpdate | TaskCreate, answered: Task): readonly string[] {
  const compared = (task: typeof sent | Task, collaborators: number | undefined) => ({
    taskName: task.taskName,
    description: task.description,
    assigneeId: task.assigneeId?.toLowerCase(),
    deadline: instant(task.deadline),
    priority: task.priority,
    isRequired: task.isRequired,
    sourceType: task.sourceType,
    sourceId: task.sourceId?.toLowerCase(),
    status: 'status' in task ? task.status : undefined,
    collaborators,
  });
  const count = answered.assignments.filter((one) => one.isCollaborator).length;
  const is = new Map<string, unknown>(Object.entries(compared(answered, count)));
  return Object.entries(compared(sent, sent.collaborators?.length)).flatMap(([name, change]) => {
    const isEmpty = change === '' && is.get(name) === undefined;
    return change === undefined || change === is.get(name) || isEmpty ? [] : name;
  });
}

function instant(text: string | undefined): string | undefined {
  const { date, time } = typedDeadline(text);
  return date === '' ? text : `${date} ${time}`;
}

type TextName = Exclude<keyof typeof taskLimits, 'collaboratorEmail'>;
type GuidName = 'parentEntityId' | 'orgGroupId' | 'assigneeId' | 'sourceId' | 'resourceId';

export const guidText = 'Enter an id of the form 123e4567-e89b-12d3-a456-426614174000.';

/** Reads the draft field by field and collects every mistake, in the order of reading. */
function startReading(draft: TaskDraft) {
  const mistakes: Mistake[] = [];
  const wrong = (field: string, text: string): undefined => {
    mistakes.push({ field, text });
  };

  const limited = (field: string, value: string, most: number): string | undefined => {
    if (value.length > most) return wrong(field, `At most ${most} characters: these are ${value.length}.`);
    return value.isWellFormed() ? value : wrong(field, 'It holds half a character. Type it again.');
  };
  const text = (name: TextName, required: boolean): string | undefined => {
    const value = draft[name];
    if (value.trim() === '') return required ? wrong(name, 'Enter at least one character.') : undefined;
    return limited(name, value, taskLimits[name]);
  };
  const guid = (name: GuidName, required: boolean): string | undefined => {
    const value = draft[name];
    if (value === '') return required ? wrong(name, guidText) : undefined;
    return isGuid(value) ? value.toLowerCase() : wrong(name, guidText);
  };
  const oneOf = <T extends string>(
    name: 'moduleSource' | 'priority',
    values: readonly T[],
  ): T | undefined => {
    const value = draft[name];
    if (value === '') return undefined;
    return values.find((known) => known === value) ?? wrong(name, 'Choose one of the list.');
  };

  const collaborator = (one: CollaboratorDraft, at: number): readonly TaskCollaborator[] => {
    if (one.id === '' && one.email === '') return [];
    const row = `collaborators.${at}`;
    const type =
      one.type === 'user' || one.type === 'group' ? one.type : wrong(`${row}.type`, 'Choose user or group.');
    const id =
      one.id === '' || isGuid(one.id) ? one.id.toLowerCase() : wrong(`${row}.collaboratorId`, guidText);
    const email = limited(`${row}.collaboratorEmail`, one.email, taskLimits.collaboratorEmail);
    return type === undefined ? [] : [{ type, id: id || undefined, email: email || undefined }];
  };

  const parameterValue = ({ type, value }: ParameterDraft, field: string): unknown => {
    if (type === 'text') return value;
    if (type === 'number') {
      const number = value.trim() === '' ? Number.NaN : Number(value);
      return Number.isFinite(number) ? number : wrong(field, 'Enter a number, such as 12.5.');
    }
    if (type === 'flag') {
      const flag = value.trim().toLowerCase();
      return flag === 'true' || flag === 'false' ? flag === 'true' : wrong(field, 'Enter true or false.');
    }
    return objectOf(value) ?? wrong(field, 'Enter an object in JSON, such as {"country": "FR"}.');
  };

  const context = (): TaskContext | undefined => {
    const names = new Set<string>();
    const entries = draft.parameters.flatMap((one, at): readonly (readonly [string, unknown])[] => {
      if (one.name === '' && one.value === '') return [];
      const row = `parameters.${at}`;
      if (one.name === '') wrong(`${row}.name`, 'Name this parameter.');
      if (names.has(one.name)) wrong(`${row}.name`, 'Another parameter has this name.');
      names.add(one.name);
      return [[one.name, parameterValue(one, `${row}.value`)]];
    });
    return entries.length === 0 ? undefined : { parameters: Object.fromEntries(entries) };
  };

  const deadline = (): string | undefined => {
    const was = typedDeadline(draft.deadlineWas);
    const typed = draft.deadline;
    const isSame =
      was.date === typed.date && was.zone === typed.zone && was.time === `${typed.time}:00`.slice(0, 8);
    return was.date !== '' && isSame ? draft.deadlineWas : readDeadline(typed, wrong);
  };

  return {
    done: <T>(task: T): Read<T> =>
      mistakes.length > 0 ? { kind: 'mistakes', mistakes } : { kind: 'task', task },
    text,
    guid,
    oneOf,
    /** The members that both a create and an update have. */
    both: () => {
      const collaborators = draft.collaborators.flatMap(collaborator);
      return {
        taskName: text('taskName', true) ?? '',
        description: text('description', false),
        assigneeId: guid('assigneeId', false),
        assigneeEmail: text('assigneeEmail', false),
        collaborators: collaborators.length === 0 ? undefined : collaborators,
        deadline: deadline(),
        context: context(),
        isRequired: draft.isRequired,
        priority: oneOf('priority', taskPriorities),
        sourceType: text('sourceType', false),
        sourceId: guid('sourceId', false),
      };
    },
  };
}

/** The JSON object in the text; undefined for a list or anything else. */
function objectOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
