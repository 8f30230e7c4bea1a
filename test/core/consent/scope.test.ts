import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { postedWithin, shownWithin, withinScope } from '../../../src/core/consent/scope.ts';
import { type Intent, noIntent } from '../../../src/core/model/submission/intent.ts';
import { adjust, intentOf, leaveAll, off, on, option, reduce } from '../changes.ts';

const cases: Readonly<Record<string, readonly [intent: Intent, isWithin: boolean]>> = {
  nothing: [noIntent, true],
  'switching off': [intentOf(off('p')), true],
  'leaving everything': [leaveAll, true],
  'taking a topic out': [intentOf(reduce('p', { topicsOff: ['t'] })), true],
  'taking an option out': [intentOf(reduce('p', { optionsOff: [option('q', 'o')] })), true],
  // The change would make the default the person's own choice.
  'taking a topic out of what is only on by default': [intentOf(adjust('p', { topicsOff: ['t'] })), false],
  'switching on': [intentOf(on('p')), false],
  'switching on beside switching off': [intentOf(off('p'), on('p')), false],
  'putting a topic in': [intentOf(adjust('p', { topicsOn: ['t'] })), false],
  'exchanging an option': [
    intentOf(adjust('p', { optionsOn: [option('q', 'o')], optionsOff: [option('q', 'other')] })),
    false,
  ],
  'a data element': [{ ...noIntent, dataElements: [{ element: 'e', label: 'E', value: '' }] }, false],
  'a language': [{ ...noIntent, language: 'fr' }, false],
};

suite('A withdraw-only link', () => {
  for (const [what, [intent, isWithin]] of Object.entries(cases)) {
    test(`${isWithin ? 'allows' : 'refuses'}: ${what}`, () => {
      assert.equal(withinScope(intent, 'manage'), true);
      assert.equal(withinScope(intent, 'withdraw'), isWithin);
    });
  }
});

suite('The values of data elements', () => {
  const displayed = { dataElements: [{ id: 'e', value: 'Anna' }], purposes: [] };
  const posted = {
    purposes: ['p'],
    topics: { p: ['t'] },
    options: {},
    elements: { e: 'Anna' },
    subscribeAll: false,
    language: undefined,
  };

  test('are not sealed in a form of a withdraw-only channel', () => {
    assert.deepEqual(shownWithin(displayed, 'manage'), displayed);
    assert.deepEqual(shownWithin(displayed, 'withdraw'), { dataElements: [], purposes: [] });
  });

  test('are removed from a post of a withdraw-only channel, and nothing else is', () => {
    assert.deepEqual(postedWithin(posted, 'manage'), { posted, isBeyond: false });
    const without = { ...posted, elements: {} };
    assert.deepEqual(postedWithin(posted, 'withdraw'), { posted: without, isBeyond: true });
    assert.deepEqual(postedWithin(without, 'withdraw'), { posted: without, isBeyond: false });
  });
});
