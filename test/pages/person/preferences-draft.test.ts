import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Intent, noIntent } from '../../../src/core/model/submission/intent.ts';
import { aCenter, anElement, aPreference, aPurpose, recordsOf, topics } from '../../core/center-builder.ts';
import { aSubject, draw, words } from '../../core/page-builder.ts';
import { off, on } from '../../delivery/fixture.ts';

const center = {
  ...aCenter([
    aPurpose('on', {
      topics: topics('kept', 'more'),
      preferences: [
        aPreference('pills', ['a', 'b'], { choice: 'single', display: 'buttons', required: false }),
        aPreference('list', ['a', 'b'], { choice: 'single', display: 'dropdown' }),
      ],
    }),
    aPurpose('off'),
    anElement('name', { name: words({ en: 'Name' }) }),
  ]),
  languages: ['en', 'fr'],
};
const subject = aSubject({
  language: 'fr',
  dataElements: { 'Label of name': 'Anna' },
  purposes: recordsOf('on[kept list.a]'),
});

function savedBehind(draft: Partial<Intent> | undefined): unknown {
  const { page } = draw(center, {
    subject,
    language: 'en',
    draft: draft === undefined ? undefined : { ...noIntent, ...draft },
  });
  return page.form.saved === undefined ? undefined : JSON.parse(page.form.saved);
}

suite('The saved state behind a page with a draft', () => {
  test('has each control that differs, and no other', () => {
    const option = (preference: string, id: string) => ({ preference, option: id });
    const adjusted = {
      ...({ kind: 'adjust', purpose: 'on', topicsOn: ['more'], topicsOff: ['kept'] } as const),
      optionsOn: [option('pills', 'b'), option('list', 'b')],
      optionsOff: [option('list', 'a')],
    };
    assert.deepEqual(savedBehind({ purposes: [adjusted] }), {
      'topic-0-0': true,
      'topic-0-1': false,
      'option-0-0-none': true,
      'option-0-0-1': false,
      'option-0-1': 'a',
    });
    assert.deepEqual(savedBehind({ purposes: [off('on')] }), { 'purpose-on': true });
    assert.deepEqual(savedBehind({ purposes: [on('off')], language: 'en' }), {
      'purpose-off': false,
      'keep-language': false,
    });
    const typed = { element: 'name', label: 'Label of name', value: 'Berta' };
    assert.deepEqual(savedBehind({ dataElements: [typed] }), { 'element-name': 'Anna' });
  });

  test('is missing for a visitor who may only withdraw', () => {
    const dataElements = [{ element: 'name', label: 'Label of name', value: 'Berta' }];
    const { page } = draw(center, { subject, scope: 'withdraw', draft: { ...noIntent, dataElements } });
    assert.equal(page.form.saved, undefined);
  });
});
