import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isBounded, isOver } from '../../../src/core/consent/one-click.ts';
import { aRequest } from '../../delivery/fixture.ts';
import { intentOf, leaveAll, off } from '../changes.ts';

suite('A submission is bounded', () => {
  const value = { element: 'e', label: 'E', value: '1' };
  const leaves = { intent: leaveAll, scope: 'withdraw' } as const;
  const cases = [
    ['by one click', { intent: leaveAll, channel: 'one-click' }, true],
    ['of one purpose by one click, too', { intent: intentOf(off('a')), channel: 'one-click' }, true],
    ['by a link that can only withdraw', leaves, true],
    ['of everything by a link that manages', { ...leaves, scope: 'manage' }, true],
    ['not of one purpose by a link that manages', { intent: intentOf(off('a')), scope: 'manage' }, false],
    ['not if it undoes another', { ...leaves, undoes: 'other' }, false],
    ['not if staff enter it', { ...leaves, onBehalf: { staff: 'Eva', reason: 'by phone' } }, false],
    ['not if it types a value', { ...leaves, intent: { ...leaveAll, dataElements: [value] } }, false],
    ['not if it changes more', { ...leaves, intent: { ...leaveAll, language: 'de' } }, false],
  ] as const;
  for (const [what, change, is] of cases)
    test(`${what}`, () => assert.equal(isBounded(aRequest(change)), is));
});

test('An address for one click is valid for three years of 366 days', () => {
  const [madeAt, end] = [1_000, 1_000 + 1_098 * 86_400_000];
  assert.deepEqual([isOver({ madeAt }, end), isOver({ madeAt }, end + 1)], [false, true]);
});
