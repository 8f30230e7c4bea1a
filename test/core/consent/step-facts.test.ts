import type { DesiredItem } from '../../../src/core/consent/desired-state.ts';
import { usualLimits } from '../../../src/core/consent/desired-state.ts';
import { aCall, aFloor, aForm, answer, asking, aWord, lag, now, offers, type Parts } from './drafts.ts';
import {
  type Case,
  granted,
  newer,
  off,
  older,
  on,
  playFacts,
  type Row,
  sent,
  topic,
  value,
} from './facts.ts';

const never = Number.POSITIVE_INFINITY;
const late: readonly Row[] = [
  [
    'by a call in doubt that carries it',
    { isCarried: true, isDoubtful: true },
    { word: off, here: { calls: [aCall('b'), aCall('b a')] } },
  ],
  [
    'by one of another center',
    { isCarried: true, isDoubtful: true },
    { word: topic, there: { calls: [aCall('a[t]')] } },
  ],
  [
    'not by one of other purposes',
    { isCarried: false, isDoubtful: true },
    { word: off, here: { calls: [aCall('b')] } },
  ],
  [
    'not by one that was answered',
    { isCarried: false, isDoubtful: false },
    { word: off, here: { calls: [aCall('a', { answer })] } },
  ],
  [
    'by one of before the lag after it was seen off',
    { isCarried: true },
    { word: aWord('purpose a', { seen: now - 49 - lag }), here: { calls: [aCall('a')] } },
  ],
  [
    'not by one of after it',
    { isCarried: false },
    { word: aWord('purpose a', { seen: now - 50 - lag }), here: { calls: [aCall('a')] } },
  ],
  [
    'on by one that was to grant it',
    { doubted: 7, grantedAt: never, isGrantSure: false },
    { word: aWord('purpose a', granted(8, true)), here: { calls: [aCall('a', { keys: ['purpose a'] })] } },
  ],
  ['on by no other', { doubted: undefined, grantedAt: 0, isGrantSure: false }, { word: off }],
  [
    'surely on before',
    { grantedAt: 8, isGrantSure: true },
    { word: aWord('purpose a', granted(8, true)), there: {} },
  ],
  [
    'surely on before by another center',
    { grantedAt: 9, isGrantSure: true },
    { word: aWord('purpose a', granted(8, false)), there: { items: [aWord('purpose a', granted(9, true))] } },
  ],
  [
    'perhaps on before',
    { grantedAt: 9, isGrantSure: false },
    { word: aWord('purpose a', granted(8, true)), there: { items: [aWord('purpose a', granted(9, false))] } },
  ],
  [
    'off by a call of its own in doubt',
    { takenOut: 7, isTakingOut: true },
    { word: aWord('purpose a', { want: 'on', takenOut: 7 }), here: { calls: [aCall('b')] } },
  ],
  [
    'off by one that was answered',
    { takenOut: 7, isTakingOut: false },
    {
      word: aWord('purpose a', { want: 'on', takenOut: 7 }),
      here: { calls: [aCall('b', { answer }), aCall('b', { order: 8 })] },
    },
  ],
  ['off by none', { takenOut: 0, isTakingOut: false }, { word: on, here: { calls: [aCall('b')] } }],
];

const ofCall = (calls: Parts['here']): Parts & { word: DesiredItem } => ({
  word: { ...on, ...sent },
  here: calls ?? {},
});
const ofCalls = (...calls: readonly ReturnType<typeof aCall>[]) => ofCall({ calls });
const later = { order: 8 };
const called: readonly Row[] = [
  ['that was made for it', { call: aCall('a') }, ofCalls(aCall('b', later), aCall('a'))],
  ['that nobody made', { call: undefined }, { word: on, here: { calls: [aCall('a')] } }],
  [
    'whose answer rejects it',
    { isRefused: true },
    ofCalls(aCall('a', { answer: { ...answer, refused: ['b', 'a'] } })),
  ],
  [
    'whose answer rejects another',
    { isRefused: false },
    ofCalls(aCall('a', { answer: { ...answer, refused: ['b'] } })),
  ],
  ['without an answer', { isRefused: false }, ofCalls(aCall('a'))],
  ['after which another left it out', { isLeftOutSince: true }, ofCalls(aCall('a'), aCall('b', later))],
  [
    'after which everything was withdrawn',
    { isLeftOutSince: true },
    ofCalls(aCall('a'), aCall(undefined, later)),
  ],
  ['after which another carried it', { isLeftOutSince: false }, ofCalls(aCall('a'), aCall('a b', later))],
  [
    'before which another left it out',
    { isLeftOutSince: false },
    ofCalls(aCall('b', { order: 6 }), aCall('a')),
  ],
  ['that leaves it out itself', { isLeftOutSince: false }, ofCalls(aCall('b'))],
  ['of another word', { isLeftOutSince: false }, { word: on, here: { calls: [aCall('b', later)] } }],
];

const beside = (change: Partial<DesiredItem>) => ({
  word: topic,
  here: { items: [aWord('purpose a', change)] },
});
const option = (key: string, by = 'r1') => aWord(`option a ${key}`, { by });
const swap = (word: DesiredItem, ...items: readonly DesiredItem[]): Case => ({ word, here: { items } });
const purposes: readonly Row[] = [
  ['on', { whole: 'on', isPurposeOff: false, isInCenter: true }, { word: topic, reads: 'a' }],
  ['always active', { isPurposeOff: false }, { word: topic, reads: 'a:always-active' }],
  [
    'on by default',
    { whole: 'on-by-default', isPurposeOff: false },
    { word: aWord('topic d t', { want: 'on' }) },
  ],
  ['off', { whole: 'off', isPurposeOff: true, isPurposeAsked: false }, { word: topic, reads: 'a:off' }],
  ['on no record', { whole: 'absent', isPurposeOff: true }, { word: topic }],
  ['off, and asked for', { isPurposeOff: false, isPurposeAsked: true }, beside({ want: 'on' })],
  [
    'off, and granted before',
    { isPurposeOff: false, isPurposeAsked: false },
    beside({ want: 'on', phase: 'verified' }),
  ],
  [
    'off, and asked for in vain',
    { isPurposeOff: true, isPurposeAsked: false },
    beside({ want: 'on', phase: 'over' }),
  ],
  ['being withdrawn', { isPurposeOff: true, isPurposeAsked: false }, beside({})],
  ['off, of its own word', { isPurposeOff: false }, { word: on, reads: 'a:off' }],
  ['none, of a value', { isPurposeOff: false, whole: 'absent', isInCenter: false }, { word: value }],
  ['that the center lacks', { isInCenter: false }, { word: aWord('purpose z') }],
  ['of a single choice that another replaces', { isSwapped: true }, swap(option('one x'), option('one y'))],
  ['of a single choice alone', { isSwapped: false }, swap(option('one x'))],
  [
    'of a single choice that another submission chose',
    { isSwapped: false },
    swap(option('one x'), option('one y', 'r2')),
  ],
  [
    'of a single choice beside another preference',
    { isSwapped: false },
    swap(option('one x'), option('many y'), aWord('topic a t')),
  ],
  [
    'of a single choice beside one of a longer name',
    { isSwapped: false },
    swap(option('one x'), option('one2 y')),
  ],
  ['of which several may be chosen', { isSwapped: false }, swap(option('many x'), option('many y'))],
  [
    'with topics, one named as a single choice',
    { isSwapped: false },
    swap(aWord('topic a one'), aWord('topic a two'), option('one y')),
  ],
];

const known = (revision: string, readAt: number) => ({
  known: { schema: { center: { ...offers, revision }, readAt } },
});
const form = { asked: [asking({ form: aForm })] };
const schemas: readonly Row[] = [
  ['not asked for yet', { schema: 'stale' }, { word: on, known: { schema: undefined } }],
  ['that cannot be read', { schema: 'absent' }, { word: on, known: { schema: 'absent' } }],
  ['of a center that is gone', { schema: 'gone' }, { word: on, known: { schema: 'gone' } }],
  [
    'read before the form was shown',
    { schema: 'stale', asked: form.asked[0] },
    { word: on, here: form, ...known('1', aForm.at - 1) },
  ],
  ['read when the form was shown', { schema: 'fresh' }, { word: on, here: form, ...known('1', aForm.at) }],
  ['of other words than the form', { schema: 'reworded' }, { word: on, here: form, ...known('2', aForm.at) }],
  [
    'read before a word without a form',
    { schema: 'stale', asked: undefined },
    { word: on, ...known('2', on.at - 1) },
  ],
  ['read when a word without a form was said', { schema: 'fresh' }, { word: on, ...known('2', on.at) }],
  [
    'read long ago',
    { schema: 'stale' },
    { word: { ...on, at: 0 }, ...known('1', now - usualLimits.schemaFresh) },
  ],
  [
    'read lately',
    { schema: 'fresh' },
    { word: { ...on, at: 0 }, ...known('1', now - usualLimits.schemaFresh + 1) },
  ],
];

const floors: readonly Row[] = [
  ['said since', { isFloorOpen: true }, { word: off, here: { everything: aFloor(newer) } }],
  ['said with it', { isFloorOpen: true }, { word: off, here: { everything: aFloor() } }],
  ['said before', { isFloorOpen: false }, { word: off, here: { everything: aFloor(older) } }],
  [
    'whose call was made',
    { isFloorOpen: false, takenOut: 7 },
    { word: off, here: { everything: aFloor(sent) } },
  ],
  ['never said', { isFloorOpen: false }, { word: off }],
];

playFacts({
  'a purpose may come': late,
  'a call': called,
  'a purpose': purposes,
  'a schema': schemas,
  everything: floors,
});
