import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CallMade, JournalEntry } from '../../../src/core/model/journal-entry.ts';
import { newWork } from '../../../src/delivery/work.ts';
import { readTime } from '../../../src/pages/staff/submission-list.ts';
import { buildTimeline } from '../../../src/pages/staff/submission-timeline.ts';
import { aRequest, intentOf, off } from '../../delivery/fixture.ts';

const at = Date.parse('2026-11-22T07:25:06Z');
const request = aRequest({ intent: intentOf(off('a')) });
const call: CallMade = {
  at: at + 1_000,
  kind: 'put',
  why: 'change',
  changes: ['purpose:a'],
  update: undefined,
  answer: undefined,
  problem: 'platform-refused',
};
const entry = (given: Partial<JournalEntry>, work: object = {}): JournalEntry => ({
  reference: 'r',
  center: 'center',
  channel: 'link',
  state: 'pending',
  everything: false,
  globalPrivacyControl: false,
  submittedAt: at,
  dueAt: at + 60_000,
  doneAt: undefined,
  undoes: undefined,
  undoneBy: undefined,
  repeats: undefined,
  saidAgainAt: undefined,
  receipts: [],
  work: { ...newWork(request), ...work },
  evidence: undefined,
  ...given,
});
const steps = (given: JournalEntry) => buildTimeline(given, (_what, id) => `Name of ${id}`).steps;

describe('The timeline of a submission', () => {
  test('goes from its coming in over each call to when it is tried again, and why', () => {
    const told = steps(entry({}, { calls: [call], attempts: 2, problem: 'platform-refused' }));
    assert.deepEqual(
      told.map(({ title, tone }) => [title.split(':')[0], tone]),
      [
        ['Submitted', 'success'],
        ['Sent to the platform', 'problem'],
        ['To be tried again', 'warning'],
      ],
    );
    assert.equal(told[2]?.at, 'due 22 Nov 2026, 07:26:06 UTC');
    assert.deepEqual(told[2]?.lines, [
      '2 tries so far ended without a result',
      'The last fault: the platform refused the request',
    ]);
  });

  test('tells a call that sends the whole set from one that switches something on', () => {
    const sent = (purposes: readonly { id: string; topics: []; preferences: [] }[]) =>
      steps(entry({}, { calls: [{ ...call, update: { purposes } }] }))[1]?.title;
    assert.match(
      sent([{ id: 'b', topics: [], preferences: [] }]) ?? '',
      /: all that is to be on \(1 purpose\) –/,
    );
    assert.match(sent([]) ?? '', /: nothing is to be on –/);
  });

  test('takes it for no fault that what is always active was refused, and anything else for one', () => {
    const refused = (...ids: string[]) => ({
      items: ids.map((purpose) => ({ purpose, accepted: false, receipt: undefined, messages: [] })),
      receipts: [],
    });
    const locked = {
      what: 'purpose',
      id: 'a',
      change: 'off',
      outcome: 'locked',
      receipt: undefined,
    } as const;
    const toneOf = (...ids: string[]) =>
      steps(
        entry(
          { state: 'done', doneAt: at },
          {
            calls: [{ ...call, kind: 'delete', problem: undefined, answer: refused(...ids) }],
            items: [locked],
          },
        ),
      )[1]?.tone;
    assert.equal(toneOf('a'), 'neutral');
    assert.equal(toneOf('a', 'b'), 'problem');
  });

  test('ends with what became of it, and what undid it', () => {
    const told = steps(entry({ state: 'done', doneAt: at + 5_000, undoneBy: 'other' }));
    assert.deepEqual(
      told.slice(1).map(({ title, at: when, href }) => [title, when, href]),
      [
        ['Done', '22 Nov 2026, 07:25:11 UTC', undefined],
        ['Undone by another submission', 'other', '/staff/submissions/other'],
      ],
    );
  });

  test('is there, too, when what is personal is no longer kept', () => {
    const told = steps(entry({ state: 'failed', doneAt: at, work: undefined }));
    assert.deepEqual(
      told.map(({ title }) => title),
      ['Submitted: no longer kept', 'Failed'],
    );
  });
});

describe('The time of a filter', () => {
  test('that was kept as an address goes with the time', () => {
    const query = { from: '2020-01-01', to: '2020-01-02', within: '24h' };
    assert.deepEqual(readTime(query, at), {
      fromDay: '',
      toDay: '',
      from: at - 86_400_000,
      to: undefined,
      within: '24h',
    });
  });

  for (const within of ['', '1y', 'constructor']) {
    test(`is of days where it is called "${within}"`, () => {
      const read = readTime({ from: '2020-01-01', to: '2020-01-01', within }, at);
      assert.deepEqual([read.fromDay, read.toDay, read.within], ['2020-01-01', '2020-01-01', '']);
    });
  }
});
