import { eachName } from '../core/model/each-name.ts';
import {
  dueDateTexts,
  type Task,
  type TaskAssignment,
  type TaskCreate,
  type TaskPriority,
  type TaskStatus,
  type TaskUpdate,
  taskFlags,
  taskTexts,
  taskTypeTexts,
} from '../core/model/staff/task.ts';
import * as wire from './wire-shape.ts';
import { line, plain } from './wire-text.ts';

const longestDescription = 100_000;

const attribute = wire.shape({ valueKey: line, value: line }).orAbsent();

/** A task of an answer (docs/platform-api.md, Tasks); `presentation Mode` and `permissions Metadata` are spelt so. */
const taskShape = wire.shape({
  ...eachName(taskTexts, () => line),
  ...eachName(taskFlags, () => wire.flag),
  id: wire.id,
  taskName: line,
  taskType: wire.shape(eachName(taskTypeTexts, () => wire.text)).orAbsent(),
  status: wire.text,
  priority: wire.text,
  description: wire.text,
  orgGroupAttribute: attribute,
  taskAssignmentInformations: wire.list,
  'presentation Mode': line,
  workflowAndStageBasicInformation: wire.record,
  dueDateInfo: wire
    .shape({ ...eachName(dueDateTexts, () => wire.text), numberOfDays: wire.number })
    .orAbsent(),
  'permissions Metadata': wire.entries,
  createdByAttribute: attribute,
  createdDT: line,
  modifiedByAttribute: attribute,
  modifiedDT: line,
});

export function readTask(body: unknown): Task {
  const {
    taskAssignmentInformations,
    'presentation Mode': presentationMode,
    workflowAndStageBasicInformation: workflowAndStage,
    dueDateInfo: dueDate,
    'permissions Metadata': permissions,
    createdDT: createdDate,
    modifiedDT: modifiedDate,
    ...raw
  } = taskShape.parse(body, 'a task');
  return {
    ...raw,
    ...{ presentationMode, workflowAndStage, dueDate, createdDate, modifiedDate },
    taskName: raw.taskName ?? '',
    status: wire.known(raw.status, statuses),
    priority: wire.known(raw.priority, priorities),
    description: raw.description?.slice(0, longestDescription).toWellFormed(),
    assignments: wire.readable(taskAssignmentInformations, assignmentShape).map(assignmentOf),
    permissions: Object.fromEntries(
      permissions.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
    ),
  };
}

const statuses: Readonly<Record<string, TaskStatus>> = { OPEN: 'open', CLOSED: 'closed' };
const priorities: Readonly<Record<string, TaskPriority>> = { LOW: 'low', MEDIUM: 'medium', HIGH: 'high' };
const assigneeTypes = { USER: 'user', GROUP: 'group' } as const;

/** Declared as `User Name`, sampled as `name` (docs/platform-api.md, Tasks). */
const userInfo = wire
  .shape({
    'user Name': wire.text,
    'user Name With Attributes': wire.text,
    name: wire.text,
    nameWithAttributes: wire.text,
  })
  .orAbsent();

const assignmentShape = wire.shape({
  assigneeId: line,
  type: wire.text,
  isCollaborator: wire.flag,
  userInfo,
});

function assignmentOf({
  assigneeId,
  type,
  isCollaborator,
  userInfo: user,
}: wire.Read<typeof assignmentShape>): TaskAssignment {
  return {
    assigneeId,
    type: wire.known(type, assigneeTypes),
    isCollaborator: isCollaborator ?? false,
    userName: plain(user?.['user Name'] ?? user?.name),
    userNameWithAttributes: plain(user?.['user Name With Attributes'] ?? user?.nameWithAttributes),
  };
}

/** Body of POST and PUT tasks without a status; undefined members are not sent. */
export function taskBody(task: TaskCreate | Omit<TaskUpdate, 'status'>): object {
  return {
    ...task,
    collaborators: task.collaborators?.map(({ id, email, type }) => ({
      collaboratorId: id,
      collaboratorEmail: email,
      type: type.toUpperCase(),
    })),
    priority: task.priority?.toUpperCase(),
  };
}

/** Body of PUT tasks. */
export function taskUpdateBody({ status, ...task }: TaskUpdate): object {
  return { ...taskBody(task), status: status === undefined ? undefined : statusSent[status] };
}

const statusSent: Readonly<Record<TaskStatus, string>> = { open: 'Open', closed: 'Closed' };
