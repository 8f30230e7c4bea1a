import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { elementFor, isIdentifierValue } from '../../../src/core/consent/identifier-element.ts';
import { elementOf } from '../center-builder.ts';

suite('A recorded value', () => {
  const cases: readonly [value: string, identifier: string, isIdentifier: boolean][] = [
    ['anna@example.org', 'anna@example.org', true],
    ['Anna@Example.ORG', 'anna@example.org', true],
    ['anna@example.org', 'ANNA@example.org', true],
    [' anna@example.org\n', 'anna@example.org', true],
    ['JU\u0308RGEN', 'j\u00fcrgen', true],
    ['STRA\u1e9eE@example.org', 'stra\u00dfe@example.org', true],
    ['4711', '4711', true],
    ['j%C3%BCrgen@example.org', 'j\u00fcrgen@example.org', true],
    ['j\u00c3\u00bcrgen@example.org', 'j\u00fcrgen@example.org', true],
    ['a%2Bb@example.org', 'a+b@example.org', true],
    ['100%', '100%', true],
    ['100%', '100', false],
    ['j\u00fcrgen', 'j\u00fcrgen', true],
    ['\u65e5\u672c', '\u65e5\u672c', true],
    ['', 'anna@example.org', false],
    [' ', 'anna@example.org', false],
    ['anna@example.or', 'anna@example.org', false],
    ['xanna@example.org', 'anna@example.org', false],
    ['an na@example.org', 'anna@example.org', false],
  ];
  for (const [value, identifier, expected] of cases)
    test(`${JSON.stringify(value)} ${expected ? 'is' : 'is not'} the identifier ${identifier}`, () => {
      assert.equal(isIdentifierValue(value, identifier), expected);
    });

  test('that is the identifier makes its element read-only, and no other', () => {
    const element = elementOf('e');
    assert.equal(elementFor(element, { recorded: 'A', subject: 'a' }).readOnly, true);
    assert.equal(elementFor(element, { recorded: 'b', subject: 'a' }), element);
    const fixed = elementOf('e', { readOnly: true });
    assert.equal(elementFor(fixed, { recorded: '', subject: 'a' }).readOnly, true);
  });
});
