import type { DesiredItem } from '../../../src/core/consent/desired-state.ts';
import { aCall, aFloor, answer, aWord, lag, now } from './drafts.ts';
import { granted, newer, off, older, on, playFacts, type Row, sent, topic, value } from './facts.ts';

const heldUp: readonly Row[] = [
  [
    'by an older withdrawal of the purpose',
    { isHeldUp: true },
    { word: topic, here: { items: [aWord('purpose a', older)] } },
  ],
  [
    'by one in another center',
    { isHeldUp: true },
    { word: on, there: { items: [aWord('purpose a', { ...older, ...sent })] } },
  ],
  ['not by a newer one', { isHeldUp: false }, { word: on, there: { items: [aWord('purpose a', newer)] } }],
  [
    'not by one that is done',
    { isHeldUp: false },
    { word: on, there: { items: [aWord('purpose a', { ...older, phase: 'verified' })] } },
  ],
  [
    'not by a grant',
    { isHeldUp: false },
    { word: topic, here: { items: [aWord('purpose a', { ...older, want: 'on' })] } },
  ],
  ['not by itself', { isHeldUp: false }, { word: off }],
  ['by everything that waits', { isHeldUp: true }, { word: on, here: { everything: aFloor(older) } }],
  ['by everything that it was said with', { isHeldUp: true }, { word: on, here: { everything: aFloor() } }],
  [
    'not by everything that was said since',
    { isHeldUp: false },
    { word: on, here: { everything: aFloor(newer) } },
  ],
  [
    'not by everything that is done',
    { isHeldUp: false },
    { word: on, here: { everything: aFloor({ ...older, phase: 'verified' }) } },
  ],
  [
    'by everything that no call was made for',
    { isHeldUp: true },
    { word: on, here: { everything: aFloor({ ...older, phase: 'sent' }) } },
  ],
  [
    'by everything whose call is in doubt',
    { isHeldUp: true },
    { word: on, here: { everything: aFloor({ ...older, ...sent }), calls: [aCall(undefined)] } },
  ],
  [
    'not by everything whose call was answered',
    { isHeldUp: false },
    {
      word: on,
      here: {
        everything: aFloor({ ...older, ...sent }),
        calls: [aCall(undefined, { answer }), aCall('b', { order: 8 })],
      },
    },
  ],
  [
    'not by everything whose call is long past',
    { isHeldUp: false },
    { word: on, here: { everything: aFloor({ ...older, ...sent }) } },
  ],
  [
    'by everything of another center until it is read back',
    { isHeldUp: true },
    {
      word: on,
      there: {
        everything: aFloor({ ...older, ...sent, reach: ['a'] }),
        calls: [aCall(undefined, { answer })],
      },
    },
  ],
  [
    'by everything of a center that cannot be read',
    { isHeldUp: true },
    { word: on, there: { everything: aFloor(older) } },
  ],
  [
    'not by everything of a center that does not offer it',
    { isHeldUp: false },
    { word: on, there: { everything: aFloor({ ...older, reach: ['b'] }) } },
  ],
  [
    'never, if it is a value',
    { isHeldUp: false },
    { word: value, here: { everything: aFloor(older) }, there: { everything: aFloor(older) } },
  ],
];

const there = (key: string, change: Partial<DesiredItem>) => ({
  there: { items: [aWord(key, { ...newer, ...change })] },
});
const grant = there('purpose a', { want: 'on' });
const withdrawal = there('purpose a', { withdrawn: 6 });
const looked = { known: ['a'], lookedAt: now - 100 - lag };
const renewal = there('purpose a', { want: 'on', renews: true });
const opposite: readonly Row[] = [
  ['a grant', { isSaidSince: true }, { word: off, ...grant }],
  ['a withdrawal', { isSaidSince: true }, { word: on, ...withdrawal }],
  ['not the same', { isSaidSince: false }, { word: off, ...withdrawal }],
  ['not nothing', { isSaidSince: false }, { word: off, there: {} }],
  [
    'not an older grant',
    { isSaidSince: false },
    { word: off, ...there('purpose a', { want: 'on', ...older }) },
  ],
  [
    'not a grant of the same moment',
    { isSaidSince: false },
    { word: off, ...there('purpose a', { want: 'on', order: 5 }) },
  ],
  [
    'not a grant that is over',
    { isSaidSince: false },
    { word: off, ...there('purpose a', { want: 'on', phase: 'over' }) },
  ],
  ['not a grant that failed', { isSaidSince: false }, { word: on, ...there('purpose a', {}) }],
  [
    'not a grant that failed after a withdrawal',
    { isSaidSince: false },
    { word: on, ...there('purpose a', { withdrawn: 5 }) },
  ],
  [
    'a choice that goes with a grant',
    { isSaidSince: true },
    { word: topic, ...there('topic a t', { phase: 'verified' }) },
  ],
  [
    'not a grant on a record of its own, where it never was',
    { isSaidSince: false },
    { word: off, here: looked, ...there('purpose a', { want: 'on', before: null }) },
  ],
  [
    'a grant that this record may not show yet',
    { isSaidSince: true },
    {
      word: off,
      here: { ...looked, lookedAt: now - 99 - lag },
      ...there('purpose a', { want: 'on', before: null }),
    },
  ],
  ['a grant of what was on record there', { isSaidSince: true }, { word: off, here: looked, ...grant }],
  [
    'a grant of what is not on record here',
    { isSaidSince: true },
    { word: off, here: { ...looked, known: ['b'] }, ...there('purpose a', { want: 'on', before: null }) },
  ],
  [
    'a withdrawal of what was on no record',
    { isSaidSince: true },
    { word: on, here: looked, ...there('purpose a', { withdrawn: 6, before: null }) },
  ],
  [
    'not a grant that does not show here a lag later',
    { isSaidSince: false },
    {
      word: aWord('purpose a', { seen: now - 60 + lag }),
      ...there('purpose a', { want: 'on', ...granted(8, true) }),
    },
  ],
  [
    'a grant that may not show here yet',
    { isSaidSince: true },
    {
      word: aWord('purpose a', { seen: now - 61 + lag }),
      ...there('purpose a', { want: 'on', ...granted(8, true) }),
    },
  ],
  [
    'a grant that was not looked for here',
    { isSaidSince: true },
    { word: off, ...there('purpose a', { want: 'on', ...granted(8, true) }) },
  ],
  [
    'a grant on its way, though it is off here',
    { isSaidSince: true },
    { word: aWord('purpose a', { seen: now }), ...grant },
  ],
  [
    'a withdrawal a lag after a grant',
    { isSaidSince: true },
    { word: { ...on, seen: now }, ...there('purpose a', { withdrawn: 6, ...granted(3, true, now - lag) }) },
  ],
  ['a renewal', { isSaidSince: true }, { word: off, ...renewal }],
  [
    'not a renewal of what a late call switched on',
    { isSaidSince: false },
    { word: off, here: { calls: [aCall('a', { order: 5 })] }, ...renewal },
  ],
  [
    'not a renewal in the moment of that call',
    { isSaidSince: false },
    { word: off, here: { calls: [aCall('a', { order: 6 })] }, ...renewal },
  ],
  [
    'a renewal before that call',
    { isSaidSince: true },
    { word: off, here: { calls: [aCall('a')] }, ...renewal },
  ],
  [
    'a renewal beside a call of others',
    { isSaidSince: true },
    { word: off, here: { calls: [aCall('b', { order: 5 })] }, ...renewal },
  ],
  [
    'a grant, whatever call is late',
    { isSaidSince: true },
    { word: off, here: { calls: [aCall('a', { order: 5 })] }, ...grant },
  ],
];

playFacts({ 'a word is held up': heldUp, 'the opposite is said in another center by': opposite });
