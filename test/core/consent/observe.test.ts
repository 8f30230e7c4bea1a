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
import type { ConsentRecord, Subject } from '../../../src/core/model/person/subject.ts';
import { aCenter, aPurpose, record } from '../center-builder.ts';
import { anna } from './desired-person.ts';

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

const empty: DesiredCenter = {
  center: 'center',
  items: [],
  everything: undefined,
  asked: [],
  calls: [],
  known: [],
  lookedAt: 0,
};
const open: DesiredItem = { key: 'purpose b', want: 'on', by: 'r1', at: now, order: 1, phase: 'open' };
const asked = {
  reference: 'r1',
  confirms: [],
  isObjection: false,
  isOneClick: false,
  form: { at: now, order: 0, revision: '1', drawn: [{ purpose: 'a', status: 'active', isOn: true }] },
};

interface Case {
  readonly name: string;
  readonly own?: Partial<DesiredCenter>;
  readonly other?: Partial<DesiredCenter>;
  readonly shows: readonly ConsentRecord[];
  readonly previous?: readonly ConsentRecord[];
  /** Milliseconds after the last call. */
  readonly after?: number;
  readonly is: string;
}

const a = record('a', 'active');
const b = record('b', 'active');
const aOff = record('a', 'off');

const cases: readonly Case[] = [
  { name: 'nothing on record, once', shows: [], is: 'again nothing-on-record' },
  { name: 'nothing on record after something', shows: [], previous: [a], is: 'again nothing-on-record' },
  { name: 'nothing on record, twice', shows: [], previous: [], is: 'believed' },
  {
    name: 'nothing on record of somebody known',
    own: { known: ['a'] },
    shows: [],
    previous: [],
    is: 'unusable nothing-of-somebody-known',
  },
  {
    name: 'nothing on record after a DELETE of somebody known',
    own: { known: ['a'], calls: [call(undefined)] },
    shows: [],
    previous: [],
    after: lag,
    is: 'believed',
  },
  {
    name: 'nothing on record after a DELETE that said what it withdrew',
    own: {
      known: ['a'],
      calls: [call(undefined, { answer: { at: now, refused: [], receipt: undefined, withdrawn: ['a'] } })],
    },
    shows: [],
    previous: [],
    after: lag,
    is: 'unusable nothing-of-somebody-known',
  },
  { name: 'what is known', own: { known: ['a'] }, shows: [a], is: 'believed' },
  { name: 'something known is missing, once', own: { known: ['a', 'b'] }, shows: [a], is: 'again surprise' },
  {
    name: 'something known is missing, twice',
    own: { known: ['a', 'b'] },
    shows: [a],
    previous: [a],
    is: 'believed',
  },
  {
    name: 'something else is missing than before',
    own: { known: ['a', 'b'] },
    shows: [a],
    previous: [b],
    is: 'again surprise',
  },
  {
    name: 'otherwise than shown, once',
    own: { items: [open], asked: [asked] },
    shows: [aOff],
    is: 'again surprise',
  },
  {
    name: 'otherwise than shown, twice',
    own: { items: [open], asked: [asked] },
    shows: [aOff],
    previous: [aOff],
    is: 'believed',
  },
  {
    name: 'otherwise than shown, once a call was made',
    own: { items: [{ ...open, phase: 'sent', call: 3 }], asked: [asked] },
    shows: [aOff],
    is: 'believed',
  },
  {
    name: 'as an answered PUT left it',
    own: { calls: [call(put('a'))] },
    shows: [a, record('b', 'off')],
    is: 'believed',
  },
  {
    name: 'without what an answered PUT switched on',
    own: { calls: [call(put('a', 'b'))] },
    shows: [a],
    is: 'again perhaps-older',
  },
  {
    name: 'with what an answered PUT took out',
    own: { calls: [call(put('a'))] },
    shows: [a, b],
    is: 'again perhaps-older',
  },
  {
    name: 'the same once the lag is over',
    own: { calls: [call(put('a'))] },
    shows: [a, b],
    after: lag,
    is: 'believed',
  },
  {
    name: 'the same just before',
    own: { calls: [call(put('a'))] },
    shows: [a, b],
    after: lag - 1,
    is: 'again perhaps-older',
  },
  {
    name: 'without what was refused',
    own: { calls: [call(put('a', 'b'), { answer: { at: now, refused: ['b'], receipt: undefined } })] },
    shows: [a],
    is: 'believed',
  },
  {
    name: 'waiting for a confirmation after a PUT',
    own: { calls: [call(put('a'))] },
    shows: [record('a', 'pending')],
    is: 'believed',
  },
  {
    name: 'otherwise than a PUT in doubt',
    own: { calls: [call(put('a'), { answer: undefined })] },
    shows: [b],
    is: 'believed',
  },
  {
    name: 'on after a DELETE',
    own: { calls: [call(undefined, { off: undefined })] },
    shows: [a],
    is: 'again perhaps-older',
  },
  {
    name: 'always active after a DELETE',
    own: { calls: [call(undefined)] },
    shows: [record('a', 'always-active')],
    is: 'believed',
  },
  {
    name: 'always active, and just told as locked',
    own: { items: [{ ...open, key: 'purpose a', want: 'off', phase: 'verified', seen: now }] },
    shows: [record('a', 'always-active')],
    is: 'believed',
  },
  {
    name: 'as a later PUT left it',
    own: { calls: [call(put('a')), call(put('a', 'b'), { order: 4 })] },
    shows: [a, b],
    is: 'believed',
  },
  {
    name: 'with other choices than were sent',
    own: { calls: [call(put('a'), { keys: ['purpose a'] })] },
    shows: [record('a', 'active', ['t'])],
    is: 'again perhaps-older',
  },
  {
    name: 'with other choices than were kept',
    own: { calls: [call(put('a'))] },
    shows: [record('a', 'active', ['t'])],
    is: 'believed',
  },
  {
    name: 'off, and just seen on',
    own: {
      items: [{ ...open, key: 'purpose a', phase: 'verified', granted: { order: 2, at: now, isSure: true } }],
    },
    shows: [aOff],
    is: 'again perhaps-older',
  },
  {
    name: 'on, and just seen off',
    own: { items: [{ ...open, key: 'purpose a', want: 'off', phase: 'verified', seen: now }] },
    shows: [a],
    is: 'again perhaps-older',
  },
  {
    name: 'on twice, and just seen off',
    own: { items: [{ ...open, key: 'purpose a', want: 'off', phase: 'verified', seen: now }] },
    shows: [a],
    previous: [a],
    is: 'again perhaps-older',
  },
  {
    name: 'on, and seen off a lag ago',
    own: { items: [{ ...open, key: 'purpose a', want: 'off', phase: 'verified', seen: now }] },
    shows: [a],
    after: lag,
    is: 'again surprise',
  },
  {
    name: 'on twice, and seen off a lag ago',
    own: { items: [{ ...open, key: 'purpose a', want: 'off', phase: 'verified', seen: now }] },
    shows: [a],
    previous: [a],
    after: lag,
    is: 'believed',
  },
  {
    name: 'on, where another center took it out',
    other: { calls: [call(put(), { off: ['a'] })] },
    shows: [a],
    is: 'again perhaps-older',
  },
  {
    name: 'on, where another center withdrew what nobody read',
    other: { calls: [call(undefined, { off: undefined })] },
    shows: [a],
    is: 'again perhaps-older',
  },
  {
    name: 'off, where another center switched it on',
    other: { calls: [call(put('a'), { keys: ['purpose a'] })] },
    shows: [b],
    is: 'again perhaps-older',
  },
  {
    name: 'without what only another center offers',
    other: { calls: [call(put('z'), { keys: ['purpose z'] })] },
    shows: [b],
    is: 'believed',
  },
  {
    name: 'without what another center kept',
    other: { calls: [call(put('a'))] },
    shows: [b],
    is: 'again perhaps-older',
  },
];

for (const { name, own, other, shows, previous, after = 10, is } of cases) {
  test(`a reading that shows ${name} is ${is}`, () => {
    const centers = [
      { ...empty, ...own },
      { ...empty, center: 'other', ...other },
    ];
    const desired: DesiredState = { order: 9, centers };
    const reading = { subject: subject(...shows), at: now + after };
    const before = previous && subject(...previous);
    const seen = observe(desired, { center: 'center', schema, reading, previous: before });
    assert.equal([seen.kind, ...('row' in seen ? [seen.row] : [])].join(' '), is);
  });
}

test('a surprise is confirmed after a pause, an older reading after ever longer ones', () => {
  const pause = (own: Partial<DesiredCenter>, after: number) => {
    const desired = { order: 9, centers: [{ ...empty, ...own }] };
    const reading = { subject: subject(b), at: now + after };
    const seen = observe(desired, { center: 'center', schema, reading, previous: undefined });
    return seen.kind === 'again' ? seen.afterMs : undefined;
  };
  assert.equal(pause({ known: ['a'] }, 0), confirmAfter);
  const calls = [call(put('a'))];
  assert.deepEqual(
    [0, 1_000, 4_000, 9_000].map((after) => pause({ calls }, after)),
    [300, 1_000, 4_000, 1_000],
  );
});
