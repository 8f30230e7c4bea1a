import { Problem } from '../core/model/problem.ts';
import type {
  AttributeValue,
  Task,
  TaskAssignment,
  TaskCollaborator,
  TaskCreate,
  TaskPriority,
  TaskStatus,
  TaskUpdate,
} from '../core/model/task.ts';
import * as wire from './wire-shape.ts';
import { plain } from './wire-text.ts';

const longestDescription = 100_000;

const attribute = wire.shape({ valueKey: wire.text, value: wire.text }).orAbsent();

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

/** An answer (docs/platform-api.md, Tasks); `Activity`, `Presentation Mode`, `Permissions Metadata` are spelt so. */
const taskShape = wire.shape({
  id: wire.id,
  parentEntityId: wire.text,
  taskName: wire.text,
  taskType,
  deadline: wire.text,
  status: wire.text,
  priority: wire.text,
  description: wire.text,
  orgGroupId: wire.text,
  orgGroupAttribute: attribute,
  assigneeId: wire.text,
  isActive: wire.flag,
  sourceType: wire.text,
  sourceId: wire.text,
  moduleSource: wire.text,
  taskAssignmentInformations: wire.list,
  'presentation Mode': wire.text,
  isCollaboratorSupported: wire.flag,
  isCollaboratorGroupSupported: wire.flag,
  relativeUrl: wire.text,
  activity: wire.text,
  workflowAndStageBasicInformation: wire.record,
  workflowId: wire.text,
  workflowStageId: wire.text,
  stageName: wire.text,
  stageNameKey: wire.text,
  badgeColor: wire.text,
  dueDateInfo: dueDate,
  'permissions Metadata': wire.entries,
  createdBy: wire.text,
  createdByAttribute: attribute,
  createdDT: wire.text,
  modifiedBy: wire.text,
  modifiedByAttribute: attribute,
  modifiedDT: wire.text,
  completionDate: wire.text,
  isRequired: wire.flag,
  canEditRequiredTask: wire.flag,
  pastDue: wire.flag,
  activityKey: wire.text,
});

export function readTask(body: unknown): Task {
  const read = taskShape.safeParse(body);
  if (!read.success) throw new Problem('platform-unreadable', { cause: new Error('not a task') });
  const raw = read.data;
  return {
    id: raw.id,
    parentEntityId: plain(raw.parentEntityId),
    taskName: plain(raw.taskName) ?? '',
    taskType: raw.taskType,
    deadline: plain(raw.deadline),
    status: wire.known(raw.status, statuses),
    priority: wire.known(raw.priority, priorities),
    description: raw.description?.slice(0, longestDescription).toWellFormed(),
    orgGroupId: plain(raw.orgGroupId),
    orgGroupAttribute: attributeOf(raw.orgGroupAttribute),
    assigneeId: plain(raw.assigneeId),
    isActive: raw.isActive,
    sourceType: plain(raw.sourceType),
    sourceId: plain(raw.sourceId),
    moduleSource: plain(raw.moduleSource),
    assignments: assignmentsOf(raw.taskAssignmentInformations),
    presentationMode: plain(raw['presentation Mode']),
    isCollaboratorSupported: raw.isCollaboratorSupported,
    isCollaboratorGroupSupported: raw.isCollaboratorGroupSupported,
    relativeUrl: plain(raw.relativeUrl),
    activity: plain(raw.activity),
    workflowAndStage: raw.workflowAndStageBasicInformation,
    workflowId: plain(raw.workflowId),
    workflowStageId: plain(raw.workflowStageId),
    stageName: plain(raw.stageName),
    stageNameKey: plain(raw.stageNameKey),
    badgeColor: plain(raw.badgeColor),
    dueDate: raw.dueDateInfo,
    permissions: Object.fromEntries(
      raw['permissions Metadata'].filter(
        (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
      ),
    ),
    createdBy: plain(raw.createdBy),
    createdByAttribute: attributeOf(raw.createdByAttribute),
    createdDate: plain(raw.createdDT),
    modifiedBy: plain(raw.modifiedBy),
    modifiedByAttribute: attributeOf(raw.modifiedByAttribute),
    modifiedDate: plain(raw.modifiedDT),
    completionDate: plain(raw.completionDate),
    isRequired: raw.isRequired,
    canEditRequiredTask: raw.canEditRequiredTask,
    pastDue: raw.pastDue,
    activityKey: plain(raw.activityKey),
  };
}

const statuses: Readonly<Record<string, TaskStatus>> = { OPEN: 'open', CLOSED: 'closed' };
const priorities: Readonly<Record<string, TaskPriority>> = { LOW: 'low', MEDIUM: 'medium', HIGH: 'high' };
const assigneeTypes = { USER: 'user', GROUP: 'group' } as const;

function attributeOf(raw: AttributeValue | undefined): AttributeValue | undefined {
  return raw === undefined ? undefined : { valueKey: plain(raw.valueKey), value: plain(raw.value) };
}

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
  assigneeId: wire.text,
  type: wire.text,
  isCollaborator: wire.flag,
  userInfo,
});

function assignmentsOf(items: readonly unknown[]): TaskAssignment[] {
  return items.flatMap((item) => {
    const read = assignmentShape.safeParse(item);
    if (!read.success) return [];
    const { assigneeId, type, isCollaborator, userInfo: user } = read.data;
    return [
      {
        assigneeId: plain(assigneeId),
        type: wire.known(type, assigneeTypes),
        isCollaborator: isCollaborator ?? false,
        userName: plain(user?.['user Name'] ?? user?.name),
        userNameWithAttributes: plain(user?.['user Name With Attributes'] ?? user?.nameWithAttributes),
      },
    ];
  });
}

/** Body of POST tasks; what is undefined is not sent. */
export function taskCreateBody(task: TaskCreate): unknown {
  return {
    ...task,
    collaborators: collaboratorsOf(task.collaborators),
    priority: task.priority?.toUpperCase(),
  };
}

/** Body of PUT tasks. */
export function taskUpdateBody(task: TaskUpdate): unknown {
  return {
    ...task,
    collaborators: collaboratorsOf(task.collaborators),
    priority: task.priority?.toUpperCase(),
    status: task.status === undefined ? undefined : statusSent[task.status],
  };
}

const statusSent: Readonly<Record<TaskStatus, string>> = { open: 'Open', closed: 'Closed' };

function collaboratorsOf(collaborators: readonly TaskCollaborator[] | undefined): unknown {
  return collaborators?.map(({ id, email, type }) => ({
    collaboratorId: id,
    collaboratorEmail: email,
    type: type.toUpperCase(),
  }));
}
