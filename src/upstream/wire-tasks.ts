import { eachName } from '../core/model/each-name.ts';
import {
  dueDateTexts,
  type Task,
  type TaskCreate,
  type TaskPriority,
  type TaskStatus,
  type TaskUpdate,
  taskFlags,
  taskTexts,
  taskTypeTexts,
} from '../core/model/staff/task.ts';
import * as wire from './wire-shape.ts';
import { line } from './wire-text.ts';

const longestDescription = 100_000;

const statuses: Readonly<Record<string, TaskStatus>> = { OPEN: 'open', CLOSED: 'closed' };
const priorities: Readonly<Record<string, TaskPriority>> = { LOW: 'low', MEDIUM: 'medium', HIGH: 'high' };
const assigneeTypes = { USER: 'user', GROUP: 'group' } as const;

const attribute = wire.shape({ valueKey: line, value: line });

/** The name of a user is declared as `User Name`, and sampled as `name` (docs/platform-api.md, Tasks). */
const userInfo = wire.shape({
  'user Name': line,
  'user Name With Attributes': line,
  name: line,
  nameWithAttributes: line,
});

const assignmentShape = wire.shape({
  assigneeId: line,
  type: wire.word(assigneeTypes),
  isCollaborator: wire.flag,
  userInfo,
});

/**
 * A task of an answer (docs/platform-api.md, Tasks); `presentation Mode` and `permissions Metadata` are spelt
 * so.
 */
const taskShape = wire.shape({
  ...eachName(taskTexts, () => line),
  ...eachName(taskFlags, () => wire.flag),
  id: wire.id,
  taskName: line,
  taskType: wire.shape(eachName(taskTypeTexts, () => wire.text)),
  status: wire.word(statuses),
  priority: wire.word(priorities),
  description: wire.text,
  orgGroupAttribute: attribute,
  assignments: wire.called('taskAssignmentInformations', wire.listOf(assignmentShape)),
  presentationMode: wire.called('presentation Mode', line),
  workflowAndStage: wire.called('workflowAndStageBasicInformation', wire.record),
  dueDate: wire.called(
    'dueDateInfo',
    wire.shape({ ...eachName(dueDateTexts, () => wire.text), numberOfDays: wire.number }),
  ),
  permissions: wire.called('permissions Metadata', wire.entries),
  createdByAttribute: attribute,
  createdDate: wire.called('createdDT', line),
  modifiedByAttribute: attribute,
  modifiedDate: wire.called('modifiedDT', line),
});

export function readTask(body: unknown): Task {
  const task = wire.parse(body, taskShape, 'a task');
  return {
    ...task,
    taskName: task.taskName ?? '',
    description: task.description?.slice(0, longestDescription).toWellFormed(),
    assignments: task.assignments.map(({ isCollaborator = false, userInfo: user, ...assignment }) => ({
      ...assignment,
      isCollaborator,
      userName: user?.['user Name'] ?? user?.name,
      userNameWithAttributes: user?.['user Name With Attributes'] ?? user?.nameWithAttributes,
    })),
    permissions: Object.fromEntries(
      task.permissions.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
    ),
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
