import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Call, centerOf, type Line, type LineOutcome } from '../../../src/core/consent/desired-state.ts';
import { type Told, told } from '../../../src/core/consent/told.ts';
import type { PurposeChange } from '../../../src/core/model/submission/intent.ts';
import { adjust, leaveAll, off, on, reduce } from '../changes.ts';
import { after, beside, type Event, given, holding, said, taken, turn, type Wanted } from './said.ts';

const value = { element: 'e', label: 'E', value: '1' };

/** A report in the form `done: on a saved; agreed b`. */
function spelled({ state, everything, items, agreed, aftermath }: Told): string {
  const parts = [
    ...(everything === undefined ? [] : [`everything ${everything}`]),
    ...items.map(({ what, id, change, outcome, isAccepted }) =>
      [...(what === 'purpose' ? [] : [what]), change, id, outcome, ...(isAccepted ? ['accepted'] : [])].join(
        ' ',
      ),
    ),
  ];
  const ends = [...agreed.map((each) => `agreed ${each}`), aftermath].filter((each) => each !== undefined);
  return [`${state}: ${parts.join(', ')}`, ...ends].join('; ');
}

/** The report of the submission `r` with this intent, after some events. */
function toldOf(intent: Wanted, lines: readonly Line[], events: readonly Event[] = [], now = 0): string {
  const { reference, center, intent: asked } = said(intent, { reference: 'r' });
  return spelled(told({ reference, center, intent: asked, lines }, after(...events).desired, now));
}

const calling =
  (...calls: readonly Partial<Call>[]): Event =>
  (desired) => {
    const call: Call = { order: 1, at: 0, update: undefined, refusals: [], off: [], keys: [], by: 'r' };
    const made = calls.map((each) => ({ ...call, ...each }));
    return { ...desired, centers: [{ ...centerOf(desired, 'center'), calls: made }] };
  };
const answer = { at: 1, refused: [], receipt: undefined };

describe('a submission is told by its results', () => {
  const cases: readonly [string, Wanted, readonly Line[], string][] = [
    ['no result, if it has no lines', [on('a'), off('b')], [], 'done: '],
    ['a grant', [on('a')], [given('purpose a', 'saved')], 'done: on a saved'],
    ['a grant that was not saved', [on('a')], [given('purpose a', 'not-saved')], 'failed: on a not-saved'],
    ['a grant in doubt', [on('a')], [given('purpose a', 'in-doubt')], 'failed: on a in-doubt'],
    ['a grant whose text changed', [on('a')], [given('purpose a', 'reworded')], 'failed: on a reworded'],
    ['a grant that was replaced', [on('a')], [given('purpose a', 'replaced')], 'failed: on a replaced'],
    [
      'done, if one of its changes was saved',
      [on('a'), on('b')],
      [given('purpose a', 'not-saved'), given('purpose b', 'saved')],
      'done: on a not-saved, on b saved',
    ],
    [
      'done, if everything is off and the platform lost another purpose',
      leaveAll,
      [taken('everything', 'saved'), beside('purpose b', 'not-saved')],
      'done: everything saved, keep b not-saved',
    ],
    [
      'everything, by the purposes that it turned off',
      leaveAll,
      [
        taken('everything', 'saved'),
        taken('purpose a', 'saved'),
        taken('purpose b', 'unchanged'),
        taken('purpose c', 'no-such-purpose'),
        taken('topic a t1', 'saved'),
      ],
      'done: everything saved, off a saved',
    ],
    [
      'a value and a language',
      { dataElements: [value], language: 'fr' },
      [given('element e', 'saved'), given('language', 'saved')],
      'done: data-element typed e saved, language language fr saved',
    ],
    ['no result that it did not ask for', [on('a')], [given('language', 'saved')], 'done: '],
    [
      'no item for a purpose that an objection leaves on',
      [off('a'), off('b')],
      [taken('purpose a', 'agreed'), taken('purpose b', 'saved')],
      'done: off b saved; agreed a',
    ],
    [
      'a purpose beside it, apart from its own withdrawal',
      [off('a')],
      [taken('purpose a', 'saved'), beside('purpose a', 'withdrawn-elsewhere')],
      'done: off a saved, keep a withdrawn-elsewhere',
    ],
  ];
  for (const [name, intent, lines, expected] of cases) {
    test(name, () => assert.equal(toldOf(intent, lines), expected));
  }
});

describe('a submission is told while it is under way', () => {
  const grant = said([on('a')], { reference: 'r' });
  const typed = said({ dataElements: [value] }, { reference: 'r' });
  const withdrawal = said([off('a')], { reference: 'r' });
  const everything = said(leaveAll, { reference: 'r' });
  const update = { purposes: [{ id: 'a', topics: [], preferences: [] }] } as unknown as Call['update'];
  const minute = 60_000;
  const cases: readonly [string, readonly Event[], number, readonly Line[], string][] = [
    ['a grant within its minute', [grant], 59_999, [], 'pending: on a in-progress'],
    ['a grant that was not sent in its minute', [grant], minute, [], 'failed: on a not-saved'],
    [
      'a grant that was sent',
      [grant, turn('sent'), calling({ order: 1 }, { order: 2, answer })],
      0,
      [],
      'pending: on a in-progress',
    ],
    [
      'a grant whose call was answered',
      [grant, turn('sent'), calling({ order: 1, answer }, { order: 2 })],
      0,
      [],
      'pending: on a in-progress accepted',
    ],
    [
      'a grant whose call has no answer in its minute',
      [grant, turn('sent')],
      minute,
      [],
      'failed: on a in-doubt',
    ],
    [
      'a grant that an earlier call may bring',
      [grant, calling({ update, keys: ['purpose a'] })],
      minute,
      [],
      'failed: on a in-doubt',
    ],
    ['a value that was sent', [typed, turn('sent')], minute, [], 'failed: data-element typed e in-doubt'],
    ['a withdrawal, however long it takes', [withdrawal], minute, [], 'pending: off a being-carried-out'],
    [
      'a withdrawal that is repeated',
      [withdrawal],
      minute,
      [taken('purpose a', 'saved'), taken('purpose a', 'saved', { row: 'came-back' })],
      'done: off a saved; repeated',
    ],
    [
      'a failed grant, while the withdrawal that it replaced goes on',
      [holding({ key: 'purpose a', want: 'off', by: 'r', at: 0, order: 1, phase: 'open' })],
      0,
      [given('purpose a', 'not-saved')],
      'failed: on a not-saved',
    ],
    [
      'everything, and the grants that it withdraws',
      [said([on('a')]), everything],
      minute,
      [],
      'pending: everything being-carried-out, off a being-carried-out',
    ],
    ['everything that was said again since', [everything, said(leaveAll)], 0, [], 'done: '],
  ];
  for (const [name, events, now, lines, expected] of cases) {
    const own = events.find((event) => 'intent' in event && event.reference === 'r') ?? grant;
    test(name, () => assert.equal(toldOf('intent' in own ? own.intent : [], lines, events, now), expected));
  }
});

describe('a withdrawal is watched while a call without an answer may undo it', () => {
  const doubt = calling({});
  const done = calling({ answer });
  const off = taken('purpose a', 'saved');
  const cases: readonly [string, Wanted, readonly Line[], Event, string | undefined][] = [
    ['of everything, before it has results', leaveAll, [], doubt, 'watched'],
    ['beside a grant', [], [given('purpose b', 'saved'), off], doubt, 'watched'],
    ['not once all calls are answered', [], [off], done, undefined],
    [
      'not if a purpose is off that was not withdrawn',
      [],
      [beside('purpose a', 'not-saved')],
      doubt,
      undefined,
    ],
    ['not a grant', [], [given('purpose a', 'saved')], doubt, undefined],
    [
      'and is repeated if the call did',
      [],
      [off, taken('purpose a', 'saved', { row: 'came-back' })],
      doubt,
      'repeated',
    ],
  ];
  for (const [name, intent, lines, calls, expected] of cases) {
    test(name, () => assert.equal(toldOf(intent, lines, [calls]).split('; ')[1], expected));
  }
});

/** The report of a change of `a` by its results: of added topics, and, behind a bar, of removed ones. */
function toldOfChoices(change: PurposeChange, results: string): string {
  const [added = '', less = ''] = results.split('|').map((each) => each.trim());
  const linesOf = (text: string, of: typeof given, from: number) =>
    text
      .split(' ')
      .flatMap((outcome, index) =>
        outcome === '' ? [] : of(`topic a t${from + index}`, outcome as LineOutcome),
      );
  return toldOf([change], [...linesOf(added, given, 1), ...linesOf(less, taken, 3)]);
}

describe('several choices are told as one', () => {
  const change = adjust('a', { topicsOn: ['t1', 't2'], topicsOff: ['t3'] });
  const partly = 'done: adjust a unconfirmed';
  const cases: readonly [string, string][] = [
    ['saved saved | saved', 'done: adjust a saved'],
    ['saved waiting | saved', 'done: adjust a waiting'],
    ['saved in-progress | saved', 'pending: adjust a in-progress'],
    ['saved unconfirmed | saved', 'done: adjust a unconfirmed'],
    ['unconfirmed | locked', 'done: adjust a locked'],
    ['saved | locked', 'done: adjust a locked'],
    ['saved |', 'done: adjust a saved'],
    ['not-saved | saved', 'done: add a not-saved, reduce a saved'],
    ['locked | saved', 'done: add a locked, reduce a saved'],
    ['replaced not-saved | saved', 'done: add a not-saved, reduce a saved'],
    ['not-saved saved | saved', partly],
    ['switched-off saved | saved', partly],
    ['withdrawn-elsewhere saved | saved', partly],
    ['reworded saved | saved', partly],
    ['locked saved | saved', 'done: add a locked, reduce a saved'],
  ];
  for (const [results, expected] of cases) {
    test(results, () => assert.equal(toldOfChoices(change, results), expected));
  }

  test('by the worst of them, and a replaced one counts least', () => {
    const worstFirst = [
      ...['in-progress', 'being-carried-out', 'in-doubt', 'switched-off', 'not-saved', 'withdrawn-elsewhere'],
      ...['reworded', 'locked', 'unconfirmed', 'waiting', 'saved', 'unchanged', 'replaced'],
    ];
    const both = reduce('a', { topicsOff: ['t3', 't4'] });
    for (const [index, worse] of worstFirst.entries()) {
      for (const better of worstFirst.slice(index)) {
        for (const pair of [`| ${worse} ${better}`, `| ${better} ${worse}`])
          assert.ok(toldOfChoices(both, pair).endsWith(`: reduce a ${worse}`), pair);
      }
    }
  });
});

describe('an opt-in with choices', () => {
  const change = on('a', { topics: ['t1'] });
  const cases: readonly [string, LineOutcome, LineOutcome, string][] = [
    ['is saved with them', 'saved', 'saved', 'done: on a saved'],
    ['is unconfirmed without one', 'saved', 'not-saved', 'done: on a unconfirmed'],
    ['is under way with one', 'saved', 'in-progress', 'pending: on a in-progress'],
    ['is saved without one that was replaced', 'saved', 'replaced', 'done: on a saved'],
    ['is not saved, even if they are in doubt', 'not-saved', 'in-doubt', 'failed: on a not-saved'],
  ];
  for (const [name, whole, choice, expected] of cases) {
    const lines = [given('purpose a', whole), given('topic a t1', choice)];
    test(name, () => assert.equal(toldOf([change], lines), expected));
  }
});
