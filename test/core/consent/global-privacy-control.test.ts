import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  objectionIntent,
  someShownNowhere,
  statusUnderObjection,
} from '../../../src/core/consent/global-privacy-control.ts';
import type { Center } from '../../../src/core/model/center/center.ts';
import type { ConsentRecord } from '../../../src/core/model/person/subject.ts';
import { aCenter, aPurpose, purposeOf } from '../center-builder.ts';
import { off } from '../changes.ts';
import { aRecord, aSubject, draw } from '../page-builder.ts';

describe('An objection by Global Privacy Control', () => {
  test('changes only purposes that are on by default', () => {
    const others = ['on', 'off', 'waiting', 'expired', 'locked-on', 'locked-off'] as const;
    assert.equal(statusUnderObjection('on-by-default'), 'off');
    for (const status of others) assert.equal(statusUnderObjection(status), status);
  });

  test('that is saved turns each such purpose off once, and grants nothing', () => {
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
    assert.deepEqual(intent.purposes, [off('assumed'), off('implicit')]);
    assert.deepEqual([intent.everything, intent.language, intent.dataElements], [undefined, undefined, []]);
  });

  test('reaches purposes that no page shows: hidden ones, and recorded ones without a schema', () => {
    const byDefault = { onByDefault: true };
    const center = aCenter([aPurpose('shown')], {
      hidden: [purposeOf('hidden', byDefault), purposeOf('retired', { active: false })],
    });
    const purposes = [
      aRecord('stranger', { status: 'implicit' }),
      aRecord('retired', { status: 'implicit' }),
      aRecord('known', { status: 'active' }),
    ];
    const intent = objectionIntent(center, aSubject({ purposes }));
    assert.deepEqual(
      intent.purposes.map(({ purpose }) => purpose),
      ['hidden', 'stranger'],
    );
  });

  test('tells whether a purpose is on no page for this person', () => {
    const center = aCenter([aPurpose('a'), aPurpose('p', { visibility: 'prior-consented' })]);
    const known = { center, subject: aSubject({ purposes: [aRecord('p')] }) };
    const unknown = { center, subject: aSubject({ purposes: [] }) };
    assert.deepEqual(
      [['a'], ['p'], ['x']].map((ids) => someShownNowhere(ids, known)),
      [false, false, true],
    );
    assert.deepEqual(
      [['a'], ['a', 'p']].map((ids) => someShownNowhere(ids, unknown)),
      [false, true],
    );
  });

  const first = aCenter([aPurpose('here')]).pages[0];
  const elsewhere = aCenter([aPurpose('there', { onByDefault: true })]).pages[0];
  assert.ok(first !== undefined && elsewhere !== undefined);
  const offers: readonly [string, Center, ConsentRecord[], boolean][] = [
    ['a purpose of this page', aCenter([aPurpose('a', { onByDefault: true })]), [], true],
    [
      'a purpose of another page alone',
      aCenter([], { pages: [first, { ...elsewhere, id: 'two' }] }),
      [],
      false,
    ],
    ['a purpose of no page', aCenter([], { hidden: [purposeOf('u', { onByDefault: true })] }), [], true],
    ['a purpose of no schema', aCenter([]), [aRecord('x', { status: 'implicit' })], true],
    [
      'a purpose that is shown only if it is on record',
      aCenter([aPurpose('p', { onByDefault: true, visibility: 'prior-consented' })]),
      [],
      true,
    ],
    [
      'a purpose that is shown because it is on record',
      aCenter([aPurpose('p', { onByDefault: true, visibility: 'prior-consented' })]),
      [aRecord('p', { status: 'implicit' })],
      true,
    ],
    ['no default', aCenter([aPurpose('a')], { hidden: [purposeOf('u')] }), [aRecord('u')], false],
  ];
  for (const [what, center, purposes, isOffered] of offers) {
    test(`is ${isOffered ? '' : 'not '}offered for ${what}`, () => {
      const objection = { action: '/objection', token: 't' };
      const { page } = draw(center, { subject: aSubject({ purposes }), objection });
      assert.equal(page.objection !== undefined, isOffered);
      assert.equal(draw(center, { subject: aSubject({ purposes }) }).page.objection, undefined);
    });
  }
});
