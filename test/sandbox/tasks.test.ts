import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { at, listAt, openTenant, type Reply, TASKS } from './tenant.ts';

const payload = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../payloads/${name}.json`), 'utf8'));
const contract = JSON.parse(
  readFileSync(join(import.meta.dirname, '../contract/tasks.json'), 'utf8'),
) as unknown;

const UUID = '123e4567-e89b-12d3-a456-426614174000';
const OTHER = '223e4567-e89b-12d3-a456-426614174000';
const SEEDED = '323e4567-e89b-12d3-a456-426614174000';
const UNKNOWN = '11111111-1111-4111-8111-111111111111';
const least = { parentEntityId: UUID, taskName: 'Look into it', orgGroupId: UUID, taskTypeNameKey: 'Issue' };

let time = new Date('2026-05-04T10:00:00Z');

const tenant = forSuite(() =>
  openTenant({
    options: { now: () => time, tokenLife: 31_535_999 },
    files: {
      'tasks/seeded.json': { ...payload('15_task_information'), id: SEEDED },
      'tasks/odd.json': { id: 'my-task', taskName: null, status: 7 },
    },
  }),
);

const create = (body: unknown): Promise<Reply> => tenant.call('POST', TASKS, { body });
const path = (id: unknown, query = '?taskTypeNameKey=Issue') => `${TASKS}/${String(id)}${query}`;
const read = (id: unknown): Promise<Reply> => tenant.call('GET', path(id));
const update = (id: unknown, body: unknown): Promise<Reply> => tenant.call('PUT', path(id), { body });
const without = (body: Record<string, unknown>, member: string) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== member));
const enumOf = (schema: string, member: string) =>
  listAt(contract, 'components', 'schemas', schema, 'properties', member, 'enum').map(String);

describe('creating a task', () => {
  test('with the least answers 201 with the defaults: Open, MEDIUM, active, not required', async () => {
    const reply = await create(least);
    assert.equal(reply.status, 201);
    const defaults = {
      status: 'Open',
      priority: 'MEDIUM',
      isActive: true,
      isRequired: false,
      pastDue: false,
    };
    for (const [member, value] of Object.entries(defaults))
      assert.equal(at(reply.body, member), value, member);
    assert.equal(at(reply.body, 'taskType', 'nameKey'), 'Issue');
    assert.equal(at(reply.body, 'Presentation Mode'), 'NAVIGATION');
    assert.equal(at(reply.body, 'Activity'), 'REVIEW_ISSUE');
    assert.equal(at(reply.body, 'Permissions Metadata', 'canEdit'), true);
    assert.deepEqual((await read(at(reply.body, 'id'))).body, reply.body);
  });

  test('with everything gives everything back, and keeps the rest of the request', async () => {
    const body = {
      ...least,
      description: 'Long story',
      assigneeId: OTHER,
      assigneeEmail: 'mira@example.org',
      collaborators: [
        { collaboratorId: UUID, collaboratorEmail: 'tom@example.org', type: 'USER' },
        { collaboratorEmail: 'legal@example.org', type: 'GROUP' },
        { type: 'GROUP' },
      ],
      deadline: '2026-05-06T12:00:00+02:00',
      context: {
        parameters: { userId: 12345, isActive: true, nothing: null, metadata: { createdBy: 'admin' } },
      },
      isActive: false,
      sourceType: 'RULES',
      sourceId: OTHER,
      resourceId: UUID,
      resourceTypeNameKey: 'Asset',
      moduleSource: 'VENDOR_PORTAL',
      priority: 'HIGH',
      isRequired: true,
    };
    const reply = await create(body);
    assert.equal(reply.status, 201);
    const expected = {
      parentEntityId: UUID,
      taskName: 'Look into it',
      description: 'Long story',
      orgGroupId: UUID,
      assigneeId: OTHER,
      deadline: '2026-05-06T10:00:00Z',
      isActive: false,
      sourceType: 'RULES',
      sourceId: OTHER,
      moduleSource: 'VENDOR_PORTAL',
      priority: 'HIGH',
      isRequired: true,
    };
    for (const [member, value] of Object.entries(expected))
      assert.equal(at(reply.body, member), value, member);
    assert.equal(at(reply.body, 'dueDateInfo', 'numberOfDays'), 2);
    const assignments = listAt(reply.body, 'taskAssignmentInformations');
    assert.deepEqual(
      assignments.map((item) => [
        at(item, 'type'),
        at(item, 'isCollaborator'),
        at(item, 'userInfo', 'User Name'),
      ]),
      [
        ['USER', false, 'mira@example.org'],
        ['USER', true, 'tom@example.org'],
        ['GROUP', true, 'legal@example.org'],
        ['GROUP', true, at(assignments[3], 'userInfo', 'User Name With Attributes')],
      ],
    );
    const kept = listAt((await tenant.call('GET', '/_sandbox/tasks')).body).find(
      (item) => at(item, 'task', 'id') === at(reply.body, 'id'),
    );
    assert.deepEqual(at(kept, 'request'), body);
  });

  for (const given of ['Issue', 'issue', 'ISSUE']) {
    test(`of the type ${given} is an issue, always of one type`, async () => {
      const { body } = await create({ ...least, taskTypeNameKey: given });
      assert.deepEqual(
        [at(body, 'taskType', 'nameKey'), at(body, 'taskType', 'id'), at(body, 'Activity')],
        ['Issue', '155e0000-0000-4000-8000-000000000001', 'REVIEW_ISSUE'],
      );
    });
  }

  test('of another type has a type of its own, the same each time, and is no issue', async () => {
    const made = async (taskTypeNameKey: string) => (await create({ ...least, taskTypeNameKey })).body;
    const [first, again, other] = [await made('REVIEW_TASK'), await made('REVIEW_TASK'), await made('AUDIT')];
    assert.deepEqual(at(first, 'taskType'), at(again, 'taskType'));
    assert.notEqual(at(first, 'taskType', 'id'), at(other, 'taskType', 'id'));
    assert.notEqual(at(first, 'taskType', 'id'), '155e0000-0000-4000-8000-000000000001');
    assert.equal(at(first, 'Activity'), 'COMPLETE_TASK');
    assert.match(String(at(first, 'relativeUrl')), /^\/records\//);
  });

  test('counts the days to its deadline by the calendar, alike in every read of a day', async () => {
    const before = time;
    time = new Date('2026-05-04T10:00:00.250Z');
    const { body } = await create({ ...least, deadline: '2026-05-06T10:00:00.250Z' });
    const days = async (now: string) => {
      time = new Date(now);
      return at((await read(at(body, 'id'))).body, 'dueDateInfo', 'numberOfDays');
    };
    assert.equal(at(body, 'dueDateInfo', 'numberOfDays'), 2);
    assert.equal(await days('2026-05-04T10:00:00.251Z'), 2);
    assert.equal(await days('2026-05-04T23:59:59.999Z'), 2);
    assert.equal(await days('2026-05-05T00:00:00Z'), 1);
    assert.equal(await days('2026-05-06T23:00:00Z'), 0);
    assert.equal(await days('2026-05-07T01:00:00Z'), 1);
    time = before;
  });

  test('reads a deadline without a zone as UTC', async () => {
    const reply = await create({ ...payload('14_task_create_request') });
    assert.equal(at(reply.body, 'deadline'), '2023-12-31T23:59:59Z');
    assert.equal(at(reply.body, 'pastDue'), true);
    assert.equal(at(reply.body, 'taskType', 'nameKey'), 'REVIEW_TASK');
  });

  const lengths: [member: string, min: number, max: number][] = [
    ['taskName', 0, 512],
    ['description', 0, 2000],
    ['assigneeEmail', 0, 255],
    ['sourceType', 0, 16],
    ['taskTypeNameKey', 1, 100],
    ['resourceTypeNameKey', 1, 100],
  ];
  for (const [member, min, max] of lengths) {
    test(`takes ${member} of ${min} and of ${max} characters, not one past either`, async () => {
      for (const length of [min, max]) {
        assert.equal((await create({ ...least, [member]: 'x'.repeat(length) })).status, 201, String(length));
      }
      for (const length of [min - 1, max + 1].filter((each) => each >= 0)) {
        const reply = await create({ ...least, [member]: 'x'.repeat(length) });
        assert.equal(reply.status, 400);
        assert.match(
          String(at(reply.body, 'message')),
          new RegExp(`${member} must have ${min} to ${max} characters`),
        );
      }
    });
  }

  test('takes a collaborator’s e-mail of 255 characters, not of 256', async () => {
    const ask = (length: number) =>
      create({ ...least, collaborators: [{ type: 'USER', collaboratorEmail: 'x'.repeat(length) }] });
    assert.equal((await ask(255)).status, 201);
    assert.match(String(at((await ask(256)).body, 'message')), /collaborators\[0\]\.collaboratorEmail/);
  });

  test('takes every value of each enumeration', async () => {
    for (const moduleSource of enumOf('TaskCreateRequest', 'moduleSource')) {
      assert.equal(at((await create({ ...least, moduleSource })).body, 'moduleSource'), moduleSource);
    }
    for (const priority of enumOf('TaskCreateRequest', 'priority')) {
      assert.equal(at((await create({ ...least, priority })).body, 'priority'), priority);
    }
  });

  const bad: [string, unknown, RegExp][] = [
    ['no object', [], /JSON object/],
    ...Object.keys(least).map((member): [string, unknown, RegExp] => [
      `no ${member}`,
      without(least, member),
      new RegExp(`${member} is required`),
    ]),
    ...['parentEntityId', 'orgGroupId', 'assigneeId', 'sourceId', 'resourceId'].map(
      (member): [string, unknown, RegExp] => [
        `a ${member} that is no UUID`,
        { ...least, [member]: 'x' },
        new RegExp(`${member} must be a UUID`),
      ],
    ),
    ['a name that is no string', { ...least, taskName: 7 }, /taskName must be a string/],
    ['an unknown priority', { ...least, priority: 'high' }, /priority must be one of LOW, MEDIUM, HIGH/],
    ['an unknown module', { ...least, moduleSource: 'OTHER' }, /moduleSource must be one of/],
    ['a flag that is none', { ...least, isActive: 'true' }, /isActive must be true or false/],
    ['a required that is no flag', { ...least, isRequired: 1 }, /isRequired must be true or false/],
    ...['2026-05-06', 'soon', '2026-02-30T00:00:00Z', '2026-05-06T24:00:00Z', '2026-05-06T10:00Z', 7].map(
      (deadline): [string, unknown, RegExp] => [
        `the deadline ${deadline}`,
        { ...least, deadline },
        /deadline must be a date-time/,
      ],
    ),
    ['collaborators that are no array', { ...least, collaborators: {} }, /collaborators must be an array/],
    [
      'a collaborator without type',
      { ...least, collaborators: [{}] },
      /collaborators\[0\]\.type is required/,
    ],
    [
      'a collaborator of another type',
      { ...least, collaborators: [{ type: 'ROLE' }] },
      /type must be one of USER, GROUP/,
    ],
    ['a context that is no object', { ...least, context: 'x' }, /context must be an object/],
    [
      'parameters that are no object',
      { ...least, context: { parameters: [] } },
      /context\.parameters must be an object/,
    ],
    [
      'a parameter that is an array',
      { ...least, context: { parameters: { a: [] } } },
      /parameters\.a must be/,
    ],
  ];
  for (const [name, body, message] of bad) {
    test(`refuses ${name} with a message`, async () => {
      const reply = await create(body);
      assert.equal(reply.status, 400);
      assert.match(String(at(reply.body, 'message')), message);
    });
  }
});

describe('reading a task', () => {
  test('gives a seeded one as its file has it, by a UUID in any case', async () => {
    const reply = await read(SEEDED.toUpperCase());
    assert.deepEqual(reply.body, { ...payload('15_task_information'), id: SEEDED });
  });

  test('gives an odd one as it is', async () => {
    const reply = await fetch(tenant.url + path('my-task'), {
      headers: { authorization: `Bearer ${tenant.token}` },
    });
    assert.deepEqual(await reply.json(), { id: 'my-task', taskName: null, status: 7 });
  });

  test('wants taskTypeNameKey=Issue, in any case', async () => {
    for (const query of ['?taskTypeNameKey=Issue', '?taskTypeNameKey=issue', '?taskTypeNameKey=ISSUE']) {
      assert.equal((await tenant.call('GET', path(SEEDED, query))).status, 200);
    }
    for (const query of ['', '?taskTypeNameKey=', '?taskTypeNameKey=Risk']) {
      for (const method of ['GET', 'PUT']) {
        const reply = await tenant.call(
          method,
          path(SEEDED, query),
          method === 'PUT' ? { body: { taskName: 'x' } } : {},
        );
        assert.equal(reply.status, 400);
        assert.match(String(at(reply.body, 'message')), /taskTypeNameKey/);
      }
    }
  });

  test('is 404 without a body when unknown, 400 when no UUID', async () => {
    for (const reply of [await read(UNKNOWN), await update(UNKNOWN, { taskName: 'x' })]) {
      assert.equal(reply.status, 404);
      assert.equal(reply.text, '');
    }
    assert.equal((await read('nonsense')).status, 400);
  });

  test('finds a file that was added since', async () => {
    await tenant.write('tasks/late.json', { ...payload('15_task_information'), id: OTHER });
    assert.equal((await read(OTHER)).status, 200);
  });
});

describe('updating a task', () => {
  test('closes and reopens it', async () => {
    const id = at((await create({ ...least, deadline: '2026-05-04T11:00:00Z' })).body, 'id');
    time = new Date('2026-05-05T10:00:00Z');
    assert.equal(at((await read(id)).body, 'pastDue'), true);
    const closed = await update(id, { taskName: 'Done', status: 'Closed' });
    assert.equal(closed.status, 200);
    assert.equal(at(closed.body, 'status'), 'Closed');
    assert.equal(at(closed.body, 'completionDate'), '2026-05-05T10:00:00Z');
    assert.equal(at(closed.body, 'modifiedDT'), '2026-05-05T10:00:00Z');
    assert.equal(at(closed.body, 'pastDue'), false);
    const open = await update(id, { taskName: 'Again', status: 'Open' });
    assert.equal(at(open.body, 'status'), 'Open');
    assert.equal(at(open.body, 'completionDate'), undefined);
    assert.deepEqual((await read(id)).body, open.body);
  });

  test('changes what was given, keeps the rest, and puts priority back to MEDIUM', async () => {
    const id = at(
      (
        await create({
          ...least,
          description: 'Keep',
          assigneeEmail: 'mira@example.org',
          priority: 'HIGH',
          isRequired: true,
        })
      ).body,
      'id',
    );
    const body = {
      taskName: 'New name',
      deadline: '2026-12-24T18:00:00',
      collaborators: [{ collaboratorId: UUID, type: 'USER' }],
      sourceType: 'x'.repeat(16),
      sourceId: OTHER,
      context: { parameters: { a: 'b' } },
    };
    const reply = await update(id, body);
    assert.equal(at(reply.body, 'taskName'), 'New name');
    assert.equal(at(reply.body, 'description'), 'Keep');
    assert.equal(at(reply.body, 'deadline'), '2026-12-24T18:00:00Z');
    assert.equal(at(reply.body, 'isRequired'), true);
    assert.equal(at(reply.body, 'priority'), 'MEDIUM');
    assert.deepEqual(
      listAt(reply.body, 'taskAssignmentInformations').map((item) => at(item, 'isCollaborator')),
      [false, true],
    );
    const other = await update(id, { taskName: 'New name', assigneeId: OTHER, collaborators: [] });
    assert.deepEqual(
      listAt(other.body, 'taskAssignmentInformations').map((item) => at(item, 'assigneeId')),
      [OTHER],
    );
  });

  test('keeps the name of someone who is named again by the id alone', async () => {
    const known = { collaboratorId: OTHER, collaboratorEmail: 'tom@example.org', type: 'USER' };
    const created = await create({
      ...least,
      assigneeId: UUID,
      assigneeEmail: 'mira@example.org',
      collaborators: [known],
    });
    const names = (body: unknown) =>
      listAt(body, 'taskAssignmentInformations').map((item) => at(item, 'userInfo', 'User Name'));
    const again = {
      taskName: 'x',
      assigneeId: UUID,
      collaborators: [{ collaboratorId: OTHER, type: 'USER' }],
    };
    const reply = await update(at(created.body, 'id'), again);
    assert.deepEqual(names(reply.body), ['mira@example.org', 'tom@example.org']);
    const group = { ...again, collaborators: [{ collaboratorId: OTHER, type: 'GROUP' }] };
    const other = await update(at(created.body, 'id'), group);
    assert.deepEqual(names(other.body), ['mira@example.org', `Group ${OTHER.slice(0, 8)}`]);
  });

  test('is kept across a restart, a seeded one too', async () => {
    const made = at((await create(least)).body, 'id');
    await update(SEEDED, { taskName: 'Renamed' });
    await tenant.restart();
    assert.equal(at((await read(SEEDED)).body, 'taskName'), 'Renamed');
    assert.equal((await read(made)).status, 200);
  });

  const bad: [unknown, RegExp][] = [
    [{}, /taskName is required/],
    [{ taskName: 'x'.repeat(513) }, /taskName/],
    [{ taskName: 'x', description: 'x'.repeat(2001) }, /description/],
    [{ taskName: 'x', assigneeEmail: 'x'.repeat(256) }, /assigneeEmail/],
    [{ taskName: 'x', sourceType: 'x'.repeat(17) }, /sourceType/],
    [{ taskName: 'x', status: 'closed' }, /status must be one of Open, Closed/],
    [{ taskName: 'x', priority: '' }, /priority/],
  ];
  for (const [body, message] of bad) {
    test(`refuses ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const reply = await update(SEEDED, body);
      assert.equal(reply.status, 400);
      assert.match(String(at(reply.body, 'message')), message);
    });
  }

  test('cuts no character of a long name in two', async () => {
    const { body } = await create({ ...least, taskName: `${'n'.repeat(254)}😀 and more` });
    assert.equal(at(body, 'taskName'), 'n'.repeat(254));
  });

  test('answers an empty name by other words, and says so; a name that fits needs no note', async () => {
    const { body, headers } = await create({ ...least, taskName: '' });
    assert.equal(at(body, 'taskName'), '(no name)');
    assert.equal(headers['x-sandbox-note'], 'taskName is empty and answered as (no name)');
    const renamed = await update(at(body, 'id'), { taskName: 'n'.repeat(255) });
    assert.equal(renamed.headers['x-sandbox-note'], undefined);
  });

  test('answers a name of 512 characters within the 255 of an answer, and keeps it whole', async () => {
    const name = 'n'.repeat(512);
    const { body, headers } = await create({ ...least, taskName: name });
    assert.equal(String(at(body, 'taskName')).length, 255);
    const note = 'taskName has 512 characters and is cut to 255';
    assert.equal(headers['x-sandbox-note'], note);
    assert.equal((await read(at(body, 'id'))).headers['x-sandbox-note'], note);
    const kept = listAt((await tenant.call('GET', '/_sandbox/tasks')).body).find(
      (item) => at(item, 'task', 'id') === at(body, 'id'),
    );
    assert.equal(at(kept, 'task', 'taskName'), name);
  });
});
