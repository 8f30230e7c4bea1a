import { honoured, type Member, type ObjectTable, unused } from '../../../src/upstream/members/member.ts';

/** Tables of tasks and notices, which the staff pages show as they come. */

export function each(names: readonly string[], member: Member): Readonly<Record<string, Member>> {
  return Object.fromEntries(names.map((name) => [name, member]));
}

const shown = honoured('is shown to staff as it comes');
const sent = honoured('is sent as it comes');

function table(name: string, names: readonly string[], more: ObjectTable['members'] = {}): ObjectTable {
  return { name, members: { ...each(names, shown), ...more } };
}

const attribute = table('attribute', ['valueKey', 'value']);
const user = table('user', ['user Name', 'user Name With Attributes', 'name', 'nameWithAttributes']);

export const task: ObjectTable = table(
  'task',
  [
    ...['id', 'parentEntityId', 'taskName', 'deadline', 'status', 'priority', 'description', 'orgGroupId'],
    ...['assigneeId', 'isActive', 'sourceType', 'sourceId', 'moduleSource', 'presentation Mode'],
    ...['isCollaboratorSupported', 'isCollaboratorGroupSupported', 'relativeUrl', 'activity'],
    ...['workflowAndStageBasicInformation', 'workflowId', 'workflowStageId', 'stageName', 'stageNameKey'],
    ...['badgeColor', 'permissions Metadata', 'createdBy', 'createdDT', 'modifiedBy', 'modifiedDT'],
    ...['completionDate', 'isRequired', 'canEditRequiredTask', 'pastDue', 'activityKey'],
  ],
  {
    taskType: {
      ...shown,
      holds: table('task type', [
        ...['id', 'name', 'nameKey', 'module', 'moduleNameTranslationKey', 'label', 'icon'],
      ]),
    },
    orgGroupAttribute: { ...shown, holds: attribute },
    createdByAttribute: { ...shown, holds: attribute },
    modifiedByAttribute: { ...shown, holds: attribute },
    taskAssignmentInformations: {
      ...shown,
      holds: table('assignment of a task', ['assigneeId', 'type', 'isCollaborator'], {
        userInfo: { ...shown, holds: user },
      }),
    },
    dueDateInfo: {
      ...shown,
      holds: table('due date of a task', ['date', 'color', 'icon', 'textKey', 'numberOfDays']),
    },
  },
);

const written = {
  ...each(['taskName', 'description', 'assigneeId', 'assigneeEmail', 'deadline', 'priority'], sent),
  ...each(['isRequired', 'sourceType', 'sourceId'], sent),
  collaborators: {
    ...sent,
    holds: { name: 'collaborator', members: each(['collaboratorId', 'collaboratorEmail', 'type'], sent) },
  },
  context: { ...sent, holds: { name: 'context of a task', members: each(['parameters'], sent) } },
};

export const newTask: ObjectTable = {
  name: 'new task',
  members: {
    ...written,
    ...each(['parentEntityId', 'orgGroupId', 'taskTypeNameKey', 'isActive', 'resourceId'], sent),
    ...each(['resourceTypeNameKey', 'moduleSource'], sent),
  },
};

export const taskChange: ObjectTable = { name: 'change of a task', members: { ...written, status: sent } };

const version: ObjectTable = table(
  'version of a notice',
  ['id', 'name', 'status', 'version', 'publishedDate', 'publishedBy'],
  {
    languages: {
      ...shown,
      holds: table('language of a notice', ['guid', 'languageCode', 'defaultLanguage']),
    },
  },
);

const noticeMembers = ['id', 'createdDate', 'lastPublishedDate', 'organizationId', 'responsibleUserId'];

export const notice: ObjectTable = table('notice', [...noticeMembers, 'numberOfVersions'], {
  versions: { ...shown, holds: version },
  version: { ...shown, holds: version },
});

const workedOut = unused('is worked out from what was asked for');

function listOf(name: string, content: ObjectTable): ObjectTable {
  const paging = each(['number', 'size', 'totalPages', 'totalElements', 'last'], shown);
  const others = each(['numberOfElements', 'first', 'sort', 'pageable', 'empty'], workedOut);
  return { name, members: { content: { ...shown, holds: content }, ...paging, ...others } };
}

export const noticeList: ObjectTable = listOf('list of notices', notice);
export const versionList: ObjectTable = listOf('list of versions', version);
