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

describe('A recorded purpose is shown as known from elsewhere', () => {
  test('if no submission is about it, unless it has no consent status', () => {
    for (const status of ['active', 'off', 'pending', 'expired', 'implicit', 'always-active'] as const)
      assert.ok(isKnown(status), status);
    assert.ok(!isKnown('no-consent'));
    assert.ok(isKnown('active', aSubmission([aResult('q', 'on', 'saved')])));
  });

  test('if the newest submission about it left it in another state', () => {
    assert.ok(!isKnown('active', said('on', 'saved')));
    assert.ok(!isKnown('off', said('off', 'saved')));
    assert.ok(isKnown('off', said('on', 'saved')));
    assert.ok(isKnown('active', said('off', 'unchanged')));
    assert.ok(!isKnown('active', said('adjust', 'saved'), said('off', 'saved')));
    assert.ok(isKnown('active', said('on', 'withdrawn-elsewhere')));
  });

  test('if the platform opted it out, but not if it is always active', () => {
    assert.ok(isKnown('hard-opt-out', said('on', 'saved')));
    assert.ok(!isKnown('always-active', said('off', 'saved')));
  });

  test('if a withdrawal of everything or an older submission left it in another state', () => {
    assert.ok(isKnown('active', aSubmission([], { everything: true })));
    assert.ok(isKnown('off', said('on', 'saved', { doneAt: now - 60_000 })));
  });

  test('even if a value of the same id was typed since', () => {
    const typed = aSubmission([aResult('p', 'typed', 'saved', { what: 'data-element' })]);
    assert.ok(isKnown('active', typed, said('off', 'saved')));
  });

  test('never if the submission is pending, has just ended, or has an uncertain result', () => {
    assert.ok(!isKnown('active', said('off', 'in-progress', { state: 'pending', doneAt: undefined })));
    assert.ok(!isKnown('active', said('off', 'saved', { doneAt: now - 10_000 })));
    assert.ok(!isKnown('off', said('on', 'unconfirmed')));
    assert.ok(!isKnown('pending', said('on', 'waiting')));
    assert.ok(!isKnown('expired', said('on', 'saved')));
    const leaving = aSubmission([], { everything: true, state: 'pending', doneAt: undefined });
    assert.ok(!isKnown('active', leaving));
    assert.ok(!isKnown('active', said('off', 'saved', { state: 'pending' })));
  });

  test('by the state in which the last submission about it left it', () => {
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
