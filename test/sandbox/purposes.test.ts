import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { at, listAt, openTenant, subjectPath, type Tenant } from './tenant.ts';

const payload = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../payloads/${name}.json`), 'utf8'));
const PURPOSES = '/api/consentmanager/v1/purposes';
const PREFERENCES = '/api/consentmanager/v1/custompreferences';
const CENTER = 'b00c5000-0000-4000-8000-000000000001';

let tenant: Tenant;

before(async () => {
  tenant = await openTenant({ demo: true, options: { now: () => new Date('2023-01-15T10:52:30.974Z') } });
});
after(() => tenant.close());

describe('POST of a purpose', () => {
  test('answers 200 with a DRAFT of version 1 whose descriptions are paragraphs', async () => {
    const reply = await tenant.call('POST', PURPOSES, { body: payload('16_purpose_create_request') });
    assert.equal(reply.status, 200);
    assert.deepEqual({ ...payload('17_purpose_create_response'), Id: at(reply.body, 'Id') }, reply.body);
  });

  test('makes a purpose that a PUT knows, also after a restart', async () => {
    const { body } = await tenant.call('POST', PURPOSES, {
      body: { Name: 'Made', Description: '<p>Done</p>' },
    });
    assert.equal(at(body, 'Description'), '<p>Done</p>');
    await tenant.restart();
    const put = { identifier: 'made@example.org', body: { Purposes: [{ Id: at(body, 'Id') }] } };
    const reply = await tenant.call('PUT', subjectPath(CENTER), put);
    assert.equal(at(reply.body, 'Purposes', 0, 'Status'), true);
    const subject = await tenant.call('GET', subjectPath(CENTER), { identifier: 'made@example.org' });
    assert.equal(at(subject.body, 'Purposes', 0, 'Label'), 'Made');
  });

  const bad: [unknown, RegExp][] = [
    [[], /JSON object/],
    [{}, /Name is required/],
    [{ Name: ' ' }, /Name is required/],
    [{ Name: 7 }, /Name must be a string/],
    [{ Name: 'x', Type: 'OTHER' }, /Type must be one of/],
    [{ Name: 'x', ConsentLifeSpan: -1 }, /ConsentLifeSpan/],
    [{ Name: 'x', Languages: [{ Name: 'y' }] }, /Languages\[0\]\.Language is required/],
    [{ Name: 'x', Languages: 'en' }, /Languages must be an array/],
    [{ Name: 'x', CustomPreferenceIds: [7] }, /CustomPreferenceIds must be an array of strings/],
  ];
  for (const [body, message] of bad) {
    test(`refuses ${JSON.stringify(body)}`, async () => {
      const reply = await tenant.call('POST', PURPOSES, { body });
      assert.equal(reply.status, 400);
      assert.match(String(at(reply.body, 'message')), message);
    });
  }
});

describe('POST of a custom preference', () => {
  test('takes Options as strings and answers them with ids, in order', async () => {
    const reply = await tenant.call('POST', PREFERENCES, {
      body: payload('18_custompreference_create_request'),
    });
    assert.equal(reply.status, 200);
    const sample = payload('19_custompreference_create_response');
    const options = listAt(reply.body, 'Options');
    assert.deepEqual(
      options.map((option) => [at(option, 'Label'), at(option, 'Order'), at(option, 'CanDelete')]),
      [
        ['Daily', 0, true],
        ['Weekly', 1, true],
        ['Monthly', 2, true],
        ['Never', 3, true],
      ],
    );
    assert.deepEqual(
      { ...(reply.body as object), Id: '', Options: [], Languages: [] },
      { ...sample, Id: '', Options: [], Languages: [] },
    );
    assert.equal(at(reply.body, 'Languages', 0, 'Options', 0, 'Id'), at(options[0], 'Id'));
  });

  test('can be linked to a purpose', async () => {
    const { body } = await tenant.call('POST', PREFERENCES, { body: { Name: 'Size', Options: ['S', 'M'] } });
    const made = await tenant.call('POST', PURPOSES, {
      body: { Name: 'Shirts', CustomPreferenceIds: [at(body, 'Id')] },
    });
    assert.equal(at(made.body, 'CustomPreferences', 0, 'Options', 1, 'Label'), 'M');
  });

  const bad: [unknown, RegExp][] = [
    [{ Options: ['a'] }, /Name is required/],
    [{ Name: 'x' }, /Options must hold/],
    [{ Name: 'x', Options: [] }, /Options must hold/],
    [{ Name: 'x', Options: [{ Label: 'a' }] }, /Options must be an array of strings/],
    [{ Name: 'x', Options: ['a'], SelectionType: 'ANY' }, /SelectionType/],
    [{ Name: 'x', Options: ['a'], DisplayAs: 'SLIDER' }, /DisplayAs/],
    [{ Name: 'x', Options: ['a'], Required: 'yes' }, /Required must be true or false/],
  ];
  for (const [body, message] of bad) {
    test(`refuses ${JSON.stringify(body)}`, async () => {
      const reply = await tenant.call('POST', PREFERENCES, { body });
      assert.equal(reply.status, 400);
      assert.match(String(at(reply.body, 'message')), message);
    });
  }
});
