import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changesSomething, isUnknownYet } from '../../../src/core/consent/mailed.ts';
import { type Outcome, outcomes, type Submission } from '../../../src/core/model/submission/submission.ts';
import { aResult, aSubmission } from '../page-builder.ts';

describe('a mail reports a submission', () => {
  const nothing: readonly Outcome[] = [
    ...(['not-saved', 'reworded', 'withdrawn-elsewhere', 'replaced', 'locked'] as const),
    ...(['unchanged', 'no-such-purpose'] as const),
  ];
  for (const outcome of outcomes) {
    const is = !nothing.includes(outcome);
    test(`${is ? 'if' : 'not if'} a purpose is ${outcome}`, () => {
      assert.equal(changesSomething(aSubmission([aResult('a', 'on', outcome)]), false), is);
    });
  }

  const everything = { everything: true } as const;
  const cases: readonly [string, Submission, boolean, boolean][] = [
    [
      'if one of two changed',
      aSubmission([aResult('a', 'on', 'locked'), aResult('b', 'off', 'saved')]),
      false,
      true,
    ],
    ['not if a withdrawal found it waiting', aSubmission([aResult('a', 'off', 'waiting')]), false, false],
    ['if a purpose beside it is lost', aSubmission([aResult('a', 'keep', 'not-saved')]), false, true],
    ['of everything, if nothing was seen', aSubmission([], everything), false, true],
    ['not of everything once more', aSubmission([], everything), true, false],
    ['not of everything that failed', aSubmission([], { ...everything, state: 'failed' }), false, false],
    ['not of nothing', aSubmission([]), false, false],
  ];
  for (const [name, submission, isRepeated, is] of cases) {
    test(name, () => assert.equal(changesSomething(submission, isRepeated), is));
  }
});

test('the result of a grant in progress is unknown while its submission is pending', () => {
  const items = [aResult('a', 'off', 'saved'), aResult('b', 'on', 'in-progress')];
  assert.equal(isUnknownYet(aSubmission(items, { state: 'pending' })), true);
  assert.equal(isUnknownYet(aSubmission(items)), false);
  const withdrawal = [aResult('a', 'off', 'being-carried-out')];
  assert.equal(isUnknownYet(aSubmission(withdrawal, { state: 'pending' })), false);
});
