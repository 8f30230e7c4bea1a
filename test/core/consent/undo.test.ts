import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { undoIntent } from '../../../src/core/consent/undo.ts';
import type { ConsentRecord, Subject, SubjectId } from '../../../src/core/model/person/subject.ts';
import { type Intent, noIntent, type PurposeChange } from '../../../src/core/model/submission/intent.ts';
import type { ItemResult, Outcome } from '../../../src/core/model/submission/submission.ts';
import { aCenter, aPreference, aPurpose, record } from '../center-builder.ts';
import { adjust, off, on, option, reduce } from '../changes.ts';

const center = aCenter([
  aPurpose('a', {
    preferences: [aPreference('many', ['m1', 'm2']), aPreference('one', ['o1', 'o2'], { choice: 'single' })],
  }),
  aPurpose('d', { onByDefault: true }),
  aPurpose('retired', { active: false }),
]);

function before(purposes: readonly ConsentRecord[], change: Partial<Subject> = {}): Subject {
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
  const a = record(
    'a',
    'active',
    ['t1'],
    [
      { id: 'many', options: ['m1'] },
      { id: 'one', options: ['o1'] },
    ],
  );
  const was = before([a]);
  const cases: readonly [string, Subject, PurposeChange, PurposeChange | undefined][] = [
    [
      'a withdrawal becomes an opt-in with what was recorded',
      was,
      off('a'),
      on('a', { topics: ['t1'], options: [option('many', 'm1'), option('one', 'o1')] }),
    ],
    ['a withdrawal of what was only assumed leaves it off', before([]), off('d'), undefined],
    [
      'a withdrawal of what was implicit leaves it off',
      before([record('a', 'implicit', ['t'])]),
      off('a'),
      undefined,
    ],
    [
      'a withdrawal of what was pending has no inverse',
      before([record('a', 'pending')]),
      off('a'),
      undefined,
    ],
    ['a withdrawal of what was off has no inverse', before([]), off('a'), undefined],
    [
      'a withdrawal of what is retired has no inverse',
      before([record('retired', 'active')]),
      off('retired'),
      undefined,
    ],
    [
      'a withdrawal of what its center has no more has no inverse',
      before([record('gone', 'active')]),
      off('gone'),
      undefined,
    ],
    ['an opt-in becomes a withdrawal', before([]), on('a', { topics: ['t1'] }), off('a')],
    [
      'an opt-in of what was off on record becomes a withdrawal',
      before([record('a', 'off', ['t1'])]),
      on('a'),
      off('a'),
    ],
    ['an opt-in of what no page draws becomes a withdrawal', before([]), on('gone'), off('gone')],
    [
      'an opt-in of what was on already takes back what it added',
      was,
      on('a', { topics: ['t1', 't2'], options: [option('many', 'm1'), option('many', 'm2')] }),
      reduce('a', { topicsOff: ['t2'], optionsOff: [option('many', 'm2')] }),
    ],
    [
      'what was taken out comes back',
      was,
      reduce('a', { topicsOff: ['t1', 't9'], optionsOff: [option('many', 'm1'), option('one', 'o1')] }),
      adjust('a', { topicsOn: ['t1'], optionsOn: [option('many', 'm1'), option('one', 'o1')] }),
    ],
    [
      'a single choice where there was none is taken out',
      before([record('a', 'active')]),
      adjust('a', { optionsOn: [option('one', 'o2')] }),
      reduce('a', { optionsOff: [option('one', 'o2')] }),
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
      adjust('a', { optionsOn: [option('one', 'o2')], optionsOff: [option('one', 'o1')] }),
      adjust('a', { optionsOn: [option('one', 'o1')] }),
    ],
    [
      'also when no one un-chose it',
      was,
      adjust('a', { optionsOn: [option('one', 'o2')] }),
      adjust('a', { optionsOn: [option('one', 'o1')] }),
    ],
    [
      'an adjustment of what was only assumed leaves nothing agreed to',
      before([]),
      adjust('d', { topicsOn: ['t'] }),
      off('d'),
    ],
    [
      'an adjustment of what was implicit leaves nothing agreed to',
      before([record('a', 'implicit', ['t'])]),
      adjust('a', { topicsOff: ['t'] }),
      off('a'),
    ],
  ];
  for (const [what, subject, change, inverse] of cases) {
    test(what, () => {
      const result = undone({ purposes: [change] }, subject, [saved(change.purpose)]);
      assert.deepEqual(result, inverse === undefined ? undefined : { ...noIntent, purposes: [inverse] });
    });
  }

  test('an adjustment of what was assumed is turned round where saving confirms what is assumed', () => {
    const change = adjust('d', { topicsOn: ['t'] });
    const result = undone({ purposes: [change] }, before([]), [saved('d')], { confirmsDefaults: true });
    assert.deepEqual(result?.purposes, [reduce('d', { topicsOff: ['t'] })]);
  });

  const objected: readonly [string, Subject, PurposeChange, PurposeChange | undefined][] = [
    ['an opt-in to what would be assumed becomes a withdrawal', before([]), on('d'), off('d')],
    ['as one to what would be implicit', before([record('a', 'implicit')]), on('a'), off('a')],
    ['an objection to what would be assumed has no inverse', before([]), off('d'), undefined],
    ['nor one to what would be implicit', before([record('a', 'implicit')]), off('a'), undefined],
    [
      'a withdrawal of what was agreed to becomes an opt-in',
      before([record('a', 'active')]),
      off('a'),
      on('a'),
    ],
  ];
  for (const [what, subject, change, inverse] of objected) {
    test(`under Global Privacy Control ${what}`, () => {
      for (const confirmsDefaults of [false, true]) {
        const options = { globalPrivacyControl: true, confirmsDefaults };
        const result = undone({ purposes: [change] }, subject, [saved(change.purpose)], options);
        assert.deepEqual(result?.purposes, inverse === undefined ? undefined : [inverse]);
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
      assert.equal(undone({ purposes: [off('a')] }, was, [saved('a', outcome)]), undefined);
    });
  }

  test('what is on record without having been confirmed is undone too', () => {
    assert.deepEqual(undone({ purposes: [off('a')] }, was, [saved('a', 'unconfirmed')])?.purposes.length, 1);
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
  ];
  for (const [what, change, inverse] of doubted) {
    test(`of what is in doubt: ${what}`, () => {
      const result = undone({ purposes: [change] }, was, [saved(change.purpose, 'in-doubt')]);
      assert.deepEqual(result?.purposes, inverse === undefined ? undefined : [inverse]);
    });
  }

  test('only what was saved is undone', () => {
    const result = undone({ purposes: [off('a'), on('b')] }, was, [saved('a', 'not-saved'), saved('b')]);
    assert.deepEqual(result?.purposes, [off('b')]);
  });

  test('a saved data element is not a saved purpose', () => {
    assert.equal(undone({ purposes: [off('a')] }, was, [saved('a', 'saved', 'data-element')]), undefined);
  });

  test('what was switched off again after a call that came late has no inverse', () => {
    const items = [saved('a', 'withdrawn-elsewhere'), { ...saved('a'), change: 'off' as const }, saved('d')];
    const intent = undone({ purposes: [on('a'), on('d')] }, before([]), items);
    assert.deepEqual(intent?.purposes, [off('d')]);
  });

  test('leaving everything brings back what had been agreed to, not what was only assumed nor what is offered no more', () => {
    const all = before([
      a,
      record('i', 'implicit'),
      record('p', 'pending'),
      record('l', 'always-active'),
      record('gone', 'active'),
      record('retired', 'active'),
    ]);
    const items = ['a', 'i', 'p', 'l', 'gone', 'retired', 'd'].map((id) => saved(id));
    const result = undone({ everything: 'withdraw' }, all, items);
    assert.deepEqual(result?.purposes, [
      on('a', { topics: ['t1'], options: [option('many', 'm1'), option('one', 'o1')] }),
    ]);
    assert.equal(result?.everything, undefined);
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
      before([], { dataElements: { E: 'old' } }),
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
    assert.equal(undone({ dataElements: typed }, before([]), items), undefined);
  });

  test('a language that was not saved, or that replaced none, stays', () => {
    assert.equal(undone({ language: 'fr' }, before([]), [saved('fr', 'not-saved', 'language')]), undefined);
    assert.equal(
      undone({ language: 'fr' }, before([], { language: undefined }), [saved('fr', 'saved', 'language')]),
      undefined,
    );
  });
});
