import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Call,
  type DesiredCenter,
  type DesiredItem,
  type DesiredState,
  usualLimits,
} from '../../../src/core/consent/desired-state.ts';
import { observe } from '../../../src/core/consent/observe.ts';
import type { ConsentRecord, Subject, SubjectId } from '../../../src/core/model/person/subject.ts';
import { aCenter, aPurpose, record } from '../center-builder.ts';
import { nothing } from './nothing.ts';

const anna = 'anna@example.org' as SubjectId;
const { lag, confirmAfter } = usualLimits;
const now = 10_000_000;
const schema = aCenter([aPurpose('a'), aPurpose('b')]);

function subject(...purposes: ConsentRecord[]): Subject {
  return { id: anna, language: undefined, dataElements: {}, purposes };
}

function put(...ids: string[]): Call['update'] {
  return {
    purposes: ids.map((id) => ({ id, topics: [], preferences: [] })),
    dataElements: {},
    language: undefined,
  };
}

function call(update: Call['update'], change: Partial<Call> = {}): Call {
  const answer = { at: now, refused: [], receipt: undefined };
  return { order: 3, at: now - 10, update, refusals: [], off: [], keys: [], by: 'r1', answer, ...change };
}

const open: DesiredItem = { key: 'purpose b', want: 'on', by: 'r1', at: now, order: 1, phase: 'open' };
const asked = {
  reference: 'r1',
  confirms: [],
  isObjection: false,
  isOneClick: false,
  form: { at: now, order: 0, revision: '1', drawn: [{ purpose: 'a', status: 'active', isOn: true }] },
};

interface Before {
  readonly own?: Partial<DesiredCenter>;
  readonly other?: Partial<DesiredCenter>;
  readonly previous?: readonly ConsentRecord[];
  /** The time since the last call, in milliseconds. */
  readonly after?: number;
}

const a = record('a', 'active');
const b = record('b', 'active');
const aOff = record('a', 'off');
const locked = record('a', 'always-active');
const withTopic = record('a', 'active', ['t']);

const knownA = { known: ['a'] };
const knownBoth = { known: ['a', 'b'] };
const shownOn = { items: [open], asked: [asked] };
const sentA = { calls: [call(put('a'))] };
const sentBoth = { calls: [call(put('a', 'b'))] };
const seenOff = {
  items: [{ ...open, key: 'purpose a', want: 'off', phase: 'verified', seen: now }],
} as const;
const granted = { order: 2, at: now, isSure: true };
const seenOn = { items: [{ ...open, key: 'purpose a', phase: 'verified', granted }] } as const;
const answered = (answer: object) => ({ answer: { at: now, refused: [], receipt: undefined, ...answer } });
const withdrawn = call(undefined, answered({ withdrawn: ['a'] }));
const unread = call(undefined, { off: undefined });

type Is = 'believed' | 'again nothing-on-record' | 'again surprise' | 'again perhaps-older' | typeof unusable;
const unusable = 'unusable nothing-of-somebody-known';

/** The name of a reading, its verdict, its purposes, and the situation before it. */
const cases: readonly (readonly [string, Is, readonly ConsentRecord[], Before?])[] = [
  ['nothing on record, once', 'again nothing-on-record', []],
  ['nothing on record after something', 'again nothing-on-record', [], { previous: [a] }],
  ['nothing on record, twice', 'believed', [], { previous: [] }],
  ['nothing on record of a known person', unusable, [], { own: knownA, previous: [] }],
  [
    'nothing on record after a DELETE of a known person',
    'believed',
    [],
    { own: { ...knownA, calls: [call(undefined)] }, previous: [], after: lag },
  ],
  [
    'nothing on record after a DELETE that named its purposes',
    unusable,
    [],
    { own: { ...knownA, calls: [withdrawn] }, previous: [], after: lag },
  ],
  ['the known purposes', 'believed', [a], { own: knownA }],
  ['something known is missing, once', 'again surprise', [a], { own: knownBoth }],
  ['something known is missing, twice', 'believed', [a], { own: knownBoth, previous: [a] }],
  ['something else is missing than before', 'again surprise', [a], { own: knownBoth, previous: [b] }],
  ['otherwise than shown, once', 'again surprise', [aOff], { own: shownOn }],
  ['otherwise than shown, twice', 'believed', [aOff], { own: shownOn, previous: [aOff] }],
  [
    'otherwise than shown, once a call was made',
    'believed',
    [aOff],
    { own: { items: [{ ...open, phase: 'sent', call: 3 }], asked: [asked] } },
  ],
  ['as an answered PUT left it', 'believed', [a, record('b', 'off')], { own: sentA }],
  ['without what an answered PUT switched on', 'again perhaps-older', [a], { own: sentBoth }],
  ['with what an answered PUT took out', 'again perhaps-older', [a, b], { own: sentA }],
  ['the same once the lag is over', 'believed', [a, b], { own: sentA, after: lag }],
  ['the same just before', 'again perhaps-older', [a, b], { own: sentA, after: lag - 1 }],
  [
    'without a refused purpose',
    'believed',
    [a],
    { own: { calls: [call(put('a', 'b'), answered({ refused: ['b'] }))] } },
  ],
  ['waiting for a confirmation after a PUT', 'believed', [record('a', 'pending')], { own: sentA }],
  [
    'otherwise than a PUT in doubt',
    'believed',
    [b],
    { own: { calls: [call(put('a'), { answer: undefined })] } },
  ],
  ['on after a DELETE', 'again perhaps-older', [a], { own: { calls: [unread] } }],
  ['always active after a DELETE', 'believed', [locked], { own: { calls: [call(undefined)] } }],
  ['always active, and just told as locked', 'believed', [locked], { own: seenOff }],
  [
    'as a later PUT left it',
    'believed',
    [a, b],
    { own: { calls: [call(put('a')), call(put('a', 'b'), { order: 4 })] } },
  ],
  [
    'with other choices than were sent',
    'again perhaps-older',
    [withTopic],
    { own: { calls: [call(put('a'), { keys: ['purpose a'] })] } },
  ],
  ['with other choices than were kept', 'believed', [withTopic], { own: sentA }],
  ['off, and just seen on', 'again perhaps-older', [aOff], { own: seenOn }],
  ['on, and just seen off', 'again perhaps-older', [a], { own: seenOff }],
  ['on twice, and just seen off', 'again perhaps-older', [a], { own: seenOff, previous: [a] }],
  ['on, and seen off a lag ago', 'again surprise', [a], { own: seenOff, after: lag }],
  ['on twice, and seen off a lag ago', 'believed', [a], { own: seenOff, previous: [a], after: lag }],
  [
    'on, where another center took it out',
    'again perhaps-older',
    [a],
    { other: { calls: [call(put(), { off: ['a'] })] } },
  ],
  [
    'on, if another center withdrew a purpose that no reading showed',
    'again perhaps-older',
    [a],
    { other: { calls: [unread] } },
  ],
  [
    'off, where another center switched it on',
    'again perhaps-older',
    [b],
    { other: { calls: [call(put('a'), { keys: ['purpose a'] })] } },
  ],
  [
    'without a purpose that only another center offers',
    'believed',
    [b],
    { other: { calls: [call(put('z'), { keys: ['purpose z'] })] } },
  ],
  ['without what another center kept', 'again perhaps-older', [b], { other: sentA }],
];

for (const [name, is, shows, { own, other, previous, after = 10 } = {}] of cases) {
  test(`a reading that shows ${name} is ${is}`, () => {
    const centers = [
      { ...nothing, ...own },
      { ...nothing, center: 'other', ...other },
    ];
    const desired: DesiredState = { order: 9, centers };
    const reading = { subject: subject(...shows), at: now + after };
    const before = previous && subject(...previous);
    const seen = observe(desired, { center: 'center', schema, reading, previous: before });
    assert.equal([seen.kind, ...('row' in seen ? [seen.row] : [])].join(' '), is);
  });
}

test('a surprise is confirmed after a pause, an older reading after longer and longer pauses', () => {
  const pause = (own: Partial<DesiredCenter>, after: number) => {
    const desired = { order: 9, centers: [{ ...nothing, ...own }] };
    const reading = { subject: subject(b), at: now + after };
    const seen = observe(desired, { center: 'center', schema, reading, previous: undefined });
    return seen.kind === 'again' ? seen.afterMs : undefined;
  };
  assert.equal(pause(knownA, 0), confirmAfter);
  assert.deepEqual(
    [0, 1_000, 4_000, 9_000].map((after) => pause(sentA, after)),
    [300, 1_000, 4_000, 1_000],
  );
});
