import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldsOf } from '../contract/fields.ts';
import { forSuite } from '../kit/for-suite.ts';
import { assertRefused, at, listAt, ofEach, openTenant, payload, type Reply, TASKS } from './tenant.ts';

const UUID = '123e4567-e89b-12d3-a456-426614174000';
const OTHER = '223e4567-e89b-12d3-a456-426614174000';
const SEEDED = '323e4567-e89b-12d3-a456-426614174000';
const UNKNOWN = '11111111-1111-4111-8111-111111111111';
const required = { parentEntityId: UUID, taskName: 'Review', orgGroupId: UUID, taskTypeNameKey: 'Issue' };

let time = new Date('2026-05-04T10:00:00Z');

const tenant = forSuite(() =>
  openTenant({
    options: { now: () => time, tokenLife: 31_535_999 },
    files: {
      'tasks/seeded.json': { ...payload('15_task_information'), id: SEEDED },
      'tasks/odd.JSON': { id: 'my-task', taskName: null, status: 7 },
    },
  }),
);

const create = (body: unknown): Promise<Reply> => tenant.call('POST', TASKS, { body });
const path = (id: unknown, query = '?taskTypeNameKey=Issue') => `${TASKS}/${String(id)}${query}`;
const read = (id: unknown): Promise<Reply> => tenant.call('GET', path(id));
const update = (id: unknown, body: unknown): Promise<Reply> => tenant.call('PUT', path(id), { body });

const assignmentsOf = (body: unknown, member: string) => ofEach(body, 'taskAssignmentInformations', member);

describe('creating a task', () => {
  test('a task with only the required members gets the defaults: Open, MEDIUM, active, not required', async () => {
    const reply = await create(required);
    assert.equal(reply.status, 201);
    assert.partialDeepStrictEqual(reply.body, {
      status: 'Open',
      priority: 'MEDIUM',
      isActive: true,
      isRequired: false,
      pastDue: false,
      taskType: { nameKey: 'Issue' },
      Activity: 'REVIEW_ISSUE',
      'Presentation Mode': 'NAVIGATION',
      'Permissions Metadata': { canEdit: true },
    });
    assert.deepEqual((await read(at(reply.body, 'id'))).body, reply.body);
  });

  test('a task with all members is answered with all that an answer can hold', async () => {
    const back = {
      description: 'Long story',
      assigneeId: OTHER,
      isActive: false,
      isRequired: true,
      priority: 'HIGH',
      sourceType: 'RULES',
      sourceId: OTHER,
      moduleSource: 'VENDOR_PORTAL',
    };
    const kept = {
      assigneeEmail: 'mira@example.org',
      resourceId: UUID,
      resourceTypeNameKey: 'Asset',
      context: { parameters: { userId: 12345, isActive: true, nothing: null, metadata: { by: 'admin' } } },
      deadline: '2026-05-06T12:00:00+02:00',
      collaborators: [
        { collaboratorId: UUID, collaboratorEmail: 'tom@example.org', type: 'USER' },
        { collaboratorEmail: 'legal@example.org', type: 'GROUP' },
        { type: 'GROUP' },
      ],
    };
    const { status, body } = await create({ ...required, ...back, ...kept });
    assert.equal(status, 201);
    const expected = { ...back, deadline: '2026-05-06T10:00:00Z', dueDateInfo: { numberOfDays: 2 } };
    assert.partialDeepStrictEqual(body, expected);
    const assigned = listAt(body, 'taskAssignmentInformations');
    assert.equal(assigned.length, 4);
    assert.partialDeepStrictEqual(assigned, [
      { type: 'USER', isCollaborator: false, userInfo: { 'User Name': 'mira@example.org' } },
      { type: 'USER', isCollaborator: true, userInfo: { 'User Name': 'tom@example.org' } },
      { type: 'GROUP', isCollaborator: true, userInfo: { 'User Name': 'legal@example.org' } },
    ]);
  });

  test('the type Issue in any case is an issue; another type has a constant id of its own', async () => {
    const made = async (taskTypeNameKey: string) => (await create({ ...required, taskTypeNameKey })).body;
    for (const given of ['Issue', 'issue'])
      assert.partialDeepStrictEqual(await made(given), {
        taskType: { nameKey: 'Issue', id: '155e0000-0000-4000-8000-000000000001' },
        Activity: 'REVIEW_ISSUE',
      });
    const first = await made('REVIEW_TASK');
    assert.deepEqual(at(await made('REVIEW_TASK'), 'taskType'), at(first, 'taskType'));
    assert.notEqual(at(await made('AUDIT'), 'taskType', 'id'), at(first, 'taskType', 'id'));
    assert.equal(at(first, 'Activity'), 'COMPLETE_TASK');
    assert.match(String(at(first, 'relativeUrl')), /^\/records\//);
  });

  test('the days to the deadline are calendar days, equal in all readings of one day', async () => {
    const before = time;
    time = new Date('2026-05-04T10:00:00.250Z');
    const { body } = await create({ ...required, deadline: '2026-05-06T10:00:00.250Z' });
    assert.equal(at(body, 'dueDateInfo', 'numberOfDays'), 2);
    for (const [now, days] of Object.entries({
      '2026-05-04T10:00:00.251Z': 2,
      '2026-05-04T23:59:59.999Z': 2,
      '2026-05-05T00:00:00Z': 1,
      '2026-05-06T23:00:00Z': 0,
      '2026-05-07T01:00:00Z': 1,
    })) {
      time = new Date(now);
      assert.equal(at((await read(at(body, 'id'))).body, 'dueDateInfo', 'numberOfDays'), days, now);
    }
    time = before;
  });

  test('a deadline without a zone is UTC', async () => {
    const { body } = await create(payload('14_task_create_request'));
    const expected = {
      deadline: '2023-12-31T23:59:59Z',
      pastDue: true,
      taskType: { nameKey: 'REVIEW_TASK' },
    };
    assert.partialDeepStrictEqual(body, expected);
  });
});

describe('the contract of tasks', () => {
  /** Builds a body with a value at a path of the contract; `0` means the first item of a list. */
  const holding = (path: string, value: unknown) => {
    const [member = '', ...rest] = path.split('.');
    const inner = rest.length === 0 ? value : [{ type: 'USER', [rest[1] ?? '']: value }];
    return { ...required, [member]: inner };
  };
  const asked = fieldsOf('tasks', 'TaskCreateRequest').filter(({ path }) => !path.startsWith('context'));
  const refused = async (body: unknown, message: RegExp) => assertRefused(await create(body), message);
  const nameOf = (path: string) => path.replace('.0.', '\\[0\\]\\.');

  test('a task is accepted with the shortest and longest text and each value, and refused with others', async () => {
    let limits = 0;
    for (const { path, least: min, most, values, format, type } of asked) {
      const name = nameOf(path);
      for (const length of [min, most].filter((each) => each !== undefined)) {
        limits += 1;
        assert.equal((await create(holding(path, 'x'.repeat(length)))).status, 201, `${path} of ${length}`);
      }
      if (most !== undefined)
        await refused(holding(path, 'x'.repeat(most + 1)), new RegExp(`${name} must have`));
      if (min === 1) await refused(holding(path, ''), new RegExp(`${name} must have 1 to`));
      for (const value of values ?? []) assert.equal((await create(holding(path, value))).status, 201, value);
      if (values !== undefined) await refused(holding(path, 'x'), new RegExp(`${name} must be one of`));
      if (format === 'uuid') await refused(holding(path, 'x'), new RegExp(`${name} must be a UUID`));
      if (type === 'boolean')
        await refused(holding(path, 'true'), new RegExp(`${name} must be true or false`));
    }
    assert.ok(limits > 10, `${limits} limits`);
  });

  test('a task is refused without a required member, or with a malformed date-time, list or object', async () => {
    for (const member of Object.keys(required))
      await refused({ ...required, [member]: undefined }, new RegExp(`${member} is required`));
    for (const deadline of ['2026-05-06', '2026-02-30T00:00:00Z', '2026-05-06T24:00:00Z', 7])
      await refused({ ...required, deadline }, /deadline must be a date-time/);
    await refused([], /JSON object/);
    await refused({ ...required, taskName: 7 }, /taskName must be a string/);
    await refused({ ...required, collaborators: {} }, /collaborators must be an array/);
    await refused({ ...required, collaborators: [{}] }, /collaborators\[0\]\.type is required/);
    await refused({ ...required, context: { parameters: [] } }, /context\.parameters must be an object/);
    await refused({ ...required, context: { parameters: { a: [] } } }, /parameters\.a must be/);
  });
});

describe('reading a task', () => {
  test('a task of the data folder has the members of its file, by a UUID in any case, even an odd one', async () => {
    const reply = await read(SEEDED.toUpperCase());
    assert.deepEqual(reply.body, { ...payload('15_task_information'), id: SEEDED });
    const odd = await tenant.call('GET', path('my-task'), { unchecked: true });
    assert.deepEqual(odd.body, { id: 'my-task', taskName: null, status: 7 });
  });

  test('a reading requires taskTypeNameKey=Issue, in any case', async () => {
    for (const type of ['Issue', 'issue', 'ISSUE'])
      assert.equal((await tenant.call('GET', path(SEEDED, `?taskTypeNameKey=${type}`))).status, 200);
    for (const query of ['', '?taskTypeNameKey=', '?taskTypeNameKey=Risk'])
      for (const method of ['GET', 'PUT'])
        assertRefused(await tenant.call(method, path(SEEDED, query)), /taskTypeNameKey/);
  });

  test('an unknown task is an empty 404, an id that is no UUID is 400, and a new file is found', async () => {
    for (const reply of [await read(UNKNOWN), await update(UNKNOWN, { taskName: 'x' })])
      assert.deepEqual([reply.status, reply.text], [404, '']);
    assert.equal((await read('nonsense')).status, 400);
    await tenant.write('tasks/late.json', { ...payload('15_task_information'), id: OTHER });
    assert.equal((await read(OTHER)).status, 200);
  });
});

describe('updating a task', () => {
  test('an update closes and reopens a task', async () => {
    const id = at((await create({ ...required, deadline: '2026-05-04T11:00:00Z' })).body, 'id');
    time = new Date('2026-05-05T10:00:00Z');
    assert.equal(at((await read(id)).body, 'pastDue'), true);
    const closed = await update(id, { taskName: 'Done', status: 'Closed' });
    assert.equal(closed.status, 200);
    const at10 = '2026-05-05T10:00:00Z';
    const expected = { status: 'Closed', completionDate: at10, modifiedDT: at10, pastDue: false };
    assert.partialDeepStrictEqual(closed.body, expected);
    const open = await update(id, { taskName: 'Again', status: 'Open' });
    assert.equal(at(open.body, 'status'), 'Open');
    assert.equal(at(open.body, 'completionDate'), undefined);
    assert.deepEqual((await read(id)).body, open.body);
  });

  test('an update changes the given members, keeps the others, and resets priority to MEDIUM', async () => {
    const kept = { ...required, description: 'Keep', assigneeEmail: 'mira@example.org' };
    const created = await create({ ...kept, priority: 'HIGH', isRequired: true });
    const id = at(created.body, 'id');
    const collaborators = [{ collaboratorId: UUID, type: 'USER' }];
    const reply = await update(id, { taskName: 'New name', deadline: '2026-12-24T18:00:00', collaborators });
    assert.partialDeepStrictEqual(reply.body, {
      taskName: 'New name',
      description: 'Keep',
      deadline: '2026-12-24T18:00:00Z',
      isRequired: true,
      priority: 'MEDIUM',
    });
    assert.deepEqual(assignmentsOf(reply.body, 'isCollaborator'), [false, true]);
    const other = await update(id, { taskName: 'New name', assigneeId: OTHER, collaborators: [] });
    assert.deepEqual(assignmentsOf(other.body, 'assigneeId'), [OTHER]);
  });

  test('an assignee named again by the id alone keeps the known name', async () => {
    const collaborators = [{ collaboratorId: OTHER, collaboratorEmail: 'tom@example.org', type: 'USER' }];
    const assignee = { assigneeId: UUID, assigneeEmail: 'mira@example.org' };
    const created = await create({ ...required, ...assignee, collaborators });
    const names = (body: unknown) => assignmentsOf(body, 'userInfo').map((user) => at(user, 'User Name'));
    const named = (type: string) => [{ collaboratorId: OTHER, type }];
    const again = { taskName: 'x', assigneeId: UUID, collaborators: named('USER') };
    const reply = await update(at(created.body, 'id'), again);
    assert.deepEqual(names(reply.body), ['mira@example.org', 'tom@example.org']);
    const other = await update(at(created.body, 'id'), { ...again, collaborators: named('GROUP') });
    assert.deepEqual(names(other.body), ['mira@example.org', `Group ${OTHER.slice(0, 8)}`]);
  });

  test('an update is kept over a restart, also of a task of the data folder', async () => {
    const made = at((await create(required)).body, 'id');
    await update(SEEDED, { taskName: 'Renamed' });
    await tenant.restart();
    assert.equal(at((await read(SEEDED)).body, 'taskName'), 'Renamed');
    assert.equal((await read(made)).status, 200);
  });

  test('an update that breaks the contract is refused', async () => {
    assertRefused(await update(SEEDED, {}), /taskName is required/);
    assertRefused(await update(SEEDED, { taskName: 'x'.repeat(513) }), /taskName/);
    const closed = { taskName: 'x', status: 'closed' };
    assertRefused(await update(SEEDED, closed), /status must be one of Open, Closed/);
  });
});

describe('the name in an answer', () => {
  test('a long name is never cut within a character, and an empty name is replaced, with a note', async () => {
    const long = await create({ ...required, taskName: `${'n'.repeat(254)}😀 and more` });
    assert.equal(at(long.body, 'taskName'), 'n'.repeat(254));
    const { body, headers } = await create({ ...required, taskName: '' });
    assert.equal(at(body, 'taskName'), '(no name)');
    assert.equal(headers['x-sandbox-note'], 'taskName is empty and answered as (no name)');
    const renamed = await update(at(body, 'id'), { taskName: 'n'.repeat(255) });
    assert.equal(renamed.headers['x-sandbox-note'], undefined);
  });

  test('a name of 512 characters is answered with 255 characters, and stored whole', async () => {
    const name = 'n'.repeat(512);
    const { body, headers } = await create({ ...required, taskName: name });
    assert.equal(String(at(body, 'taskName')).length, 255);
    const note = 'taskName has 512 characters and is cut to 255';
    assert.equal(headers['x-sandbox-note'], note);
    assert.equal((await read(at(body, 'id'))).headers['x-sandbox-note'], note);
    const kept = ofEach((await tenant.call('GET', '/_sandbox/tasks')).body, 'task');
    const whole = kept.find((each) => at(each, 'id') === at(body, 'id'));
    assert.equal(at(whole, 'taskName'), name);
  });
});
