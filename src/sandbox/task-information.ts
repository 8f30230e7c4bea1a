import { readInstant } from './clock.ts';
import { type Json, type JsonObject, objects, text } from './json.ts';
import { guidOf } from './people.ts';
import type { Collaborator, TaskCreate, TaskFields, TaskUpdate } from './task-request.ts';

const ISSUE_TYPE_ID = '155e0000-0000-4000-8000-000000000001';
const WORKFLOW_ID = '155e0000-0000-4000-8000-000000000002';
const SERVICE_USER = '155e0000-0000-4000-8000-000000000003';
const STAGES = {
  Open: { id: '155e0000-0000-4000-8000-000000000004', color: '#1f5eff' },
  Closed: { id: '155e0000-0000-4000-8000-000000000005', color: '#2e7d32' },
};

/** Time until the deadline when the request gives none; an answer always has one. */
const DEFAULT_DEADLINE_MS = 30 * 24 * 3600 * 1000;
const DAY_MS = 24 * 3600 * 1000;

/** Builds a new task, in status Open. */
export function newTask(id: string, given: TaskCreate, now: Date): JsonObject {
  const created = moment(now);
  return {
    id,
    parentEntityId: given.parentEntityId,
    taskType: taskType(given),
    deadline: moment(given.deadline ?? new Date(now.getTime() + DEFAULT_DEADLINE_MS)),
    orgGroupId: given.orgGroupId,
    orgGroupAttribute: { valueKey: given.orgGroupId, value: `Organization ${given.orgGroupId.slice(0, 8)}` },
    isActive: given.isActive,
    ...(given.moduleSource === undefined ? {} : { moduleSource: given.moduleSource }),
    'Presentation Mode': 'NAVIGATION',
    isCollaboratorSupported: true,
    isCollaboratorGroupSupported: true,
    relativeUrl: `/${isIssue(given) ? 'issues' : 'records'}/${given.parentEntityId}/tasks/${id}`,
    Activity: isIssue(given) ? 'REVIEW_ISSUE' : 'COMPLETE_TASK',
    activityKey: isIssue(given) ? 'REVIEW_ISSUE' : 'COMPLETE_TASK',
    workflowId: WORKFLOW_ID,
    'Permissions Metadata': {
      canEdit: true,
      canDelete: false,
      canChangeStatus: true,
      canReassign: true,
      canComment: true,
      canAddAttachment: true,
    },
    createdBy: SERVICE_USER,
    createdByAttribute: { valueKey: SERVICE_USER, value: 'Sandbox service user' },
    createdDT: created,
    canEditRequiredTask: true,
    isRequired: false,
    ...status('Open'),
    ...fields(given, []),
    ...modified(created),
  };
}

function isIssue({ taskTypeNameKey }: TaskCreate): boolean {
  return taskTypeNameKey.toLowerCase() === 'issue';
}

/** Builds the task type of a key: equal keys give the same type, and `issue` has one spelling. */
function taskType(given: TaskCreate): JsonObject {
  const key = isIssue(given) ? 'Issue' : given.taskTypeNameKey;
  const module = given.moduleSource ?? 'ISSUE';
  return {
    id: isIssue(given) ? ISSUE_TYPE_ID : idFrom(`task type ${key}`),
    name: key,
    nameKey: key,
    module,
    moduleNameTranslationKey: `TaskRegistry.Module.${module}`,
    label: key,
    icon: isIssue(given) ? 'issue' : 'task',
  };
}

/** Updates a task: members that are not given stay, but priority gets its default. */
export function updatedTask(task: JsonObject, given: TaskUpdate, now: Date): JsonObject {
  const next: JsonObject = {
    ...task,
    ...fields(given, objects(task['taskAssignmentInformations'])),
    ...(given.deadline === undefined ? {} : { deadline: moment(given.deadline) }),
    ...modified(moment(now)),
  };
  // The answer computes these from deadline and status, not from the data folder.
  delete next['dueDateInfo'];
  delete next['pastDue'];
  if (given.status === undefined || given.status === task['status']) return next;
  Object.assign(next, status(given.status));
  if (given.status === 'Closed') next['completionDate'] = moment(now);
  else delete next['completionDate'];
  return next;
}

const NAME_LENGTH = 255;
const NO_NAME = '(no name)';

/** Cuts a name to the length of an answer; a request may have 0 to 512 characters. */
function shownName(name: string): string {
  return name.slice(0, NAME_LENGTH).replace(/[\ud800-\udbff]$/, '') || NO_NAME;
}

/** Explains a name that the answer shows changed; undefined when it is unchanged. */
export function nameNote(task: JsonObject): string | undefined {
  const name = task['taskName'];
  if (typeof name !== 'string' || shownName(name) === name) return undefined;
  return name === ''
    ? `taskName is empty and answered as ${NO_NAME}`
    : `taskName has ${name.length} characters and is cut to ${shownName(name).length}`;
}

/** Builds the answer for a task: the time left until its deadline, and its name cut to length. */
export function shownTask(task: JsonObject, now: Date): JsonObject {
  const name = typeof task['taskName'] === 'string' ? task['taskName'] : undefined;
  const deadline = readInstant(text(task['deadline']) ?? '');
  return {
    ...task,
    ...(name === undefined ? {} : { taskName: shownName(name) }),
    ...(deadline === undefined ? {} : dueness(task, deadline, now)),
  };
}

function dueness(task: JsonObject, deadline: Date, now: Date): JsonObject {
  const left = deadline.getTime() - now.getTime();
  const isLate = left < 0;
  return {
    dueDateInfo: task['dueDateInfo'] ?? {
      date: moment(deadline),
      color: isLate ? '#c62828' : '#1f5eff',
      icon: isLate ? 'clock-warning' : 'clock',
      textKey: isLate ? 'TaskRegistry.DueDate.Overdue' : 'TaskRegistry.DueDate.DaysLeft',
      // Calendar days: two readings on one day agree at any hour.
      numberOfDays: Math.abs(dayOf(deadline) - dayOf(now)),
    },
    pastDue: task['pastDue'] ?? (isLate && task['status'] !== 'Closed'),
  };
}

function dayOf(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS);
}

function fields(given: TaskFields, before: JsonObject[]): JsonObject {
  const kept: Record<string, Json | undefined> = {
    taskName: given.taskName,
    priority: given.priority,
    description: given.description,
    isRequired: given.isRequired,
    sourceType: given.sourceType,
    sourceId: given.sourceId,
    assigneeId: assigneeId(given),
    taskAssignmentInformations: assignments(given, before),
  };
  return Object.fromEntries(
    Object.entries(kept).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function assigneeId({ assigneeId: id, assigneeEmail: email }: TaskFields): string | undefined {
  return id ?? (email ? idFrom(email) : undefined);
}

/** Lists the assignee, then the collaborators; those that are not given stay. */
function assignments(given: TaskFields, before: JsonObject[]): JsonObject[] {
  const id = assigneeId(given);
  const assignee =
    id === undefined
      ? before.filter((item) => item['isCollaborator'] !== true)
      : [
          assignment(
            { collaboratorId: id, collaboratorEmail: given.assigneeEmail, type: 'USER' },
            false,
            before,
          ),
        ];
  const others =
    given.collaborators?.map((collaborator) => assignment(collaborator, true, before)) ??
    before.filter((item) => item['isCollaborator'] === true);
  return [...assignee, ...others];
}

/** Builds an assignment; an id without an e-mail address keeps the name that the task has for it. */
function assignment(
  { collaboratorId: id, collaboratorEmail: email, type }: Collaborator,
  isCollaborator: boolean,
  before: JsonObject[],
): JsonObject {
  const assignee = id ?? idFrom(email ?? '');
  const known = before.find((item) => item['assigneeId'] === assignee && item['type'] === type);
  const name = (email || `${type === 'GROUP' ? 'Group' : 'User'} ${assignee.slice(0, 8)}`).slice(0, 255);
  const called = { 'User Name': name, 'User Name With Attributes': name };
  return {
    userInfo: (email ? undefined : known?.['userInfo']) ?? called,
    assigneeId: assignee,
    type,
    isCollaborator,
  };
}

/** Derives a user's id: the same e-mail address is the same user. */
function idFrom(name: string): string {
  return guidOf(name.toLowerCase());
}

function status(value: string): JsonObject {
  const stage = value === 'Closed' ? STAGES.Closed : STAGES.Open;
  return {
    status: value,
    workflowStageId: stage.id,
    stageName: value,
    stageNameKey: `TaskRegistry.Stage.${value}`,
    badgeColor: stage.color,
    workflowAndStageBasicInformation: { workflowId: WORKFLOW_ID, stageId: stage.id, stageName: value },
  };
}

function modified(at: string): JsonObject {
  return {
    modifiedBy: SERVICE_USER,
    modifiedByAttribute: { valueKey: SERVICE_USER, value: 'Sandbox service user' },
    modifiedDT: at,
  };
}

function moment(date: Date): string {
  return date.toISOString().replace('.000Z', 'Z');
}
