import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { buildResultPage } from '../../../src/pages/person/result.ts';
import { aCenter } from '../../core/center-builder.ts';
import { aResult, aSubject, aSubmission, pageContext } from '../../core/page-builder.ts';

function centerSaying(texts: Readonly<Record<string, string>>) {
  return aCenter([], { translations: { 'en-us': texts } });
}

suite('A general text of a center', () => {
  const language = 'en-us';

  test('ProfileUpdateSuccess and ProfileUpdateError title a result of values alone.', () => {
    const center = centerSaying({
      ProfileUpdateSuccess: 'Profile saved.',
      ProfileUpdateError: 'Profile not saved.',
      PreferencesUpdated: 'Preferences saved.',
    });
    const titled = (...items: Parameters<typeof aSubmission>[0]) =>
      buildResultPage({
        ...{ pageContext, center, language, now: 0, undo: undefined, backHref: '/' },
        subject: aSubject(),
        submission: aSubmission(items),
      }).layout.title;
    const value = (outcome: 'saved' | 'not-saved') =>
      aResult('e', 'typed', outcome, { what: 'data-element' });
    assert.equal(titled(value('saved')), 'Profile saved.');
    assert.equal(titled(value('not-saved')), 'Profile not saved.');
    assert.equal(titled(value('saved'), aResult('p', 'on', 'saved')), 'Preferences saved.');
  });
});
