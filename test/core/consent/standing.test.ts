import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Want } from '../../../src/core/consent/desired-state.ts';
import { isOn, type Standing, standing } from '../../../src/core/consent/standing.ts';
import { type ConsentStatus, consentStatus, isShownOn } from '../../../src/core/consent/status.ts';
import type { RecordedStatus } from '../../../src/core/model/person/subject.ts';
import { purposeOf, record, recordsOf } from '../center-builder.ts';
import { aSubject } from '../page-builder.ts';

const assumed = purposeOf('d', { onByDefault: true });
const purposes = new Map([['d', assumed]]);

describe('a purpose on record', () => {
  const cases: Readonly<Record<RecordedStatus, readonly [Standing, ConsentStatus, string]>> = {
    active: ['on', 'on', 'on'],
    'always-active': ['locked-on', 'locked-on', 'on'],
    implicit: ['on-by-default', 'on-by-default', 'on'],
    pending: ['waiting', 'waiting', 'off'],
    expired: ['off', 'expired', 'off'],
    'hard-opt-out': ['locked-off', 'locked-off', 'off'],
    off: ['off', 'off', 'off'],
    'no-consent': ['off', 'off', 'off'],
  };
  for (const [status, [stands, has, shown]] of Object.entries(cases)) {
    test(`as ${status} stands ${stands}, and is shown ${shown}`, () => {
      const is = record('a', status as RecordedStatus);
      assert.equal(
        standing({ key: 'purpose a', want: 'on' }, aSubject({ purposes: [is] }), purposes),
        stands,
      );
      assert.equal(consentStatus(undefined, is), has);
      assert.equal(isShownOn(has), shown === 'on');
      assert.equal(isOn(stands), status === 'active' || status === 'always-active');
    });
  }
});

describe('a key in a reading', () => {
  const cases: readonly [string, string, string, Standing][] = [
    ['a purpose that is not on record', '', 'purpose a', 'absent'],
    ['a purpose that its center assumes', '', 'purpose d', 'on-by-default'],
    ['a topic that was chosen', 'a[t]', 'topic a t', 'on'],
    ['a topic that was not chosen', 'a[t]', 'topic a u', 'off'],
    ['a topic of a waiting purpose', 'a:pending[t]', 'topic a t', 'waiting'],
    ['a topic of a purpose that is only implicit', 'd:implicit[t]', 'topic d t', 'on-by-default'],
    ['a topic of a purpose that is on by default without a record', '', 'topic d t', 'off'],
    ['a topic of a purpose that is off', 'a:off[t]', 'topic a t', 'off'],
    ['an unchosen topic of an always active purpose', 'a:always-active', 'topic a t', 'locked-on'],
    ['an unchosen topic of a hard opted-out purpose', 'a:hard-opt-out', 'topic a t', 'locked-off'],
    ['an option that was chosen', 'a[p.x]', 'option a p x', 'on'],
    ['an option that was not chosen', 'a[p.x]', 'option a p y', 'off'],
    ['an option beside that of another preference', 'a[p.x q.y]', 'option a p x', 'on'],
    ['an option of another preference', 'a[p.x q.y]', 'option a q x', 'off'],
    ['a topic with the name of a preference', 'a[p.x]', 'topic a p', 'off'],
  ];
  for (const [name, start, key, stands] of cases) {
    test(`like ${name} stands ${stands}`, () => {
      const subject = aSubject({ purposes: recordsOf(start) });
      for (const want of ['on', 'off'] as const)
        assert.equal(standing({ key, want }, subject, purposes), stands);
    });
  }
});

describe('a value in a reading', () => {
  const subject = aSubject({ dataElements: { E: '1' }, language: 'pt-br' });
  const cases: readonly [string, Exclude<Want, string>, Standing][] = [
    ['as typed', { label: 'E', value: '1' }, 'on'],
    ['otherwise than typed', { label: 'E', value: '2' }, 'off'],
    ['that was cleared, and is still there', { label: 'E', value: '' }, 'off'],
    ['that was cleared, and is gone', { label: 'F', value: '' }, 'on'],
    ['that is not there', { label: 'F', value: '1' }, 'off'],
    ['as the language, written otherwise', { label: '', value: 'pt-BR' }, 'on'],
    ['as another language', { label: '', value: 'fr' }, 'off'],
  ];
  for (const [name, want, stands] of cases) {
    test(`${name} stands ${stands}`, () => {
      const key = want.label === '' ? 'language' : 'element e';
      assert.equal(standing({ key, want }, subject, purposes), stands);
    });
  }

  test('stands off if no language is known', () => {
    const want = { label: '', value: 'fr' };
    assert.equal(standing({ key: 'language', want }, aSubject({ language: undefined }), purposes), 'off');
  });
});
