import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DesiredEverything, DesiredItem } from '../../../src/core/consent/desired-state.ts';
import { lacksPurpose } from '../../../src/core/consent/observe.ts';
import { nothing } from './nothing.ts';
import { answer, call, grant, lag, lost, now, readings, schema, shows, typed, word } from './readings.ts';

const done = { phase: 'verified', seen: now } as const;
const granted = { granted: { order: 2, at: now, isSure: true } };
const seenOn = { ...granted, phase: 'verified' } as const;
const keysA = { keys: ['purpose a'] };

describe('a purpose that was just seen off', () => {
  const twice = { was: 'b' };
  readings([
    ['and is on', 'perhaps older', 'b', { items: [word('b', done)] }],
    ['and is on a lag later', 'believed', 'b', { ...twice, items: [word('b', done)], after: lag }],
    ['and is on until then', 'perhaps older', 'b', { items: [word('b', done)], after: lag - 1 }],
    ['and is off', 'believed', 'b:off', { items: [word('b', done)] }],
    ['and waits', 'believed', 'b:pending', { items: [word('b', done)] }],
    ['as a choice, and is on', 'perhaps older', 'a[t]', { items: [word('topic a t', done)] }],
    [
      'at an unknown time, and is on',
      'believed',
      'b',
      { ...twice, items: [word('b', { phase: 'verified' })] },
    ],
    [
      'after a grant, and is on',
      'perhaps older',
      'b',
      { items: [word('b', { ...done, ...granted, call: 4 })] },
    ],
    ['but not for sure, and is on', 'believed', 'b', { items: [word('b', { seen: now })] }],
    ['but not since, and is on', 'believed', 'b', { items: [word('b', { seen: now, phase: 'over' })] }],
    [
      'beside a purpose with an unknown time, and is on',
      'perhaps older',
      'a b',
      { items: [word('b', done), word('a', { phase: 'verified' })] },
    ],
  ]);
});

describe('a purpose that was just seen on', () => {
  const open = (change: Partial<DesiredItem> = {}) => ({ items: [grant('b', { ...granted, ...change })] });
  const everything: DesiredEverything = {
    by: 'all',
    at: now,
    order: 2,
    phase: 'verified',
    call: 4,
    reach: undefined,
  };
  readings([
    ['and is off', 'perhaps older', 'a b:off', { items: [grant('b', seenOn)] }],
    ['and is off a lag later', 'believed', 'a b:off', { ...open(), after: lag }],
    ['or answered, and is off', 'perhaps older', 'a b:off', open({ phase: 'sent', call: 4 })],
    ['before it was asked for again, and is off', 'perhaps older', 'a b:off', open()],
    ['but not since, and is off', 'believed', 'a b:off', open({ phase: 'over' })],
    ['and removed by a later call', 'believed', 'a b:off', open({ takenOut: 4 })],
    ['and removed by an earlier call', 'perhaps older', 'a b:off', open({ takenOut: 1 })],
    ['and removed in the same moment', 'perhaps older', 'a b:off', open({ takenOut: 2 })],
    ['and removed with everything', 'believed', 'a b:off', { ...open(), everything }],
    ['and is locked on', 'believed', 'a b:always-active', { items: [grant('b', seenOn)] }],
    ['and waits', 'perhaps older', 'a b:pending', { items: [grant('b', seenOn)] }],
    ['or answered, and waits', 'believed', 'a b:pending', open({ phase: 'sent', call: 4 })],
    [
      'to wait, and waits',
      'believed',
      'a b:pending',
      { items: [grant('b', { ...seenOn, seenAs: 'waiting' })] },
    ],
    ['as a value, and is another', 'perhaps older', 'a =e:2', { items: [typed('e', seenOn)] }],
    [
      'as a value, and is another after everything was left',
      'perhaps older',
      'a =e:2',
      { items: [typed('e', seenOn)], everything },
    ],
    ['as a value before another was typed', 'believed', 'a =e:2', { items: [typed('e', granted)] }],
  ]);
});

describe('a purpose that was just seen off with everything', () => {
  const floor: DesiredEverything = { by: 'all', at: now, order: 2, reach: undefined, ...done };
  const putA = call('a', keysA);
  const old = { answer: { ...answer, at: now - lag } };
  readings([
    ['and is on', 'perhaps older', 'a', { everything: floor }],
    ['and is on in another center', 'perhaps older', 'a', { other: { everything: floor } }],
    ['and is on beside what is off', 'perhaps older', 'a:off b', { everything: floor }],
    ['and is off', 'believed', 'a:off', { everything: floor }],
    ['and is locked on', 'believed', 'a:always-active', { everything: floor }],
    ['and is on a lag later', 'believed', 'a', { everything: floor, after: lag }],
    ['and is on until then', 'perhaps older', 'a', { everything: floor, after: lag - 1 }],
    ['at an unknown time, and is on', 'believed', 'a', { everything: { ...floor, seen: undefined } }],
    ['and was granted since', 'believed', 'a', { everything: floor, calls: [putA] }],
    [
      'and was perhaps granted since',
      'perhaps older',
      'a',
      { everything: floor, calls: [{ ...putA, answer: undefined }] },
    ],
    [
      'and was granted before its call',
      'perhaps older',
      'a',
      { everything: { ...floor, call: 4 }, calls: [putA] },
    ],
    [
      'and was switched last by its call',
      'perhaps older',
      'a',
      { everything: { ...floor, call: 3 }, calls: [call(undefined, { ...old, off: ['a'] })] },
    ],
  ]);
});

describe('a purpose that was just seen off in another center', () => {
  const other = { items: [word('b', done)] };
  const putB = call('b', { order: 6, keys: ['purpose b'] });
  const since = { items: [grant('b', { ...seenOn, order: 6 })], calls: [putB] };
  readings([
    ['and is on', 'perhaps older', 'b', { other }],
    ['and is off', 'believed', 'b:off', { other }],
    ['and is on a lag later', 'believed', 'b', { other, after: lag, was: 'b' }],
    ['and is on until then', 'perhaps older', 'b', { other, after: lag - 1 }],
    [
      'at an unknown time, and is on',
      'believed',
      'b',
      { other: { items: [word('b', { phase: 'verified' })] }, was: 'b' },
    ],
    ['but not for sure, and is on', 'believed', 'b', { other: { items: [word('b', { seen: now })] } }],
    ['and not on, where it is on', 'believed', 'b', { other: { items: [grant('b', done)] } }],
    ['as a choice of what is on', 'believed', 'a', { other: { items: [word('topic a t', done)] } }],
    ['and was granted since', 'believed', 'b', { ...since, other }],
    [
      'and was granted before its call',
      'perhaps older',
      'b',
      { ...since, other: { items: [word('b', { ...done, call: 7 })] } },
    ],
  ]);
});

describe('an answered call of the center', () => {
  readings([
    [
      'of a value that is another',
      'perhaps older',
      'a =e:2',
      { items: [typed('e', { phase: 'sent', call: 3 })], calls: [call('a')] },
    ],
    [
      'of no value of an earlier one',
      'believed',
      'a =e:2',
      { items: [typed('e', { phase: 'over', call: 2 })], calls: [call('a')] },
    ],
    ['before one in doubt', 'perhaps older', 'a b', { calls: [call('a'), lost(4)] }],
    ['before another one', 'believed', 'a b', { calls: [call('a'), call('a b', { order: 4 })] }],
    ['of an always active purpose', 'believed', 'a:always-active', { calls: [call('a')] }],
    ['of a purpose that it took out', 'perhaps older', 'a b', { calls: [call('a')] }],
    [
      'of what another center was granted since',
      'believed',
      'a b',
      { calls: [call('a')], other: { calls: [call('a b', { order: 4, keys: ['purpose b'] })] } },
    ],
  ]);
});

describe('an answered call of another center', () => {
  const said = (...calls: readonly ReturnType<typeof call>[]) => ({ other: { calls } });
  const withWord = (item: DesiredItem) => ({ other: { calls: [call('b')], items: [item] } });
  const later = (text: string | undefined, change: object) => ({
    ...said(call('a b', keysA)),
    calls: [call(text, { order: 4, ...change })],
  });
  const laterEverything = (reach: DesiredEverything['reach']) => ({
    ...later(undefined, { off: undefined }),
    everything: { by: 'all', at: now, order: 4, phase: 'sent', call: 4, reach } as const,
  });
  readings([
    ['of everything', 'perhaps older', 'a:off b', said(call(undefined, { off: undefined }))],
    ['of everything, which is off', 'believed', 'a:off b:off', said(call(undefined, { off: undefined }))],
    ['of everything by a reading', 'believed', 'a', { ...said(call(undefined)), isUnknown: true }],
    ['of a purpose that it took out unread', 'perhaps older', 'a', said(call('', keysA))],
    ['of a purpose that it took out unread, and that is off', 'believed', 'a:off', said(call('', keysA))],
    [
      'of one of two that it took out unread',
      'perhaps older',
      'a b:off',
      said(call('', { keys: ['purpose b', 'purpose a'] })),
    ],
    ['of a purpose that it switched on, and that is on', 'believed', 'a', said(call('a', keysA))],
    ['of a choice that it took out', 'perhaps older', 'a[t]', said(call('a', { keys: ['topic a t'] }))],
    ['of a choice that it took out, and is off', 'believed', 'a', said(call('a', { keys: ['topic a t'] }))],
    ['of a choice that it switched on', 'believed', 'a[t]', said(call('a[t]', { keys: ['topic a t'] }))],
    [
      'of a choice of a purpose that is locked on',
      'believed',
      'a:always-active[t]',
      said(call('a', { keys: ['topic a t'] })),
    ],
    ['of a value', 'believed', 'a', said(call('a', { keys: ['element e'] }))],
    ['of one of two that it kept', 'perhaps older', 'a b:off', said(call('a b'))],
    ['of a purpose that is not offered here', 'believed', 'a', said(call('a c'))],
    [
      'of a purpose that is not offered here, and is on record',
      'perhaps older',
      'a c:off',
      said(call('a c')),
    ],
    ['of what may be offered here', 'perhaps older', 'a', { ...said(call('a c')), isUnknown: true }],
    ['of what waits', 'believed', 'a b:pending', said(call('b'))],
    [
      'of a purpose that was sent, and waits',
      'believed',
      'a b:pending',
      withWord(grant('b', { phase: 'sent', call: 3 })),
    ],
    [
      'of a purpose that was seen on, and waits',
      'perhaps older',
      'a b:pending',
      withWord(grant('b', { phase: 'verified' })),
    ],
    [
      'of a purpose that was seen to wait, and waits',
      'believed',
      'a b:pending',
      withWord(grant('b', { phase: 'verified', seenAs: 'waiting' })),
    ],
    [
      'of a purpose that was withdrawn, and waits',
      'believed',
      'a b:pending',
      withWord(word('b', { phase: 'verified' })),
    ],
    ['a lag later', 'believed', 'a b:off', { ...said(call('a b')), after: lag }],
    ['until then', 'perhaps older', 'a b:off', { ...said(call('a b')), after: lag - 1 }],
    ['in doubt', 'believed', 'a b:off', said({ ...call('a b'), answer: undefined })],
    ['before one that took it out', 'believed', 'a:off b', later('b', { off: ['a'] })],
    ['before one of everything', 'believed', 'a:off b:off', later(undefined, { off: undefined })],
    ['before one of everything where it is offered', 'believed', 'a:off b:off', laterEverything(['a', 'b'])],
    [
      'before one of everything where it may be offered',
      'believed',
      'a:off b:off',
      laterEverything(undefined),
    ],
    [
      'before one of everything where it is not offered',
      'perhaps older',
      'a:off b:off',
      laterEverything(['d']),
    ],
    ['before one for its withdrawal', 'believed', 'a:off b', later('b', keysA)],
    ['before one for another purpose', 'perhaps older', 'a:off b', later('b', { keys: ['purpose b'] })],
    [
      'before one in doubt that took it out',
      'perhaps older',
      'a:off b',
      later('b', { off: ['a'], answer: undefined }),
    ],
  ]);
});

test('A reading lacks a purpose that is being withdrawn and neither on record nor on by default', () => {
  const lacks = (...items: readonly DesiredItem[]) => lacksPurpose({ ...nothing, items }, shows('a'), schema);
  assert.deepEqual([lacks(word('b')), lacks(word('a'), word('b'))], [true, true]);
  assert.deepEqual([lacks(word('a')), lacks(word('d')), lacks(grant('b'))], [false, false, false]);
  assert.deepEqual(
    [lacks(word('b', { phase: 'sent' })), lacks(word('topic b t')), lacks()],
    [false, false, false],
  );
});
