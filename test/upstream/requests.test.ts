import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TaskCreate, TaskUpdate } from '../../src/core/model/staff/task.ts';
import type { ConsentUpdate } from '../../src/core/model/submission/consent-update.ts';
import { schemaFault } from '../contract/documents.ts';
import { singlePageId } from './recorded.ts';
import { anna, openPlatform, platformAt, secretText, startScripted } from './scripted-platform.ts';

const guid = '123e4567-e89b-12d3-a456-426614174000';
const update: ConsentUpdate = {
  purposes: [
    { id: guid, topics: [guid], preferences: [{ id: guid, options: [guid] }] },
    { id: singlePageId, topics: [], preferences: [] },
  ],
  dataElements: { 'First Name': 'Anna' },
  language: 'fr-CA',
};

const create: TaskCreate = {
  parentEntityId: guid,
  taskName: 'Review',
  orgGroupId: guid,
  taskTypeNameKey: 'Issue',
  description: 'All of it',
  assigneeId: guid,
  assigneeEmail: 'staff@example.org',
  collaborators: [
    { id: guid, email: 'one@example.org', type: 'user' },
    { id: undefined, email: undefined, type: 'group' },
  ],
  deadline: '2027-01-31T12:00:00Z',
  context: { parameters: { origin: { system: 'crm' } } },
  isActive: true,
  sourceType: 'RULES',
  sourceId: guid,
  resourceId: guid,
  resourceTypeNameKey: 'Resource',
  moduleSource: 'ISSUE',
  priority: 'high',
  isRequired: false,
};

const change: TaskUpdate = {
  taskName: 'Reviewed',
  description: '',
  assigneeId: guid,
  assigneeEmail: 'staff@example.org',
  collaborators: [{ id: guid, email: undefined, type: 'group' }],
  deadline: '2027-01-31T12:00:00Z',
  status: 'closed',
  context: { parameters: {} },
  priority: 'low',
  isRequired: true,
  sourceType: 'RULES',
  sourceId: guid,
};

function assertValid(schema: string, body: string): void {
  assert.equal(schemaFault(schema, JSON.parse(body)), undefined);
}

describe('what is sent', () => {
  for (const dataElementsKey of ['dsDataElements', 'DsDataElements'] as const) {
    it(`a consent update validates with ${dataElementsKey}`, async (t) => {
      const options = { dataElementsKey };
      const { platform, server, update: leastUpdate } = await openPlatform(t, { options });
      await platform.updateConsent(singlePageId, anna, update);
      await leastUpdate();
      const [first = '', least] = server.calls.map(({ body }) => body);
      assertValid('preference-centers#/components/schemas/DataSubjectPreferencesRequestDto', first);
      assert.ok(first.includes(`"${dataElementsKey}":{"First Name":"Anna"}`));
      assert.equal(least, '{"Purposes":[]}');
    });
  }

  it('task bodies validate, with every field and with the required ones alone', async (t) => {
    const { platform, server } = await openPlatform(t, { answer: () => ({ body: { id: guid } }) });
    await platform.createTask(create);
    const needed = new Set(['parentEntityId', 'taskName', 'orgGroupId', 'taskTypeNameKey']);
    const emptied = Object.entries(create).map(([key, value]) => [key, needed.has(key) ? value : undefined]);
    await platform.createTask(Object.fromEntries(emptied));
    await platform.updateTask(guid, change);
    const [full = '', least = '', edit = ''] = server.calls.map(({ body }) => body);
    for (const body of [full, least]) assertValid('tasks#/components/schemas/TaskCreateRequest', body);
    assertValid('tasks#/components/schemas/TaskUpdateRequest', edit);
    assert.deepEqual(Object.keys(JSON.parse(full)).sort(), Object.keys(create).sort());
    assert.equal(Object.keys(JSON.parse(least)).length, 4);
    assert.equal(JSON.parse(edit).status, 'Closed');
    const path = `/api/task-management/v1/tasks/${guid}?taskTypeNameKey=Issue`;
    assert.equal(server.calls[2]?.path, path);
  });

  it('the identifier goes in its header only, and no call carries the client secret', async (t) => {
    const { platform, server } = await openPlatform(t, {});
    await platform.readSubject(singlePageId.toUpperCase(), anna);
    await platform.withdrawAll(singlePageId, anna);
    for (const call of server.calls) {
      assert.equal(call.headers['identifier'], 'anna@example.org');
      assert.equal(call.headers.authorization, 'Bearer token-1');
      assert.equal(
        call.path,
        `/api/consentmanager/v1/preferencecenters/${singlePageId}/datasubjects/preferences`,
      );
      assert.equal(JSON.stringify(call).includes(secretText), false);
    }
    const sent = server.calls.map(({ method, body }) => `${method}${body}`);
    assert.deepEqual(sent, ['GET', 'DELETE']);
  });

  it('a path in the platform’s address is kept', async () => {
    const server = await startScripted(() => ({ body: { content: [], last: true } }));
    const platform = platformAt(`${server.url}/tenant/`);
    await platform.listCenters();
    assert.equal(server.calls[0]?.path, '/tenant/api/consentmanager/v2/preferencecenters?page=0&size=100');
    assert.equal(server.tokenCalls[0]?.path, '/tenant/api/access/v1/oauth/token');
    await platform.close();
    await server.close();
  });
});
