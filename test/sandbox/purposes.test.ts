import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { at, listAt, openTenant, subjectPath } from './tenant.ts';

const payload = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../payloads/${name}.json`), 'utf8'));
const PURPOSES = '/api/consentmanager/v1/purposes';
const PREFERENCES = '/api/consentmanager/v1/custompreferences';
const CENTER = 'b00c5000-0000-4000-8000-000000000001';

const purpose = { Name: 'Made', Description: '<p>Done</p>', ConsentLifeSpan: 0 };
const preference = {
  Name: 'Size',
  Description: 'Of shirts',
  SelectionType: 'MULTI_CHOICE',
  DisplayAs: 'BUTTONS',
  Language: 'en-us',
  Options: ['S', 'M'],
};

const tenant = forSuite(() =>
  openTenant({ demo: true, options: { now: () => new Date('2023-01-15T10:52:30.974Z') } }),
);

describe('POST of a purpose', () => {
  test('answers 200 with a DRAFT of version 1 whose descriptions are paragraphs', async () => {
    const reply = await tenant.call('POST', PURPOSES, { body: payload('16_purpose_create_request') });
    assert.equal(reply.status, 200);
    assert.deepEqual({ ...payload('17_purpose_create_response'), Id: at(reply.body, 'Id') }, reply.body);
  });

  test('makes a purpose that a PUT knows, also after a restart, and refuses while it is a DRAFT', async () => {
    const { body } = await tenant.call('POST', PURPOSES, { body: purpose });
    assert.equal(at(body, 'Description'), '<p>Done</p>');
    await tenant.restart();
    const put = { identifier: 'made@example.org', body: { Purposes: [{ Id: at(body, 'Id') }] } };
    const reply = await tenant.call('PUT', subjectPath(CENTER), put);
    assert.equal(at(reply.body, 'Purposes', 0, 'Status'), false);
    assert.deepEqual(at(reply.body, 'Purposes', 0, 'Messages'), ['Purpose is DRAFT']);
    const subject = await tenant.call('GET', subjectPath(CENTER), { identifier: 'made@example.org' });
    assert.deepEqual(at(subject.body, 'Purposes'), []);
  });

  test('takes numbers and flags as strings, and means them', async () => {
    const languages = [
      { Language: 'en-us', Name: 'A', Default: 'true' },
      { Language: 'fr', Name: 'B', Default: 'False' },
    ];
    const { status, body } = await tenant.call('POST', PURPOSES, {
      body: { ...purpose, ConsentLifeSpan: '3600', Languages: languages },
    });
    assert.equal(status, 200);
    assert.equal(at(body, 'ConsentLifeSpan'), 3600);
    assert.deepEqual(
      listAt(body, 'Languages').map((language) => at(language, 'Default')),
      [true, false],
    );
  });

  const bad: [unknown, RegExp][] = [
    [[], /JSON object/],
    [{}, /Name is required/],
    [{ Name: ' ' }, /Name is required/],
    [{ Name: 7 }, /Name must be a string/],
    [{ Name: 'x' }, /Description is required/],
    [{ Name: 'x', Description: '' }, /ConsentLifeSpan is required/],
    [{ ...purpose, Type: 'OTHER' }, /Type must be one of/],
    [{ ...purpose, ConsentLifeSpan: -1 }, /ConsentLifeSpan/],
    [{ ...purpose, ConsentLifeSpan: '1 day' }, /ConsentLifeSpan/],
    [{ ...purpose, ConsentLifeSpan: '' }, /ConsentLifeSpan/],
    [{ ...purpose, Languages: [{ Name: 'y' }] }, /Languages\[0\]\.Language is required/],
    [{ ...purpose, Languages: [{ Name: 'y', Language: 'en', Default: 'yes' }] }, /Languages\[0\]\.Default/],
    [{ ...purpose, Languages: 'en' }, /Languages must be an array/],
    [{ ...purpose, CustomPreferenceIds: [7] }, /CustomPreferenceIds\[0\] must be a string/],
    [{ ...purpose, CustomPreferenceIds: ['x'] }, /CustomPreferenceIds\[0\] must be a UUID/],
  ];
  for (const [body, message] of bad) {
    test(`refuses ${JSON.stringify(body).slice(0, 120)} for ${message.source}`, async () => {
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
    const { body } = await tenant.call('POST', PREFERENCES, { body: { ...preference, Required: 'true' } });
    const made = await tenant.call('POST', PURPOSES, {
      body: { ...purpose, CustomPreferenceIds: [at(body, 'Id')] },
    });
    assert.equal(at(made.body, 'CustomPreferences', 0, 'Required'), true);
    assert.equal(at(made.body, 'CustomPreferences', 0, 'Options', 1, 'Label'), 'M');
  });

  const bad: [unknown, RegExp][] = [
    ...['Name', 'Description', 'SelectionType', 'DisplayAs', 'Language'].map((member): [unknown, RegExp] => [
      { ...preference, [member]: undefined },
      new RegExp(`${member} is required`),
    ]),
    [{ ...preference, Options: undefined }, /Options must hold/],
    [{ ...preference, Options: [] }, /Options must hold/],
    [{ ...preference, Options: [{ Label: 'a' }] }, /Options\[0\] must be a string/],
    [{ ...preference, SelectionType: 'ANY' }, /SelectionType/],
    [{ ...preference, DisplayAs: 'SLIDER' }, /DisplayAs/],
    [{ ...preference, Required: 'yes' }, /Required must be true or false/],
    [{ ...preference, Name: 'x'.repeat(256) }, /Name must have 0 to 255/],
    [{ ...preference, Description: 'x'.repeat(1001) }, /Description must have 0 to 1000/],
    [{ ...preference, Organizations: ['x'] }, /Organizations\[0\] must be a UUID/],
    [{ ...preference, Purposes: ['x'] }, /Purposes\[0\] must be a UUID/],
  ];
  for (const [body, message] of bad) {
    test(`refuses ${JSON.stringify(body).slice(0, 120)} for ${message.source}`, async () => {
      const reply = await tenant.call('POST', PREFERENCES, { body });
      assert.equal(reply.status, 400);
      assert.match(String(at(reply.body, 'message')), message);
    });
  }
});
