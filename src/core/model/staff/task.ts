/** docs/platform-api.md, Tasks. What is undefined is not sent. `task-form.ts` checks lengths and enums. */
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

/** Values are scalars or objects (docs/platform-api.md, Tasks). */
export interface TaskContext {
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** TaskInformation. Everything a tenant may leave out is undefined. */
export interface Task {
  readonly id: string;
  readonly parentEntityId: string | undefined;
  readonly taskName: string;
  readonly taskType: TaskType | undefined;
  readonly deadline: string | undefined;
  readonly status: TaskStatus | undefined;
  readonly priority: TaskPriority | undefined;
  readonly description: string | undefined;
  readonly orgGroupId: string | undefined;
  readonly orgGroupAttribute: AttributeValue | undefined;
  readonly assigneeId: string | undefined;
  readonly isActive: boolean | undefined;
  readonly sourceType: string | undefined;
  readonly sourceId: string | undefined;
  readonly moduleSource: string | undefined;
  readonly assignments: readonly TaskAssignment[];
  readonly presentationMode: string | undefined;
  readonly isCollaboratorSupported: boolean | undefined;
  readonly isCollaboratorGroupSupported: boolean | undefined;
  readonly relativeUrl: string | undefined;
  readonly activity: string | undefined;
  readonly workflowAndStage: Readonly<Record<string, unknown>> | undefined;
  readonly workflowId: string | undefined;
  readonly workflowStageId: string | undefined;
  readonly stageName: string | undefined;
  readonly stageNameKey: string | undefined;
  readonly badgeColor: string | undefined;
  readonly dueDate: DueDate | undefined;
  readonly permissions: Readonly<Record<string, boolean>>;
  readonly createdBy: string | undefined;
  readonly createdByAttribute: AttributeValue | undefined;
  readonly createdDate: string | undefined;
  readonly modifiedBy: string | undefined;
  readonly modifiedByAttribute: AttributeValue | undefined;
  readonly modifiedDate: string | undefined;
  readonly completionDate: string | undefined;
  readonly isRequired: boolean | undefined;
  readonly canEditRequiredTask: boolean | undefined;
  readonly pastDue: boolean | undefined;
  readonly activityKey: string | undefined;
}

export interface TaskType {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly nameKey: string | undefined;
  readonly module: string | undefined;
  readonly moduleNameTranslationKey: string | undefined;
  readonly label: string | undefined;
  readonly icon: string | undefined;
}

export interface AttributeValue {
  readonly valueKey: string | undefined;
  readonly value: string | undefined;
}

export interface DueDate {
  readonly date: string | undefined;
  readonly color: string | undefined;
  readonly icon: string | undefined;
  readonly textKey: string | undefined;
  readonly numberOfDays: number | undefined;
}

export interface TaskAssignment {
  readonly assigneeId: string | undefined;
  readonly type: 'user' | 'group' | undefined;
  readonly isCollaborator: boolean;
  readonly userName: string | undefined;
  readonly userNameWithAttributes: string | undefined;
}
