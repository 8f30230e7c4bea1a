import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forSuite } from '../kit/for-suite.ts';
import { books as CENTER } from '../kit/sandbox-ids.ts';
import { assertRefused, at, listAt, ofEach, openTenant, payload } from './tenant.ts';

const PURPOSES = '/api/consentmanager/v1/purposes';
const PREFERENCES = '/api/consentmanager/v1/custompreferences';

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

async function assertAllRefused(
  path: string,
  bad: readonly [body: unknown, message: RegExp][],
): Promise<void> {
  for (const [body, message] of bad) assertRefused(await tenant.call('POST', path, { body }), message);
}

describe('POST of a purpose', () => {
  test('a created purpose is a DRAFT of version 1 whose descriptions are paragraphs', async () => {
    const reply = await tenant.call('POST', PURPOSES, { body: payload('16_purpose_create_request') });
    assert.equal(reply.status, 200);
    assert.deepEqual({ ...payload('17_purpose_create_response'), Id: at(reply.body, 'Id') }, reply.body);
  });

  test('strings are accepted for numbers and flags, and converted', async () => {
    const languages = [
      { Language: 'en-us', Name: 'A', Default: 'true' },
      { Language: 'fr', Name: 'B', Default: 'False' },
    ];
    const { status, body } = await tenant.call('POST', PURPOSES, {
      body: { ...purpose, ConsentLifeSpan: '3600', Languages: languages },
    });
    assert.equal(status, 200);
    assert.equal(at(body, 'ConsentLifeSpan'), 3600);
    assert.deepEqual(ofEach(body, 'Languages', 'Default'), [true, false]);
  });

  test('a malformed purpose is refused with the name of the member', () =>
    assertAllRefused(PURPOSES, [
      [[], /JSON object/],
      [{}, /Name is required/],
      [{ Name: ' ' }, /Name is required/],
      [{ Name: 'x', Description: '' }, /ConsentLifeSpan is required/],
      [{ ...purpose, Type: 'OTHER' }, /Type must be one of/],
      [{ ...purpose, ConsentLifeSpan: -1 }, /ConsentLifeSpan/],
      [{ ...purpose, ConsentLifeSpan: '1 day' }, /ConsentLifeSpan/],
      [{ ...purpose, Languages: [{ Name: 'y' }] }, /Languages\[0\]\.Language is required/],
      [{ ...purpose, Languages: [{ Name: 'y', Language: 'en', Default: 'yes' }] }, /Languages\[0\]\.Default/],
      [{ ...purpose, CustomPreferenceIds: ['x'] }, /CustomPreferenceIds\[0\] must be a UUID/],
    ]));
});

describe('POST of a custom preference', () => {
  test('the options of a created custom preference get ids, in order', async () => {
    const reply = await tenant.call('POST', PREFERENCES, {
      body: payload('18_custompreference_create_request'),
    });
    assert.equal(reply.status, 200);
    const sample = payload('19_custompreference_create_response');
    const options = listAt(reply.body, 'Options');
    assert.deepEqual(
      options.map((option) => ['Label', 'Order', 'CanDelete'].map((member) => at(option, member))),
      ['Daily', 'Weekly', 'Monthly', 'Never'].map((label, order) => [label, order, true]),
    );
    assert.deepEqual(
      { ...(reply.body as object), Id: '', Options: [], Languages: [] },
      { ...sample, Id: '', Options: [], Languages: [] },
    );
    assert.equal(at(reply.body, 'Languages', 0, 'Options', 0, 'Id'), at(options[0], 'Id'));
  });

  test('a custom preference can be linked to a purpose, and is listed with those of the centers', async () => {
    const { body } = await tenant.call('POST', PREFERENCES, { body: { ...preference, Required: 'true' } });
    const linked = { ...purpose, CustomPreferenceIds: [at(body, 'Id')] };
    const made = (await tenant.call('POST', PURPOSES, { body: linked })).body;
    const carried = { Required: true, Options: [{ Label: 'S' }, { Label: 'M' }] };
    assert.partialDeepStrictEqual(at(made, 'CustomPreferences', 0), carried);
    const listed = listAt((await tenant.call('GET', `${PREFERENCES}?size=200`)).body, 'content');
    for (const each of [body, listed.find((one) => at(one, 'Name') !== 'Size')]) {
      assert.ok(listed.some((one) => at(one, 'Id') === at(each, 'Id')));
      assert.deepEqual((await tenant.call('GET', `${PREFERENCES}/${at(each, 'Id')}`)).body, each);
    }
    assert.equal((await tenant.call('GET', `${PREFERENCES}/${CENTER}`)).status, 404);
  });

  test('a malformed custom preference is refused with the name of the member', () =>
    assertAllRefused(PREFERENCES, [
      [{ ...preference, Name: undefined }, /Name is required/],
      [{ ...preference, Options: undefined }, /Options must hold/],
      [{ ...preference, Options: [{ Label: 'a' }] }, /Options\[0\] must be a string/],
      [{ ...preference, SelectionType: 'ANY' }, /SelectionType/],
      [{ ...preference, Required: 'yes' }, /Required must be true or false/],
      [{ ...preference, Name: 'x'.repeat(256) }, /Name must have 0 to 255/],
      [{ ...preference, Organizations: ['x'] }, /Organizations\[0\] must be a UUID/],
    ]));
});
