import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DataElement } from '../../../src/core/model/center/center.ts';
import { noIntent } from '../../../src/core/model/submission/intent.ts';
import type { PreferencePageInput } from '../../../src/pages/person/preferences.ts';
import { aCenter, anElement, offered } from '../../core/center-builder.ts';
import { aSubject, draw, words } from '../../core/page-builder.ts';

function drawOne(change: Partial<DataElement>, value: string, input: Partial<PreferencePageInput> = {}) {
  const center = aCenter([anElement('e', { label: 'Thing', name: words({ en: 'Thing' }), ...change })]);
  const { elements, snapshot, page } = draw(center, {
    subject: aSubject({ dataElements: { Thing: value } }),
    ...input,
  });
  return { view: elements.get('e'), displayed: snapshot.dataElements, page };
}

describe('A data element', () => {
  const bee = { value: 'b', name: words({ en: 'Bee' }) };
  const rows: readonly [Partial<DataElement>, recorded: string, control: string, value: string][] = [
    [{ type: 'text' }, 'Anna', 'text', 'Anna'],
    [{ type: 'email' }, 'a@example.org', 'email', 'a@example.org'],
    [{ type: 'phone' }, '+44 1', 'tel', '+44 1'],
    [{ type: 'number' }, '12.5', 'number', '12.5'],
    [{ type: 'number' }, '12,5', 'text', '12,5'],
    [{ type: 'date' }, '06/15/1985', 'date', '1985-06-15'],
    [{ type: 'date' }, '1985-13-15', 'text', '1985-13-15'],
    [{ type: 'date' }, '', 'date', ''],
    [{ type: 'country' }, 'us', 'select', 'US'],
    [{ type: 'country-code' }, 'DE', 'select', 'DE'],
    [{ type: 'state' }, 'Ohio', 'text', 'Ohio'],
    [{ type: 'state', options: offered('Ohio') }, 'Ohio', 'select', 'Ohio'],
    [{ type: 'choice', options: offered('a', 'b') }, 'b', 'select', 'b'],
    [{ type: 'choice' }, 'b', 'text', 'b'],
    [{ readOnly: true }, 'Anna', 'static', 'Anna'],
    [{ readOnly: true, type: 'date' }, '06/15/1985', 'static', 'June 15, 1985'],
    [{ readOnly: true, type: 'date' }, '1985-13-15', 'static', '1985-13-15'],
    [{ readOnly: true, type: 'country' }, 'de', 'static', 'Germany'],
    [{ readOnly: true, type: 'choice', options: [bee] }, 'b', 'static', 'Bee'],
  ];
  for (const [change, recorded, control, value] of rows) {
    test(`${JSON.stringify(change)} with ${recorded || 'nothing'}: ${control}, ${value || 'empty'}`, () => {
      const { view, displayed } = drawOne(change, recorded);
      assert.deepEqual([view?.control, view?.value], [control, value]);
      assert.deepEqual(displayed, [{ id: 'e', value: recorded }]);
    });
  }

  test('that is hidden is neither shown nor sealed', () => {
    const { view, displayed } = drawOne({ hidden: true }, 'x');
    assert.deepEqual([view, displayed], [undefined, []]);
  });

  test('is empty without a value on record, even if its label is a member of every object', () => {
    assert.equal(draw(aCenter([anElement('e', { label: 'constructor' })])).elements.get('e')?.value, '');
  });

  test('is called by its name, else by its label, else untitled', () => {
    const none = { entries: [], plain: undefined };
    assert.equal(drawOne({ name: none }, '').view?.label.text, 'Thing');
    assert.equal(drawOne({ label: ' ', name: none }, '').view?.label.text, 'Untitled');
  });

  test('shows what was typed over what is recorded, and seals what is recorded', () => {
    const draft = (value: string) => ({
      draft: { ...noIntent, dataElements: [{ element: 'e', label: 'Thing', value }] },
    });
    assert.equal(drawOne({ type: 'email' }, 'a@b.example', draft('nonsense')).view?.value, 'nonsense');
    const date = drawOne({ type: 'date' }, '06/15/1985', draft('01/02/2003'));
    assert.equal(date.view?.value, '2003-01-02');
    assert.deepEqual(date.displayed, [{ id: 'e', value: '06/15/1985' }]);
    assert.equal(drawOne({ readOnly: true }, 'Anna', draft('Eve')).view?.value, 'Anna');
  });

  test('has an autocomplete purpose if one is known', () => {
    const cases: readonly [Partial<DataElement>, string | undefined][] = [
      [{ type: 'email' }, 'email'],
      [{ type: 'phone' }, 'tel'],
      [{ label: 'First Name' }, 'given-name'],
      [{ label: 'Date of Birth', type: 'date' }, 'bday'],
      [{ type: 'country' }, 'country'],
      [{ type: 'state' }, 'address-level1'],
      [{ label: 'Postcode' }, 'postal-code'],
      [{ label: 'Shoe size' }, undefined],
      [{ label: 'toString' }, undefined],
      [{ type: 'email', readOnly: true }, undefined],
    ];
    for (const [change, purpose] of cases) assert.equal(drawOne(change, '').view?.autocomplete, purpose);
  });
});

describe('A list to choose from', () => {
  const lines = (change: Partial<DataElement>, value: string, language = 'en-us') =>
    drawOne(change, value, { language }).view?.options.map(
      (option) => `${option.selected ? '*' : ''}${option.value}=${option.label.text}`,
    );
  const options = [
    { value: 'a', name: words({ en: 'Apple', fr: 'Pomme' }) },
    { value: 'b', name: words({}) },
    { value: '', name: words({ en: 'blank' }) },
  ];

  test('begins with an empty line unless something required is chosen', () => {
    assert.deepEqual(lines({ type: 'choice', options }, ''), ['*=Please choose', 'a=Apple', 'b=b']);
    assert.deepEqual(lines({ type: 'choice', options }, 'a', 'fr'), ['=Aucun choix', '*a=Pomme', 'b=b']);
    assert.deepEqual(lines({ type: 'choice', options, required: true }, 'a'), ['*a=Apple', 'b=b']);
    const empty = lines({ type: 'choice', options, required: true }, '');
    assert.deepEqual(empty, ['*=Please choose', 'a=Apple', 'b=b']);
  });

  test('keeps a recorded value that is no longer offered', () => {
    const kept = lines({ type: 'choice', options, required: true }, 'old');
    assert.deepEqual(kept, ['a=Apple', 'b=b', '*old=old']);
  });

  test('of countries has names and order of the page’s language, and the values of the platform', () => {
    const given = { type: 'country', options: offered('Germany', 'us', 'Utopia'), required: true } as const;
    assert.deepEqual(lines(given, 'us', 'fr'), ['Germany=Allemagne', '*us=États-Unis', 'Utopia=Utopia']);
    const all = lines({ type: 'country' }, 'de', 'fr') ?? [];
    assert.equal(all.length, 250);
    assert.ok(all.includes('*DE=Allemagne'));
    assert.equal(all[1], 'AF=Afghanistan');
    const [before, after] = ['EG=Égypte', 'FR=France'].map((line) => all.indexOf(line));
    assert.ok(before !== undefined && after !== undefined && before > 1 && before < after);
  });
});
