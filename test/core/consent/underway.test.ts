import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Call,
  centerOf,
  type DesiredCenter,
  type DesiredEverything,
  type DesiredItem,
  usualLimits,
} from '../../../src/core/consent/desired-state.ts';
import type { OpenSubmission } from '../../../src/core/consent/person.ts';
import { underway } from '../../../src/core/consent/told.ts';
import type { PurposeChange } from '../../../src/core/model/submission/intent.ts';
import { adjust, off, on, reduce } from '../changes.ts';
import { after } from './said.ts';

const { lag, grantLife } = usualLimits;

function word(key: string, want: DesiredItem['want'], how: Partial<DesiredItem> = {}): DesiredItem {
  return { key, want, by: 'r', at: 0, order: 2, phase: 'open', ...how };
}

function all(how: Partial<DesiredEverything> = {}): DesiredEverything {
  return { by: 'r', at: 0, order: 1, phase: 'open', reach: undefined, ...how };
}

function inDoubt(how: Partial<Call> = {}): Call {
  return { order: 1, at: 0, update: undefined, refusals: [], off: [], keys: [], by: 'r', ...how };
}

function submission(reference: string, state: OpenSubmission['state']): OpenSubmission {
  return { reference, state } as OpenSubmission;
}

/** The changes under way of a person with these words in the one center. */
function shown(
  { items = [], everything, calls = [], known = [] }: Partial<DesiredCenter>,
  now = 0,
  open: readonly OpenSubmission[] = [],
) {
  const { desired } = after((state) => {
    const center = { ...centerOf(state, 'center'), items, everything, calls, known };
    return { ...state, order: 7, centers: [centerOf(state, 'other'), center] };
  });
  return underway({ desired, open }, 'center', now);
}

describe('a page shows as done', () => {
  const seen = { phase: 'verified', seen: 5 } as const;
  const withdrawal = word('purpose a', 'off');
  const grant = word('purpose a', 'on');
  type Case = readonly [string, Partial<DesiredCenter>, number, readonly PurposeChange[]];
  const cases: readonly Case[] = [
    ['a recorded withdrawal', { items: [withdrawal] }, 0, [off('a')]],
    ['a withdrawal that is sent', { items: [{ ...withdrawal, phase: 'sent' }] }, 0, [off('a')]],
    [
      'a withdrawal that a reading may be too old to show',
      { items: [{ ...withdrawal, ...seen }] },
      4 + lag,
      [off('a')],
    ],
    ['no withdrawal that each reading shows', { items: [{ ...withdrawal, ...seen }] }, 5 + lag, []],
    ['no withdrawal that was never seen', { items: [{ ...withdrawal, phase: 'verified' }] }, lag, []],
    ['no withdrawal that is over', { items: [{ ...withdrawal, phase: 'over', seen: 5 }] }, 5, []],
    [
      'a choice that is taken out',
      { items: [word('topic a t1', 'off')] },
      0,
      [reduce('a', { topicsOff: ['t1'] })],
    ],
    ['no value', { items: [word('element e', { value: '1', label: 'E' })] }, 0, []],
    ['a grant', { items: [grant] }, grantLife - 1, [on('a')]],
    ['no grant whose minute is over', { items: [grant] }, grantLife, []],
    [
      'a grant that is sent, since it may land',
      { items: [{ ...grant, phase: 'sent' }] },
      grantLife,
      [on('a')],
    ],
    ['a grant in doubt', { items: [{ ...grant, phase: 'in-doubt' }] }, grantLife, [on('a')]],
    ['no grant that is on record', { items: [{ ...grant, ...seen }] }, 5, []],
    ['a choice that is made', { items: [word('topic a t1', 'on')] }, 0, [adjust('a', { topicsOn: ['t1'] })]],
  ];
  for (const [name, center, now, expected] of cases) {
    test(name, () => assert.deepEqual(shown(center, now).changes, expected));
  }
});

describe('a page shows everything as off', () => {
  const verified = all({ phase: 'verified', seen: 5 });
  const done = word('purpose a', 'on', { phase: 'verified' });
  type Case = readonly [string, Partial<DesiredCenter>, number, readonly string[] | undefined];
  const cases: readonly Case[] = [
    ['not without a withdrawal of everything', { items: [done] }, 0, undefined],
    ['once it is recorded', { everything: all() }, 0, []],
    ['while it is sent', { everything: all({ phase: 'sent' }) }, 0, []],
    ['while a reading may be too old to show it', { everything: verified }, 4 + lag, []],
    ['not once each reading shows it', { everything: verified, items: [done] }, 5 + lag, undefined],
    ['except a purpose that is on again since', { everything: all(), items: [done] }, 0, ['a']],
    ['also a purpose that was on before', { everything: all({ order: 3 }), items: [done] }, 0, []],
    [
      'also a purpose that was granted in the same moment',
      { everything: all({ order: 2 }), items: [done] },
      0,
      [],
    ],
    ['also a purpose that is not on yet', { everything: all(), items: [word('purpose a', 'on')] }, 0, []],
    [
      'also a purpose that is withdrawn since',
      { everything: all(), items: [{ ...done, want: 'off' }] },
      0,
      [],
    ],
    [
      'even if a choice of a purpose is on',
      { everything: all(), items: [{ ...done, key: 'topic a t1' }] },
      0,
      [],
    ],
  ];
  for (const [name, center, now, expected] of cases) {
    test(name, () => assert.deepEqual(shown(center, now).everything?.but, expected));
  }
});

describe('a change of the record is no news', () => {
  const seen = { phase: 'verified', seen: 5 } as const;
  const withdrawal = word('purpose a', 'off');
  const done = word('purpose a', 'on', { phase: 'verified' });
  /** A name, the center, and the answers while the record shows the purpose off, and on. */
  const cases: readonly [string, Partial<DesiredCenter>, readonly [boolean, boolean]][] = [
    ['once a call for it was made', { items: [{ ...withdrawal, phase: 'sent' }] }, [true, true]],
    ['not before', { items: [withdrawal] }, [false, false]],
    ['nor before a call for everything', { everything: all() }, [false, false]],
    ['once that call was made', { everything: all({ phase: 'sent', call: 2 }) }, [true, true]],
    ['while an old reading shows it on', { items: [{ ...withdrawal, ...seen }] }, [false, true]],
    ['while an old reading shows it on, after everything', { everything: all(seen) }, [false, true]],
    ['not if the purpose is on again since', { everything: all(seen), items: [done] }, [false, false]],
    ['not if the purpose is on', { items: [done] }, [false, false]],
    ['not without a word about it', {}, [false, false]],
  ];
  for (const [name, center, expected] of cases) {
    test(name, () => {
      const { isCalled } = shown(center, 6);
      assert.deepEqual([isCalled('a', false), isCalled('a', true)], expected);
    });
  }
});

describe('a reading at the time 5 shows all words', () => {
  const done = word('purpose a', 'off', { phase: 'verified', at: 1, seen: 4 });
  const floor = all({ phase: 'verified', at: 1, seen: 4 });
  const pending = submission('other', 'pending');
  type Case = readonly [string, Partial<DesiredCenter>, boolean, (readonly OpenSubmission[])?];
  const cases: readonly Case[] = [
    ['if there are none', {}, true],
    ['if they were seen before', { items: [done], everything: floor }, true],
    ['not if one of two is under way', { items: [done, word('purpose b', 'off')] }, false],
    ['not if one was said since', { items: [{ ...done, at: 5, seen: undefined }] }, false],
    ['not if one was seen since', { items: [{ ...done, seen: 5 }] }, false],
    [
      'not if a grant landed since',
      { items: [{ ...done, granted: { order: 1, at: 5, isSure: true } }] },
      false,
    ],
    ['not if everything is under way', { everything: all() }, false],
    ['not if everything was said since', { everything: { ...floor, at: 5 } }, false],
    ['not if everything was seen off since', { everything: { ...floor, seen: 5 } }, false],
    ['except those of the submission itself', { items: [word('purpose a', 'off', { by: 'own' })] }, true],
    ['except the submission’s own withdrawal of everything', { everything: all({ by: 'own' }) }, true],
    ['not if a call has no answer', { calls: [inDoubt()] }, false],
    ['not if another submission is pending', {}, false, [submission('own', 'done'), pending]],
    [
      'even if the submission itself is pending',
      {},
      true,
      [submission('own', 'pending'), submission('other', 'done')],
    ],
  ];
  for (const [name, center, expected, open] of cases) {
    test(name, () => assert.equal(shown(center, 9, open).isShownBy(5, 'own'), expected));
  }
});

test('a person is known if a purpose was on record or a submission is pending', () => {
  assert.equal(shown({}).isKnown, false);
  assert.equal(shown({ known: ['a'] }).isKnown, true);
  assert.equal(shown({}, 0, [submission('r', 'pending')]).isKnown, true);
  assert.equal(shown({}).order, 7);
});
