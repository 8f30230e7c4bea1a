import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { changedNothing, isBounded, isStillToCome } from '../../../src/core/consent/one-click.ts';
import type { CallMade, Work } from '../../../src/core/model/journal-entry.ts';
import type { Outcome } from '../../../src/core/model/submission.ts';
import { newWork } from '../../../src/delivery/work.ts';
import { aRequest, aSubject, leaveAll } from '../../delivery/fixture.ts';

const fresh = newWork(aRequest({ intent: leaveAll }));
const call = (change: Partial<CallMade> = {}): CallMade => ({
  at: 1,
  kind: 'delete',
  why: 'change',
  changes: [],
  update: undefined,
  answer: { items: [] } as unknown as CallMade['answer'],
  problem: undefined,
  ...change,
});

suite('An open one-click stands for one that comes later', () => {
  const open = { work: fresh as Work | undefined, submittedAt: 0, doneAt: undefined, isBeingWorkedOn: false };
  const busy = { ...open, isBeingWorkedOn: true };
  const cases: readonly (readonly [
    what: string,
    open: Parameters<typeof isStillToCome>[0],
    now: number,
    is: boolean,
  ])[] = [
    ['while it has not begun, however long', open, 9e9, true],
    ['within five seconds, though it is being worked on', busy, 4_999, true],
    ['not after five seconds of being worked on', busy, 5_000, false],
    ['not once it has read the record', { ...open, work: { ...fresh, before: aSubject() } }, 9e9, false],
    [
      'while its call is still to be made again, for it surely did nothing',
      {
        ...open,
        work: {
          ...fresh,
          calls: [
            call({ answer: undefined, problem: 'platform-unreachable', isUnsent: true }),
            call({ answer: undefined, problem: 'platform-busy' }),
          ],
        },
      },
      9e9,
      true,
    ],
    [
      'not once it was refused, and goes on with the record',
      { ...open, work: { ...fresh, calls: [call({ answer: undefined, problem: 'platform-refused' })] } },
      9e9,
      false,
    ],
    ['not once it has called', { ...open, work: { ...fresh, calls: [call()] } }, 9e9, false],
    ['not when it is of a time to come', { ...busy, submittedAt: 10 }, 0, false],
    ['not when no key opens it', { ...open, work: undefined }, 1, false],
    ['not when it is done and only looked at again', { ...open, doneAt: 1 }, 2, false],
  ];
  for (const [what, given, now, is] of cases) {
    test(`${what}.`, () => assert.equal(isStillToCome(given, { channel: 'one-click', now }), is));
  }
  test('a form does not repeat itself: one that is being worked on may have looked before it was posted', () => {
    assert.equal(isStillToCome(busy, { channel: 'link', now: 1 }), false);
    assert.equal(isStillToCome(open, { channel: 'link', now: 9e9 }), true);
  });
});

suite('A submission is bounded', () => {
  const leaves = { intent: leaveAll, scope: 'withdraw' } as const;
  const cases = [
    ['by one click', { intent: leaveAll, channel: 'one-click' }, true],
    ['by a link that can only withdraw', leaves, true],
    ['not by a link that manages', { ...leaves, scope: 'manage' }, false],
    ['not where it undoes another', { ...leaves, undoes: 'other' }, false],
    ['not where staff enter it', { ...leaves, onBehalf: { staff: 'Eva', reason: 'by phone' } }, false],
    ['not where it changes more', { ...leaves, intent: { ...leaveAll, language: 'de' } }, false],
  ] as const;
  for (const [what, change, is] of cases)
    test(`${what}.`, () => assert.equal(isBounded(aRequest(change)), is));
});

suite('A one-click changed nothing', () => {
  const item = (outcome: Outcome) =>
    ({ what: 'purpose', id: 'a', change: 'off', outcome, receipt: undefined }) as const;
  const cases: readonly (readonly [what: string, work: Pick<Work, 'items' | 'calls'>, is: boolean])[] = [
    ['where there was nothing to withdraw', { items: [], calls: [] }, true],
    ['where all was off or locked', { items: [item('unchanged'), item('locked')], calls: [call()] }, true],
    [
      'but not where something was withdrawn',
      { items: [item('unchanged'), item('saved')], calls: [] },
      false,
    ],
    ['but not where something was not', { items: [item('not-saved')], calls: [] }, false],
    [
      'where calls were refused',
      { items: [], calls: [call({ answer: undefined, problem: 'platform-refused' })] },
      true,
    ],
    [
      'but not where a call may still land',
      { items: [], calls: [call({ answer: undefined, problem: 'platform-slow' })] },
      false,
    ],
  ];
  for (const [what, work, is] of cases) {
    test(`${what}.`, () => assert.equal(changedNothing(work), is));
  }
});
