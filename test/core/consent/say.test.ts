import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Call,
  centerOf,
  type DesiredState,
  usualLimits,
} from '../../../src/core/consent/desired-state.ts';
import { prune } from '../../../src/core/consent/prune.ts';
import type { Said } from '../../../src/core/consent/say.ts';
import type { FormFacts } from '../../../src/core/model/submission/submission-request.ts';
import { adjust, leaveAll, off, on, option, reduce } from '../changes.ts';
import {
  after,
  type Event,
  everythingIs,
  formAt,
  holding,
  other,
  said,
  turn,
  type Wanted,
  wordAt,
  words,
} from './said.ts';

describe('the newest word about a key wins', () => {
  const cases: readonly [string, readonly Wanted[], readonly string[], readonly string[]][] = [
    ['a grant', [[on('a')]], ['purpose a: on open'], []],
    [
      'a withdrawal replaces a grant',
      [[on('a')], [off('a')]],
      ['purpose a: off open'],
      ['purpose a replaced said-otherwise'],
    ],
    [
      'a grant replaces a withdrawal',
      [[off('a')], [on('a')]],
      ['purpose a: on open'],
      ['purpose a replaced said-otherwise'],
    ],
    [
      'a withdrawal ends the choices of its purpose',
      [[on('a', { topics: ['t1'] })], [off('a')]],
      ['purpose a: off open', 'topic a t1: off over'],
      ['purpose a replaced said-otherwise', 'topic a t1 replaced said-otherwise'],
    ],
    [
      'a grant has the ticked choices, and none from before',
      [[adjust('a', { topicsOn: ['t1'] })], [on('a', { topics: ['t2'] })]],
      ['topic a t1: off bound', 'purpose a: on open', 'topic a t2: on open'],
      ['topic a t1 replaced said-otherwise'],
    ],
    [
      'a removed choice is a withdrawal of its own',
      [[reduce('a', { topicsOff: ['t1'], optionsOff: [option('one', 'x')] })]],
      ['topic a t1: off open', 'option a one x: off open'],
      [],
    ],
    [
      'a single choice takes the place of the one before',
      [
        [adjust('a', { optionsOn: [option('one', 'x')] })],
        [adjust('a', { optionsOn: [option('one', 'y')] })],
      ],
      ['option a one x: off bound', 'option a one y: on open'],
      ['option a one x replaced said-otherwise'],
    ],
    [
      'a multiple choice takes the place of no other',
      [
        [adjust('a', { optionsOn: [option('many', 'x')] })],
        [adjust('a', { optionsOn: [option('many', 'y')] })],
      ],
      ['option a many x: on open', 'option a many y: on open'],
      [],
    ],
    [
      'a topic with the name of a single choice is not one of its options',
      [[adjust('a', { topicsOn: ['one'] })], [adjust('a', { optionsOn: [option('one', 'x')] })]],
      ['topic a one: on open', 'option a one x: on open'],
      [],
    ],
    [
      'a grant leaves a choice that is being taken out',
      [[reduce('a', { topicsOff: ['t1'] })], [on('a', { topics: ['t2'], topicsOff: ['t1'] })]],
      ['topic a t1: off open', 'purpose a: on open', 'topic a t2: on open'],
      [],
    ],
    [
      'a value and a language',
      [{ dataElements: [{ element: 'e', label: 'E', value: '1' }], language: 'fr' }],
      ['element e: 1 open', 'language: fr open'],
      [],
    ],
    [
      'everything turns grants into withdrawals, and leaves values alone',
      [
        {
          purposes: [on('a', { topics: ['t1'] }), off('b')],
          dataElements: [{ element: 'e', label: 'E', value: '1' }],
        },
        leaveAll,
      ],
      ['purpose a: off open', 'topic a t1: off over', 'purpose b: off open', 'element e: 1 open'],
      ['purpose a replaced said-otherwise', 'topic a t1 replaced said-otherwise'],
    ],
  ];
  for (const [name, intents, expected, ended] of cases) {
    test(name, () => {
      const result = after(...intents.map((intent) => said(intent)));
      assert.deepEqual(words(result.desired), expected);
      assert.deepEqual(result.ended, ended);
    });
  }
});

test('an undo takes a choice out only together with the choice that it restores', () => {
  const swap = [adjust('a', { topicsOn: ['t1'], topicsOff: ['t2'] })];
  assert.deepEqual(words(after(said(swap)).desired), ['topic a t1: on open', 'topic a t2: off open']);
  const undone = after(said(swap, { undoes: 'r' })).desired;
  assert.deepEqual(words(undone), ['topic a t1: on open', 'topic a t2: off bound']);
  const takenOut = after(said([reduce('a', { topicsOff: ['t2'] })], { undoes: 'r' })).desired;
  assert.deepEqual(words(takenOut), ['topic a t2: off open']);
});

test('a grant takes out the choices that a call without an answer may bring', () => {
  const update = { purposes: [{ id: 'a', topics: ['t1'], preferences: [] }] } as unknown as Call['update'];
  const call = { order: 1, at: 0, update, refusals: [], off: [], keys: [], by: 'r' };
  const lost = (desired: DesiredState): DesiredState => {
    return { ...desired, centers: [{ ...centerOf(desired, 'center'), calls: [call] }] };
  };
  const { desired } = after(lost, said([on('a')]));
  assert.deepEqual(words(desired), ['purpose a: on open', 'topic a t1: off bound']);
});

test('a form that was posted as it was shown since only withdraws', () => {
  const purposes = [on('a', { topics: ['t1'] }), off('b')];
  const { desired, ended } = after(said({ purposes, language: 'fr' }, { isAsShownSince: true }));
  assert.deepEqual(words(desired), ['purpose b: off open']);
  const lines = ['purpose a', 'topic a t1', 'language'];
  assert.deepEqual(
    ended,
    lines.map((key) => `${key} not-saved withdrawn-after-the-form`),
  );
});

test('the facts of a key outlive its word', () => {
  const { desired } = after(said([off('a')]), turn('sent'), said([on('a')]), said([on('a')]));
  const word = wordAt(desired, 'purpose a');
  assert.deepEqual([word?.takenOut, word?.withdrawn], [1, 1]);
  const bound = after(said([adjust('a', { topicsOn: ['t1'] })]), said([on('a')])).desired;
  assert.equal(wordAt(bound, 'topic a t1')?.withdrawn, undefined);
});

describe('a grant goes on with the withdrawal that it replaces', () => {
  const grant = said([on('a')]);
  const withdrawal = said([off('a')]);
  const everything = said(leaveAll);
  const carried = holding({ key: 'purpose a', want: 'off', by: '', at: 0, order: 0, phase: 'over' });
  const cases: readonly [string, readonly Event[], true | undefined][] = [
    ['that is under way', [withdrawal, grant], true],
    ['that the grant before it replaced', [withdrawal, grant, grant], true],
    ['but a plain grant has none', [grant, grant], undefined],
    ['but not with one that is done', [withdrawal, turn('verified'), grant], undefined],
    ['of everything', [everything, grant], true],
    ['of everything, of what was only carried', [carried, everything, grant], true],
    ['but not of everything that is off', [everything, everythingIs('verified'), grant], undefined],
    [
      'but not with its own part of everything that is off',
      [grant, everything, turn('verified'), grant],
      undefined,
    ],
    ['and a withdrawal goes on with none', [withdrawal, withdrawal], undefined],
  ];
  for (const [name, all, expected] of cases) {
    test(name, () => assert.equal(wordAt(after(...all).desired, 'purpose a')?.replacesWithdrawal, expected));
  }

  test('but a grant of a choice does not', () => {
    const { desired } = after(everything, said([adjust('a', { topicsOn: ['t1'] })]));
    assert.equal(wordAt(desired, 'topic a t1')?.replacesWithdrawal, undefined);
  });
});

describe('a withdrawal stands against a form that was shown before it', () => {
  const old: FormFacts = { at: 0, order: 0, revision: '1' };
  const renewed = adjust('a', { renews: true });
  const cases: readonly [string, readonly Event[], readonly string[]][] = [
    [
      'of the purpose',
      [said([off('a')]), said([on('a')], { form: old })],
      ['purpose a withdrawn-elsewhere withdrawn-after-the-form'],
    ],
    [
      'and its choices',
      [said([off('a')]), said([on('a', { topics: ['t1'] })], { form: old })],
      [
        'purpose a withdrawn-elsewhere withdrawn-after-the-form',
        'topic a t1 withdrawn-elsewhere withdrawn-after-the-form',
      ],
    ],
    [
      'of one choice only',
      [
        said([reduce('a', { topicsOff: ['t1'] })]),
        said([adjust('a', { topicsOn: ['t1', 't2'] })], { form: old }),
      ],
      ['topic a t1 not-saved withdrawn-after-the-form'],
    ],
    [
      'of everything',
      [said(leaveAll), said([on('a')], { form: old })],
      ['purpose a withdrawn-elsewhere withdrawn-after-the-form'],
    ],
    [
      'not against a newer form',
      [said(leaveAll), (desired) => said([on('a')], { form: formAt(desired) })],
      [],
    ],
    ['not without a form', [said(leaveAll), said([on('a')])], []],
    [
      'not if it was asked for again since',
      [
        said([off('a')]),
        (desired) => said([on('a')], { form: formAt(desired) }),
        said([on('a')], { form: old }),
      ],
      ['purpose a replaced said-otherwise', 'purpose a replaced said-otherwise'],
    ],
    [
      'also if it was asked for again since, if it renews',
      [
        said([off('a')]),
        (desired) => said([on('a')], { form: formAt(desired) }),
        said([renewed], { form: old }),
      ],
      ['purpose a replaced said-otherwise', 'purpose a withdrawn-elsewhere withdrawn-after-the-form'],
    ],
    [
      'also if it was only renewed since',
      [said([off('a')]), said([renewed]), said([on('a')], { form: old })],
      ['purpose a replaced said-otherwise', 'purpose a withdrawn-elsewhere withdrawn-after-the-form'],
    ],
    [
      'also if what was asked for again is over',
      [said([off('a')]), said([on('a')]), turn('over'), said([on('a')], { form: old })],
      ['purpose a replaced said-otherwise', 'purpose a withdrawn-elsewhere withdrawn-after-the-form'],
    ],
    [
      'not if it was asked for again since, and only here',
      [
        said([off('a')]),
        said([off('b')], { center: 'other' }),
        said([on('a')]),
        said([on('a')], { form: old }),
      ],
      ['purpose a replaced said-otherwise', 'purpose a replaced said-otherwise'],
    ],
    [
      'also if it was granted in another center before',
      [
        said([on('a')], { center: 'other' }),
        turn('verified'),
        said([off('a')]),
        said([on('a')], { form: old }),
      ],
      ['purpose a withdrawn-elsewhere withdrawn-after-the-form'],
    ],
    [
      'also if it was granted in the same moment',
      [
        holding({ key: 'purpose a', want: 'on', by: 'r', at: 0, order: 1, phase: 'open', withdrawn: 1 }),
        said([on('a')], { form: old }),
      ],
      ['purpose a withdrawn-elsewhere withdrawn-after-the-form'],
    ],
    [
      'of another center, for the purposes that it offers',
      [said(leaveAll, { center: 'other', schema: other }), said([on('a'), on('b')], { form: old })],
      ['purpose a withdrawn-elsewhere withdrawn-after-the-form'],
    ],
    [
      'of another center without a known schema, for every purpose',
      [said(leaveAll, { center: 'other', schema: undefined }), said([on('b')], { form: old })],
      ['purpose b withdrawn-elsewhere withdrawn-after-the-form'],
    ],
  ];
  for (const [name, all, ended] of cases) {
    test(name, () => assert.deepEqual(after(...all).ended, ended));
  }

  test('and leaves the choices that the grant would take out', () => {
    const topic = said([adjust('a', { topicsOn: ['t1'] })]);
    const { desired } = after(said([off('a')]), topic, said([on('a', { topics: ['t2'] })], { form: old }));
    assert.deepEqual(words(desired), ['purpose a: off open', 'topic a t1: on open']);
  });

  test('and lets the form take choices out', () => {
    const { desired } = after(said([off('a')]), said([adjust('a', { topicsOff: ['t1'] })], { form: old }));
    assert.deepEqual(words(desired), ['purpose a: off open', 'topic a t1: off open']);
  });

  test('but not against the choices of another purpose', () => {
    const { desired } = after(
      said([off('b')]),
      said([on('a', { topicsOff: ['t2'] }), on('b')], { form: old }),
    );
    assert.deepEqual(words(desired), ['purpose b: off open', 'purpose a: on open', 'topic a t2: off bound']);
  });
});

describe('a withdrawal in another center', () => {
  const grant = said([on('a'), on('b')]);

  const elsewhere = (intent: Wanted, how: Partial<Said> = {}) =>
    said(intent, { center: 'other', reference: 'there', schema: other, ...how });
  const typed = { dataElements: [{ element: 'e', label: 'E', value: '1' }], language: 'fr' };
  const ended = (key: string) => `${key} withdrawn-elsewhere withdrawn-in-another-center`;
  const cases: readonly [string, readonly Event[], readonly string[], readonly string[]][] = [
    [
      'ends a grant that was not sent',
      [grant, elsewhere([off('a')])],
      ['purpose a: off over', 'purpose b: on open'],
      [ended('purpose a')],
    ],
    [
      'and its choices',
      [said([on('a', { topics: ['t1'] })]), elsewhere([off('a')])],
      ['purpose a: off over', 'topic a t1: off over'],
      [ended('purpose a'), ended('topic a t1')],
    ],
    [
      'of everything withdraws what was sent, as far as that center offers it',
      [grant, turn('sent'), elsewhere(leaveAll)],
      ['purpose a: off open', 'purpose b: on sent'],
      [ended('purpose a')],
    ],
    [
      'of everything ends every grant, and no value, if its schema is not known',
      [said({ ...typed, purposes: [on('a'), on('b')] }), elsewhere(leaveAll, { schema: undefined })],
      ['purpose a: off over', 'purpose b: off over', 'element e: 1 open', 'language: fr open'],
      [ended('purpose a'), ended('purpose b')],
    ],
    [
      'goes on if a grant replaced one',
      [said([off('a')]), said([on('a')]), elsewhere([off('a')])],
      ['purpose a: off open'],
      ['purpose a replaced said-otherwise', ended('purpose a')],
    ],
    [
      'leaves a withdrawal, and a grant that is done',
      [grant, turn('verified'), said([off('b')]), elsewhere([off('a'), off('b')])],
      ['purpose a: on verified', 'purpose b: off open'],
      [],
    ],
    ['is no grant there', [grant, elsewhere([on('a')])], ['purpose a: on open', 'purpose b: on open'], []],
    [
      'is none that goes only with a grant',
      [said([adjust('a', { topicsOn: ['t1'] })]), elsewhere([on('a', { topicsOff: ['t1'] })])],
      ['topic a t1: on open'],
      [],
    ],
  ];
  for (const [name, all, expected, lines] of cases) {
    test(name, () => {
      const result = after(...all);
      assert.deepEqual(words(result.desired), expected);
      assert.deepEqual(result.ended, lines);
    });
  }

  test('owns the word from then on', () => {
    const word = wordAt(after(grant, elsewhere([off('a')])).desired, 'purpose a');
    assert.deepEqual([word?.by, word?.at, word?.order], ['there', 1, 2]);
    const again = [said([off('a')]), turn('sent'), said([on('a')]), elsewhere([off('a')])];
    assert.equal(wordAt(after(...again).desired, 'purpose a')?.takenOut, 1);
  });

  test('is like a value that is typed there, which ends the older one', () => {
    const result = after(said(typed), elsewhere(typed));
    assert.deepEqual(words(result.desired), ['element e: 1 over', 'language: fr over']);
    assert.deepEqual(result.ended, ['element e replaced said-otherwise', 'language replaced said-otherwise']);
  });
});

describe('pruning forgets', () => {
  test('words that are over, once each form before them is too old', () => {
    const { desired } = after(said([off('a')]), said([on('b')]));
    const over = turn('verified', 'purpose a')(desired);
    assert.equal(words(prune(over, usualLimits.formLife, usualLimits)).length, 2);
    assert.deepEqual(words(prune(over, usualLimits.formLife + 1, usualLimits)), ['purpose b: on open']);
    const kept = centerOf(prune(over, usualLimits.formLife + 1, usualLimits), 'center');
    assert.equal(kept.asked.length, 1);
  });

  test('the purposes of a form, once its words are settled', () => {
    const drawn = [{ purpose: 'a', status: 'active', isOn: true }];
    const { desired } = after(said([off('a')], { form: { at: 0, order: 0, revision: '1', drawn } }));
    const shown = (state: DesiredState) =>
      centerOf(prune(state, 2, usualLimits), 'center').asked[0]?.form?.drawn;
    assert.deepEqual(shown(desired), drawn);
    assert.equal(shown(turn('verified')(desired)), undefined);
  });
});
