import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, shownSubject } from '../../../src/core/consent/form-snapshot.ts';
import type { ConsentStatus } from '../../../src/core/consent/status.ts';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import { aCenter, anElement, aPurpose } from '../center-builder.ts';

const line = (id: string, status: ConsentStatus, onRecord?: 'refused' | 'otherwise') => {
  return { id, status, onRecord, topics: ['t'], options: [{ preference: 'p', option: `o ${id}` }] };
};
const form = {
  nonce: 'n',
  center: 'center',
  page: 'page',
  revision: '1',
  subject: 'anna@example.org',
  at: 5,
  order: 3,
  purposes: [
    { ...line('on', 'on', 'otherwise'), recorded: 'active' },
    { ...line('opted-out', 'off', 'refused'), recorded: 'OPT_OUT' },
    line('nothing', 'off'),
    line('assumed', 'on-by-default'),
    line('implicit', 'on-by-default', 'otherwise'),
    line('waiting', 'waiting', 'otherwise'),
    line('locked', 'locked-on', 'otherwise'),
  ],
  dataElements: [
    { id: 'mail', value: 'anna@example.org' },
    { id: 'gone', value: 'x' },
  ],
  hidden: ['elsewhere'],
};

test('A form knows of each purpose on record how the platform had written it, and of those it does not show', () => {
  const { at, order, revision, drawn } = factsOf(form);
  assert.deepEqual({ at, order, revision }, { at: 5, order: 3, revision: '1' });
  assert.deepEqual(
    drawn?.map(({ purpose, status, isOn }) => `${purpose} ${status} ${isOn}`),
    [
      'on active true',
      'opted-out OPT_OUT false',
      'implicit undefined false',
      'waiting undefined false',
      'locked undefined false',
      'elsewhere active true',
    ],
  );
  assert.equal(factsOf({ ...form, hidden: undefined }).drawn, undefined, 'not known');
});

test('The record as a form showed it has what was on record then, and nothing else', () => {
  const center = aCenter([aPurpose('on'), anElement('mail')]);
  const { purposes, dataElements } = shownSubject(form, { center, id: 'anna@example.org' as SubjectId });
  assert.deepEqual(
    purposes.map(({ purpose, status }) => `${purpose}:${status}`),
    [
      'on:active',
      'opted-out:off',
      'implicit:implicit',
      'waiting:pending',
      'locked:always-active',
      'elsewhere:active',
    ],
  );
  assert.deepEqual(purposes[1]?.rawStatus, 'OPT_OUT');
  assert.deepEqual(purposes[0]?.preferences, [{ id: 'p', options: ['o on'] }]);
  assert.deepEqual(dataElements, { 'Label of mail': 'anna@example.org' });
  assert.deepEqual(
    shownSubject({ ...form, purposes: [], hidden: undefined }, { center, id: 'a' as SubjectId }).purposes,
    [],
  );
});
