import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { drawnWithin, postedWithin, withinScope } from '../../../src/core/consent/scope.ts';
import { type Intent, noIntent, type PurposeChange } from '../../../src/core/model/intent.ts';
import { maskValue, restrictPage } from '../../../src/pages/person/restrict.ts';
import { cards, everything } from '../../samples/preferences.ts';

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

  test('draws nothing that could be switched on, and no value.', () => {
    const step = { title: 'Confirm', text: 'Only off.', href: '/step-up', label: 'Fresh link' };
    for (const page of [cards, everything]) {
      const restricted = restrictPage(page, step);
      const items = restricted.sections.flatMap((section) => section.items);
      for (const item of items) {
        if (item.kind === 'data-element') {
          assert.equal(item.control, 'static');
          assert.ok(item.value === '–' || item.value.includes('•••'), item.value);
          assert.deepEqual(item.options, []);
        }
        if (item.kind !== 'purpose') continue;
        assert.ok(item.checked || item.disabled, item.name.text);
        for (const each of item.preferences) {
          assert.equal(each.disabled, !item.checked || each.choices.every(({ disabled }) => disabled));
        }
        const choices = [
          ...(item.topics?.choices ?? []),
          ...item.preferences.flatMap((each) => each.choices),
        ];
        for (const choice of choices) {
          assert.ok(choice.checked || choice.disabled || choice.value === '', choice.label.text);
        }
      }
      assert.equal(restricted.actions.subscribeAll, undefined);
      assert.equal(restricted.keepLanguage, undefined);
      assert.deepEqual(restricted.stepUp, { href: '/step-up', label: 'Fresh link' });
      assert.equal(restricted.notes.length, page.notes.length + 1);
    }
  });

  test('hides nothing where nothing is on record, and leaves no line empty.', () => {
    const step = { title: '', text: '', href: '', label: '' };
    const shown = (value: string, control: 'text' | 'static') => {
      const sections = cards.sections.map((section) => ({
        ...section,
        items: section.items.map((item) =>
          item.kind === 'data-element' ? { ...item, value, control } : item,
        ),
      }));
      const items = restrictPage({ ...cards, sections }, step).sections.flatMap((section) => section.items);
      return new Set(items.flatMap((item) => (item.kind === 'data-element' ? [item.value] : [])));
    };
    assert.deepEqual(shown('', 'text'), new Set(['–']));
    assert.deepEqual(shown('–', 'static'), new Set(['–']));
    assert.deepEqual(shown('Anna', 'text'), new Set(['A•••']));
  });

  test('masks a value so that its owner knows it and nobody else does.', () => {
    const values = {
      '': '',
      '  ': '',
      Anna: 'A•••',
      Quillfeather: 'Q•••',
      'anna@example.org': 'a•••@example.org',
      Bo: '•••',
      '1984-05-17': '•••',
      '+44 20 7946 0958': '•••',
      'كتاب جديد': 'ك•••',
    };
    for (const [value, masked] of Object.entries(values)) assert.equal(maskValue(value), masked);
  });
});

suite('Values of data elements', () => {
  const drawn = { dataElements: [{ id: 'e', value: 'Anna' }], purposes: [] };
  const posted = {
    purposes: ['p'],
    topics: { p: ['t'] },
    options: {},
    elements: { e: 'Anna' },
    subscribeAll: false,
    language: undefined,
  };

  test('are sealed into no form of a channel for withdrawing.', () => {
    assert.deepEqual(drawnWithin(drawn, 'manage'), drawn);
    assert.deepEqual(drawnWithin(drawn, 'withdraw'), { dataElements: [], purposes: [] });
  });

  test('are taken out of what is posted by such a channel, and nothing else is.', () => {
    assert.deepEqual(postedWithin(posted, 'manage'), { posted, isBeyond: false });
    const without = { ...posted, elements: {} };
    assert.deepEqual(postedWithin(posted, 'withdraw'), { posted: without, isBeyond: true });
    assert.deepEqual(postedWithin(without, 'withdraw'), { posted: without, isBeyond: false });
  });
});
