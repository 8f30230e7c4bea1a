import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { objectionIntent, statusUnderObjection } from '../../src/core/global-privacy-control.ts';
import { aCenter, aPurpose } from './center-builder.ts';
import { aRecord, aSubject } from './page-builder.ts';

describe('An objection by Global Privacy Control', () => {
  test('touches only what is on by default', () => {
    const others = ['on', 'off', 'waiting', 'expired', 'locked-on', 'locked-off'] as const;
    assert.equal(statusUnderObjection('on-by-default'), 'off');
    for (const status of others) assert.equal(statusUnderObjection(status), status);
  });

  test('made to last switches off each such purpose once, and grants nothing', () => {
    const byDefault = { onByDefault: true };
    const center = aCenter([
      aPurpose('assumed', byDefault),
      aPurpose('implicit'),
      aPurpose('chosen', byDefault),
      aPurpose('withdrawn', byDefault),
      aPurpose('locked', byDefault),
      aPurpose('retired', { ...byDefault, active: false }),
      aPurpose('off'),
      aPurpose('assumed', byDefault),
    ]);
    const subject = aSubject({
      purposes: [
        aRecord('implicit', { status: 'implicit' }),
        aRecord('chosen'),
        aRecord('withdrawn', { status: 'off' }),
        aRecord('locked', { status: 'always-active' }),
      ],
    });
    const intent = objectionIntent(center, subject);
    assert.deepEqual(intent.purposes, [
      { kind: 'off', purpose: 'assumed' },
      { kind: 'off', purpose: 'implicit' },
    ]);
    assert.deepEqual([intent.everything, intent.language, intent.dataElements], [undefined, undefined, []]);
  });
});
