import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  centerOf,
  type DesiredItem,
  type DesiredState,
  emptyState,
  type Phase,
  usualLimits,
} from '../../../src/core/consent/desired-state.ts';
import { prune } from '../../../src/core/consent/prune.ts';
import { type Said, say } from '../../../src/core/consent/say.ts';
import { type Intent, noIntent, type PurposeChange } from '../../../src/core/model/submission/intent.ts';
import type { FormFacts } from '../../../src/core/model/submission/submission-request.ts';
import { aCenter, aPreference, aPurpose, topics } from '../center-builder.ts';
import { adjust, leaveAll, off, on, option, reduce } from '../changes.ts';

const center = aCenter([
  aPurpose('a', {
    topics: topics('t1', 't2'),
    preferences: [aPreference('one', ['x', 'y'], { choice: 'single' })],
  }),
  aPurpose('b'),
]);
const other = aCenter([aPurpose('a')], { id: 'other' });

let sequence = 0;

type Asked = readonly PurposeChange[] | Partial<Intent>;

function said(intent: Asked, how: Partial<Said> = {}): Said {
  sequence += 1;
  return {
    reference: `r${sequence}`,
    center: 'center',
    intent: { ...noIntent, ...(Array.isArray(intent) ? { purposes: intent } : intent) },
    confirms: [],
    isObjection: false,
    isOneClick: false,
    isBounded: false,
    undoes: undefined,
    schema: center,
    ...how,
  };
}

function formAt(desired: DesiredState): FormFacts {
  return { at: 0, order: desired.order, revision: '1' };
}

/** Words as `purpose a: on open`. */
function words(desired: DesiredState, id = 'center'): readonly string[] {
  const show = ({ key, want, phase }: DesiredItem) =>
    `${key}: ${typeof want === 'string' ? want : want.value} ${phase}`;
  return centerOf(desired, id).items.map(show);
}

/** The document after some words, each with what became of the ones before. */
function after(...all: readonly (Said | ((desired: DesiredState) => Said))[]) {
  let desired = emptyState;
  const ended: string[] = [];
  let repeats: string | undefined;
  for (const [index, each] of all.entries()) {
    const spoken = say(desired, typeof each === 'function' ? each(desired) : each, index);
    desired = spoken.desired;
    repeats = spoken.repeats;
    ended.push(...spoken.ended.map(({ key, outcome, row }) => `${key} ${outcome} ${row}`));
  }
  return { desired, ended, repeats };
}

/** All words, or the one. */
function inPhase(desired: DesiredState, phase: Phase, key?: string): DesiredState {
  const centers = desired.centers.map((each) => {
    const isMeant = (item: DesiredItem) => key === undefined || item.key === key;
    return { ...each, items: each.items.map((item) => (isMeant(item) ? { ...item, phase, call: 1 } : item)) };
  });
  return { ...desired, centers };
}

describe('the newest word about a key wins', () => {
  const cases: readonly [string, readonly Asked[], readonly string[], readonly string[]][] = [
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
      'a withdrawal ends what stands under its purpose',
      [[on('a', { topics: ['t1'] })], [off('a')]],
      ['purpose a: off open', 'topic a t1: off over'],
      ['purpose a replaced said-otherwise', 'topic a t1 replaced said-otherwise'],
    ],
    [
      'switched on is with what is ticked, and nothing of before',
      [[adjust('a', { topicsOn: ['t1'] })], [on('a', { topics: ['t2'] })]],
      ['topic a t1: off bound', 'purpose a: on open', 'topic a t2: on open'],
      ['topic a t1 replaced said-otherwise'],
    ],
    [
      'what is taken out is a withdrawal of its own',
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
      'a value and a language',
      [{ dataElements: [{ element: 'e', label: 'E', value: '1' }], language: 'fr' }],
      ['element e: 1 open', 'language: fr open'],
      [],
    ],
    [
      'everything turns what was asked into withdrawals, and leaves values alone',
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

describe('a withdrawal stands against a form that was shown before it', () => {
  const old: FormFacts = { at: 0, order: 0, revision: '1' };
  const cases: readonly [string, readonly (Said | ((desired: DesiredState) => Said))[], readonly string[]][] =
    [
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
      ['not where there was no form', [said(leaveAll), said([on('a')])], []],
      [
        'not where it was asked for again since',
        [
          said([off('a')]),
          (desired) => said([on('a')], { form: formAt(desired) }),
          said([on('a')], { form: old }),
        ],
        ['purpose a replaced said-otherwise', 'purpose a replaced said-otherwise'],
      ],
      [
        'of another center, by what that one offers',
        [said(leaveAll, { center: 'other', schema: other }), said([on('a'), on('b')], { form: old })],
        ['purpose a withdrawn-elsewhere withdrawn-after-the-form'],
      ],
      [
        'of another center whose schema nobody knows, by whatever it may offer',
        [said(leaveAll, { center: 'other', schema: undefined }), said([on('b')], { form: old })],
        ['purpose b withdrawn-elsewhere withdrawn-after-the-form'],
      ],
    ];
  for (const [name, all, ended] of cases) {
    test(name, () => assert.deepEqual(after(...all).ended, ended));
  }
});

describe('a withdrawal in another center', () => {
  const grant = said([on('a'), on('b')]);

  test('ends a grant that was not sent', () => {
    const result = after(grant, said([off('a')], { center: 'other', schema: other }));
    assert.deepEqual(words(result.desired), ['purpose a: off over', 'purpose b: on open']);
    assert.deepEqual(result.ended, ['purpose a withdrawn-elsewhere withdrawn-in-another-center']);
  });

  test('withdraws what was sent', () => {
    const before = inPhase(after(grant).desired, 'sent');
    const { desired } = say(before, said(leaveAll, { center: 'other', schema: other }), 9);
    assert.deepEqual(words(desired), ['purpose a: off open', 'purpose b: on sent']);
  });
});

describe('a click that says what was said', () => {
  const click = (intent: Asked) => said(intent, { isOneClick: true, isBounded: true });

  test('is no submission of its own', () => {
    const first = click([off('a')]);
    const { desired, repeats } = after(first, click([off('a')]));
    assert.equal(repeats, first.reference);
    const word = centerOf(desired, 'center').items[0];
    assert.deepEqual(
      [word?.by, word?.at, word?.order, word?.withdrawn, word?.phase],
      [first.reference, 1, 2, 2, 'open'],
    );
  });

  test('is one where another word came since', () => {
    const all = [click([off('a')]), said([on('a')]), click([off('a')])];
    assert.equal(after(...all).repeats, undefined);
  });

  test('is one where the same was asked for in another center since', () => {
    for (const intent of [[off('a')], leaveAll] as const) {
      const grant = said([on('a')], { center: 'other', schema: other });
      const { desired, repeats, ended } = after(click(intent), grant, click(intent));
      assert.equal(repeats, undefined);
      assert.deepEqual(words(desired, 'other'), ['purpose a: off over']);
      assert.ok(ended.includes('purpose a withdrawn-elsewhere withdrawn-in-another-center'));
      assert.notEqual(say(desired, click(intent), 9).repeats, undefined, 'and again is none');
    }
  });

  test('of everything is one where something was asked for since', () => {
    assert.notEqual(after(click(leaveAll), click(leaveAll)).repeats, undefined);
    const all = [click(leaveAll), said([on('a')]), click(leaveAll)];
    assert.equal(after(...all).repeats, undefined);
  });

  test('of everything reaches what the center offers since', () => {
    const first = after(click(leaveAll)).desired;
    const grown = aCenter([aPurpose('a'), aPurpose('c')]);
    const { desired } = say(first, { ...click(leaveAll), schema: grown }, 9);
    const grant = said([on('c')], {
      center: 'other',
      schema: aCenter([aPurpose('c')], { id: 'other' }),
      form: formAt(first),
    });
    const { ended } = say(desired, grant, 10);
    assert.deepEqual(
      ended.map(({ key, outcome }) => `${key} ${outcome}`),
      ['purpose c withdrawn-elsewhere'],
    );
  });

  test('of a form is always one', () => {
    assert.equal(after(said([off('a')]), said([off('a')])).repeats, undefined);
  });
});

describe('what is forgotten', () => {
  test('words that are over, once every form of before them is too old', () => {
    const { desired } = after(said([off('a')]), said([on('b')]));
    const over = inPhase(desired, 'verified', 'purpose a');
    assert.equal(words(prune(over, usualLimits.formLife, usualLimits)).length, 2);
    assert.deepEqual(words(prune(over, usualLimits.formLife + 1, usualLimits)), ['purpose b: on open']);
    const kept = centerOf(prune(over, usualLimits.formLife + 1, usualLimits), 'center');
    assert.equal(kept.asked.length, 1);
  });

  test('what a form showed, once its words are settled', () => {
    const drawn = [{ purpose: 'a', status: 'active', isOn: true }];
    const { desired } = after(said([off('a')], { form: { at: 0, order: 0, revision: '1', drawn } }));
    const shown = (state: DesiredState) =>
      centerOf(prune(state, 2, usualLimits), 'center').asked[0]?.form?.drawn;
    assert.deepEqual(shown(desired), drawn);
    assert.equal(shown(inPhase(desired, 'verified')), undefined);
  });
});
