import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Call,
  centerOf,
  type DesiredCenter,
  type DesiredEverything,
  type DesiredItem,
  type DesiredState,
} from '../../../src/core/consent/desired-state.ts';
import { type CallEnd, heard } from '../../../src/core/consent/step-call.ts';
import type { AnswerItem } from '../../../src/core/model/submission/consent-update.ts';
import { nothing } from './nothing.ts';
import { words } from './said.ts';

const now = 1_000;
const made: Call = { order: 5, at: 0, update: undefined, refusals: [], off: [], keys: [], by: 'r' };
const earlier: Call = { ...made, order: 4 };
const floor: DesiredEverything = { by: 'all', at: 0, order: 1, phase: 'sent', call: 5, reach: undefined };

function sent(key: string, change: Partial<DesiredItem> = {}): DesiredItem {
  return { key, want: 'off', by: 'r', at: 0, order: 1, phase: 'sent', call: 5, ...change };
}

function after(own: Partial<DesiredCenter>, end: CallEnd, order = 5) {
  const desired: DesiredState = { order: 9, centers: [{ ...nothing, calls: [earlier, made], ...own }] };
  const result = heard(desired, { center: 'center', order, end }, now);
  return { ...result, before: desired, center: centerOf(result.desired, 'center') };
}

describe('a call that was not carried out', () => {
  const value = { value: '1', label: 'E' };
  const renews = { want: 'on', renews: true } as const;
  const facts = { granted: { order: 2, at: 0, isSure: true }, takenOut: 4 };
  /** A name, the word, and the word after an unsent and after a refused call. */
  const cases: readonly [string, DesiredItem, string, string, DesiredItem['call']?][] = [
    ['a withdrawal is made again', sent('purpose a'), 'purpose a: off open', 'purpose a: off open'],
    [
      'a grant waits again, or has failed',
      sent('purpose a', { want: 'on' }),
      'purpose a: on open',
      'purpose a: off verified, not-saved',
    ],
    [
      'a grant that replaced a withdrawal waits again, or the withdrawal goes on',
      sent('purpose a', { want: 'on', replacesWithdrawal: true }),
      'purpose a: on open',
      'purpose a: off open, not-saved',
    ],
    [
      'a renewal waits again, or leaves the purpose on',
      sent('purpose a', renews),
      'purpose a: on open',
      'purpose a: off over, not-saved',
    ],
    [
      'a value waits again, or has failed',
      sent('element e', { want: value }),
      'element e: 1 open',
      'element e: 1 over, not-saved',
    ],
    [
      'a choice that goes with its grant waits again, or is watched',
      sent('topic a t', { phase: 'verified' }),
      'topic a t: off bound',
      'topic a t: off verified',
    ],
    [
      'a purpose that was seen off meanwhile stays so',
      sent('purpose a', { phase: 'verified' }),
      'purpose a: off verified',
      'purpose a: off verified',
    ],
    [
      'a word of another call stays',
      sent('purpose a', { call: 4 }),
      'purpose a: off sent',
      'purpose a: off sent',
      4,
    ],
  ];
  for (const [name, word, undone, refused, call] of cases) {
    test(name, () => {
      for (const [kind, expected] of [
        ['nothing-done', undone],
        ['refused', refused],
      ] as const) {
        const { desired, ended, center } = after({ items: [{ ...word, ...facts }] }, { kind });
        const outcomes = ended.map(({ outcome }) => outcome);
        assert.equal([...words(desired), ...outcomes].join(', '), expected, kind);
        assert.deepEqual([center.items[0]?.call, center.items[0]?.granted], [call, facts.granted]);
        assert.deepEqual(center.calls, [earlier]);
      }
    });
  }

  test('a refusal whose second call fails is missing, for the first call removed its purpose', () => {
    const items = [sent('purpose a', { takenOut: 4 }), sent('purpose b', { takenOut: 3 })];
    for (const kind of ['nothing-done', 'refused'] as const) {
      const { center } = after({ items, calls: [earlier, { ...made, refusals: ['a'] }] }, { kind });
      assert.deepEqual(
        center.items.map(({ phase, call }) => [phase, call]),
        [
          ['sent', 4],
          ['open', undefined],
        ],
      );
    }
  });

  test('a refused grant has a line', () => {
    const { ended } = after(
      { items: [sent('purpose a', { want: 'on', before: null })] },
      { kind: 'refused' },
    );
    const line = { by: 'r', key: 'purpose a', isOff: false, before: null, at: now };
    assert.deepEqual(ended, [{ ...line, outcome: 'not-saved', row: 'call-refused' }]);
  });

  test('everything is called for again, or goes on by other calls if it was refused', () => {
    const phaseAfter = (kind: 'nothing-done' | 'refused', everything = floor) => {
      const is = after({ everything }, { kind }).center.everything;
      return [is?.phase, is?.call, is?.by];
    };
    assert.deepEqual(phaseAfter('nothing-done'), ['open', undefined, 'all']);
    assert.deepEqual(phaseAfter('refused'), ['sent', undefined, 'all']);
    for (const kind of ['nothing-done', 'refused'] as const)
      assert.deepEqual(phaseAfter(kind, { ...floor, call: 4 }), ['sent', 4, 'all']);
    assert.equal(after({}, { kind: 'refused' }).center.everything, undefined);
  });
});

test('a call without an answer, or an unknown call, changes nothing', () => {
  const items = [sent('purpose a')];
  const lost = after({ items }, { kind: 'lost' });
  const unknown = after({ items }, { kind: 'refused' }, 6);
  for (const { desired, ended, before } of [lost, unknown]) assert.deepEqual([desired, ended], [before, []]);
});

describe('a call that was answered', () => {
  const put = (...ids: readonly string[]): Call['update'] => {
    const purposes = ids.map((id) => ({ id, topics: ['t'], preferences: [] }));
    return { purposes, dataElements: {}, language: undefined };
  };
  const item = (purpose: string, change: Partial<AnswerItem> = {}): AnswerItem => {
    return { purpose, accepted: true, receipt: undefined, messages: [], ...change };
  };
  const answered = (call: Partial<Call>, items: readonly AnswerItem[], own: Partial<DesiredCenter> = {}) =>
    after({ calls: [earlier, { ...made, ...call }], ...own }, { kind: 'answered', answer: { items } });

  test('has the first receipt, and ends no word', () => {
    const items = [item('a'), item('b', { receipt: 'first' }), item('c', { receipt: 'second' })];
    const { center, ended, desired } = answered({ update: put('a', 'b', 'c') }, items);
    assert.deepEqual(center.calls[1]?.answer, { at: now, refused: [], receipt: 'first' });
    assert.deepEqual([center.calls[0], ended, desired.order], [earlier, [], 10]);
    assert.equal(answered({ update: put('a') }, [item('a')]).center.calls[1]?.answer?.receipt, undefined);
  });

  test('notes as refused the purposes that the answer rejects or leaves out', () => {
    const items = [item('a'), item('b', { accepted: false })];
    assert.deepEqual(answered({ update: put('a', 'b', 'c') }, items).center.calls[1]?.answer?.refused, [
      'b',
      'c',
    ]);
  });

  test('notes as granted the keys that it was made for and that were not refused', () => {
    const keys = ['purpose a', 'topic a t', 'purpose b', 'purpose d'];
    const words = [...keys, 'purpose c'].map((key) => sent(key, { want: 'on' }));
    const call = { keys, update: put('a', 'b', 'c'), refusals: ['d'] };
    const { center } = answered(call, [item('a'), item('c'), item('d')], { items: words });
    const granted = { order: 10, at: now, isSure: true };
    assert.deepEqual(
      center.items,
      words.map((word, index) => (index < 2 ? { ...word, granted } : word)),
    );
  });

  test('of everything without a reading notes the withdrawn purposes, which stay known', () => {
    const items = [item('a'), item('b', { accepted: false }), item('k')];
    const { center } = answered({ off: undefined }, items, { known: ['k'] });
    assert.deepEqual(center.calls[1]?.answer, {
      at: now,
      refused: ['b'],
      receipt: undefined,
      withdrawn: ['a', 'k'],
    });
    assert.deepEqual(center.known, ['k', 'a']);
  });

  test('of everything with a reading, or for words, adds no known purposes', () => {
    for (const call of [{ off: ['a'] }, { off: undefined, update: put('a') }]) {
      const { center } = answered(call, [item('a')], { known: ['k'] });
      assert.deepEqual([center.calls[1]?.answer?.withdrawn, center.known], [undefined, ['k']]);
    }
  });
});
