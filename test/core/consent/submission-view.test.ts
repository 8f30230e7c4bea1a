import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { emptyState, type Line } from '../../../src/core/consent/desired-state.ts';
import type { SubmissionEntry, SubmissionWork } from '../../../src/core/consent/person.ts';
import { journalEntryOf, keptOf, viewOf } from '../../../src/core/consent/submission-view.ts';
import type { Evidence } from '../../../src/core/model/evidence/evidence.ts';
import { aRequest } from '../../delivery/fixture.ts';
import { recordsOf } from '../center-builder.ts';
import { adjust, intentOf, off, on } from '../changes.ts';
import { aResult, aSubmission } from '../page-builder.ts';
import { beside, given, taken } from './said.ts';

const was = { before: recordsOf('a')[0] };
const lines = [
  taken('purpose a', 'saved', { ...was, receipt: 'one' }),
  given('purpose b', 'not-saved'),
  taken('purpose a', 'saved', { receipt: 'one', row: 'came-back' }),
];
const halves = adjust('b', { topicsOn: ['t1'], topicsOff: ['t2'] });
const request = aRequest({ intent: intentOf(off('a'), on('b'), halves) });

function workOf(of: readonly Line[], more: Partial<SubmissionWork> = {}): SubmissionWork {
  const progress = { lines: of, calls: [], events: 0 };
  return { request, progress, desired: emptyState, tries: undefined, ...more };
}

const columns = aSubmission([], { reference: 'r', state: 'pending', doneAt: 7, receipts: ['column'] });

function entryOf(change: Partial<SubmissionEntry>): SubmissionEntry {
  const { items: _, aftermath: __, ...kept } = columns;
  return { ...kept, dueAt: undefined, work: undefined, evidence: undefined, ...change };
}

const ended = {
  salt: '',
  state: 'failed',
  endedAt: 5,
  aftermath: 'repeated',
  items: [
    aResult('a', 'off', 'saved', { receipt: 'kept' }),
    aResult('b', 'off', 'saved', { receipt: 'kept' }),
    aResult('c', 'on', 'not-saved'),
  ],
} as const;
const evidence = { asked: {}, ended } as unknown as Evidence;

describe('a stored submission is shown', () => {
  test('by its lines, while its work is kept', () => {
    assert.deepEqual(viewOf(entryOf({ work: workOf(lines), evidence }), 9), {
      ...columns,
      state: 'done',
      items: [aResult('a', 'off', 'saved', { receipt: 'one' }), aResult('b', 'on', 'not-saved')],
      receipts: ['one'],
      aftermath: 'repeated',
    });
  });

  test('with its intent and its lines, while its work is kept', () => {
    const kept = { reference: 'r', center: 'center', intent: request.intent, lines };
    assert.deepEqual(keptOf(entryOf({ work: workOf(lines) })), kept);
  });

  test('by its evidence after that', () => {
    assert.deepEqual(viewOf(entryOf({ evidence }), 9), {
      ...columns,
      state: 'failed',
      doneAt: 5,
      items: ended.items,
      receipts: ['kept'],
      aftermath: 'repeated',
    });
  });

  test('by its columns alone, if no key opens it', () => {
    assert.deepEqual(viewOf(entryOf({}), 9), { ...columns, aftermath: undefined });
    assert.equal(keptOf(entryOf({})), undefined);
  });
});

describe('a purpose beside the asked ones is shown', () => {
  const cases: readonly [string, readonly Line[], readonly string[]][] = [
    [
      'and what was asked is, even if two halves of it ended alike',
      [given('topic b t1', 'locked'), taken('topic b t2', 'locked')],
      ['add b locked', 'reduce b locked'],
    ],
    ['if no item names it', [beside('purpose c', 'not-saved')], ['keep c not-saved']],
    [
      'not if one names it so',
      [taken('purpose a', 'withdrawn-elsewhere'), beside('purpose a', 'withdrawn-elsewhere')],
      ['off a withdrawn-elsewhere'],
    ],
    [
      'if one names it otherwise',
      [taken('purpose a', 'saved'), beside('purpose a', 'switched-off')],
      ['off a saved', 'keep a switched-off'],
    ],
    [
      'once, if it happened twice',
      [beside('purpose c', 'switched-off'), beside('purpose c', 'switched-off')],
      ['keep c switched-off'],
    ],
  ];
  for (const [name, of, expected] of cases) {
    test(name, () => {
      const { items } = viewOf(entryOf({ work: workOf(of) }), 9);
      assert.deepEqual(
        items.map(({ change, id, outcome }) => `${change} ${id} ${outcome}`),
        expected,
      );
    });
  }
});

describe('staff see of a submission', () => {
  test('its request, the record before it, and its tries', () => {
    const tries = { center: 'center', attempts: 3, problem: 'platform-slow', until: 0 } as const;
    const entry = entryOf({ dueAt: 8, work: workOf(lines, { tries }) });
    const { work, state, doneAt, dueAt, receipts } = journalEntryOf(entry, 9);
    assert.deepEqual(
      { state, doneAt, dueAt, receipts },
      { state: 'done', doneAt: 7, dueAt: 8, receipts: ['one'] },
    );
    assert.deepEqual(work?.before.purposes, recordsOf('a'));
    assert.deepEqual([work?.attempts, work?.problem], [3, 'platform-slow']);
    assert.deepEqual([work?.request, work?.calls, work?.items.length], [request, [], 2]);
  });

  test('that it is not due, and had no failed try', () => {
    const { work, dueAt } = journalEntryOf(entryOf({ work: workOf(lines) }), 9);
    assert.deepEqual([dueAt, work?.attempts, work?.problem], [9, 0, undefined]);
  });

  test('only its columns, if no key opens it', () => {
    assert.equal(journalEntryOf(entryOf({}), 9).work, undefined);
  });
});
