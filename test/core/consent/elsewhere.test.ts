import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { knownFromElsewhere, type LeftAs, noteLeft } from '../../../src/core/consent/elsewhere.ts';
import type { RecordedStatus } from '../../../src/core/model/person/subject.ts';
import type { ChangeKind, Outcome, Submission } from '../../../src/core/model/submission/submission.ts';
import { aRecord, aResult, aSubject, aSubmission } from '../page-builder.ts';

const now = 1_000_000;

function isKnown(status: RecordedStatus, ...newestFirst: readonly Submission[]): boolean {
  const left: LeftAs = new Map();
  for (const each of newestFirst) noteLeft(left, [each], now);
  return knownFromElsewhere(aSubject({ purposes: [aRecord('p', { status })] }), left).length > 0;
}

const said = (change: ChangeKind, outcome: Outcome, more: Partial<Submission> = {}) =>
  aSubmission([aResult('p', change, outcome)], more);

describe('What is on record is told as known from elsewhere', () => {
  test('where no submission is about it, unless it was never said', () => {
    for (const status of ['active', 'off', 'pending', 'expired', 'implicit', 'always-active'] as const)
      assert.ok(isKnown(status), status);
    assert.ok(!isKnown('no-consent'));
    assert.ok(isKnown('active', aSubmission([aResult('q', 'on', 'saved')])));
  });

  test('where the newest submission about it left it otherwise', () => {
    assert.ok(!isKnown('active', said('on', 'saved')));
    assert.ok(!isKnown('off', said('off', 'saved')));
    assert.ok(isKnown('off', said('on', 'saved')));
    assert.ok(isKnown('active', said('off', 'unchanged')));
    assert.ok(!isKnown('active', said('adjust', 'saved'), said('off', 'saved')));
    assert.ok(isKnown('active', said('on', 'withdrawn-elsewhere')));
  });

  test('where the platform locked it otherwise, and not where it is always on', () => {
    assert.ok(isKnown('hard-opt-out', said('on', 'saved')));
    assert.ok(!isKnown('always-active', said('off', 'saved')));
  });

  test('where everything was left long ago, and nothing was seen of it', () => {
    assert.ok(isKnown('active', aSubmission([], { everything: true })));
    assert.ok(isKnown('off', said('on', 'saved', { doneAt: now - 60_000 })));
  });

  test('whatever was typed since', () => {
    const typed = aSubmission([aResult('p', 'typed', 'saved', { what: 'data-element' })]);
    assert.ok(isKnown('active', typed, said('off', 'saved')));
  });

  test('never where the submission is not over, has just ended, or is not certain', () => {
    assert.ok(!isKnown('active', said('off', 'in-progress', { state: 'pending', doneAt: undefined })));
    assert.ok(!isKnown('active', said('off', 'saved', { doneAt: now - 10_000 })));
    assert.ok(!isKnown('off', said('on', 'unconfirmed')));
    assert.ok(!isKnown('pending', said('on', 'waiting')));
    assert.ok(!isKnown('expired', said('on', 'saved')));
    const leaving = aSubmission([], { everything: true, state: 'pending', doneAt: undefined });
    assert.ok(!isKnown('active', leaving));
    assert.ok(!isKnown('active', said('off', 'saved', { state: 'pending' })));
  });

  test('and the last submission about it tells how it left it', () => {
    const leftBy = (submission: Submission) => {
      const left: LeftAs = new Map();
      noteLeft(left, [submission], now);
      return [...left];
    };
    assert.deepEqual(leftBy(said('on', 'saved')), [['p', 'on']]);
    assert.deepEqual(leftBy(said('on', 'in-doubt')), [['p', 'unclear']]);
    assert.deepEqual(leftBy(said('on', 'saved', { state: 'pending' })), [['p', 'unclear']]);
    assert.deepEqual(leftBy(aSubmission([], { everything: true, state: 'pending' })), [['', 'unclear']]);
  });
});
