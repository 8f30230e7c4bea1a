/**
 * The members of every request (docs/platform-api.md, Tasks). An undefined member is not sent. `task-form.ts`
 * checks lengths and enums.
 */
interface WrittenTask {
  readonly taskName: string;
  readonly description?: string | undefined;
  readonly assigneeId?: string | undefined;
  readonly assigneeEmail?: string | undefined;
  readonly collaborators?: readonly TaskCollaborator[] | undefined;
  readonly deadline?: string | undefined;
  readonly context?: TaskContext | undefined;
  readonly priority?: TaskPriority | undefined;
  readonly isRequired?: boolean | undefined;
  readonly sourceType?: string | undefined;
  readonly sourceId?: string | undefined;
}

export interface TaskCreate extends WrittenTask {
  readonly parentEntityId: string;
  readonly orgGroupId: string;
  readonly taskTypeNameKey: string;
  readonly isActive?: boolean | undefined;
  readonly resourceId?: string | undefined;
  readonly resourceTypeNameKey?: string | undefined;
  readonly moduleSource?: string | undefined;
}

export interface TaskUpdate extends WrittenTask {
  readonly status?: TaskStatus | undefined;
}

export type TaskStatus = 'open' | 'closed';
export type TaskPriority = 'low' | 'medium' | 'high';

export interface TaskCollaborator {
  readonly id: string | undefined;
  readonly email: string | undefined;
  readonly type: 'user' | 'group';
}

/** Parameters, whose values are scalars or objects (docs/platform-api.md, Tasks). */
export interface TaskContext {
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Members of a task that are shown as they came. */
export const taskTexts = [
  'parentEntityId',
  'deadline',
  'orgGroupId',
  'assigneeId',
  'sourceType',
  'sourceId',
  'moduleSource',
  'relativeUrl',
  'activity',
  'activityKey',
  'workflowId',
  'workflowStageId',
  'stageName',
  'stageNameKey',
  'badgeColor',
  'createdBy',
  'modifiedBy',
  'completionDate',
] as const;
export const taskFlags = [
  'isActive',
  'isCollaboratorSupported',
  'isCollaboratorGroupSupported',
  'isRequired',
  'canEditRequiredTask',
  'pastDue',
] as const;
export const taskTypeTexts = [
  'id',
  'name',
  'nameKey',
  'module',
  'moduleNameTranslationKey',
  'label',
  'icon',
] as const;
export const dueDateTexts = ['date', 'color', 'icon', 'textKey'] as const;

type Members<Names extends readonly string[], T> = { readonly [name in Names[number]]: T | undefined };

/** The platform's TaskInformation. A member that a tenant may leave out can be undefined. */
export interface Task extends Members<typeof taskTexts, string>, Members<typeof taskFlags, boolean> {
  readonly id: string;
  readonly taskName: string;
  readonly taskType: Members<typeof taskTypeTexts, string> | undefined;
  readonly status: TaskStatus | undefined;
  readonly priority: TaskPriority | undefined;
  readonly description: string | undefined;
  readonly orgGroupAttribute: AttributeValue | undefined;
  readonly assignments: readonly TaskAssignment[];
  readonly presentationMode: string | undefined;
  readonly workflowAndStage: Readonly<Record<string, unknown>> | undefined;
  readonly dueDate:
    | (Members<typeof dueDateTexts, string> & { readonly numberOfDays: number | undefined })
    | undefined;
  readonly permissions: Readonly<Record<string, boolean>>;
  readonly createdByAttribute: AttributeValue | undefined;
  readonly createdDate: string | undefined;
  readonly modifiedByAttribute: AttributeValue | undefined;
  readonly modifiedDate: string | undefined;
}

export interface AttributeValue {
  readonly valueKey: string | undefined;
  readonly value: string | undefined;
}

export interface TaskAssignment {
  readonly assigneeId: string | undefined;
  readonly type: 'user' | 'group' | undefined;
  readonly isCollaborator: boolean;
  readonly userName: string | undefined;
  readonly userNameWithAttributes: string | undefined;
}
