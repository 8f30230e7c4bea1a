import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { fieldsOf, pathsOf } from '../../contract/fields.ts';
import { forSuite, productOf } from '../../kit/for-suite.ts';
import { readForm, save } from '../../kit/form.ts';
import type { Answer } from '../../kit/visitor.ts';
import { build, enter, fillIn, guid, heldBy, saidOn, storedTask, taskIdOf } from './fixture.ts';

interface Row {
  /** The path of the field in the contract's request. */
  readonly field: string;
  /** Controls of the form with their values; the form for editing shows each again. */
  readonly typed: readonly (readonly [control: string, value: string | boolean])[];
  readonly sent: unknown;
  /** The path in the request, if the contract leaves the name free. */
  readonly member?: string;
}

/** A field whose control has the same name. */
const row = (field: string, value: string | boolean, sent: unknown = value): Row => ({
  field,
  typed: [[field, value]],
  sent,
});

/** A field of a collaborator; the contract has the fields of the first one only. */
const ofCollaborator = (at: number, name: string, value: string, sent = value): Row => ({
  field: `collaborators.0.${name}`,
  typed: [[`collaborators.${at}.${name}`, value]],
  sent,
  member: `collaborators.${at}.${name}`,
});

const ofParameter = (at: number, name: string, kind: string, text: string, sent: unknown): Row => ({
  field: 'context.parameters.*',
  typed: [
    [`parameters.${at}.name`, name],
    [`parameters.${at}.type`, kind],
    [`parameters.${at}.value`, text],
  ],
  sent,
  member: `context.parameters.${name}`,
});

/** The fields that a create and an update share; `n` makes their values differ. */
const both = (n: number): readonly Row[] => [
  row('taskName', `Review register ${n}`),
  row('description', `All of it,\r\nplease. ${n}`, `All of it,\nplease. ${n}`),
  row('assigneeId', guid(n * 10 + 1)),
  row('assigneeEmail', `robin${n}@example.org`),
  row('sourceType', `RULES ${n}`),
  row('sourceId', guid(n * 10 + 2)),
  {
    field: 'deadline',
    typed: [
      ['deadline', `20${n}-03-04`],
      ['deadline-time', '17:30:05'],
      ['deadline-zone', 'Asia/Tokyo'],
    ],
    sent: `20${n}-03-04T08:30:05Z`,
  },
  ofCollaborator(0, 'type', 'group', 'GROUP'),
  ofCollaborator(0, 'collaboratorId', guid(n * 10 + 3)),
  ofCollaborator(0, 'collaboratorEmail', `kim${n}@example.org`),
  ofCollaborator(1, 'type', 'user', 'USER'),
  ofCollaborator(1, 'collaboratorEmail', `lou${n}@example.org`),
  ofParameter(0, 'case', 'text', `A ${n}`, `A ${n}`),
  ofParameter(1, 'weight', 'number', '12.5', 12.5),
  ofParameter(2, 'urgent', 'flag', 'true', true),
  ofParameter(3, 'place', 'object', `{"country": "FR", "floor": ${n}}`, { country: 'FR', floor: n }),
];

const created: readonly Row[] = [
  ...both(27),
  row('parentEntityId', guid(10)),
  row('orgGroupId', guid(11)),
  row('taskTypeNameKey', 'Issue'),
  row('isActive', false),
  row('resourceId', guid(12)),
  row('resourceTypeNameKey', 'Record'),
  row('moduleSource', 'VENDOR_PORTAL'),
  row('priority', 'high', 'HIGH'),
  row('isRequired', true),
];

const edited: readonly Row[] = [...both(28), row('priority', 'low', 'LOW'), row('isRequired', false)];

/** Values that the platform gives back in another form than typed; it gives back no addresses. */
const comesBackAs: Readonly<Record<string, string>> = {
  description: 'All of it,\nplease. 28',
  'deadline-time': '08:30:05',
  'deadline-zone': 'UTC',
  assigneeEmail: '',
  'collaborators.0.collaboratorEmail': '',
  'collaborators.1.collaboratorEmail': '',
};

const requestOf = (rows: readonly Row[]) =>
  build(rows.map(({ field, member = field, sent }) => [member, sent]));

const product = productOf();
const staff = forSuite(() => enter(product));

/** Fills the form, with as many rows as the table needs, and saves it. */
async function fillAndSave(path: string, rows: readonly Pick<Row, 'typed'>[]): Promise<Answer> {
  let page = await staff.open(path);
  const typed = rows.flatMap((one) => one.typed);
  const add = async (value: string) => staff.submit(page, () => undefined, { name: 'action', value });
  for (const [control] of typed) {
    if (readForm(page.text).has(control)) continue;
    page = await add(control.startsWith('collaborators') ? 'add-collaborator' : 'add-parameter');
  }
  return staff.submit(page, (form) => typed.map(([control, value]) => fillIn(form, control, value)), save);
}

test('the tables have every field of a create, and every field of an update but the status', () => {
  const namesOf = (rows: readonly Row[]) => [...new Set(rows.map(({ field }) => field))].sort();
  assert.deepEqual(namesOf(created), pathsOf('tasks', 'TaskCreateRequest').toSorted());
  const updated = pathsOf('tasks', 'TaskUpdateRequest').filter((path) => path !== 'status');
  assert.deepEqual(namesOf(edited), updated.toSorted());
});

describe('A new task', () => {
  test('a new task is sent with each of its fields, and nothing else', async () => {
    const shown = await fillAndSave('/staff/tasks/new', created);
    const id = taskIdOf(shown);
    const { request } = await storedTask(product, id);
    assert.deepEqual(request, requestOf(created));
    assert.ok(saidOn(shown.text).includes('Review register 27'));
    const found = await staff.open(`/staff/tasks?id=${id.toUpperCase()}`);
    assert.equal(new URL(found.url).pathname, `/staff/tasks/${id}`);
    assert.ok((await staff.open('/staff/tasks')).text.includes(`/staff/tasks/${id}`), 'recently used');
  });

  test('a task that does not exist, or is searched by no id, is not found', async () => {
    assert.equal((await staff.open(`/staff/tasks/${guid(99)}`)).status, 404);
    const page = await staff.open('/staff/tasks?id=no-id');
    assert.equal(page.status, 422);
    assert.ok(page.text.includes('no-id'), 'what was typed is shown again');
  });

  test('the form of a new task offers every value of the contract, and no other', async () => {
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

  const now = () => storedTask(product, home.split('/').at(-1) ?? '');

  before(async () => {
    const typed = least.map((each) => ({ typed: [each] }));
    home = `/staff/tasks/${taskIdOf(await fillAndSave('/staff/tasks/new', typed))}`;
    await fillAndSave(`${home}/edit`, edited);
  });

  test('an edited task is sent with each of its fields, and nothing else', async () =>
    assert.deepEqual((await now()).request, requestOf(edited)));

  test('the form shows a task as it now is, and says what the platform does not give back', async () => {
    const page = await staff.open(`${home}/edit`);
    const form = readForm(page.text);
    for (const [control, value] of edited.flatMap(({ typed }) => typed)) {
      const isKept = control.startsWith('parameters.');
      if (isKept) assert.ok(control.endsWith('.type') || !heldBy(form, control), control);
      else assert.equal(heldBy(form, control), comesBackAs[control] ?? value, control);
    }
    assert.match(saidOn(page.text).join(' '), /does not give back the parameters/);
  });

  test('a task is sent as it is when nothing was typed', async () => {
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
    test(`the form to ${turn} a task sets the status ${status} and changes nothing else`, async () => {
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
});
