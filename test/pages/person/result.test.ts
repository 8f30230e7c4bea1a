import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ConsentRecord } from '../../../src/core/model/subject.ts';
import type { ChangeKind, ItemResult, Outcome, Submission } from '../../../src/core/model/submission.ts';
import { buildResultPage, mayUndo, type ResultPageInput } from '../../../src/pages/person/result.ts';
import { cutNote } from '../../../src/pages/person/unsubscribe.ts';
import { aCenter, anElement, aPurpose, purposeOf } from '../../core/center-builder.ts';
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
  },
);

function build(submission: Submission, more: Partial<ResultPageInput> = {}) {
  return buildResultPage({
    pageContext,
    center,
    subject: aSubject({ purposes: [aRecord('undrawn', { label: 'Old letters' })] }),
    language: 'en-us',
    submission,
    now: 5 * minute,
    undo: { action: '/undo', token: 't' },
    backHref: '/back',
    ...more,
  });
}

describe('A result', () => {
  test('tells of what others have switched off, whether it was asked for or only kept', () => {
    const page = build(
      aSubmission([aResult('q', 'on', 'withdrawn-elsewhere'), aResult('p', 'keep', 'withdrawn-elsewhere')]),
    );
    assert.deepEqual(
      page.groups.map(({ tone, items }) => [tone, items.map(({ name, text }) => `${name.text}: ${text}`)]),
      [
        [
          'warning',
          [
            'Letters: It was switched off elsewhere, and stays off.',
            'Offers: It was switched off elsewhere, and stays off.',
          ],
        ],
      ],
    );
  });

  test('is told by item, grouped, in the order of the page, what no page draws by its plain label', () => {
    const page = build(
      aSubmission([
        aResult('undrawn', 'keep', 'not-saved'),
        aResult('q', 'on', 'saved', { receipt: 'r1' }),
        aResult('gone', 'off', 'not-saved'),
        aResult('e', 'typed', 'saved', { what: 'data-element' }),
        aResult('fr', 'language', 'saved', { what: 'language' }),
        aResult('p', 'off', 'saved', { receipt: 'r1' }),
      ]),
    );
    assert.deepEqual(
      page.groups.map((group) => [
        group.tone,
        group.title,
        group.items.map(({ name, text }) => `${name.text}: ${text}`),
      ]),
      [
        [
          'success',
          'What has changed',
          [
            'Letters: Switched off.',
            'First name: Updated.',
            'Offers: Switched on.',
            'Français: Kept as your language.',
          ],
        ],
        ['problem', 'One choice was not saved', ['Untitled: It is still on. Please try again.']],
        [
          'warning',
          'Please check these',
          ['Old letters: You did not change this, but it may no longer be as it was.'],
        ],
      ],
    );
    assert.equal(page.layout.title, 'What happened to your choices');
    assert.deepEqual(page.details, {
      label: 'Details',
      ids: [
        { label: 'Receipt', value: 'r1' },
        { label: 'Reference', value: 'ref' },
      ],
    });
    assert.deepEqual(page.back, { href: '/back', label: 'Back to your preferences' });
  });

  test('says last that of the reason for leaving only the beginning was kept', () => {
    const whole = build(aSubmission([], { everything: true, undoneBy: 'other' }));
    const cut = build(aSubmission([], { everything: true, undoneBy: 'other' }), { isReasonCut: true });
    assert.equal(whole.notes.length, 1);
    assert.deepEqual(cut.notes, [...whole.notes, cutNote(center, 'en-us')]);
  });

  test('has words of its own for every outcome of every change', () => {
    const outcomes: readonly Outcome[] = [
      'saved',
      'in-progress',
      'waiting',
      'being-carried-out',
      'not-saved',
      'unconfirmed',
      'withdrawn-elsewhere',
      'locked',
      'unchanged',
      'no-such-purpose',
    ];
    const changes: readonly ChangeKind[] = ['on', 'off', 'adjust', 'add', 'reduce', 'typed', 'language'];
    const titles = new Set<string>();
    for (const outcome of outcomes) {
      for (const change of changes) {
        const { groups, layout } = build(aSubmission([aResult('p', change, outcome)]), { language: 'de' });
        const [group, ...others] = groups;
        assert.equal(others.length, 0);
        titles.add(group?.title ?? layout.title);
        assert.ok(group?.items[0]?.text, `${outcome} ${change}`);
      }
    }
    assert.equal(titles.size, outcomes.length);
  });

  test('tells of the two halves of an adjustment apart', () => {
    const { groups } = build(
      aSubmission([aResult('p', 'add', 'not-saved'), aResult('p', 'reduce', 'being-carried-out')]),
    );
    assert.deepEqual(
      groups.map((group) => group.items.map((each) => each.text)),
      [
        ['You unticked choices here. We are passing it on; there is nothing else for you to do.'],
        ['What you added was not saved. Please try again in a while.'],
      ],
    );
  });

  test('says nothing twice: where the title tells what the one group holds, that has none', () => {
    const waiting = build(aSubmission([aResult('p', 'on', 'waiting')]));
    assert.equal(waiting.layout.title, 'Waiting for your confirmation');
    assert.deepEqual(
      waiting.groups.map((group) => group.title),
      [undefined],
    );
    const several = build(aSubmission([aResult('p', 'on', 'in-progress'), aResult('q', 'on', 'unchanged')]));
    assert.deepEqual(
      several.groups.map((group) => group.title),
      ['Your preferences are being saved', 'It was already so'],
    );
  });

  test('never says “saved” of what is not', () => {
    for (const outcome of [
      'in-progress',
      'waiting',
      'being-carried-out',
      'not-saved',
      'withdrawn-elsewhere',
      'locked',
      'no-such-purpose',
    ] as const) {
      const page = build(aSubmission([aResult('p', 'on', outcome), aResult('q', 'on', 'saved')]));
      assert.notEqual(page.layout.title, 'All done!');
      assert.deepEqual(
        page.groups[0]?.items.map(({ name }) => name.text),
        ['Offers'],
      );
      assert.notEqual(page.groups[1]?.tone, 'success');
    }
  });
});

describe('The title of a result', () => {
  const on = (outcome: Outcome) => aResult('p', 'on', outcome);
  const cases: readonly [items: readonly ItemResult[], more: Partial<Submission>, title: string][] = [
    [[on('saved')], {}, 'All done!'],
    [[on('saved'), on('unchanged')], {}, 'All done!'],
    [[on('saved')], { everything: true }, 'Bye.'],
    [[], { everything: true }, 'Bye.'],
    [[], { everything: true, state: 'pending' }, 'Accepted, and being carried out'],
    [[on('being-carried-out')], { everything: true, state: 'pending' }, 'Accepted, and being carried out'],
    [[on('in-progress'), on('saved')], { state: 'pending' }, 'Your preferences are being saved'],
    [[], { state: 'pending' }, 'Your preferences are being saved'],
    [[on('waiting')], {}, 'Waiting for your confirmation'],
    [[on('not-saved')], { state: 'failed' }, 'Oh no.'],
    [[], { state: 'failed' }, 'Oh no.'],
    [[on('not-saved'), on('saved')], {}, 'What happened to your choices'],
    [[on('withdrawn-elsewhere')], {}, 'What happened to your choices'],
    [[on('unchanged')], {}, 'Nothing was changed'],
    [[aResult('p', 'off', 'no-such-purpose')], {}, 'Nothing was changed'],
    [[aResult('p', 'off', 'no-such-purpose'), on('saved')], {}, 'What happened to your choices'],
    [[], {}, 'Nothing was changed'],
  ];
  for (const [items, more, title] of cases) {
    test(`of ${items.map((each) => each.outcome).join(' and ') || 'nothing'} ${JSON.stringify(more)} is “${title}”`, () => {
      assert.equal(build(aSubmission(items, more)).layout.title, title);
    });
  }
});

test('What is accepted and not read back yet is being checked, and the page looks again by itself.', () => {
  for (const [outcome, state] of [
    ['in-progress', 'pending'],
    ['in-doubt', 'done'],
  ] as const) {
    const accepted = aResult('p', 'on', outcome, { isAccepted: true });
    const page = build(aSubmission([accepted], { state }));
    assert.equal(page.layout.title, 'Being checked');
    assert.match(page.groups[0]?.items[0]?.text ?? '', /^It was passed on and accepted\./);
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
    ['still under way', aSubmission(saved, { state: 'pending', doneAt: undefined }), 1000, false],
    ['failed', aSubmission(saved, { state: 'failed' }), 1000, false],
    ['nothing was saved', aSubmission([aResult('p', 'on', 'not-saved')]), 1000, false],
    ['in doubt', aSubmission([aResult('p', 'on', 'in-doubt')]), 1000, true],
    ['an undo itself', aSubmission(saved, { undoes: 'other' }), 1000, true],
  ];
  for (const [why, submission, now, offered] of cases) {
    test(`is ${offered ? '' : 'not '}offered: ${why}`, () => {
      assert.equal(mayUndo(submission, now), offered);
      const { undo } = build(submission, { now });
      assert.deepEqual(undo, offered ? { action: '/undo', token: 't', label: 'Undo' } : undefined);
    });
  }
  test('is not offered when there is nothing to undo, and both ends of it are told', () => {
    assert.equal(build(aSubmission(saved), { undo: undefined }).undo, undefined);
    const notes = (more: Partial<Submission>) =>
      build(aSubmission(saved, more)).notes.map((note) => note.title);
    assert.deepEqual(notes({ undoneBy: 'x' }), ['These choices have been undone.']);
    assert.deepEqual(notes({}), []);
  });

  test('is told as undone and can be done again, and what is done again can be undone', () => {
    const told = (kind: 'undone' | 'redone' | undefined) => {
      const { layout, undo, isDone } = build(aSubmission(saved, { undoes: 'x' }), { kind });
      return [layout.title, undo?.label, isDone];
    };
    assert.deepEqual(told('undone'), ['Your change has been undone', 'Redo', true]);
    assert.deepEqual(told('redone'), ['All done!', 'Undo', true]);
    assert.deepEqual(told(undefined), ['All done!', 'Undo', true]);
  });

  test('says what stays off, for nobody had agreed to it', () => {
    const undoes = aSubmission([
      aResult('p', 'off', 'saved'),
      aResult('q', 'off', 'saved'),
      aResult('undrawn', 'off', 'saved'),
      aResult('gone', 'off', 'saved'),
      aResult('retired', 'off', 'saved'),
      aResult('refused', 'off', 'not-saved'),
    ]);
    const told = (purposes: readonly ConsentRecord[] | undefined, more: Partial<Submission> = {}) => {
      const subject = purposes && aSubject({ purposes });
      const undo = aSubmission([aResult('p', 'on', 'saved')], { undoes: 'x', ...more });
      const now = aCenter(
        [
          aPurpose('p', { name: words({ en: 'Letters' }) }),
          aPurpose('q', { name: words({ en: 'Offers' }) }),
          aPurpose('retired', { name: words({ en: 'Parcels' }), active: false }),
        ],
        { undrawn: [purposeOf('undrawn')] },
      );
      return build(undo, { kind: 'undone', undoes, subject, center: now }).groups.map(
        ({ title, items }) => `${title}: ${items.map(({ name, text }) => `${name.text}: ${text}`).join(' ')}`,
      );
    };
    const changed = 'What has changed: Letters: Switched on.';
    const off = [
      aRecord('p'),
      aRecord('q', { status: 'off' }),
      aRecord('undrawn', { label: 'Old letters', status: 'off' }),
      aRecord('gone', { label: 'Cards', status: 'off' }),
      aRecord('retired', { status: 'off' }),
      aRecord('refused', { status: 'off' }),
    ];
    const over = 'There is no such choice here, so there was nothing to change.';
    const left = `Offers: You can switch it on in your preferences. Parcels: ${over} Old letters: Switched off. Cards: ${over}`;
    assert.deepEqual(told(off), [changed, `This stays off: ${left}`]);
    // It is on again by something else, or nobody knows.
    assert.deepEqual(told([aRecord('p'), aRecord('q')]), [changed]);
    assert.deepEqual(told(undefined), [changed]);
    assert.deepEqual(told(off, { state: 'pending' }).length, 1);
  });
});

describe('What was switched on, and is offered no more', () => {
  const over = aSubmission([aResult('p', 'on', 'saved'), aResult('gone', 'on', 'not-saved')]);
  test('is not to be tried or chosen again', () => {
    for (const outcome of ['not-saved', 'reworded'] as const) {
      const page = build(aSubmission([aResult('gone', 'on', outcome)]), { againHref: (id) => `/${id}` });
      assert.equal(page.layout.title, 'Nothing was changed');
      assert.deepEqual(
        page.groups.map(({ title, items }) => `${title}: ${items.map(({ text }) => text).join()}`),
        ['Not offered here: There is no such choice here, so there was nothing to change.'],
      );
      assert.equal(page.again, undefined);
    }
  });

  test('is told as not saved while nobody can tell', () => {
    const center = aCenter([]);
    const texts = build(over, { center }).groups.flatMap(({ items }) => items.map(({ text }) => text));
    assert.deepEqual(texts, ['Switched on.', 'It was not switched on. Please try again in a while.']);
  });
});

describe('Trying again', () => {
  const againHref = (page: string) => `/${page}?again=ref`;
  test('is offered where something was not saved, on the page that draws it', () => {
    const failed = aSubmission([aResult('p', 'on', 'saved'), aResult('q', 'on', 'not-saved')]);
    assert.deepEqual(build(failed, { againHref }).again, { href: '/page?again=ref', label: 'Try again' });
    assert.equal(build(failed).again, undefined, 'nothing of it is known any more');
    const reworded = aSubmission([aResult('q', 'on', 'reworded')]);
    assert.ok(build(reworded, { againHref }).again);
  });
  test('is not offered of what was saved, is on its way, or stands on no page', () => {
    for (const outcome of ['saved', 'in-doubt', 'unconfirmed', 'withdrawn-elsewhere', 'locked'] as const)
      assert.equal(
        build(aSubmission([aResult('p', 'on', outcome)]), { againHref }).again,
        undefined,
        outcome,
      );
    const nowhere = aSubmission([aResult('gone', 'on', 'not-saved')]);
    assert.equal(build(nowhere, { againHref }).again, undefined);
    const pending = aSubmission([aResult('p', 'on', 'not-saved')], { state: 'pending' });
    assert.equal(build(pending, { againHref }).again, undefined);
  });
});

test('A tick stands where everything went as it was asked, and nowhere else', () => {
  const isDone = (...items: readonly ItemResult[]) => build(aSubmission(items)).isDone;
  assert.ok(isDone(aResult('p', 'on', 'saved'), aResult('q', 'off', 'unchanged')));
  for (const outcome of ['not-saved', 'waiting', 'in-doubt', 'unconfirmed', 'being-carried-out'] as const)
    assert.equal(isDone(aResult('p', 'on', 'saved'), aResult('q', 'on', outcome)), false, outcome);
  assert.equal(build(aSubmission([], { state: 'pending' })).isDone, false);
});

test('What is always active is told to stay, never to be switched off', () => {
  const items = [aResult('p', 'off', 'saved'), aResult('q', 'off', 'locked')];
  const page = build(aSubmission(items, { everything: true }));
  assert.equal(page.layout.title, 'Bye.');
  assert.deepEqual(
    page.groups.map(({ title, tone, items }) => [title, tone, items.map(({ text }) => text)]),
    [
      ['What has changed', 'success', ['Switched off.']],
      ['This stays on', 'info', ['This is part of the service and cannot be switched off here.']],
    ],
  );
});

describe('While a submission is under way', () => {
  const pending = aSubmission([], { state: 'pending', doneAt: undefined, everything: true });
  test('leaving everything is told as accepted', () => {
    const [group] = build(pending).groups;
    assert.deepEqual(
      group?.items.map(({ name }) => name.text),
      ['Everything'],
    );
    assert.equal(group?.tone, 'info');
  });
  test('the page looks again: soon at first, then seldom, never when it is done', () => {
    const refresh = (now: number) => build(pending, { now }).refresh;
    assert.deepEqual([refresh(0), refresh(29_999), refresh(30_000), refresh(11 * minute)], [3, 3, 15, 60]);
    assert.equal(build(aSubmission([])).refresh, undefined);
  });
  test('what is being granted is looked at when its minute is over', () => {
    const granting = aSubmission([aResult('p', 'on', 'in-progress')], {
      state: 'pending',
      doneAt: undefined,
    });
    const refresh = (now: number) => build(granting, { now }).refresh;
    assert.deepEqual([29_000, 31_000, 46_000, 58_500, 60_999].map(refresh), [3, 15, 15, 3, 1]);
    assert.equal(refresh(61_000), 15);
  });
});

test('A receipt that belongs to no item still stands on the page, once', () => {
  const page = build(aSubmission([aResult('p', 'on', 'saved', { receipt: 'a' })], { receipts: ['a', 'b'] }));
  assert.deepEqual(
    page.details.ids.map(({ value }) => value),
    ['a', 'b', 'ref'],
  );
});
