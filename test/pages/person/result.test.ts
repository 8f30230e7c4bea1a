import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ConsentRecord } from '../../../src/core/model/person/subject.ts';
import type { ItemResult, Outcome, Submission } from '../../../src/core/model/submission/submission.ts';
import { buildResultPage, mayUndo, type ResultPageInput } from '../../../src/pages/person/result.ts';
import { cutNote } from '../../../src/pages/person/unsubscribe.ts';
import { aCenter, anElement, aPurpose, purposeOf, recordsOf } from '../../core/center-builder.ts';
import { aRecord, aResult, aSubject, aSubmission, pageContext, words } from '../../core/page-builder.ts';

const minute = 60_000;

const center = aCenter(
  [
    aPurpose('p', { name: words({ en: 'Letters', fr: 'Lettres' }) }),
    anElement('e', { name: words({ en: 'First name' }) }),
    aPurpose('q', { name: words({ en: 'Offers' }) }),
  ],
  {
    labelSets: {
      'en-us': { 'update-success': 'All done!', 'unsubscribe-success': 'Bye.', 'update-error': 'Oh no.' },
    },
    translations: {
      'en-us': { ProfileUpdateSuccess: 'Profile saved.', ProfileUpdateError: 'Profile not saved.' },
    },
  },
);

function build(submission: Submission, more: Partial<ResultPageInput> = {}) {
  return buildResultPage({
    pageContext,
    center,
    language: 'en-us',
    submission,
    now: 5 * minute,
    backHref: '/back',
    subject: aSubject({ purposes: [aRecord('hidden', { label: 'Old letters' })] }),
    undo: { action: '/undo', token: 't', leavesOut: [] },
    ...more,
  });
}

const open = ['in-progress', 'waiting', 'being-carried-out'] as const;
const unsaved = [...open, 'not-saved', 'withdrawn-elsewhere', 'locked', 'no-such-purpose'] as const;

/** The outcome, name and text of each line of a result page. */
function told({ outcome }: Pick<ReturnType<typeof build>, 'outcome'>): readonly string[] {
  return outcome.lines.map(({ kind, name, text }) => `${kind} ${name.text}: ${text}`);
}

const pending = { state: 'pending', doneAt: undefined } as const;

describe('A result', () => {
  const cases: readonly [what: string, submission: Submission, lines: readonly string[]][] = [
    [
      'names a purpose that was turned off elsewhere, whether its change was asked for or it was only kept',
      aSubmission([aResult('q', 'on', 'withdrawn-elsewhere'), aResult('p', 'keep', 'withdrawn-elsewhere')]),
      [
        'withdrawn-elsewhere Letters: You turned this off somewhere else. It stays off.',
        'withdrawn-elsewhere Offers: You turned this off somewhere else. It stays off.',
      ],
    ],
    [
      'says only of an adjusted purpose that it has been turned off since',
      aSubmission([aResult('q', 'on', 'switched-off'), aResult('p', 'adjust', 'switched-off')]),
      [
        'to-check Letters: It wasn’t changed. Please try again later.',
        'to-check Offers: This was on, and has been turned off since. It stays off.',
      ],
    ],
    [
      'says that an always active purpose stays, and never that it was turned off',
      aSubmission([aResult('p', 'off', 'saved'), aResult('q', 'off', 'locked')], { everything: true }),
      [
        'saved Letters: Turned off.',
        'locked Offers: This is part of the service and can’t be turned off here.',
      ],
    ],
    [
      'says that leaving everything is accepted while it is under way',
      aSubmission([], { ...pending, everything: true }),
      ['in-progress All choices: We’ll turn this off as soon as we can. You don’t need to do anything.'],
    ],
    [
      'says that a purpose is no longer offered, and does not ask to try again',
      aSubmission([aResult('gone', 'on', 'not-saved'), aResult('over', 'on', 'reworded')]),
      Array(2).fill('no-such-purpose Untitled: No longer offered.'),
    ],
  ];
  for (const [what, submission, lines] of cases)
    test(what, () => assert.deepEqual(told(build(submission)), lines));

  test('is one list, grouped by outcome in the order of the page, with plain labels for hidden purposes', () => {
    const page = build(
      aSubmission(
        [
          aResult('hidden', 'keep', 'not-saved'),
          aResult('q', 'on', 'saved', { receipt: 'r1' }),
          aResult('gone', 'off', 'not-saved'),
          aResult('e', 'typed', 'saved', { what: 'data-element' }),
          aResult('fr', 'language', 'saved', { what: 'language' }),
          aResult('p', 'off', 'saved', { receipt: 'r1' }),
        ],
        { receipts: ['r1', 'r2'] },
      ),
    );
    assert.deepEqual(told(page), [
      'saved Letters: Turned off.',
      'saved First name: Updated.',
      'saved Offers: Turned on.',
      'saved Français: It’s now your language.',
      'not-saved Untitled: It’s still on. Please try again.',
      'to-check Old letters: You didn’t change this, but it may not be as it was.',
    ]);
    assert.equal(page.layout.title, '4 changes saved, 1 to check, 1 not saved');
    assert.deepEqual([page.outcome.receipts, page.outcome.reference], [['r1', 'r2'], 'ref']);
    assert.equal(page.backHref, '/back');
  });

  test('says last that only the beginning of the reason for leaving was kept', () => {
    const whole = build(aSubmission([], { everything: true, undoneBy: 'other' }));
    const cut = build(aSubmission([], { everything: true, undoneBy: 'other' }), { isReasonCut: true });
    assert.equal(whole.notes.length, 1);
    assert.deepEqual(cut.notes, [...whole.notes, cutNote(center, 'en-us')]);
  });

  test('never shows an unsaved change as saved', () => {
    for (const outcome of unsaved) {
      const page = build(aSubmission([aResult('p', 'on', outcome), aResult('q', 'on', 'saved')]));
      assert.notEqual(page.layout.title, 'All done!');
      assert.deepEqual(
        page.outcome.lines.map(({ kind }) => kind === 'saved'),
        [true, false],
      );
    }
  });
});

describe('The title of a result', () => {
  const on = (outcome: Outcome) => aResult('p', 'on', outcome);
  const typed = (outcome: Outcome) => aResult('e', 'typed', outcome, { what: 'data-element' });
  const cases: readonly [items: readonly ItemResult[], more: Partial<Submission>, title: string][] = [
    [[on('saved')], {}, 'All done!'],
    [[on('saved')], { everything: true }, 'Bye.'],
    [[aResult('p', 'off', 'saved'), aResult('q', 'off', 'locked')], { everything: true }, 'Bye.'],
    [[aResult('gone', 'on', 'not-saved')], {}, 'Nothing has changed'],
    [[aResult('gone', 'on', 'reworded')], {}, 'Nothing has changed'],
    [[typed('saved')], {}, 'Profile saved.'],
    [[typed('not-saved')], {}, 'Profile not saved.'],
    [[typed('saved'), on('saved')], {}, 'All done!'],
    [[on('being-carried-out')], { everything: true, state: 'pending' }, 'We’re saving your changes'],
    [[on('in-progress'), on('saved')], { state: 'pending' }, 'We’re saving your changes'],
    [[on('waiting')], {}, 'Waiting for your confirmation'],
    [[on('not-saved')], { state: 'failed' }, 'Oh no.'],
    [[], { state: 'failed' }, 'Oh no.'],
    [[on('not-saved'), on('saved')], {}, '1 change saved, 1 not saved'],
    [[on('saved'), on('saved'), on('waiting'), on('unchanged')], {}, '2 changes saved, 1 in progress'],
    [[on('saved'), on('in-doubt')], {}, '1 change saved, 1 to check'],
    [[on('being-carried-out')], {}, 'We’re saving your changes'],
    [[on('withdrawn-elsewhere')], {}, 'Changed somewhere else'],
    [[on('locked'), on('reworded')], {}, '2 choices weren’t saved'],
    [[on('unchanged')], {}, 'Nothing has changed'],
    [[], {}, 'Nothing has changed'],
  ];
  for (const [items, more, title] of cases) {
    test(`of ${items.map(({ id, outcome }) => `${id} ${outcome}`).join(' and ') || 'nothing'} ${JSON.stringify(more)} is “${title}”`, () => {
      assert.equal(build(aSubmission(items, more)).layout.title, title);
    });
  }
});

test('An accepted change that is not read back yet is shown as being checked, and the page reloads by itself', () => {
  for (const [outcome, state] of [
    ['in-progress', 'pending'],
    ['in-doubt', 'done'],
  ] as const) {
    const accepted = aResult('p', 'on', outcome, { isAccepted: true });
    const page = build(aSubmission([accepted], { state }));
    assert.equal(page.layout.title, 'We’re checking');
    assert.match(page.outcome.lines[0]?.text ?? '', /^We’ve passed it on\./);
    assert.ok(page.refresh !== undefined);
  }
});

describe('Undo', () => {
  const saved = [aResult('p', 'on', 'saved')];
  const cases: readonly [why: string, submission: Submission, now: number, offered: boolean][] = [
    ['just done', aSubmission(saved), 1000, true],
    ['almost 30 minutes ago', aSubmission(saved), 1000 + 30 * minute - 1, true],
    ['30 minutes ago', aSubmission(saved), 1000 + 30 * minute, false],
    ['undone already', aSubmission(saved, { undoneBy: 'other' }), 1000, false],
    ['still under way', aSubmission(saved, pending), 1000, false],
    ['failed', aSubmission(saved, { state: 'failed' }), 1000, false],
    ['nothing was saved', aSubmission([aResult('p', 'on', 'not-saved')]), 1000, false],
    ['in doubt', aSubmission([aResult('p', 'on', 'in-doubt')]), 1000, true],
    ['an undo itself', aSubmission(saved, { undoes: 'other' }), 1000, true],
  ];
  for (const [why, submission, now, offered] of cases) {
    test(`is ${offered ? '' : 'not '}offered: ${why}`, () => {
      assert.equal(mayUndo(submission, now), offered);
      const { undo } = build(submission, { now }).outcome;
      const button = { action: '/undo', token: 't', label: 'Undo', leavesOut: [] };
      assert.deepEqual(undo, offered ? button : undefined);
    });
  }
  test('is not offered when there is nothing to undo, and a note says that it was done', () => {
    assert.equal(build(aSubmission(saved), { undo: undefined }).outcome.undo, undefined);
    const notes = (more: Partial<Submission>) =>
      build(aSubmission(saved, more)).notes.map((note) => note.title);
    assert.deepEqual(notes({ undoneBy: 'x' }), ['These choices have been undone.']);
    assert.deepEqual(notes({}), []);
  });

  test('names the purposes that stay off because the person had not agreed to them', () => {
    const undoes = aSubmission([
      ...['p', 'q', 'hidden', 'gone', 'retired'].map((id) => aResult(id, 'off', 'saved')),
      aResult('refused', 'off', 'not-saved'),
    ]);
    const toldOf = (purposes: readonly ConsentRecord[] | undefined, more: Partial<Submission> = {}) => {
      const subject = purposes && aSubject({ purposes });
      const undo = aSubmission([aResult('p', 'on', 'saved')], { undoes: 'x', ...more });
      const now = aCenter(
        [
          aPurpose('p', { name: words({ en: 'Letters' }) }),
          aPurpose('q', { name: words({ en: 'Offers' }) }),
          aPurpose('retired', { name: words({ en: 'Parcels' }), active: false }),
        ],
        { hidden: [purposeOf('hidden')] },
      );
      return told(build(undo, { kind: 'undone', undoes, subject, center: now }));
    };
    const changed = 'saved Letters: Turned on.';
    const off = [
      ...recordsOf('p q:off retired:off refused:off'),
      aRecord('hidden', { label: 'Old letters', status: 'off' }),
      aRecord('gone', { label: 'Cards', status: 'off' }),
    ];
    const over = 'No longer offered.';
    assert.deepEqual(toldOf(off), [
      changed,
      'stays-off Offers: It stays off. You can turn it on in your preferences.',
      `stays-off Parcels: ${over}`,
      'stays-off Old letters: Turned off.',
      `stays-off Cards: ${over}`,
    ]);
    // Another submission turned the purpose on again, or the record is not known.
    assert.deepEqual(toldOf(recordsOf('p q')), [changed]);
    assert.deepEqual(toldOf(undefined), [changed]);
    assert.deepEqual(toldOf(off, { state: 'pending' }).length, 1);
  });
});

describe('Trying again', () => {
  const againOf = (submission: Submission) =>
    build(submission, { againHref: (page) => `/${page}?again=ref` }).againHref;
  test('is offered for an unsaved change, on the page that shows its purpose', () => {
    const failed = aSubmission([aResult('p', 'on', 'saved'), aResult('q', 'on', 'not-saved')]);
    assert.equal(againOf(failed), '/page?again=ref#purpose-q');
    assert.equal(build(failed).againHref, undefined, 'the submission is no longer known');
    const reworded = aSubmission([aResult('q', 'on', 'reworded')]);
    assert.ok(againOf(reworded));
  });
  test('is not offered for a change that is saved, under way, or on no page', () => {
    for (const outcome of ['saved', 'in-doubt', 'unconfirmed', 'withdrawn-elsewhere', 'locked'] as const)
      assert.equal(againOf(aSubmission([aResult('p', 'on', outcome)])), undefined, outcome);
    const nowhere = aSubmission([aResult('gone', 'on', 'not-saved'), aResult('over', 'on', 'reworded')]);
    assert.equal(againOf(nowhere), undefined);
    const underWay = aSubmission([aResult('p', 'on', 'not-saved')], { state: 'pending' });
    assert.equal(againOf(underWay), undefined);
  });
});

test('The page shows a tick only if every change was saved as asked', () => {
  const isDone = (...items: readonly ItemResult[]) => build(aSubmission(items)).isDone;
  assert.ok(isDone(aResult('p', 'on', 'saved'), aResult('q', 'off', 'unchanged')));
  for (const outcome of ['not-saved', 'waiting', 'in-doubt', 'unconfirmed', 'being-carried-out'] as const)
    assert.equal(isDone(aResult('p', 'on', 'saved'), aResult('q', 'on', outcome)), false, outcome);
  assert.equal(build(aSubmission([], { state: 'pending' })).isDone, false);
});

describe('The page of a submission that is under way', () => {
  const refreshes = (submission: Submission, ...times: readonly number[]) =>
    times.map((now) => build(submission, { now }).refresh);
  test('reloads soon at first, then seldom, and never when the submission is done', () => {
    const leaving = aSubmission([], { ...pending, everything: true });
    assert.deepEqual(refreshes(leaving, 0, 29_999, 30_000, 11 * minute), [3, 3, 15, 60]);
    assert.deepEqual(refreshes(aSubmission([]), 0), [undefined]);
  });
  test('reloads when the minute of a grant is over', () => {
    const granting = aSubmission([aResult('p', 'on', 'in-progress')], pending);
    assert.deepEqual(
      refreshes(granting, 29_000, 31_000, 46_000, 58_500, 60_999, 61_000),
      [3, 15, 15, 3, 1, 15],
    );
  });
});
