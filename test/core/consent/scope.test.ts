import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { postedWithin, shownWithin, withinScope } from '../../../src/core/consent/scope.ts';
import { type Intent, noIntent, type PurposeChange } from '../../../src/core/model/submission/intent.ts';

const off: PurposeChange = { kind: 'off', purpose: 'p' };
const on: PurposeChange = {
  kind: 'on',
  purpose: 'p',
  topics: [],
  topicsOff: [],
  options: [],
  optionsOff: [],
};
const adjust = (more: Partial<Extract<PurposeChange, { kind: 'adjust' }>>): PurposeChange => ({
  kind: 'adjust',
  purpose: 'p',
  topicsOn: [],
  topicsOff: [],
  optionsOn: [],
  optionsOff: [],
  ...more,
});
const of = (...purposes: PurposeChange[]): Intent => ({ ...noIntent, purposes });
const option = { preference: 'q', option: 'o' };

const reduce = (more: Partial<Extract<PurposeChange, { kind: 'reduce' }>>): PurposeChange => ({
  kind: 'reduce',
  purpose: 'p',
  topicsOff: [],
  optionsOff: [],
  ...more,
});

const cases: Readonly<Record<string, readonly [intent: Intent, isWithin: boolean]>> = {
  nothing: [noIntent, true],
  'switching off': [of(off), true],
  'leaving everything': [{ ...noIntent, everything: 'withdraw' }, true],
  'taking a topic out': [of(reduce({ topicsOff: ['t'] })), true],
  'taking an option out': [of(reduce({ optionsOff: [option] })), true],
  // That would make it the person's own choice.
  'taking a topic out of what is only on by default': [of(adjust({ topicsOff: ['t'] })), false],
  'switching on': [of(on), false],
  'switching on beside switching off': [of(off, on), false],
  'putting a topic in': [of(adjust({ topicsOn: ['t'] })), false],
  'exchanging an option': [
    of(adjust({ optionsOn: [option], optionsOff: [{ ...option, option: 'other' }] })),
    false,
  ],
  'a data element': [{ ...noIntent, dataElements: [{ element: 'e', label: 'E', value: '' }] }, false],
  'a language': [{ ...noIntent, language: 'fr' }, false],
};

suite('A link for withdrawing', () => {
  for (const [what, [intent, isWithin]] of Object.entries(cases)) {
    test(`${isWithin ? 'allows' : 'refuses'}: ${what}.`, () => {
      assert.equal(withinScope(intent, 'manage'), true);
      assert.equal(withinScope(intent, 'withdraw'), isWithin);
    });
  }
});

suite('Values of data elements', () => {
  const displayed = { dataElements: [{ id: 'e', value: 'Anna' }], purposes: [] };
  const posted = {
    purposes: ['p'],
    topics: { p: ['t'] },
    options: {},
    elements: { e: 'Anna' },
    subscribeAll: false,
    language: undefined,
  };

  test('are sealed into no form of a channel for withdrawing.', () => {
    assert.deepEqual(shownWithin(displayed, 'manage'), displayed);
    assert.deepEqual(shownWithin(displayed, 'withdraw'), { dataElements: [], purposes: [] });
  });

  test('are taken out of what is posted by such a channel, and nothing else is.', () => {
    assert.deepEqual(postedWithin(posted, 'manage'), { posted, isBeyond: false });
    const without = { ...posted, elements: {} };
    assert.deepEqual(postedWithin(posted, 'withdraw'), { posted: without, isBeyond: true });
    assert.deepEqual(postedWithin(without, 'withdraw'), { posted: without, isBeyond: false });
  });
});
