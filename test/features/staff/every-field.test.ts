import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { buildNoticePage } from '../../../src/features/staff/notice.ts';
import { buildNoticeList } from '../../../src/features/staff/notices.ts';
import { type Page, staffPage } from '../../../src/features/staff/page.ts';
import { buildTaskPage } from '../../../src/features/staff/task.ts';
import {
  readNoticePage,
  readNoticeVersion,
  readNoticeVersionPage,
} from '../../../src/upstream/wire-notices.ts';
import { readTask } from '../../../src/upstream/wire-tasks.ts';
import { createAssets } from '../../../src/web/assets.ts';
import { createToHtml } from '../../../src/web/render.ts';
import { fieldsOf, pathsOf } from '../../contract/fields.ts';
import { staffContext } from '../../samples/staff.ts';
import { assertSameFields, build, guid, saidOn } from './fixture.ts';

/*
 * Every field that the platform has of a task or a notice is on a page of the staff: from the body of its answer to
 * what the page says.
 */

/** A field of an answer, two values that the platform may give it, and how the page says each. */
type Row = readonly [field: string, one: unknown, other: unknown, said?: readonly [string, string]];

const text = (field: string, more = ''): Row => [
  field,
  `${field} of one${more}`,
  `${field} of another${more}`,
];
const flag = (field: string): Row => [field, true, false, ['yes', 'no']];
let ids = 0;
const id = (field: string): Row => {
  ids += 2;
  return [field, guid(ids), guid(ids + 1)];
};
let days = 0;
const moment = (field: string): Row => {
  days += 1;
  const [one, other] = [
    `2031-05-${String(days).padStart(2, '0')}`,
    `2032-05-${String(days).padStart(2, '0')}`,
  ];
  return [
    field,
    `${one}T08:09:10Z`,
    `${other}T08:09:10Z`,
    [`${days} May 2031, 08:09:10`, `${days} May 2032, 08:09:10`],
  ];
};

const task: readonly Row[] = [
  id('id'),
  id('parentEntityId'),
  text('taskName'),
  id('taskType.id'),
  text('taskType.name'),
  text('taskType.nameKey'),
  text('taskType.module'),
  text('taskType.moduleNameTranslationKey'),
  text('taskType.label'),
  text('taskType.icon'),
  moment('deadline'),
  ['status', 'Open', 'Closed'],
  ['priority', 'LOW', 'HIGH', ['Low', 'High']],
  text('description', ',\nof several lines'),
  id('orgGroupId'),
  text('orgGroupAttribute.valueKey'),
  text('orgGroupAttribute.value'),
  id('assigneeId'),
  flag('isActive'),
  text('sourceType'),
  id('sourceId'),
  ['moduleSource', 'CYBER_RISK', 'AUDIT', ['Cyber risk', 'Audit']],
  text('taskAssignmentInformations.0.userInfo.User Name'),
  text('taskAssignmentInformations.0.userInfo.User Name With Attributes'),
  id('taskAssignmentInformations.0.assigneeId'),
  ['taskAssignmentInformations.0.type', 'USER', 'GROUP', ['User', 'Group']],
  ['taskAssignmentInformations.0.isCollaborator', false, true, ['Assignee', 'Collaborator']],
  ['Presentation Mode', 'NAVIGATION', 'DRAWER', ['Navigation', 'Drawer']],
  ['isCollaboratorSupported', true, false, ['possible', 'not possible']],
  ['isCollaboratorGroupSupported', true, false, ['possible', 'not possible']],
  text('relativeUrl'),
  ['Activity', 'EVIDENCE_TASK', 'CASE_ASSIGNED', ['Evidence task', 'Case assigned']],
  ['workflowAndStageBasicInformation', { stageOwner: 'Mo' }, { stageOwner: 'Jo' }, ['Mo', 'Jo']],
  id('workflowId'),
  id('workflowStageId'),
  text('stageName'),
  text('stageNameKey'),
  ['badgeColor', '#0a1b2c', '#fed'],
  moment('dueDateInfo.date'),
  ['dueDateInfo.color', '#c0ffee', '#b0b'],
  text('dueDateInfo.icon'),
  text('dueDateInfo.textKey'),
  ['dueDateInfo.numberOfDays', 12_345, 54_321],
  flag('Permissions Metadata.canEdit'),
  flag('Permissions Metadata.canDelete'),
  flag('Permissions Metadata.canChangeStatus'),
  flag('Permissions Metadata.canReassign'),
  flag('Permissions Metadata.canComment'),
  flag('Permissions Metadata.canAddAttachment'),
  id('createdBy'),
  text('createdByAttribute.valueKey'),
  text('createdByAttribute.value'),
  moment('createdDT'),
  id('modifiedBy'),
  text('modifiedByAttribute.valueKey'),
  text('modifiedByAttribute.value'),
  moment('modifiedDT'),
  moment('completionDate'),
  flag('isRequired'),
  flag('canEditRequiredTask'),
  flag('pastDue'),
  text('activityKey'),
];

/** Declared as `User Name`; the sample of the interface has these instead. */
const sampled: readonly Row[] = [
  text('taskAssignmentInformations.0.userInfo.name'),
  text('taskAssignmentInformations.0.userInfo.nameWithAttributes'),
];

const published: Row = [
  'publishedDate',
  '2021-05-06T07:08:09.123Z',
  '2021-06-07T08:09:10.000Z',
  ['6 May 2021', '7 Jun 2021'],
];
const status: Row = ['status', 'ACTIVE', 'RETIRED', ['Active', 'Retired']];
const name: Row = ['name', 'Notice of one', 'Notice of another'];
const below = (path: string, [field, ...row]: Row): Row => [`${path}.${field}`, ...row];

const heads: readonly Row[] = [
  id('id'),
  ['createdDate', '2020-01-02T03:04:05.678', '2019-12-31T23:59:58.000', ['2 Jan 2020', '31 Dec 2019']],
  ['lastPublishedDate', '2021-02-03T04:05:06.789', '2022-03-04T05:06:07.000', ['3 Feb 2021', '4 Mar 2022']],
  id('organizationId'),
  id('responsibleUserId'),
];
const inList: readonly Row[] = [
  ...heads,
  ['numberOfVersions', 1, 2, ['1 version', '2 versions']],
  id('versions.0.id'),
  below('versions.0', published),
  ['versions.0.status', 'ACTIVE', 'RETIRED', ['v71 active', 'v71 retired']],
  ['versions.0.version', 71, 72, ['v71 active', 'v72 active']],
];
const onDate: readonly Row[] = [
  ...heads,
  id('version.id'),
  ...[name, published, status].map((row) => below('version', row)),
  ['version.version', 71, 72, ['Version 71', 'Version 72']],
];
const version: readonly Row[] = [
  ...[id('id'), name, status, published, id('publishedBy'), id('languages.0.guid')],
  ['version', 71, 72],
  ['languages.0.languageCode', 'pt-br', 'sr-latn-rs'],
  ['languages.0.defaultLanguage', true, false, ['pt-br (default)', 'pt-br']],
];

const root = join(import.meta.dirname, '../../..');
const assets = createAssets({ publicDir: join(root, 'public') });
const toHtml = createToHtml({ viewsDir: join(root, 'views'), assets, development: undefined });
const said = (page: Page) => saidOn(toHtml('staff/page', staffPage(staffContext, page)));

type Body = Readonly<Record<string, unknown>>;
const first = { page: 0, size: 20 };
const known = new Map<string, string>();
const noVersions = readNoticeVersionPage({ content: [] }, first);
const { member } = staffContext;

const taskPage = (body: Body) =>
  said(buildTaskPage({ member, task: readTask(body), was: '', differs: [], parentName: undefined, known }));
const noticeList = (body: Body) => {
  const page = readNoticePage({ content: [body] }, first);
  return said(buildNoticeList({ page, asked: first, names: known, known }));
};
/** As the notice says of itself; `answer`: to the question which version was active. */
function noticePage(body: Body, { isActiveNow = true, versions = noVersions } = {}) {
  return said(
    buildNoticePage({
      ...{ id: String(body['id']), versions, known },
      current: isActiveNow ? readNoticeVersion(body) : undefined,
      asked: { date: '', time: '', count: 'through', ...first },
      read: { kind: 'question', ask: '2025-01-01T10:20:30', meaning: 'then' },
      answer: readNoticeVersion(body),
    }),
  );
}
const versionRow = (body: Body) =>
  noticePage({ id: guid(1) }, { versions: readNoticeVersionPage({ content: [body] }, first) });

const isSaid = (runs: readonly string[], words: string) =>
  runs.some((run) => run === words || (words.length > 2 && run.includes(words)));

const answers = [
  { what: 'A task', document: 'tasks', schema: 'TaskInformation', rows: task, show: taskPage },
  {
    what: 'A notice in the list',
    document: 'privacy-notices',
    schema: 'PrivacyNoticeDtoV2',
    rows: inList,
    show: noticeList,
  },
  {
    what: 'A notice on a date',
    document: 'privacy-notices',
    schema: 'PrivacyNoticeWithVersionDtoV2',
    rows: onDate,
    show: noticePage,
  },
  {
    what: 'A version in the list of versions',
    document: 'privacy-notices',
    schema: 'PrivacyNoticeVersionDetailsDtoV2',
    rows: version,
    show: versionRow,
  },
] as const;

for (const { what, document, schema, rows, show } of answers) {
  describe(what, () => {
    const whole = rows.map(([field, one]) => [field, one] as const);

    test('has each field of the contract in the table', () => {
      assertSameFields(
        pathsOf(document, schema),
        rows.map(([field]) => field),
      );
    });

    for (const [field, one, other, words = [String(one), String(other)]] of rows) {
      test(`is shown with ${field} as the platform has it`, () => {
        const pages = [whole, [...whole, [field, other] as const]].map((members) => show(build(members)));
        for (const [at, runs] of pages.entries()) {
          const line = (words[at] ?? '').replaceAll('\n', ' ');
          assert.ok(isSaid(runs, line), `${line} is not in ${runs.join(' | ')}`);
        }
        assert.notDeepEqual(pages[1], pages[0], 'the page is the same whatever the field says');
      });
    }
  });
}

describe('The page of a task', () => {
  const whole = task.map(([field, one]) => [field, one] as const);

  test('shows who is assigned as the sample spells it', () => {
    const others = whole.filter(([field]) => !field.includes('userInfo'));
    const runs = taskPage(build([...others, ...sampled.map(([field, one]) => [field, one] as const)]));
    for (const [, one] of sampled) assert.ok(runs.includes(String(one)));
  });

  test('knows every value of the contract', () => {
    for (const { path, values = [] } of fieldsOf('tasks', 'TaskInformation'))
      for (const value of values) {
        const words = value.toLowerCase().replaceAll('_', ' ');
        const runs = taskPage(build([...whole, [path, value]]));
        assert.ok(
          runs.some((run) => run.toLowerCase() === words),
          `${path} ${value}`,
        );
      }
  });

  test('shows one that has no more than is required', () => {
    const runs = taskPage({ id: guid(1), taskName: 'Has what is required', status: 'Open', priority: 'LOW' });
    assert.ok(runs.includes('Has what is required'));
    assert.doesNotMatch(runs.join(' '), /undefined|null|NaN/);
  });
});

test('A notice without a version today is told by the answer for a later date', () => {
  const body = build(onDate.map(([field, one]) => [field, one] as const));
  const runs = noticePage(body, { isActiveNow: false });
  assert.equal(runs[runs.indexOf('Active now') + 1], 'no version');
  for (const words of ['2 Jan 2020', '3 Feb 2021', String(body['organizationId'])])
    assert.ok(isSaid(runs, words), words);
});
