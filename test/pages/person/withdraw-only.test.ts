import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { noIntent } from '../../../src/core/model/submission/intent.ts';
import { maskValue } from '../../../src/pages/person/profile.ts';
import {
  aCenter,
  anElement,
  aPreference,
  aPurpose,
  offered,
  recordsOf,
  topics,
} from '../../core/center-builder.ts';
import { aSubject, draw } from '../../core/page-builder.ts';
import { toHtml } from '../to-html.ts';

const preferences = [
  aPreference('many', ['a', 'b']),
  aPreference('one', ['a', 'b'], { choice: 'single', display: 'radio-buttons' }),
];
const center = aCenter([
  aPurpose('on', { topics: topics('t', 'u'), preferences }),
  aPurpose('off', { topics: topics('t', 'u'), preferences }),
  anElement('typed', { label: 'Name' }),
  anElement('chosen', { label: 'Box', type: 'choice', options: offered('Anna', 'Bert'), required: true }),
  anElement('fixed', { label: 'Mail', readOnly: true }),
  anElement('empty'),
]);
const subject = aSubject({
  language: 'fr',
  dataElements: { Name: 'Anna', Box: 'Bert', Mail: 'anna@example.org' },
  purposes: recordsOf('on[t many.a] off:off[t one.a]'),
});
const more = { subject, scope: 'withdraw' } as const;

suite('A page for a visitor who may only withdraw', () => {
  const { page, purposes, elements, snapshot } = draw(center, { ...more, stepUpHref: '/step-up' });
  /** The ids of the choices that the visitor can change. */
  const openIn = (choices: readonly { id: string; disabled: boolean }[]) =>
    choices.flatMap(({ id, disabled }) => (disabled ? [] : [id]));

  test('lets a visitor turn purposes off and untick choices, and nothing else', () => {
    const open = [...purposes.values()].flatMap((purpose) => [
      ...(purpose.disabled ? [] : [purpose.value]),
      ...openIn(purpose.topics),
      ...purpose.preferences.flatMap(({ choices }) => openIn(choices)),
    ]);
    assert.deepEqual(open, ['on', 'topic-0-0', 'option-0-0-0', 'option-0-1-none']);
    const closed = purposes.get('off')?.preferences.map(({ disabled }) => disabled);
    assert.deepEqual(closed, [true, true]);
    assert.equal(page.actions.subscribeAll, undefined);
    assert.equal(page.keepLanguage, undefined);
  });

  test('masks every value, has no field for one, and seals none', () => {
    const shown = [...elements].map(([id, { control, value, options, required, autocomplete, mistake }]) => {
      return [id, control, value, options.length, required, autocomplete, mistake];
    });
    const row = (id: string, value: string) => [id, 'static', value, 0, false, undefined, undefined];
    assert.deepEqual(shown, [
      row('typed', 'A•••'),
      row('chosen', 'B•••'),
      row('fixed', 'a•••@example.org'),
      row('empty', '–'),
    ]);
    assert.deepEqual(snapshot.dataElements, []);
  });

  test('masks typed values, too, and shows no mistakes', () => {
    const draft = { ...noIntent, dataElements: [{ element: 'typed', label: 'Name', value: 'Berta' }] };
    const mistakes = [{ field: 'element.typed', kind: 'too-long' }] as const;
    const again = draw(center, { ...more, draft, mistakes });
    assert.equal(again.elements.get('typed')?.value, 'B•••');
    assert.deepEqual(again.page.mistakes, []);
  });

  test('says what a visitor can do here, and then links to the step up if there is one', () => {
    const htmlOf = (shown: typeof page) => toHtml('centers/preferences', shown);
    const [can, onward] = [/With this link you can turn things off/, /href="\/step-up"/];
    assert.match(htmlOf(page), can);
    assert.match(htmlOf(page), onward);
    const without = draw(center, more).page;
    assert.match(htmlOf(without), can);
    assert.doesNotMatch(htmlOf(without), onward);
    assert.deepEqual(without.notes, page.notes);
    const manager = draw(center, { subject, scope: 'manage', stepUpHref: '/step-up' }).page;
    assert.doesNotMatch(htmlOf(manager), can);
    assert.doesNotMatch(htmlOf(manager), onward);
    assert.deepEqual(manager.notes, without.notes);
  });

  test('does not ask to turn an expired purpose on', () => {
    const expired = aSubject({ purposes: recordsOf('on:expired') });
    const hintFor = (scope: 'manage' | 'withdraw') =>
      draw(center, { subject: expired, scope }).purposes.get('on')?.hint?.text ?? '';
    assert.match(hintFor('manage'), /Turn it on again/);
    assert.equal(hintFor('withdraw'), 'Your consent has run out.');
  });

  test('masks a value so that only its owner recognises it', () => {
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
