import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  drawnByDefault,
  factsOf,
  knownOf,
  shownBy,
  shownSubject,
} from '../../../src/core/consent/form-snapshot.ts';
import type { ConsentStatus } from '../../../src/core/consent/status.ts';
import type { RecordedStatus, SubjectId } from '../../../src/core/model/person/subject.ts';
import { aCenter, anElement, aPurpose, record } from '../center-builder.ts';
import { intentOf, off } from '../changes.ts';

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
    { ...line('locked', 'locked-on', 'otherwise'), recorded: 'always-active' },
    line('locked-off', 'locked-off', 'otherwise'),
    { ...line('leaving', 'off', 'refused'), recorded: 'active' },
    { ...line('joining', 'on', 'refused'), recorded: 'OPT_OUT' },
    line('joining-first', 'on'),
  ],
  dataElements: [
    { id: 'mail', value: 'anna@example.org' },
    { id: 'gone', value: 'x' },
    { id: 'empty', value: '' },
  ],
  hidden: ['elsewhere'],
};

test('A form knows the platform’s status of each purpose on record, also of hidden ones', () => {
  const { at, order, revision, drawn, filled } = factsOf(form);
  assert.deepEqual({ at, order, revision }, { at: 5, order: 3, revision: '1' });
  assert.deepEqual(
    drawn?.map(({ purpose, status, isOn }) => `${purpose} ${status} ${isOn}`),
    [
      'on active true',
      'opted-out OPT_OUT false',
      'implicit undefined false',
      'waiting undefined false',
      'locked always-active true',
      'locked-off undefined false',
      'leaving active true',
      'joining OPT_OUT false',
      'elsewhere active true',
    ],
  );
  assert.deepEqual(filled, ['mail', 'gone']);
  assert.equal(factsOf({ ...form, hidden: undefined }).drawn, undefined, 'not known');
});

test('The record behind a form has the purposes on record at that time, and no other', () => {
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
      'locked-off:hard-opt-out',
      'leaving:off',
      'joining:active',
      'joining-first:active',
      'elsewhere:active',
    ],
  );
  const raw = purposes.filter(({ rawStatus }) => rawStatus !== undefined);
  assert.deepEqual(
    raw.map(({ purpose, rawStatus }) => `${purpose} ${rawStatus}`),
    ['opted-out OPT_OUT'],
  );
  assert.deepEqual(purposes.at(-1), { ...record('elsewhere', 'active'), label: undefined });
  assert.deepEqual(purposes[0]?.preferences, [{ id: 'p', options: ['o on'] }]);
  assert.deepEqual(dataElements, { 'Label of mail': 'anna@example.org' });
  assert.deepEqual(
    shownSubject({ ...form, purposes: [], hidden: undefined }, { center, id: 'a' as SubjectId }).purposes,
    [],
  );
});

test('A form confirms shown defaults, except those that are open for leaving only on its page', () => {
  const [page] = aCenter([aPurpose('assumed'), aPurpose('closed', { leavingOnly: true })]).pages;
  const [other] = aCenter([aPurpose('assumed', { leavingOnly: true })]).pages;
  assert.ok(page !== undefined && other !== undefined);
  const purposes = [line('assumed', 'on-by-default'), line('closed', 'on-by-default'), line('on', 'on')];
  const center = aCenter([], { pages: [page, { ...other, id: 'other' }] });
  assert.deepEqual(drawnByDefault({ purposes, page: 'page' }, { center }), ['assumed']);
});

test('The wording of a form has the purposes that it changes, if the wording is known', () => {
  const center = aCenter([aPurpose('on', { version: 3 })]);
  const [worded, intent] = [{ ...form, language: 'en-us', words: 'digest' }, intentOf(off('on'))];
  const shown = { by: 'form', at: 5, words: 'digest', language: 'en-us', page: 'page', template: 'enhanced' };
  const on = { purpose: 'on', status: 'on', version: 3 };
  assert.deepEqual(shownBy(worded, { center, intent }), { ...shown, purposes: [on] });
  const changed = { ...center, revision: '2' };
  assert.deepEqual(shownBy(worded, { center: changed, intent })?.purposes, [{ ...on, version: undefined }]);
  assert.equal(shownBy({ ...worded, language: undefined }, { center, intent }), undefined);
  assert.equal(shownBy({ ...worded, words: undefined }, { center, intent }), undefined);
});

describe('A form knows of a purpose', () => {
  const cases: readonly [string, RecordedStatus, ConsentStatus, 'refused' | 'otherwise'][] = [
    ['that it is on', 'active', 'on', 'otherwise'],
    ['that it was refused', 'off', 'off', 'refused'],
    ['that it was refused, while it is being turned on', 'off', 'on', 'refused'],
    ['that it was turned off just now', 'active', 'off', 'refused'],
    ['that the browser refuses it', 'implicit', 'off', 'refused'],
    ['that the person was never asked', 'no-consent', 'off', 'otherwise'],
  ];
  for (const [name, status, shown, onRecord] of cases) {
    test(name, () => {
      const known = { onRecord, recorded: status };
      assert.deepEqual(knownOf({ record: record('a', status), isCalled: false }, shown), known);
    });
  }

  test('no status while a call removes it, and nothing without a record', () => {
    assert.deepEqual(knownOf({ record: record('a', 'active'), isCalled: true }, 'off'), {
      onRecord: 'refused',
    });
    assert.deepEqual(knownOf({ record: undefined, isCalled: false }, 'off'), {});
  });
});
