import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Role } from '../../../src/core/model/staff/staff-member.ts';
import type { CallMade, JournalEntry } from '../../../src/core/model/submission/journal-entry.ts';
import { queries, spanUntil } from '../../../src/features/staff/list.ts';
import { buildTimeline } from '../../../src/features/staff/submission-timeline.ts';
import { entryLines } from '../../../src/features/staff/submission-words.ts';
import type { Block } from '../../../src/pages/staff-page.ts';
import { noon, staffContext } from '../../samples/staff.ts';
import { changed, failedCall, workPages } from '../../samples/staff-work.ts';

const at = noon;
const call: CallMade = { ...failedCall, at: at + 1_000, problem: 'platform-refused' };
const asked = { what: 'purpose', id: 'a', change: 'off', receipt: undefined } as const;
const items = [{ ...asked, outcome: 'being-carried-out' }] as const;
const entry = (given: Partial<JournalEntry>, work: object = {}): JournalEntry => ({
  ...changed,
  state: 'pending',
  dueAt: at + 60_000,
  undoneBy: undefined,
  work: { ...changed.work, items, calls: [], attempts: 0, ...work },
  ...given,
});
const steps = (given: JournalEntry) =>
  buildTimeline(given, entryLines(given, {}), (_what, id) => `Name of ${id}`).steps;

describe('The timeline of a submission', () => {
  test('the timeline goes from the submission over each call to the next try and its reason', () => {
    const shown = steps(entry({}, { calls: [call], attempts: 2, problem: 'platform-refused' }));
    const tones = shown.map(({ title, tone }) => `${title.split(':')[0]}: ${tone}`);
    assert.deepEqual(tones, ['Submitted: success', 'Sent to the platform: problem', 'Next try: warning']);
    assert.equal(shown[2]?.at[0]?.text, '22 Nov 2026, 12:01:00');
    assert.deepEqual(shown[2]?.lines, [
      '2 tries so far ended without a result',
      'Last error: the platform refused the request',
    ]);
  });

  test('tries that ended in the same way are one line that opens', () => {
    const tries = Array.from({ length: 8 }, (_, index) => ({ ...call, at: at + index * 1_000 }));
    const shown = steps(entry({}, { calls: [...tries, { ...call, kind: 'delete', at: at + 9_000 }] }));
    const sent = shown.slice(1, 3).map(({ title, folded }) => [title, folded?.at.length]);
    assert.deepEqual(sent, [
      ['8 tries: Sent to the platform: nothing stays on – the platform refused the request', 8],
      ['Sent to the platform: withdraw all – the platform refused the request', undefined],
    ]);
  });

  test('the title of a call of the whole set says whether anything stays on', () => {
    const sent = (purposes: readonly { id: string; topics: []; preferences: [] }[]) =>
      steps(entry({}, { calls: [{ ...call, update: { purposes } }] }))[1]?.title;
    const one = sent([{ id: 'b', topics: [], preferences: [] }]);
    assert.match(one ?? '', /: all that stays on \(1 purpose\) –/);
    assert.match(sent([]) ?? '', /: nothing stays on –/);
  });

  test('a refusal of a purpose that is always active is no fault, and any other refusal is one', () => {
    const refused = (...ids: string[]) => ({
      items: ids.map((purpose) => ({ purpose, accepted: false, receipt: undefined, messages: [] })),
      receipts: [],
    });
    const toneOf = (...ids: string[]) => {
      const calls = [{ ...call, kind: 'delete', problem: undefined, answer: refused(...ids) }];
      const work = { calls, items: [{ ...asked, outcome: 'locked' }] };
      return steps(entry({ state: 'done', doneAt: at }, work))[1]?.tone;
    };
    assert.equal(toneOf('a'), 'neutral');
    assert.equal(toneOf('a', 'b'), 'problem');
  });

  test('the timeline ends with the result, and with the submission that undid it', () => {
    const shown = steps(entry({ state: 'done', doneAt: at + 5_000, undoneBy: 'other' }));
    const ends = shown.slice(1).map(({ title, at: [when], href }) => [title, when?.text, href]);
    assert.deepEqual(ends, [
      ['Done', '22 Nov 2026, 12:00:05', undefined],
      ['Undone by another submission', undefined, '/staff/submissions/other'],
    ]);
  });

  test('the timeline is shown, too, when personal data is no longer kept', () => {
    const shown = steps(entry({ state: 'failed', doneAt: at, work: undefined }));
    const titles = shown.map(({ title }) => title);
    assert.deepEqual(titles, ['Submitted: No longer kept', 'Failed']);
  });
});

describe('The page of a person', () => {
  const kindsFor = (...roles: Role[]) =>
    workPages({ ...staffContext, member: { ...staffContext.member, roles } })['person']?.blocks.map(
      (block) =>
        block.kind === 'table' || block.kind === 'forms' ? block.id.replace(/-\d+$/, '') : block.kind,
    );

  test('the page of a person ends with the timeline, for every role', () => {
    assert.deepEqual(kindsFor('viewer'), ['standing', 'standing', 'form', 'timeline']);
    assert.deepEqual(kindsFor('editor', 'privacy'), [
      ...['standing', 'actions', 'standing', 'actions', 'form'],
      ...['privacy', 'timeline'],
    ]);
  });
});

describe('A time among facts', () => {
  test('no time among facts repeats the zone, which the foot of the page says once', () => {
    for (const [name, { blocks }] of Object.entries(workPages(staffContext))) {
      const parts = blocks.flatMap((block): readonly Block[] =>
        block.kind === 'folded' ? block.blocks : [block],
      );
      const facts = parts.flatMap((part) => (part.kind === 'facts' ? part.facts : []));
      const zoned = facts.filter(({ value }) => / UTC$/.test(value.text)).map((fact) => fact.name);
      assert.deepEqual(zoned, [], name);
    }
  });
});

describe('The time of a filter', () => {
  test('the time span of a kept address moves with the time, and its days are ignored', () => {
    const query = { from: '2020-01-01', to: '2020-01-02', within: '24h' };
    const read = queries.submissions.parse(query);
    assert.deepEqual([read.from, read.to, read.within], ['', '', '24h']);
    assert.deepEqual(spanUntil(read, at), { from: at - 86_400_000, to: undefined });
  });

  for (const within of ['', '1y', 'constructor']) {
    test(`the filter has its days where the span is "${within}"`, () => {
      const read = queries.submissions.parse({ from: '2020-01-01', to: '2020-01-01', within });
      assert.deepEqual([read.from, read.to, read.within], ['2020-01-01', '2020-01-01', '']);
      const midnight = Date.parse('2020-01-01T00:00:00Z');
      assert.deepEqual(spanUntil(read, at), { from: midnight, to: midnight + 86_400_000 });
    });
  }
});
