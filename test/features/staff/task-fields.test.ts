import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { fieldsOf, pathsOf } from '../../contract/fields.ts';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { readForm, save } from '../../kit/form.ts';
import type { Answer } from '../../kit/visitor.ts';
import {
  assertSameFields,
  build,
  enter,
  fillIn,
  guid,
  heldBy,
  type StoredTask,
  saidOn,
  storedTask,
  taskIdOf,
} from './fixture.ts';

interface Row {
  /** Of the contract's request. */
  readonly field: string;
  /** Controls of the form and what is put into them, each shown again in the form for editing. */
  readonly typed: readonly (readonly [control: string, value: string | boolean])[];
  readonly sent: unknown;
  /** Where the request has it, when the contract leaves its name free. */
  readonly member?: string;
  /** How the task's own page says it: in a run of text, or in several that follow each other. As it was sent otherwise. */
  readonly said?: string | readonly string[];
  /** TaskInformation has no member for it: the platform keeps it to itself. */
  readonly isKept?: true;
}

const row = (
  field: string,
  control: string,
  value: string | boolean,
  sent: unknown,
  more: Partial<Row> = {},
): Row => ({ field, typed: [[control, value]], sent, ...more });

/** What a create and an update have in common. `n` tells the values of one from those of the other. */
const both = (n: number): readonly Row[] => [
  row('taskName', 'taskName', `Review register ${n}`, `Review register ${n}`),
  row('description', 'description', `All of it,\r\nplease. ${n}`, `All of it,\nplease. ${n}`, {
    said: `All of it, please. ${n}`,
  }),
  row('assigneeId', 'assigneeId', guid(n * 10 + 1), guid(n * 10 + 1)),
  row('assigneeEmail', 'assigneeEmail', `robin${n}@example.org`, `robin${n}@example.org`),
  row('sourceType', 'sourceType', `RULES ${n}`, `RULES ${n}`),
  row('sourceId', 'sourceId', guid(n * 10 + 2), guid(n * 10 + 2)),
  {
    field: 'deadline',
    typed: [
      ['deadline', `20${n}-03-04`],
      ['deadline-time', '17:30:05'],
      ['deadline-zone', 'Asia/Tokyo'],
    ],
    sent: `20${n}-03-04T08:30:05Z`,
    said: `4 Mar 20${n}, 08:30:05`,
  },
  row('collaborators.0.type', 'collaborators.0.type', 'group', 'GROUP', {
    said: [`kim${n}@example.org`, 'Group', 'Collaborator'],
  }),
  row('collaborators.0.collaboratorId', 'collaborators.0.collaboratorId', guid(n * 10 + 3), guid(n * 10 + 3)),
  row(
    'collaborators.0.collaboratorEmail',
    'collaborators.0.collaboratorEmail',
    `kim${n}@example.org`,
    `kim${n}@example.org`,
  ),
  row('collaborators.0.type', 'collaborators.1.type', 'user', 'USER', {
    member: 'collaborators.1.type',
    said: [`lou${n}@example.org`, 'User', 'Collaborator'],
  }),
  row(
    'collaborators.0.collaboratorEmail',
    'collaborators.1.collaboratorEmail',
    `lou${n}@example.org`,
    `lou${n}@example.org`,
    { member: 'collaborators.1.collaboratorEmail' },
  ),
  ...(
    [
      ['case', 'text', `A ${n}`, `A ${n}`],
      ['weight', 'number', '12.5', 12.5],
      ['urgent', 'flag', 'true', true],
      ['place', 'object', `{"country": "FR", "floor": ${n}}`, { country: 'FR', floor: n }],
    ] as const
  ).map(
    ([name, kind, text, sent], at): Row => ({
      field: 'context.parameters.*',
      typed: [
        [`parameters.${at}.name`, name],
        [`parameters.${at}.type`, kind],
        [`parameters.${at}.value`, text],
      ],
      sent,
      member: `context.parameters.${name}`,
      isKept: true,
    }),
  ),
];

const created: readonly Row[] = [
  ...both(27),
  row('parentEntityId', 'parentEntityId', guid(10), guid(10)),
  row('orgGroupId', 'orgGroupId', guid(11), guid(11)),
  row('taskTypeNameKey', 'taskTypeNameKey', 'Issue', 'Issue'),
  row('isActive', 'isActive', false, false, { said: ['Active', 'no'] }),
  row('resourceId', 'resourceId', guid(12), guid(12), { isKept: true }),
  row('resourceTypeNameKey', 'resourceTypeNameKey', 'Record', 'Record', { isKept: true }),
  row('moduleSource', 'moduleSource', 'VENDOR_PORTAL', 'VENDOR_PORTAL', { said: 'Vendor portal' }),
  row('priority', 'priority', 'high', 'HIGH', { said: ['Priority', 'High'] }),
  row('isRequired', 'isRequired', true, true, { said: ['Required', 'yes'] }),
];

const edited: readonly Row[] = [
  ...both(28),
  row('priority', 'priority', 'low', 'LOW', { said: ['Priority', 'Low'] }),
  row('isRequired', 'isRequired', false, false, { said: ['Required', 'no'] }),
];

/** Controls whose values the platform gives back, otherwise than they were typed. */
const comesBackAs: Readonly<Record<string, string>> = {
  'All of it,\r\nplease. 28': 'All of it,\nplease. 28',
  '2028-03-04': '2028-03-04',
  '17:30:05': '08:30:05',
  'Asia/Tokyo': 'UTC',
};

const requestOf = (rows: readonly Row[]) =>
  build(rows.map(({ field, member = field, sent }) => [member, sent]));

const product = productOf();
const staff = forSuite(() => enter(product));

/** Fills the form, with as many rows as the table needs, and saves it. */
async function fillAndSave(path: string, rows: readonly Row[]): Promise<Answer> {
  let page = await staff.open(path);
  const typed = rows.flatMap((one) => one.typed);
  const add = async (value: string) => staff.submit(page, () => undefined, { name: 'action', value });
  for (const [control] of typed) {
    if (readForm(page.text).has(control)) continue;
    page = await add(control.startsWith('collaborators') ? 'add-collaborator' : 'add-parameter');
  }
  return staff.submit(page, (form) => typed.map(([control, value]) => fillIn(form, control, value)), save);
}

function testSaid(page: () => Answer, rows: readonly Row[]): void {
  for (const { field, member = field, sent, said = String(sent), isKept } of rows) {
    if (isKept !== undefined) continue;
    test(`shows ${member} again`, () => {
      const words = [said].flat();
      const runs = saidOn(page().text);
      const isSaid = runs.some((_, at) => words.every((word, next) => runs[at + next]?.includes(word)));
      assert.ok(isSaid, `${words.join(' | ')} is not in ${runs.join(' | ')}`);
    });
  }
}

describe('The tables', () => {
  test('have every field of a create, and every field of an update but the status', () => {
    assertSameFields(
      pathsOf('tasks', 'TaskCreateRequest'),
      created.map(({ field }) => field),
    );
    assertSameFields(
      pathsOf('tasks', 'TaskUpdateRequest').filter((path) => path !== 'status'),
      edited.map(({ field }) => field),
    );
  });

  test('call kept what an answer has no member for, and nothing else', () => {
    const answered = new Set(pathsOf('tasks', 'TaskInformation').map((path) => path.split('.')[0]));
    // These come back in other words: as assignments, and as the type.
    for (const other of ['assigneeEmail', 'collaborators', 'taskTypeNameKey']) answered.add(other);
    for (const { field, isKept = false } of [...created, ...edited])
      assert.equal(isKept, !answered.has(field.split('.')[0]), field);
  });
});

describe('A new task', () => {
  let shown: Answer;
  let stored: StoredTask;

  before(async () => {
    shown = await fillAndSave('/staff/tasks/new', created);
    assert.equal(shown.status, 200, saidOn(shown.text).join('\n'));
    stored = await storedTask(product, taskIdOf(shown));
  });

  test('is asked for with each of its fields, and nothing else', () =>
    assert.deepEqual(stored.request, requestOf(created)));

  testSaid(() => shown, created);

  test('offers every value of the contract, and none that is not there', async () => {
    const form = readForm((await staff.open('/staff/tasks/new')).text);
    const offered = (name: string) =>
      form.controls
        .find((control) => control.name === name)
        ?.options.flatMap(({ value }) => (value === '' ? [] : [value.toUpperCase()]));
    for (const { path, values } of fieldsOf('tasks', 'TaskCreateRequest')) {
      if (values !== undefined) assert.deepEqual(offered(path), values, path);
    }
  });
});

describe('A task that is edited', () => {
  const least = [
    ['taskName', 'Something else'],
    ['parentEntityId', guid(10)],
    ['orgGroupId', guid(11)],
    ['priority', 'high'],
    ['isRequired', true],
  ] as const;
  let home: string;
  let shown: Answer;
  let stored: StoredTask;

  const now = () => storedTask(product, home.split('/').at(-1) ?? '');

  before(async () => {
    const page = await staff.open('/staff/tasks/new');
    const made = await staff.submit(
      page,
      (form) => least.map(([name, value]) => fillIn(form, name, value)),
      save,
    );
    home = `/staff/tasks/${taskIdOf(made)}`;
    shown = await fillAndSave(`${home}/edit`, edited);
    assert.equal(shown.status, 200, saidOn(shown.text).join('\n'));
    stored = await now();
  });

  test('is updated with each of its fields, and nothing else', () =>
    assert.deepEqual(stored.request, requestOf(edited)));

  testSaid(() => shown, edited);

  test('is in the form again as it now is, and what the platform keeps to itself is said to be', async () => {
    const page = await staff.open(`${home}/edit`);
    const form = readForm(page.text);
    for (const { typed, isKept } of edited) {
      for (const [control, value] of typed) {
        if (isKept !== undefined) assert.ok(control.endsWith('.type') || !heldBy(form, control), control);
        else if (control.toLowerCase().endsWith('email')) assert.equal(heldBy(form, control), '');
        else assert.equal(heldBy(form, control), comesBackAs[String(value)] ?? value, control);
      }
    }
    assert.match(saidOn(page.text).join(' '), /does not give back the parameters/);
  });

  test('is sent again as it is when nothing was typed', async () => {
    const { task } = await now();
    await fillAndSave(`${home}/edit`, []);
    const { request, task: afterwards } = await now();
    const changing = { modifiedDT: 0 };
    assert.deepEqual({ ...afterwards, ...changing }, { ...task, ...changing });
    const fields = pathsOf('tasks', 'TaskUpdateRequest').map((path) => path.split('.')[0] ?? '');
    for (const field of fields) {
      if (field in task && field !== 'status') assert.deepEqual(request[field], task[field], field);
    }
  });

  for (const [turn, status, stage] of [
    ['close', 'Closed', 'open'],
    ['reopen', 'Open', 'closed'],
  ] as const) {
    test(`has the status ${status} after a form of its own, and all else as before`, async () => {
      const { task } = await now();
      assert.equal(String(task['status']).toLowerCase(), stage);
      const page = await staff.submit(await staff.open(`${home}/${turn}`), () => undefined);
      const { task: turned, request } = await now();
      assert.equal(request['status'], status);
      assert.equal(turned['status'], status);
      assert.ok(saidOn(page.text).includes(status));
      for (const name of Object.keys(requestOf(edited))) assert.deepEqual(turned[name], task[name], name);
      assert.deepEqual(turned['taskAssignmentInformations'], task['taskAssignmentInformations']);
    });
  }

  test('offers the two statuses of the contract, one at a time', () => {
    const values = fieldsOf('tasks', 'TaskUpdateRequest').find(({ path }) => path === 'status')?.values;
    assert.deepEqual(values, ['Open', 'Closed']);
  });
});
