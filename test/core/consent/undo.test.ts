import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { undoIntent } from '../../../src/core/consent/undo.ts';
import type { Subject, SubjectId } from '../../../src/core/model/person/subject.ts';
import { type Intent, noIntent, type PurposeChange } from '../../../src/core/model/submission/intent.ts';
import type { ItemResult, Outcome } from '../../../src/core/model/submission/submission.ts';
import { aCenter, aPreference, aPurpose, recordsOf } from '../center-builder.ts';
import { adjust, intentOf, off, on, option, reduce } from '../changes.ts';

const center = aCenter([
  aPurpose('a', {
    preferences: [aPreference('many', ['m1', 'm2']), aPreference('one', ['o1', 'o2'], { choice: 'single' })],
  }),
  aPurpose('d', { onByDefault: true }),
  aPurpose('retired', { active: false }),
]);

/** The record before a submission, in the form `a[t1] d:off`. */
function before(start: string, change: Partial<Subject> = {}): Subject {
  const purposes = recordsOf(start);
  return { id: 'anna' as SubjectId, language: 'en-us', purposes, dataElements: {}, ...change };
}

const saved = (id: string, outcome: Outcome = 'saved', what: ItemResult['what'] = 'purpose'): ItemResult => ({
  what,
  id,
  change: 'on',
  outcome,
  receipt: undefined,
});

function undone(
  intent: Partial<Intent>,
  was: Subject,
  items: readonly ItemResult[],
  change: { globalPrivacyControl?: boolean; confirmsDefaults?: boolean } = {},
) {
  return undoIntent({
    center: { ...center, confirmsDefaults: change.confirmsDefaults ?? false },
    intent: { ...noIntent, ...intent },
    items,
    before: was,
    globalPrivacyControl: change.globalPrivacyControl ?? false,
  });
}

suite('undo', () => {
  const was = 'a[t1 many.m1 one.o1]';
  const asBefore = { topics: ['t1'], options: [option('many', 'm1'), option('one', 'o1')] };
  const oneO1 = [option('one', 'o1')];
  const oneO2 = [option('one', 'o2')];
  /** A name, the record before the change, the change, and its inverse. */
  type Case = readonly [string, string, PurposeChange, PurposeChange | undefined];
  const cases: readonly Case[] = [
    ['a withdrawal becomes an opt-in with what was recorded', was, off('a'), on('a', asBefore)],
    ['a withdrawal of a default leaves it off', '', off('d'), undefined],
    ['a withdrawal of an implicit purpose leaves it off', 'a:implicit[t]', off('a'), undefined],
    ['a withdrawal of a pending purpose has no inverse', 'a:pending', off('a'), undefined],
    ['a withdrawal of a purpose that was off has no inverse', '', off('a'), undefined],
    ['a withdrawal of a retired purpose has no inverse', 'retired', off('retired'), undefined],
    ['a withdrawal of a removed purpose has no inverse', 'gone', off('gone'), undefined],
    ['an opt-in becomes a withdrawal', '', on('a', { topics: ['t1'] }), off('a')],
    ['an opt-in of a purpose that was off on record becomes a withdrawal', 'a:off[t1]', on('a'), off('a')],
    ['an opt-in of a purpose on no page becomes a withdrawal', '', on('gone'), off('gone')],
    [
      'an opt-in of a purpose that was on loses the added choices',
      was,
      on('a', { topics: ['t1', 't2'], options: [option('many', 'm1'), option('many', 'm2')] }),
      reduce('a', { topicsOff: ['t2'], optionsOff: [option('many', 'm2')] }),
    ],
    [
      'a removed choice comes back',
      was,
      reduce('a', { topicsOff: ['t1', 't9'], optionsOff: asBefore.options }),
      adjust('a', { topicsOn: ['t1'], optionsOn: asBefore.options }),
    ],
    [
      'a first single choice is taken out',
      'a',
      adjust('a', { optionsOn: oneO2 }),
      reduce('a', { optionsOff: oneO2 }),
    ],
    [
      'an adjustment is reversed as far as it changed the record',
      was,
      adjust('a', {
        topicsOn: ['t2', 't1'],
        topicsOff: ['t1', 't9'],
        optionsOn: [option('many', 'm2')],
        optionsOff: [option('many', 'm1'), option('many', 'm9')],
      }),
      adjust('a', {
        topicsOn: ['t1'],
        topicsOff: ['t2'],
        optionsOn: [option('many', 'm1')],
        optionsOff: [option('many', 'm2')],
      }),
    ],
    [
      'a single choice that was replaced comes back, once',
      was,
      adjust('a', { optionsOn: oneO2, optionsOff: oneO1 }),
      adjust('a', { optionsOn: oneO1 }),
    ],
    [
      'a single choice that was replaced without an explicit removal comes back',
      was,
      adjust('a', { optionsOn: oneO2 }),
      adjust('a', { optionsOn: oneO1 }),
    ],
    ['an adjustment of a default leaves no grant behind', '', adjust('d', { topicsOn: ['t'] }), off('d')],
    [
      'an adjustment of an implicit purpose leaves no grant behind',
      'a:implicit[t]',
      adjust('a', { topicsOff: ['t'] }),
      off('a'),
    ],
  ];
  for (const [what, start, change, inverse] of cases) {
    test(what, () => {
      const result = undone({ purposes: [change] }, before(start), [saved(change.purpose)]);
      assert.deepEqual(result, inverse && intentOf(inverse));
    });
  }

  test('an adjustment of a default is reversed in a center where saving confirms defaults', () => {
    const change = adjust('d', { topicsOn: ['t'] });
    const result = undone({ purposes: [change] }, before(''), [saved('d')], { confirmsDefaults: true });
    assert.deepEqual(result?.purposes, [reduce('d', { topicsOff: ['t'] })]);
  });

  test('an opt-in of another purpose becomes a withdrawal in such a center, too', () => {
    const result = undone({ purposes: [on('b')] }, before(''), [saved('b')], { confirmsDefaults: true });
    assert.deepEqual(result?.purposes, [off('b')]);
  });

  test('a submission without results has no undo', () => {
    const typed = [{ element: 'e', label: 'E', value: 'new' }];
    assert.equal(
      undone({ purposes: [on('b')], dataElements: typed, language: 'fr' }, before(was), []),
      undefined,
    );
  });

  const objected: readonly Case[] = [
    ['an opt-in to a default becomes a withdrawal', '', on('d'), off('d')],
    ['an opt-in to an implicit purpose becomes a withdrawal', 'a:implicit', on('a'), off('a')],
    ['an objection to a default has no inverse', '', off('d'), undefined],
    ['an objection to an implicit purpose has no inverse', 'a:implicit', off('a'), undefined],
    ['a withdrawal of a granted purpose becomes an opt-in', 'a', off('a'), on('a')],
  ];
  for (const [what, start, change, inverse] of objected) {
    test(`under Global Privacy Control ${what}`, () => {
      for (const confirmsDefaults of [false, true]) {
        const options = { globalPrivacyControl: true, confirmsDefaults };
        const result = undone({ purposes: [change] }, before(start), [saved(change.purpose)], options);
        assert.deepEqual(result, inverse && intentOf(inverse));
      }
    });
  }

  for (const outcome of [
    'not-saved',
    'being-carried-out',
    'in-progress',
    'waiting',
    'withdrawn-elsewhere',
    'locked',
    'unchanged',
  ] as const) {
    test(`a change that is ${outcome} has no undo`, () => {
      assert.equal(undone({ purposes: [off('a')] }, before(was), [saved('a', outcome)]), undefined);
    });
  }

  test('an unconfirmed change that is on record is undone, too', () => {
    assert.deepEqual(
      undone({ purposes: [off('a')] }, before(was), [saved('a', 'unconfirmed')])?.purposes.length,
      1,
    );
  });

  const doubted: readonly [string, PurposeChange, PurposeChange | undefined][] = [
    ['an opt-in is withdrawn', on('b'), off('b')],
    ['an added choice is taken out', adjust('a', { topicsOn: ['t2'] }), reduce('a', { topicsOff: ['t2'] })],
    [
      'a removed choice does not come back',
      adjust('a', { topicsOn: ['t2'], topicsOff: ['t1'] }),
      reduce('a', { topicsOff: ['t2'] }),
    ],
    [
      'a replaced single choice does not come back',
      adjust('a', { optionsOn: [option('one', 'o2')] }),
      undefined,
    ],
    ['a withdrawal stays', off('a'), undefined],
    ['a withdrawal of a purpose that was off stays', off('b'), undefined],
  ];
  for (const [what, change, inverse] of doubted) {
    test(`of a change in doubt: ${what}`, () => {
      const result = undone({ purposes: [change] }, before(was), [saved(change.purpose, 'in-doubt')]);
      assert.deepEqual(result, inverse && intentOf(inverse));
    });
  }

  test('only saved changes are undone', () => {
    const result = undone({ purposes: [off('a'), on('b')] }, before(was), [
      saved('a', 'not-saved'),
      saved('b'),
    ]);
    assert.deepEqual(result?.purposes, [off('b')]);
  });

  test('a saved data element is not taken for a saved purpose, nor a purpose for an element', () => {
    const typed = [{ element: 'e', label: 'E', value: 'new' }];
    assert.equal(undone({ dataElements: typed }, before(''), [saved('e')]), undefined);
    assert.equal(
      undone({ purposes: [off('a')] }, before(was), [saved('a', 'saved', 'data-element')]),
      undefined,
    );
  });

  test('a purpose that was turned off again after a late call has no inverse', () => {
    const items = [saved('a', 'withdrawn-elsewhere'), { ...saved('a'), change: 'off' as const }, saved('d')];
    const intent = undone({ purposes: [on('a'), on('d')] }, before(''), items);
    assert.deepEqual(intent?.purposes, [off('d')]);
  });

  test('a withdrawal of everything restores granted purposes, but no defaults and no retired ones', () => {
    const all = before(`${was} i:implicit p:pending l:always-active gone retired`);
    const items = ['a', 'i', 'p', 'l', 'gone', 'retired', 'd'].map((id) => saved(id));
    const result = undone({ everything: 'withdraw' }, all, items);
    assert.deepEqual(result, intentOf(on('a', asBefore)));
  });

  test('typed values and the language get their earlier values back', () => {
    const typed = [
      { element: 'e', label: 'E', value: 'new' },
      { element: 'f', label: 'F', value: 'new' },
      { element: 'g', label: 'G', value: 'new' },
    ];
    const items = [
      saved('e', 'saved', 'data-element'),
      saved('f', 'saved', 'data-element'),
      saved('g', 'not-saved', 'data-element'),
      saved('fr', 'saved', 'language'),
    ];
    const result = undone(
      { dataElements: typed, language: 'fr' },
      before('', { dataElements: { E: 'old' } }),
      items,
    );
    assert.deepEqual(result, {
      ...noIntent,
      dataElements: [
        { element: 'e', label: 'E', value: 'old' },
        { element: 'f', label: 'F', value: '' },
      ],
      language: 'en-us',
    });
  });

  test('a typed identifier stays', () => {
    const typed = [{ element: 'e', label: 'E', value: 'Anna' }];
    const items = [saved('e', 'saved', 'data-element')];
    assert.equal(undone({ dataElements: typed }, before(''), items), undefined);
  });

  test('a language stays if it was not saved or replaced none', () => {
    assert.equal(undone({ language: 'fr' }, before(''), [saved('fr', 'not-saved', 'language')]), undefined);
    assert.equal(
      undone({ language: 'fr' }, before('', { language: undefined }), [saved('fr', 'saved', 'language')]),
      undefined,
    );
  });
});
