import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { centerOf, emptyState } from '../../../src/core/consent/desired-state.ts';
import type { Center } from '../../../src/core/model/center/center.ts';
import type { OptionChange, PurposeChange } from '../../../src/core/model/submission/intent.ts';
import { aCenter, aPurpose } from '../center-builder.ts';
import { adjust, intentOf, leaveAll, off, on, option, reduce } from '../changes.ts';
import {
  type Event,
  everythingIs,
  formAt,
  given,
  other,
  said,
  taken,
  turn,
  type Wanted,
  withoutAsked,
} from './said.ts';
import { schema, typed, type Undone, undoOf, was } from './undone.ts';

/** Adds a withdrawal of everything with the order of the first word. */
const everythingThen: Event = (desired) => {
  const center = centerOf(desired, 'center');
  const order = center.items[0]?.order ?? 0;
  const everything = { by: 'x', at: 0, order, phase: 'verified', reach: undefined } as const;
  return { ...desired, centers: [{ ...center, everything }] };
};
const topicOff: Event = (desired) => {
  const center = centerOf(desired, 'center');
  const items = center.items.flatMap((item) => [
    item,
    { ...item, key: 'topic a t1', phase: 'over' as const, withdrawn: item.order },
  ]);
  return { ...desired, centers: [{ ...center, items }] };
};
const elsewhereThen: Event = (desired) => {
  const center = centerOf(desired, 'center');
  const items = center.items.map((item) => ({ ...item, by: 'x' }));
  return { ...desired, centers: [center, { ...center, center: 'other', items }] };
};

describe('the undo of a withdrawal restores its purpose', () => {
  const left: Undone = {
    asks: [off('a')],
    lines: [taken('purpose a', 'saved', was('a[t1 t2 many.x many.y]'))],
  };
  const x = option('many', 'x');
  const y = option('many', 'y');
  const back = (topics: readonly string[], ...options: readonly (typeof x)[]) => on('a', { topics, options });
  const whole = back(['t1', 't2'], x, y);
  const elsewhere = (asks: Wanted, schemaThere: Center = other) =>
    said(asks, { center: 'other', schema: schemaThere });
  const withoutA = aCenter([aPurpose('b')], { id: 'other' });
  const form = formAt({ order: 0, centers: [] });
  const copy = said([off('a')], { form });
  const lessElsewhere = elsewhere([reduce('a', { topicsOff: ['t1'] })]);
  const cases: readonly [string, Partial<Undone>, PurposeChange | undefined][] = [
    ['as it was', {}, whole],
    ['not if something was said of it since', { since: [said([on('a')])] }, undefined],
    [
      'not if a word was, and its request is not known',
      { since: [said([off('a')]), turn('verified'), withoutAsked] },
      undefined,
    ],
    [
      'not if a click said so, too',
      { how: { isOneClick: true }, since: [said([off('a')], { isBounded: true })] },
      undefined,
    ],
    ['once more, if the undo failed', { since: [said([on('a')], { undoes: 'r' }), turn('over')] }, whole],
    ['not after everything', { since: [said(leaveAll)] }, undefined],
    ['not after everything of the same moment', { since: [everythingThen] }, undefined],
    ['also after everything before it', { first: [said(leaveAll), everythingIs('verified')] }, whole],
    ['not after everything of another center that offers it', { since: [elsewhere(leaveAll)] }, undefined],
    ['also after everything of one that does not', { since: [elsewhere(leaveAll, withoutA)] }, whole],
    ['not if another center said something since', { since: [elsewhere([off('a')])] }, undefined],
    [
      'not if it ended a grant that another center had sent',
      { first: [elsewhere([on('a')]), turn('sent')] },
      undefined,
    ],
    ['not if one said something in the same moment', { since: [elsewhereThen] }, undefined],
    ['also if one did before', { first: [elsewhere([off('a')])] }, whole],
    ['also if that is over', { since: [elsewhere([on('a')]), turn('over', 'purpose a', 'other')] }, whole],
    ['also if the same form said it twice', { how: { form }, meanwhile: [copy] }, whole],
    [
      'also if it did, and its request is not known',
      { how: { form }, meanwhile: [copy], since: [withoutAsked] },
      whole,
    ],
    ['also if the same form had said it', { how: { form }, first: [copy] }, whole],
    ['not once its words are not known', { since: [() => emptyState] }, undefined],
    [
      'not if an objection says the same',
      { meanwhile: [said([off('a')], { isObjection: true })] },
      undefined,
    ],
    ['also if it is an objection', { how: { isObjection: true } }, whole],
    [
      'without a choice that was taken out since',
      { since: [said([reduce('a', { topicsOff: ['t1'], optionsOff: [x] })])] },
      back(['t2'], y),
    ],
    ['without one that was taken out in another center', { since: [lessElsewhere] }, back(['t2'], x, y)],
    ['with one that it took out itself', { meanwhile: [topicOff] }, whole],
    ['with one that was taken out before', { first: [lessElsewhere, turn('verified')] }, whole],
  ];
  for (const [name, more, expected] of cases) {
    test(name, () => assert.deepEqual(undoOf({ ...left, ...more })?.intent, expected && intentOf(expected)));
  }

  test('of a withdrawal of everything, too', () => {
    const asks: Undone = { asks: leaveAll, lines: [taken('everything', 'saved'), ...left.lines] };
    const undo = undoOf({ ...asks, first: [said([on('a')]), turn('verified')] });
    assert.deepEqual(undo, { intent: intentOf(whole), leavesOut: [] });
  });
});

describe('the undo of choices reverses those that are still its own', () => {
  const x = option('many', 'x');
  const y = option('many', 'y');
  const asks = adjust('a', { topicsOn: ['t2'], topicsOff: ['t1'], optionsOn: [y], optionsOff: [x] });
  const keys = ['topic a t2', 'option a many y'];
  const lines = [
    ...keys.map((key) => given(key, 'saved', was('a[t1 many.x]'))),
    ...['topic a t1', 'option a many x'].map((key) => taken(key, 'saved')),
  ];
  const back = { topicsOn: ['t1'], topicsOff: ['t2'], optionsOn: [x], optionsOff: [y] };
  const cases: readonly [string, readonly PurposeChange[], PurposeChange | undefined][] = [
    ['all of them', [], adjust('a', back)],
    [
      'except one that was taken out since',
      [reduce('a', { topicsOff: ['t2'] })],
      adjust('a', { ...back, topicsOff: [] }),
    ],
    [
      'except one that was added since',
      [adjust('a', { topicsOn: ['t1'] })],
      adjust('a', { ...back, topicsOn: [] }),
    ],
    [
      'except an option that was added since',
      [adjust('a', { optionsOn: [x] })],
      adjust('a', { ...back, optionsOn: [] }),
    ],
    [
      'except an option that was taken out since',
      [reduce('a', { optionsOff: [y] })],
      adjust('a', { ...back, optionsOff: [] }),
    ],
    [
      'only what it added',
      [adjust('a', { topicsOn: ['t1'], optionsOn: [x] })],
      reduce('a', { topicsOff: ['t2'], optionsOff: [y] }),
    ],
    ['none of them', [asks], undefined],
  ];
  for (const [name, since, expected] of cases) {
    test(name, () => {
      const undo = undoOf({ asks: [asks], lines, since: since.map((each) => said([each])) });
      assert.deepEqual(undo?.intent, expected && intentOf(expected));
      const isWhole = expected === undefined || since.length === 0;
      assert.deepEqual(
        undo?.leavesOut.map(({ id }) => id),
        expected && (isWhole ? [] : ['a']),
      );
    });
  }

  const chosen = (preference: string, chosen: string, optionsOff: readonly OptionChange[] = []) =>
    said([adjust('s', { optionsOn: [option(preference, chosen)], optionsOff })], { schema });
  const [px, py] = [option('p', 'x'), option('p', 'y')];
  const single: readonly [string, readonly Event[], PurposeChange | undefined][] = [
    ['if no word came since', [], adjust('s', { optionsOn: [px, option('q', 'x')] })],
    ['if only another preference was changed since', [chosen('q', 'z')], adjust('s', { optionsOn: [px] })],
    ['not if both were changed since', [chosen('q', 'z'), chosen('p', 'z', [py])], undefined],
    ['not if both were changed by an older form', [chosen('q', 'z'), chosen('p', 'z')], undefined],
  ];
  for (const [name, since, expected] of single) {
    test(`a single choice, ${name}`, () => {
      const asks = [adjust('s', { optionsOn: [py, option('q', 'y')], optionsOff: [px] })];
      const of = ['option s p y', 'option s q y'].map((key) => given(key, 'saved', was('s[p.x q.x]')));
      assert.deepEqual(undoOf({ asks, lines: of, since })?.intent, expected && intentOf(expected));
    });
  }
});

describe('the undo of typed values', () => {
  const lines = [
    given('element e', 'saved', { before: 'old' }),
    given('element f', 'saved', { before: 'old' }),
    given('language', 'saved', { before: 'de' }),
  ];
  const cases: readonly [string, Wanted, string, string][] = [
    ['brings all back', [], 'e=old f=old de', ''],
    ['also after everything was left', leaveAll, 'e=old f=old de', ''],
    ['leaves values that were typed since', { ...typed, language: undefined }, 'de', 'e f'],
    [
      'leaves one field that was typed since',
      { dataElements: typed.dataElements.slice(0, 1) },
      'f=old de',
      'e',
    ],
    ['leaves a language that was chosen since', { language: 'it' }, 'e=old f=old', 'fr'],
    ['leaves all', typed, '', ''],
  ];
  for (const [name, since, expected, out] of cases) {
    test(name, () => {
      const undo = undoOf({ asks: typed, lines, since: [said(since)] });
      const fields = undo?.intent.dataElements.map(({ element, value }) => `${element}=${value}`) ?? [];
      assert.equal([...fields, undo?.intent.language ?? ''].join(' ').trim(), expected);
      assert.equal(undo?.leavesOut.map(({ id }) => id).join(' ') ?? '', out);
    });
  }
});
