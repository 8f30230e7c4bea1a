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
    ['a withdrawal of what was only assumed leaves it off', '', off('d'), undefined],
    ['a withdrawal of what was implicit leaves it off', 'a:implicit[t]', off('a'), undefined],
    ['a withdrawal of what was pending has no inverse', 'a:pending', off('a'), undefined],
    ['a withdrawal of what was off has no inverse', '', off('a'), undefined],
    ['a withdrawal of what is retired has no inverse', 'retired', off('retired'), undefined],
    ['a withdrawal of what its center has no more has no inverse', 'gone', off('gone'), undefined],
    ['an opt-in becomes a withdrawal', '', on('a', { topics: ['t1'] }), off('a')],
    ['an opt-in of what was off on record becomes a withdrawal', 'a:off[t1]', on('a'), off('a')],
    ['an opt-in of what no page draws becomes a withdrawal', '', on('gone'), off('gone')],
    [
      'an opt-in of what was on already takes back what it added',
      was,
      on('a', { topics: ['t1', 't2'], options: [option('many', 'm1'), option('many', 'm2')] }),
      reduce('a', { topicsOff: ['t2'], optionsOff: [option('many', 'm2')] }),
    ],
    [
      'what was taken out comes back',
      was,
      reduce('a', { topicsOff: ['t1', 't9'], optionsOff: asBefore.options }),
      adjust('a', { topicsOn: ['t1'], optionsOn: asBefore.options }),
    ],
    [
      'a single choice where there was none is taken out',
      'a',
      adjust('a', { optionsOn: oneO2 }),
      reduce('a', { optionsOff: oneO2 }),
    ],
    [
      'an adjustment is turned round, as far as it changed anything',
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
      'also when no one un-chose it',
      was,
      adjust('a', { optionsOn: oneO2 }),
      adjust('a', { optionsOn: oneO1 }),
    ],
    [
      'an adjustment of what was only assumed leaves nothing agreed to',
      '',
      adjust('d', { topicsOn: ['t'] }),
      off('d'),
    ],
    [
      'an adjustment of what was implicit leaves nothing agreed to',
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

  test('an adjustment of what was assumed is turned round where saving confirms what is assumed', () => {
    const change = adjust('d', { topicsOn: ['t'] });
    const result = undone({ purposes: [change] }, before(''), [saved('d')], { confirmsDefaults: true });
    assert.deepEqual(result?.purposes, [reduce('d', { topicsOff: ['t'] })]);
  });

  test('an opt-in of what nobody assumed becomes a withdrawal there, too', () => {
    const result = undone({ purposes: [on('b')] }, before(''), [saved('b')], { confirmsDefaults: true });
    assert.deepEqual(result?.purposes, [off('b')]);
  });

  test('what nothing is told of has nothing to undo', () => {
    const typed = [{ element: 'e', label: 'E', value: 'new' }];
    assert.equal(
      undone({ purposes: [on('b')], dataElements: typed, language: 'fr' }, before(was), []),
      undefined,
    );
  });

  const objected: readonly Case[] = [
    ['an opt-in to what would be assumed becomes a withdrawal', '', on('d'), off('d')],
    ['as one to what would be implicit', 'a:implicit', on('a'), off('a')],
    ['an objection to what would be assumed has no inverse', '', off('d'), undefined],
    ['nor one to what would be implicit', 'a:implicit', off('a'), undefined],
    ['a withdrawal of what was agreed to becomes an opt-in', 'a', off('a'), on('a')],
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
    test(`what is ${outcome} has nothing to undo`, () => {
      assert.equal(undone({ purposes: [off('a')] }, before(was), [saved('a', outcome)]), undefined);
    });
  }

  test('what is on record without having been confirmed is undone too', () => {
    assert.deepEqual(
      undone({ purposes: [off('a')] }, before(was), [saved('a', 'unconfirmed')])?.purposes.length,
      1,
    );
  });

  const doubted: readonly [string, PurposeChange, PurposeChange | undefined][] = [
    ['an opt-in is taken back', on('b'), off('b')],
    [
      'what an adjustment adds is taken back',
      adjust('a', { topicsOn: ['t2'] }),
      reduce('a', { topicsOff: ['t2'] }),
    ],
    [
      'what it took out does not come back',
      adjust('a', { topicsOn: ['t2'], topicsOff: ['t1'] }),
      reduce('a', { topicsOff: ['t2'] }),
    ],
    ['nor what replaced a single choice', adjust('a', { optionsOn: [option('one', 'o2')] }), undefined],
    ['a withdrawal stays', off('a'), undefined],
    ['also one of what was off', off('b'), undefined],
  ];
  for (const [what, change, inverse] of doubted) {
    test(`of what is in doubt: ${what}`, () => {
      const result = undone({ purposes: [change] }, before(was), [saved(change.purpose, 'in-doubt')]);
      assert.deepEqual(result, inverse && intentOf(inverse));
    });
  }

  test('only what was saved is undone', () => {
    const result = undone({ purposes: [off('a'), on('b')] }, before(was), [
      saved('a', 'not-saved'),
      saved('b'),
    ]);
    assert.deepEqual(result?.purposes, [off('b')]);
  });

  test('a saved data element is not a saved purpose, nor the other way round', () => {
    const typed = [{ element: 'e', label: 'E', value: 'new' }];
    assert.equal(undone({ dataElements: typed }, before(''), [saved('e')]), undefined);
    assert.equal(
      undone({ purposes: [off('a')] }, before(was), [saved('a', 'saved', 'data-element')]),
      undefined,
    );
  });

  test('what was switched off again after a call that came late has no inverse', () => {
    const items = [saved('a', 'withdrawn-elsewhere'), { ...saved('a'), change: 'off' as const }, saved('d')];
    const intent = undone({ purposes: [on('a'), on('d')] }, before(''), items);
    assert.deepEqual(intent?.purposes, [off('d')]);
  });

  test('leaving everything brings back what had been agreed to, not what was only assumed nor what is offered no more', () => {
    const all = before(`${was} i:implicit p:pending l:always-active gone retired`);
    const items = ['a', 'i', 'p', 'l', 'gone', 'retired', 'd'].map((id) => saved(id));
    const result = undone({ everything: 'withdraw' }, all, items);
    assert.deepEqual(result, intentOf(on('a', asBefore)));
  });

  test('what was typed and the language go back', () => {
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

  test('an identifier that was typed stays', () => {
    const typed = [{ element: 'e', label: 'E', value: 'Anna' }];
    const items = [saved('e', 'saved', 'data-element')];
    assert.equal(undone({ dataElements: typed }, before(''), items), undefined);
  });

  test('a language that was not saved, or that replaced none, stays', () => {
    assert.equal(undone({ language: 'fr' }, before(''), [saved('fr', 'not-saved', 'language')]), undefined);
    assert.equal(
      undone({ language: 'fr' }, before('', { language: undefined }), [saved('fr', 'saved', 'language')]),
      undefined,
    );
  });
});
