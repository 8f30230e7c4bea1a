import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { centerOf, type DesiredState, type Phase } from '../../../src/core/consent/desired-state.ts';
import { say } from '../../../src/core/consent/say.ts';
import type { FormFacts } from '../../../src/core/model/submission/submission-request.ts';
import { aCenter, aPurpose } from '../center-builder.ts';
import { leaveAll, off, on, reduce } from '../changes.ts';
import {
  after,
  type Event,
  everythingIs,
  formAt,
  holding,
  other,
  said,
  type TimedSaid,
  turn,
  type Wanted,
  withoutAsked,
  wordAt,
  words,
} from './said.ts';

const failedGrant = holding({ key: 'purpose a', want: 'off', by: 'r', at: 0, order: 1, phase: 'verified' });

/** Adds a grant in another center with this order. */
const grantAt =
  (order: number) =>
  (desired: DesiredState): DesiredState => {
    const item = { key: 'purpose a', want: 'on', by: 'r', at: 0, order, phase: 'verified' } as const;
    return { ...desired, centers: [...desired.centers, { ...centerOf(desired, 'other'), items: [item] }] };
  };

describe('a click that repeats a word', () => {
  const click = (intent: Wanted, how: Partial<TimedSaid> = {}) =>
    said(intent, { isOneClick: true, isBounded: true, ...how });

  test('is a repetition, and no submission of its own', () => {
    const first = click([off('a')]);
    const { desired, repeats, ended } = after(first, click([off('a')]));
    assert.equal(repeats, first.reference);
    assert.deepEqual(ended, []);
    const word = centerOf(desired, 'center').items[0];
    assert.deepEqual(
      [word?.by, word?.at, word?.order, word?.withdrawn, word?.phase],
      [first.reference, 1, 2, 2, 'open'],
    );
  });

  test('is a submission if another word came since', () => {
    const all = [click([off('a')]), said([on('a')]), click([off('a')])];
    assert.equal(after(...all).repeats, undefined);
  });

  test('is a submission if the purpose was asked for in another center since', () => {
    for (const intent of [[off('a')], leaveAll] as const) {
      const grant = said([on('a')], { center: 'other', schema: other });
      const { desired, repeats, ended } = after(click(intent), grant, click(intent));
      assert.equal(repeats, undefined);
      assert.deepEqual(words(desired, 'other'), ['purpose a: off over']);
      assert.ok(ended.includes('purpose a withdrawn-elsewhere withdrawn-in-another-center'));
      assert.notEqual(say(desired, click(intent), 9).repeats, undefined, 'the next click is a repetition');
    }
  });

  const there = (intent: Wanted, schema = other) => said(intent, { center: 'other', schema });
  const c = aPurpose('c');
  const grown = aCenter([aPurpose('a'), c]);
  const withC = aCenter([c], { id: 'other' });
  const value = { dataElements: [{ element: 'e', label: 'E', value: '1' }] };
  const one = click([off('a')]);
  const both = click([off('a'), off('b')]);
  const all = click(leaveAll);
  const cases: readonly [string, readonly Event[], 'a repetition' | 'a submission'][] = [
    ['of another purpose', [one, click([off('b')])], 'a submission'],
    ['of one purpose more', [one, both], 'a submission'],
    ['of less', [both, one], 'a repetition'],
    ['of nothing', [one, click([])], 'a submission'],
    ['after a failed grant', [failedGrant, one], 'a submission'],
    ['after a withdrawal that no rule acts on any more', [one, turn('over'), one], 'a submission'],
    ['after a click by an objection', [click([off('a')], { isObjection: true }), one], 'a submission'],
    [
      'by an objection after one',
      [click([off('a')], { isObjection: true }), { ...one, isObjection: true }],
      'a repetition',
    ],
    ['by an objection', [one, { ...one, isObjection: true }], 'a repetition'],
    ['of a word without facts about its submission', [one, withoutAsked, one], 'a repetition'],
    ['while another purpose is granted elsewhere', [one, there([on('c')], withC), one], 'a repetition'],
    ['while it is withdrawn elsewhere', [one, there([off('a')]), one], 'a repetition'],
    [
      'while a grant elsewhere is over',
      [one, there([on('a')]), turn('over', undefined, 'other'), one],
      'a repetition',
    ],
    ['while a value is typed elsewhere', [one, there(value), one], 'a repetition'],
    [
      'after a grant elsewhere before it',
      [said([on('b')]), there([on('a')]), turn('verified', undefined, 'other'), one, one],
      'a repetition',
    ],
    [
      'of two clicks with a grant elsewhere between them',
      [one, there([off('a'), on('b')]), click([off('b')]), both],
      'a repetition',
    ],
    [
      'of two clicks with a grant elsewhere after the first',
      [one, there([on('a')]), click([off('b')]), both],
      'a submission',
    ],
    ['beside a grant of the same moment', [one, grantAt(1), one], 'a submission'],
    ['of everything beside a grant of the same moment', [all, grantAt(1), all], 'a submission'],
    ['of everything', [all, all], 'a repetition'],
    ['of everything for the first time', [one, all], 'a submission'],
    ['of everything after a grant', [all, said([on('a')]), all], 'a submission'],
    ['of everything after a withdrawal', [all, said([off('b')]), all], 'a repetition'],
    ['of everything after a value', [all, said(value), all], 'a repetition'],
    [
      'of everything after a grant elsewhere before it',
      [there([on('a')]), turn('verified'), all, all],
      'a repetition',
    ],
    [
      'of everything while a purpose is granted elsewhere that it does not offer',
      [there([on('c')], withC), all, all],
      'a repetition',
    ],
    [
      'of everything that offers a purpose granted elsewhere',
      [there([on('c')], withC), all, { ...all, schema: grown }],
      'a submission',
    ],
    [
      'of everything that offers less than before',
      [there([on('c')], withC), turn('verified'), { ...all, schema: grown }, all],
      'a repetition',
    ],
  ];
  for (const [name, events, expected] of cases) {
    test(`${name} is ${expected}`, () => {
      assert.equal(after(...events).repeats === undefined ? 'a submission' : 'a repetition', expected);
    });
  }

  test('of everything marks only the words of the click before it', () => {
    const { desired } = after(said([on('a')]), all, said([off('b')]), all);
    assert.equal(wordAt(desired, 'purpose a')?.isSaidAgain, true);
    assert.equal(wordAt(desired, 'purpose b')?.isSaidAgain, undefined);
  });

  for (const [name, events, phase] of [
    ['is one more reading', [all, everythingIs('sent'), { ...all, now: 9_999 }], 'sent'],
    ['also after it was seen off', [all, everythingIs('verified'), all], 'sent'],
    ['also late', [{ ...all, now: 6_000 }, everythingIs('sent'), { ...all, now: 12_000 }], 'sent'],
    ['but is sent if it was not yet', [all, all], 'open'],
    ['but is sent again after the lag', [all, everythingIs('sent'), { ...all, now: 10_000 }], 'open'],
    ['but is sent again by a form', [all, everythingIs('sent'), { ...all, isOneClick: false }], 'open'],
  ] as [string, Event[], Phase][]) {
    test(`of everything twice ${name}`, () => {
      assert.equal(centerOf(after(...events).desired, 'center').everything?.phase, phase);
    });
  }

  test('of everything reaches the purposes that the center offers now', () => {
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

  test('of a form is always a submission', () => {
    assert.equal(after(said([off('a')]), said([off('a')])).repeats, undefined);
  });
});

describe('one form that is posted twice', () => {
  const form: FormFacts = { at: 5_000, order: 0, revision: '1' };
  const first = said([off('a')], { reference: 'first', form, now: 5_000 });
  const again = (how: Partial<TimedSaid>) =>
    said([off('a')], { reference: 'again', form, now: 6_000, ...how });
  const copied = ['first', 'again', 1, 2];
  const anew = ['again', undefined, 2, 2];
  const cases: readonly [string, readonly Event[], readonly unknown[]][] = [
    ['is one word, told to both', [first, again({})], copied],
    ['also after its call was made', [first, turn('sent'), again({})], copied],
    ['but not once it is done', [first, turn('verified'), again({})], anew],
    ['but not a moment later', [first, again({ now: 6_001 })], anew],
    ['as one shown a second apart', [first, again({ form: { ...form, at: 6_000 } })], copied],
    ['or a second before', [first, again({ form: { ...form, at: 4_000 } })], copied],
    ['but not as one shown later', [first, again({ form: { ...form, at: 6_001 } })], anew],
    ['but not as one of a later state', [first, again({ form: { ...form, order: 1 } })], anew],
    ['but not as one of other words', [first, again({ form: { ...form, revision: '2' } })], anew],
    ['but not without a form', [first, again({ form: undefined })], anew],
    ['but not after one without a form', [{ ...first, form: undefined }, again({})], anew],
    [
      'but not a third time',
      [first, said([off('a')], { form, now: 5_500 }), again({})],
      ['again', undefined, 3, 3],
    ],
    [
      'or an objection to a purpose that is being withdrawn',
      [first, again({ isObjection: true, now: 9_000 })],
      copied,
    ],
    ['but not after an objection', [{ ...first, isObjection: true }, again({})], anew],
    ['but not without facts about the first submission', [first, withoutAsked, again({})], anew],
  ];
  for (const [name, all, expected] of cases) {
    test(name, () => {
      const word = wordAt(after(...all).desired, 'purpose a');
      assert.deepEqual([word?.by, word?.also, word?.order, word?.withdrawn], expected);
    });
  }
});

test('a choice that is being taken out is over when its form is posted again to withdraw its purpose', () => {
  const form: FormFacts = { at: 0, order: 0, revision: '1' };
  const { desired } = after(
    said([reduce('a', { topicsOff: ['t1'] })], { form }),
    said([off('a')], { form, reference: 'again' }),
  );
  assert.deepEqual(words(desired), ['topic a t1: off over', 'purpose a: off open']);
  assert.equal(wordAt(desired, 'topic a t1')?.by, 'again');
});

describe('an objection', () => {
  const all = said(leaveAll, { reference: 'all', now: 7 });
  const object = said([off('b')], { reference: 'objection', isObjection: true });
  const joined = ['all', 'objection', 7, 1, 2];
  const cases: readonly [string, readonly Event[], readonly unknown[]][] = [
    ['to a purpose that goes with everything is withdrawn with it', [all, object], joined],
    [
      'and so is one more',
      [all, object, said([off('b')], { reference: 'more', isObjection: true })],
      ['all', 'more', 7, 1, 3],
    ],
    [
      'but a withdrawal is its own',
      [all, { ...object, isObjection: false }],
      ['objection', undefined, 1, 2, 2],
    ],
    [
      'and so is one after everything is off',
      [all, everythingIs('verified'), object],
      ['objection', undefined, 2, 2, 2],
    ],
    [
      'and so is one to a purpose that was granted since',
      [all, said([on('b')]), object],
      ['objection', undefined, 2, 3, 3],
    ],
  ];
  for (const [name, events, expected] of cases) {
    test(name, () => {
      const word = wordAt(after(...events).desired, 'purpose b');
      assert.deepEqual([word?.by, word?.also, word?.at, word?.order, word?.withdrawn], expected);
    });
  }
});
