import assert from 'node:assert/strict';
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
import { type ContractField, fieldsOf } from '../../contract/fields.ts';
import { toHtml } from '../../pages/to-html.ts';
import { staffContext } from '../../samples/staff.ts';
import { build, guid, saidOn } from './fixture.ts';

/*
 * Each field of a task or a notice of the platform is shown on a staff page. The tests go from the body of
 * the platform's answer to the text of the page.
 */

/** Two values that the platform may give a field, and the words of the page for each. */
type Pair = readonly [one: unknown, other: unknown, words?: readonly [string, string]];

const spoken = (value: string) => value.charAt(0) + value.slice(1).toLowerCase().replaceAll('_', ' ');

/** The values of a field by its type in the contract; `at` makes them differ from those of other fields. */
function usual({ path, type, format, values }: ContractField, at: number): Pair {
  const [one = '', other = ''] = values ?? [];
  if (values !== undefined) return [one, other, [spoken(one), spoken(other)]];
  if (format === 'uuid') return [guid(2 * at), guid(2 * at + 1)];
  if (type === 'boolean') return [true, false, ['yes', 'no']];
  if (format !== 'date-time') return [`${path} of one`, `${path} of another`];
  const day = (at % 19) + 10;
  return [
    `2031-05-${day}T08:09:10Z`,
    `2032-05-${day}T08:09:10Z`,
    [`${day} May 2031, 08:09:10`, `${day} May 2032, 08:09:10`],
  ];
}

const task: Readonly<Record<string, Pair>> = {
  description: ['Of one,\nof several lines', 'Of another,\nof several lines'],
  'taskAssignmentInformations.0.isCollaborator': [false, true, ['Assignee', 'Collaborator']],
  isCollaboratorSupported: [true, false, ['possible', 'not possible']],
  isCollaboratorGroupSupported: [true, false, ['possible', 'not possible']],
  workflowAndStageBasicInformation: [{ stageOwner: 'Mo' }, { stageOwner: 'Jo' }, ['Mo', 'Jo']],
  badgeColor: ['#0a1b2c', '#fed'],
  'dueDateInfo.color': ['#c0ffee', '#b0b'],
  'dueDateInfo.numberOfDays': [12_345, 54_321],
};

/** The names of these fields are free in the contract. */
const rights = ['canEdit', 'canDelete', 'canChangeStatus', 'canReassign', 'canComment', 'canAddAttachment'];
const permissions = rights.map((name) => `Permissions Metadata.${name}`);

const [may, june] = ['2021-05-06T07:08:09.123Z', '2021-06-07T08:09:10.000Z'];
const published: Pair = [may, june, ['6 May 2021', '7 Jun 2021']];
const heads: Readonly<Record<string, Pair>> = {
  createdDate: ['2020-01-02T03:04:05.678', '2019-12-31T23:59:58.000', ['2 Jan 2020', '31 Dec 2019']],
  lastPublishedDate: ['2021-02-03T04:05:06.789', '2022-03-04T05:06:07.000', ['3 Feb 2021', '4 Mar 2022']],
};
const inList: Readonly<Record<string, Pair>> = {
  ...heads,
  numberOfVersions: [1, 2, ['1 version', '2 versions']],
  'versions.0.publishedDate': published,
  'versions.0.status': ['ACTIVE', 'RETIRED', ['v71 active', 'v71 retired']],
  'versions.0.version': [71, 72, ['v71 active', 'v72 active']],
};
const onDate: Readonly<Record<string, Pair>> = {
  ...heads,
  'version.publishedDate': published,
  'version.version': [71, 72, ['Version 71', 'Version 72']],
};
const version: Readonly<Record<string, Pair>> = {
  publishedDate: published,
  version: [71, 72],
  'languages.0.languageCode': ['pt-br', 'sr-latn-rs'],
  'languages.0.defaultLanguage': [true, false, ['pt-br (default)', 'pt-br']],
};

const runsOn = (page: Page) => saidOn(toHtml('staff/page', staffPage(staffContext, page)));

type Body = Readonly<Record<string, unknown>>;
const first = { page: 0, size: 20 };
const known = new Map<string, string>();
const noVersions = readNoticeVersionPage({ content: [] }, first);
const { member } = staffContext;

const taskPage = (body: Body) =>
  runsOn(buildTaskPage({ member, task: readTask(body), was: '', differs: [], parentName: undefined, known }));
const noticeList = (body: Body) => {
  const page = readNoticePage({ content: [body] }, first);
  return runsOn(buildNoticeList({ page, asked: first, names: known, known }));
};
/** The page of a notice: `body` is its version now, and the answer to the question which was active. */
function noticePage(body: Body, { isActiveNow = true, versions = noVersions } = {}) {
  return runsOn(
    buildNoticePage({
      id: String(body['id']),
      versions,
      known,
      current: isActiveNow ? readNoticeVersion(body) : undefined,
      asked: { date: '', time: '', count: 'through', ...first },
      read: { kind: 'question', ask: '2025-01-01T10:20:30', meaning: 'then' },
      answer: readNoticeVersion(body),
    }),
  );
}
const versionRow = (body: Body) =>
  noticePage({ id: guid(1) }, { versions: readNoticeVersionPage({ content: [body] }, first) });

const isShown = (runs: readonly string[], words: string) =>
  runs.some((run) => run === words || (words.length > 2 && run.includes(words)));

const notices = 'privacy-notices';
const answers = [
  ['A task', 'tasks', 'TaskInformation', task, taskPage],
  ['A listed notice', notices, 'PrivacyNoticeDtoV2', inList, noticeList],
  ['A notice', notices, 'PrivacyNoticeWithVersionDtoV2', onDate, noticePage],
  ['A version', notices, 'PrivacyNoticeVersionDetailsDtoV2', version, versionRow],
] as const;

type Row = readonly [field: string, ...Pair];

/** The fields of the contract with their values; `own` replaces usual values or words. */
function rowsOf([, document, schema, own]: (typeof answers)[number]): readonly Row[] {
  const fields = fieldsOf(document, schema).flatMap((field) =>
    field.path.endsWith('.*') ? permissions.map((path) => ({ ...field, path })) : [field],
  );
  const paths = new Set(fields.map(({ path }) => path));
  const pairs = new Map<string, Pair>(Object.entries(own));
  for (const path of pairs.keys()) assert.ok(paths.has(path), path);
  return fields.map((field, at) => [field.path, ...(pairs.get(field.path) ?? usual(field, at))] as const);
}

const wholeOf = (rows: readonly Row[]) => rows.map(([field, one]) => [field, one] as const);

for (const answer of answers) {
  const [thing, , , , show] = answer;
  describe(thing, () => {
    const rows = rowsOf(answer);
    const whole = wholeOf(rows);

    for (const [field, one, other, words = [String(one), String(other)]] of rows) {
      test(`the page of ${thing.toLowerCase()} shows ${field} as the platform has it`, () => {
        const pages = [whole, [...whole, [field, other] as const]].map((members) => show(build(members)));
        for (const [at, runs] of pages.entries()) {
          const line = (words[at] ?? '').replaceAll('\n', ' ');
          assert.ok(isShown(runs, line), `${line} is not in ${runs.join(' | ')}`);
        }
        assert.notDeepEqual(pages[1], pages[0], 'the page is the same whatever the field says');
      });
    }
  });
}

describe('The page of a task', () => {
  const whole = wholeOf(rowsOf(answers[0]));

  test('the page shows an assignee in each spelling of the sample', () => {
    const others = whole.filter(([field]) => !field.includes('userInfo'));
    const names = ['name', 'nameWithAttributes'];
    const sampled = names.map((name) => [`taskAssignmentInformations.0.userInfo.${name}`, name] as const);
    const runs = taskPage(build([...others, ...sampled]));
    for (const name of names) assert.ok(runs.includes(name));
  });

  test('the page knows every value of the contract', () => {
    for (const { path, values = [] } of fieldsOf('tasks', 'TaskInformation'))
      for (const value of values) {
        const runs = taskPage(build([...whole, [path, value]])).map((run) => run.toLowerCase());
        assert.ok(runs.includes(value.toLowerCase().replaceAll('_', ' ')), `${path} ${value}`);
      }
  });

  test('the page shows a task that has only the required fields', () => {
    const runs = taskPage({ id: guid(1), taskName: 'Has what is required', status: 'Open', priority: 'LOW' });
    assert.ok(runs.includes('Has what is required'));
    assert.doesNotMatch(runs.join(' '), /undefined|null|NaN/);
  });
});

test('a notice without a version today is described by the answer for a later date', () => {
  const body = build(wholeOf(rowsOf(answers[2])));
  const runs = noticePage(body, { isActiveNow: false });
  assert.equal(runs[runs.indexOf('Active now') + 1], 'no version');
  for (const words of ['2 Jan 2020', '3 Feb 2021', String(body['organizationId'])])
    assert.ok(isShown(runs, words), words);
});
