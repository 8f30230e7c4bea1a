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

const least = { parentEntityId: guid, taskName: 'Review', orgGroupId: guid, taskTypeNameKey: 'Issue' };
/** A task with the members that are sent in other words; all others are sent unchanged. */
const full = {
  ...least,
  description: undefined,
  priority: 'high',
  collaborators: [
    { id: guid, email: 'one@example.org', type: 'user' },
    { id: undefined, email: undefined, type: 'group' },
  ],
} as TaskCreate;
const collaborators = [
  { collaboratorId: guid, collaboratorEmail: 'one@example.org', type: 'USER' },
  { type: 'GROUP' },
];

describe('a request', () => {
  for (const dataElementsKey of ['dsDataElements', 'DsDataElements'] as const) {
    it(`a consent update validates with ${dataElementsKey}`, async (t) => {
      const options = { dataElementsKey };
      const { platform, server, update: leastUpdate } = await openPlatform(t, { options });
      await platform.updateConsent(singlePageId, anna, update);
      await leastUpdate();
      const [first = '', least] = server.calls.map(({ body }) => body);
      const schema = 'preference-centers#/components/schemas/DataSubjectPreferencesRequestDto';
      assert.equal(schemaFault(schema, JSON.parse(first)), undefined);
      assert.ok(first.includes(`"${dataElementsKey}":{"First Name":"Anna"}`));
      assert.equal(least, '{"Purposes":[]}');
    });
  }

  it('a task is sent in the words of the contract, without undefined members', async (t) => {
    const { platform, server } = await openPlatform(t, { answer: () => ({ body: { id: guid } }) });
    await platform.createTask(full);
    await platform.createTask(least as TaskCreate);
    await platform.updateTask(guid, { taskName: 'Reviewed', status: 'closed' } as TaskUpdate);
    const sent = server.calls.map(({ body }) => JSON.parse(body));
    const edit = { taskName: 'Reviewed', status: 'Closed' };
    assert.deepEqual(sent, [{ ...least, priority: 'HIGH', collaborators }, least, edit]);
    const schemas = ['TaskCreateRequest', 'TaskCreateRequest', 'TaskUpdateRequest'];
    for (const [place, schema] of schemas.entries())
      assert.equal(schemaFault(`tasks#/components/schemas/${schema}`, sent[place]), undefined);
    const path = `/api/task-management/v1/tasks/${guid}?taskTypeNameKey=Issue`;
    assert.equal(server.calls[2]?.path, path);
  });

  it('the identifier is sent in its header only, and no call carries the client secret', async (t) => {
    const { platform, server } = await openPlatform(t, {});
    await platform.readSubject(singlePageId.toUpperCase(), anna);
    await platform.withdrawAll(singlePageId, anna);
    for (const call of server.calls) {
      const path = `/api/consentmanager/v1/preferencecenters/${singlePageId}/datasubjects/preferences`;
      assert.equal(call.path, path);
      assert.equal(call.headers['identifier'], 'anna@example.org');
      assert.equal(call.headers.authorization, 'Bearer token-1');
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
