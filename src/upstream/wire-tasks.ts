import type {
  Task,
  TaskAssignment,
  TaskCreate,
  TaskPriority,
  TaskStatus,
  TaskUpdate,
} from '../core/model/staff/task.ts';
import * as wire from './wire-shape.ts';
import { line, plain } from './wire-text.ts';

const longestDescription = 100_000;

const attribute = wire.shape({ valueKey: line, value: line }).orAbsent();

const taskType = wire
  .shape({
    id: wire.text,
    name: wire.text,
    nameKey: wire.text,
    module: wire.text,
    moduleNameTranslationKey: wire.text,
    label: wire.text,
    icon: wire.text,
  })
  .orAbsent();

const dueDate = wire
  .shape({
    date: wire.text,
    color: wire.text,
    icon: wire.text,
    textKey: wire.text,
    numberOfDays: wire.number,
  })
  .orAbsent();

/** A task of an answer (docs/platform-api.md, Tasks); `presentation Mode` and `permissions Metadata` are spelt so. */
const taskShape = wire.shape({
  id: wire.id,
  parentEntityId: line,
  taskName: line,
  taskType,
  deadline: line,
  status: wire.text,
  priority: wire.text,
  description: wire.text,
  orgGroupId: line,
  orgGroupAttribute: attribute,
  assigneeId: line,
  isActive: wire.flag,
  sourceType: line,
  sourceId: line,
  moduleSource: line,
  taskAssignmentInformations: wire.list,
  'presentation Mode': line,
  isCollaboratorSupported: wire.flag,
  isCollaboratorGroupSupported: wire.flag,
  relativeUrl: line,
  activity: line,
  workflowAndStageBasicInformation: wire.record,
  workflowId: line,
  workflowStageId: line,
  stageName: line,
  stageNameKey: line,
  badgeColor: line,
  dueDateInfo: dueDate,
  'permissions Metadata': wire.entries,
  createdBy: line,
  createdByAttribute: attribute,
  createdDT: line,
  modifiedBy: line,
  modifiedByAttribute: attribute,
  modifiedDT: line,
  completionDate: line,
  isRequired: wire.flag,
  canEditRequiredTask: wire.flag,
  pastDue: wire.flag,
  activityKey: line,
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
