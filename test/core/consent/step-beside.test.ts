import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DesiredCenter, DesiredItem } from '../../../src/core/consent/desired-state.ts';
import { nameOthers } from '../../../src/core/consent/step-beside.ts';
import { aCall, aFloor, aForm, answer, asking, aWord, drafted, lag, linesOf, now, read } from './drafts.ts';
import { wordAt } from './said.ts';

type Here = Partial<DesiredCenter>;
type Row = readonly [what: string, here: Here, reads: string, ended: readonly string[]];

const known = ['a', 'b', 'c'];
const of = (id: string, change: Partial<DesiredItem> = {}): Here => ({
  items: [aWord(`purpose ${id}`, { by: 'r2', ...change })],
});
const granted: Partial<DesiredItem> = { want: 'on', phase: 'verified' };
const everything = (order: number): Here => ({ everything: aFloor({ order }) });

const call = aCall('a b', { keys: ['purpose a'], answer });
const answered: Here = { known, calls: [call] };
const shown = (isOn: boolean): Here => ({
  ...answered,
  asked: [asking({ form: { ...aForm, drawn: [{ purpose: 'c', status: 'active', isOn }] } })],
});
const notKept = ['r1 purpose b not-saved not-kept'];
const gone = ['r1 purpose c withdrawn-elsewhere gone-before'];

const afterAnswer: readonly Row[] = [
  ['names a kept purpose that is off', answered, 'a b:off', notKept],
  ['names a kept purpose that is not on record', answered, 'a', notKept],
  ['names nothing that is on', answered, 'a b', []],
  ['names nothing that it was made for', answered, 'a:off b', []],
  ['names nothing that is being withdrawn', { ...answered, ...of('b') }, 'a', []],
  ['names nothing that was withdrawn', { ...answered, ...of('b', { phase: 'verified' }) }, 'a', []],
  ['names nothing that is being granted', { ...answered, ...of('b', { want: 'on' }) }, 'a', []],
  ['names a purpose that was granted before', { ...answered, ...of('b', granted) }, 'a', notKept],
  [
    'names a purpose that is no longer asked for',
    { ...answered, ...of('b', { phase: 'over' }) },
    'a',
    notKept,
  ],
  ['names what its form showed on, and was gone before', shown(true), 'a b', gone],
  ['names what its form showed on, and was withdrawn before', shown(true), 'a b c:off', gone],
  ['names nothing that its form showed off', shown(false), 'a b', []],
  ['names nothing that its form showed on and is on', shown(true), 'a b c', []],
  [
    'names what its form showed on and it kept once',
    { ...shown(true), calls: [aCall('a b c', { answer })] },
    'a b',
    ['r1 purpose c not-saved not-kept'],
  ],
  [
    'names nothing that is being withdrawn, though its form showed it on',
    { ...shown(true), ...of('c') },
    'a b',
    [],
  ],
  [
    'names a purpose that is over, even if its form showed it on',
    { ...shown(true), ...of('c', { phase: 'over' }) },
    'a b',
    gone,
  ],
  [
    'names nothing of its own that is over',
    { ...shown(true), ...of('c', { phase: 'over', by: 'r1' }) },
    'a b',
    [],
  ],
  ['names things once', { known, calls: [{ ...call, isChecked: true }] }, 'a', []],
  [
    'names nothing by a reading of before its answer',
    { known, calls: [{ ...call, answer: { ...answer, at: now - 9 } }] },
    'a',
    [],
  ],
  [
    'names what a reading shows in the moment of its answer',
    { known, calls: [{ ...call, answer: { ...answer, at: now - 10 } }] },
    'a',
    notKept,
  ],
  ['names nothing if it was a DELETE', { known, calls: [aCall(undefined, { answer })] }, 'a:off', []],
  ['names nothing if everything was withdrawn since', { ...shown(true), ...everything(8) }, '', []],
  ['names things though everything was withdrawn before', { ...answered, ...everything(6) }, 'a', notKept],
  [
    'names things though everything was withdrawn in its moment',
    { ...answered, ...everything(7) },
    'a',
    notKept,
  ],
];

const old = { at: now - 10 - lag };
const doubted: Here = { known, calls: [aCall('a b', old)] };
const held = ['r1 purpose b withdrawn-elsewhere withdrawn-while-in-doubt'];
const inDoubt: readonly Row[] = [
  ['names a carried purpose that was withdrawn since', doubted, 'a b:off', held],
  ['names nothing before a lag', { known, calls: [aCall('a b', { at: old.at + 1 })] }, 'a b:off', []],
  ['names nothing that is on no record', doubted, 'a', []],
  ['names nothing that is on', doubted, 'a b', []],
  ['names nothing that is being granted', { ...doubted, ...of('b', { want: 'on' }) }, 'a b:off', []],
  ['names nothing that was granted', { ...doubted, ...of('b', granted) }, 'a b:off', []],
  [
    'names nothing that was to be granted',
    { ...doubted, ...of('b', { want: 'on', phase: 'over' }) },
    'a b:off',
    [],
  ],
  ['names a purpose that is over', { ...doubted, ...of('b', { phase: 'over' }) }, 'a b:off', held],
  ['names nothing that everything withdrew since', { ...doubted, ...everything(8) }, 'a b:off', []],
];

const beside: Here = { known, calls: [aCall('a', { beside: ['c'] })] };
const takenOut = ['r1 purpose c switched-off taken-out-late'];
const besideDoubt: readonly Row[] = [
  ['names a purpose that it took out', beside, 'a', takenOut],
  ['names a purpose that it took out and that is off on record', beside, 'a c:off', takenOut],
  ['names nothing that is on still', beside, 'a c', []],
  ['names nothing if nothing was seen beside it', { known, calls: [aCall('a')] }, 'a', []],
  ['names nothing that is being withdrawn', { ...beside, ...of('c') }, 'a', []],
  ['names nothing that was granted', { ...beside, ...of('c', granted) }, 'a', []],
  ['names a purpose that is over', { ...beside, ...of('c', { phase: 'over' }) }, 'a', takenOut],
];

const missed: Here = { known: ['a'], calls: [aCall('a', { answer })] };
const missing = ['r1 purpose c not-saved missing-before'];
const before: readonly Row[] = [
  ['is named where it is off now', missed, 'a c:off', missing],
  [
    'is named by the newest PUT',
    {
      ...missed,
      calls: [
        ...(missed.calls ?? []),
        aCall('a', { by: 'r3', order: 8 }),
        aCall(undefined, { by: 'r4', order: 9 }),
      ],
    },
    'a c:off',
    ['r3 purpose c not-saved missing-before'],
  ],
  ['is named by nothing without a call', { known: ['a'] }, 'a c:off', []],
  ['is named by nothing once everything was withdrawn', { ...missed, ...everything(8) }, 'a c:off', []],
  ['is not named where it is on', missed, 'a c', []],
  ['is not named where it was known', { ...missed, known }, 'a c:off', []],
  ['is not named where it was asked for', { ...missed, ...of('c', { phase: 'verified' }) }, 'a c:off', []],
];

const tables = {
  'an answered call': afterAnswer,
  'a call in doubt': inDoubt,
  'a call that may land beside a purpose that came on': besideDoubt,
  'a purpose that the reading before lacked': before,
};

for (const [name, rows] of Object.entries(tables)) {
  describe(name, () => {
    for (const [what, here, reads, ended] of rows) {
      test(what, () => {
        const draft = nameOthers(drafted({ here }), read(reads));
        assert.deepEqual(linesOf(draft.ended), ended);
        assert.ok(
          draft.center.calls.every(
            (each) => each.answer === undefined || each.answer.at > now - 10 || each.isChecked,
          ),
        );
      });
    }
  });
}

const wordsAfter = (here: Here, reads: string) => nameOthers(drafted({ here }), read(reads)).center;

describe('a named purpose', () => {
  test('is a side effect, withdrawn now', () => {
    const [line] = nameOthers(drafted({ here: answered }), read('a')).ended;
    const told = {
      by: 'r1',
      key: 'purpose b',
      isOff: true,
      isKept: true,
      outcome: 'not-saved',
      row: 'not-kept',
    };
    assert.deepEqual(line, { ...told, at: now });
  });

  test('is watched from then on if a call in doubt carries it', () => {
    const facts = { withdrawn: 3, takenOut: 2 };
    const here = { ...doubted, ...of('b', { phase: 'over', ...facts }) };
    const watched = {
      key: 'purpose b',
      want: 'off',
      by: 'r1',
      order: 7,
      phase: 'verified',
      seen: now - 10,
      ...old,
    };
    assert.deepEqual(wordAt(drafted({ here: wordsAfter(here, 'a b:off') }).desired, 'purpose b', 'here'), {
      ...watched,
      ...facts,
    });
    assert.deepEqual(wordsAfter(doubted, 'a b:off').items, [watched]);
    assert.deepEqual(wordsAfter({ ...doubted, ...everything(8) }, 'a b:off').items, [watched]);
  });

  test('is watched once, even if two calls carry it', () => {
    const calls = [aCall('a[t]', old), aCall('a[t]', { ...old, order: 8, by: 'r3' })];
    const items = wordsAfter({ known, calls }, 'a:off').items;
    assert.deepEqual(
      items.map(({ key, by }) => `${key} ${by}`),
      ['purpose a r3'],
    );
  });

  test('is searched among the purposes that were seen on beside the call', () => {
    const [watching] = wordsAfter(doubted, 'a c b:pending').calls;
    assert.deepEqual(watching?.beside, ['c']);
  });
});
