import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isBounded } from '../../../src/core/consent/one-click.ts';
import { aRequest } from '../../delivery/fixture.ts';
import { intentOf, leaveAll, off } from '../changes.ts';

suite('A submission is bounded', () => {
  const leaves = { intent: leaveAll, scope: 'withdraw' } as const;
  const cases = [
    ['by one click', { intent: leaveAll, channel: 'one-click' }, true],
    ['by a link that can only withdraw', leaves, true],
    ['of everything by a link that manages', { ...leaves, scope: 'manage' }, true],
    ['not of one purpose by a link that manages', { intent: intentOf(off('a')), scope: 'manage' }, false],
    ['not where it undoes another', { ...leaves, undoes: 'other' }, false],
    ['not where staff enter it', { ...leaves, onBehalf: { staff: 'Eva', reason: 'by phone' } }, false],
    ['not where it changes more', { ...leaves, intent: { ...leaveAll, language: 'de' } }, false],
  ] as const;
  for (const [what, change, is] of cases)
    test(`${what}.`, () => assert.equal(isBounded(aRequest(change)), is));
});
