import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type ReadValue, readInput, toInput } from '../../../src/core/consent/element-value.ts';
import type { DataElement } from '../../../src/core/model/center/center.ts';
import { countryCode, countryCodes, writeCountry } from '../../../src/core/model/person/country.ts';
import { elementOf, offered } from '../center-builder.ts';

function element(type: DataElement['type'], change: Partial<DataElement> = {}): DataElement {
  return elementOf('e', { type, ...change });
}

/** The read value as `=value`, `same` or `!mistake`. */
function said(read: ReadValue): string {
  if (read.kind === 'unchanged') return 'same';
  return read.kind === 'value' ? `=${read.value}` : `!${read.mistake}`;
}

suite('the value in an input', () => {
  const cases: readonly [DataElement['type'], string, string][] = [
    ['text', 'Anna', 'Anna'],
    ['date', '06/15/1985', '1985-06-15'],
    ['date', '6/5/1985', '1985-06-05'],
    ['date', ' 06/15/1985 ', '1985-06-15'],
    ['date', '1985-06-15', '1985-06-15'],
    ['date', '1985-06-15T00:00:00Z', '1985-06-15'],
    ['date', '1985-06-15x', '1985-06-15x'],
    ['date', '1985-06-15T', '1985-06-15'],
    ['date', ' 1985-06-15 ', '1985-06-15'],
    ['date', 'x1985-06-15', 'x1985-06-15'],
    ['date', '02/30/1985', '02/30/1985'],
    ['date', '106/15/1985', '106/15/1985'],
    ['date', '06/15/19855', '06/15/19855'],
    ['date', '06/15/1985T00:00:00Z', '06/15/1985T00:00:00Z'],
    ['date', '06/15/0000', '06/15/0000'],
    ['date', 'June 1985', 'June 1985'],
    ['date', '', ''],
    ['country', 'Germany', 'DE'],
    ['country', 'de', 'DE'],
    ['country-code', 'Germany', 'DE'],
    ['country', 'Atlantis', 'Atlantis'],
    ['state', 'de', 'de'],
    ['text', 'Germany', 'Germany'],
    ['choice', 'de', 'de'],
  ];
  for (const [type, wire, shown] of cases) {
    test(`${type} "${wire}" is shown as "${shown}"`, () => {
      assert.equal(toInput(element(type), wire), shown);
    });
  }

  test('a country that the platform lists is shown as the platform wrote it', () => {
    assert.equal(toInput(element('country', { options: offered('de', 'fr') }), 'de'), 'de');
  });
});

suite('a typed text on its way to the platform', () => {
  const cases: readonly [DataElement['type'], string, string, string][] = [
    ['text', ' Anna ', 'Ann', '=Anna'],
    ['text', 'Anna', 'Anna', 'same'],
    ['text', 'Anna', ' Anna ', 'same'],
    ['text', 'ab', 'a\nb', 'same'],
    ['text', 'a\r\nb', 'ab', 'same'],
    ['text', '', 'Anna', '='],
    ['text', '   ', 'Anna', '='],
    ['text', 'A\u030a', '', '=\u00c5'],
    ['text', 'a\nb', '', '!characters'],
    ['text', 'a\u0000b', '', '!characters'],
    ['text', 'a\ufffdb', '', '!characters'],
    ['text', 'a\u2028b', '', '!characters'],
    ['text', 'a\ud800b', '', '!characters'],
    ['text', 'x'.repeat(750), '', `=${'x'.repeat(750)}`],
    ['text', 'x'.repeat(751), '', '!too-long'],
    ['email', 'anna@example.org', '', '=anna@example.org'],
    ['email', 'änna@exämple.org', '', '=änna@exämple.org'],
    ['email', 'anna@mail.example.org', '', '=anna@mail.example.org'],
    ['email', 'anna', '', '!email'],
    ['email', 'anna@example', '', '!email'],
    ['email', 'anna@example.', '', '!email'],
    ['email', 'anna@.org', '', '!email'],
    ['email', 'an na@example.org', '', '!email'],
    ['email', 'anna@exa mple.org', '', '!email'],
    ['email', 'anna@x@example.org', '', '!email'],
    ['email', 'a@b.c, d@e.f', '', '!email'],
    ['email', `${'a'.repeat(65)}@example.org`, '', '!email'],
    ['email', `${'a'.repeat(64)}@${'b'.repeat(186)}.de`, '', `=${'a'.repeat(64)}@${'b'.repeat(186)}.de`],
    ['email', `${'a'.repeat(64)}@${'b'.repeat(187)}.de`, '', '!email'],
    ['email', 'not one', 'not one', 'same'],
    ['phone', '+49 (30) 123-456', '', '=+49 (30) 123-456'],
    ['phone', '030/123.456', '', '=030/123.456'],
    ['phone', '٠٣٠١٢٣', '', '=030123'],
    ['phone', '۰۳۰۱۲۳', '', '=030123'],
    ['phone', '1234', '', '=1234'],
    ['phone', '123', '', '!phone'],
    ['phone', '123456789012345', '', '=123456789012345'],
    ['phone', '1234567890123456', '', '!phone'],
    ['phone', 'call 12345', '', '!phone'],
    ['phone', '12345 x', '', '!phone'],
    ['phone', '12+345', '', '!phone'],
    ['number', '12', '', '=12'],
    ['number', '-1.50', '', '=-1.50'],
    ['number', '+3', '', '=+3'],
    ['number', '٣', '', '=3'],
    ['number', '1,5', '', '!number'],
    ['number', '1.', '', '!number'],
    ['number', '.5', '', '!number'],
    ['number', 'x1', '', '!number'],
    ['number', '1x', '', '!number'],
    ['number', '', 'many', '='],
    ['number', '', ' 12 ', '='],
    ['number', 'many', 'more', '!number'],
    ['date', '1985-06-15', '', '=06/15/1985'],
    ['date', '1985-06-15', '6/15/1985', 'same'],
    ['date', '', '06/15/1985', '='],
    ['date', '', 'some day', '='],
    ['date', '', '', 'same'],
    ['date', 'some day', 'some day', 'same'],
    ['date', '1985-06-16', 'some day', '=06/16/1985'],
    ['date', '06/15/1985', '', '!date'],
    ['date', 'x1985-06-15', '', '!date'],
    ['date', '1985-06-15x', '', '!date'],
    ['date', '1985-00-15', '', '!date'],
    ['date', '1985-13-15', '', '!date'],
    ['date', '1985-12-31', '', '=12/31/1985'],
    ['date', '1985-01-01', '', '=01/01/1985'],
    ['date', '1985-06-00', '', '!date'],
    ['date', '1985-06-31', '', '!date'],
    ['date', '1985-04-31', '', '!date'],
    ['date', '1985-09-31', '', '!date'],
    ['date', '1985-11-31', '', '!date'],
    ['date', '1985-06-30', '', '=06/30/1985'],
    ['date', '1985-07-31', '', '=07/31/1985'],
    ['date', '1985-07-32', '', '!date'],
    ['date', '1985-02-28', '', '=02/28/1985'],
    ['date', '1985-02-29', '', '!date'],
    ['date', '1984-02-29', '', '=02/29/1984'],
    ['date', '1984-02-30', '', '!date'],
    ['date', '1900-02-29', '', '!date'],
    ['date', '2000-02-29', '', '=02/29/2000'],
    ['date', '0000-02-01', '', '!date'],
    ['date', '0001-02-01', '', '=02/01/0001'],
    ['country', 'DE', '', '=DE'],
    ['country', 'DE', 'FR', '=DE'],
    ['country', 'DE', 'fr', '=de'],
    ['country', 'DE', 'France', '=Germany'],
    ['country', 'DE', 'Germany', 'same'],
    ['country', 'DE', 'Atlantis', '=DE'],
    ['country', 'Atlantis', 'Atlantis', 'same'],
    ['country', 'XX', '', '!not-offered'],
    ['country-code', 'Narnia', '', '!not-offered'],
    ['state', 'Bavaria', '', '=Bavaria'],
    ['state-code', 'BY', '', '=BY'],
    ['choice', 'free', '', '=free'],
  ];
  for (const [type, typed, recorded, expected] of cases) {
    const short = (text: string) => JSON.stringify(text.length > 40 ? `${text.length} characters` : text);
    test(`${type} ${short(typed)} over ${short(recorded)} is ${short(expected)}`, () => {
      assert.equal(said(readInput(element(type), typed, recorded)), expected);
    });
  }

  for (const type of ['choice', 'country', 'state', 'email', 'text'] as const) {
    test(`${type} with options takes one of them, or what is on record`, () => {
      const choice = element(type, { options: offered('one', 'two') });
      assert.equal(said(readInput(choice, 'two', 'one')), '=two');
      assert.equal(said(readInput(choice, 'three', 'one')), '!not-offered');
      assert.equal(said(readInput(choice, 'Two', 'one')), '!not-offered');
      assert.equal(said(readInput(choice, 'old', 'old')), 'same');
      assert.equal(said(readInput(choice, '', 'one')), '=');
    });
  }

  test('a required value cannot be cleared, but an unchanged empty one is no change', () => {
    const required = element('text', { required: true });
    assert.equal(said(readInput(required, '', 'Anna')), '!required');
    assert.equal(said(readInput(required, ' ', 'Anna')), '!required');
    assert.equal(said(readInput(required, '', '')), 'same');
  });

  test('an option may not be longer than the platform keeps', () => {
    const long = 'x'.repeat(751);
    assert.equal(said(readInput(element('choice', { options: offered(long) }), long, '')), '!too-long');
  });
});

suite('countries', () => {
  test('have 249 different codes', () => {
    assert.equal(new Set(countryCodes).size, 249);
    for (const code of countryCodes) assert.equal(countryCode(code.toLowerCase()), code);
  });
  test('have English names that lead back to their codes', () => {
    for (const code of countryCodes) assert.equal(countryCode(writeCountry(code, 'Germany')), code);
  });
  test('are found by names without accents, and with either apostrophe', () => {
    assert.equal(countryCode('Cote d’Ivoire'), 'CI');
    assert.equal(countryCode("CÔTE D'IVOIRE"), 'CI');
    assert.equal(countryCode(' Germany '), 'DE');
    assert.equal(countryCode('XX'), undefined);
  });
  const forms: readonly [string, string][] = [
    ['', 'DE'],
    ['FR', 'DE'],
    ['fr', 'de'],
    ['France', 'Germany'],
    ['Fra', 'DE'],
    ['frx', 'DE'],
    ['xfr', 'DE'],
  ];
  for (const [example, written] of forms) {
    test(`Germany beside "${example}" is written "${written}"`, () => {
      assert.equal(writeCountry('DE', example), written);
    });
  }
});
