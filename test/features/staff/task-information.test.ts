import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldsOf, pathsOf } from '../../contract/fields.ts';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { assertSameFields, build, enter, guid, saidOn } from './fixture.ts';

/** A field of TaskInformation, two values that the platform may give it, and how the page says each. */
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

const table: readonly Row[] = [
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

const files: Record<string, string> = {};

/** Puts a task into the data folder, under an id of its own unless the members have one; gives that. */
function put(members: Iterable<readonly [path: string, value: unknown]>): string {
  const number = Object.keys(files).length + 1;
  const task = build([['id', guid(10_000 + number)], ...members]);
  files[`data/tasks/${number}.json`] = JSON.stringify(task);
  return String(task['id']);
}

const whole = table.map(([field, one]): readonly [string, unknown] => [field, one]);
const nameless = whole.filter(([field]) => field !== 'id');
const base = put(whole);
/** Each the same task, but for one field. */
const turned = table.map(([field, , other]) => put([...nameless, [field, other]]));
const asSampled = put([
  ...nameless.filter(([field]) => !field.includes('userInfo')),
  ...sampled.map(([field, one]) => [field, one] as const),
]);
const valued = fieldsOf('tasks', 'TaskInformation').flatMap(({ path, values = [] }) =>
  values.map((value) => ({ path, value, task: put([...nameless, [path, value]]) })),
);
const least = put([
  ...nameless.filter(([field]) => field.startsWith('taskType.')),
  ['deadline', '2031-05-01T08:09:10Z'],
  ['isActive', true],
  ['parentEntityId', guid(1)],
  ['priority', 'LOW'],
  ['status', 'Open'],
  ['taskName', 'Has what is required'],
]);

const product = productOf({ env: { SANDBOX_DATA: '{home}/data' }, files });
const staff = forSuite(() => enter(product));

async function pageOf(task: string): Promise<readonly string[]> {
  const page = await staff.open(`/staff/tasks/${task}`);
  assert.equal(page.status, 200);
  return saidOn(page.text);
}

test('The table has every field of TaskInformation.', () => {
  assertSameFields(
    pathsOf('tasks', 'TaskInformation'),
    table.map(([field]) => field),
  );
});

describe('The page of a task', () => {
  for (const [at, [field, one, other, said = [String(one), String(other)]]] of table.entries()) {
    test(`shows ${field} as the platform has it`, async () => {
      const task = turned[at] ?? assert.fail('no such task');
      const pages = await Promise.all([base, task].map(pageOf));
      for (const [place, runs] of pages.entries()) {
        const words = (said[place] ?? '').replaceAll('\n', ' ');
        assert.ok(
          runs.some((run) => run.includes(words)),
          `${words} is not in ${runs.join(' | ')}`,
        );
      }
      const [shown, shownOther] = pages.map((runs, place) =>
        runs.map((run) => run.replaceAll([base, task][place] ?? '', field === 'id' ? '$&' : 'its id')),
      );
      assert.notDeepEqual(shownOther, shown, 'the page is the same whatever the field says');
    });
  }

  for (const [field, one] of sampled) {
    test(`shows ${field} as the sample spells it`, async () => {
      assert.ok((await pageOf(asSampled)).includes(String(one)));
    });
  }

  for (const { path, value, task } of valued) {
    test(`knows ${value} as ${path}`, async () => {
      const words = value.toLowerCase().replaceAll('_', ' ');
      const runs = await pageOf(task);
      assert.ok(
        runs.some((run) => run.toLowerCase() === words),
        runs.join(' | '),
      );
    });
  }

  test('shows one that has no more than is required', async () => {
    const runs = await pageOf(least);
    assert.ok(runs.includes('Has what is required'));
    assert.doesNotMatch(runs.join(' '), /undefined|null|NaN/);
  });
});
