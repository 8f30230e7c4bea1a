import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { buildProblemPage } from '../../../src/pages/person/problem.ts';
import { buildResultPage } from '../../../src/pages/person/result.ts';
import { buildSignInPage } from '../../../src/pages/person/sign-in.ts';
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

  test('InvalidLoginToasterMessage titles the page of a link that is no longer good, Error that of a fault.', () => {
    const center = centerSaying({ InvalidLoginToasterMessage: 'Old link.', Error: 'Oh.' });
    const titled = (code: 'link-invalid' | 'unexpected' | 'not-found') =>
      buildProblemPage({
        ...{ code, center, language, pageContext, reference: 'r', retryAfter: undefined, onward: undefined },
      }).layout.title;
    assert.equal(titled('link-invalid'), 'Old link.');
    assert.equal(titled('unexpected'), 'Oh.');
    assert.ok(!['Old link.', 'Oh.'].includes(titled('not-found')));
  });

  test('PreferenceEmailLoginOtpDescription, else PreferenceLoginOtpDescription, introduces a sign-in by mail.', () => {
    const form = { action: '/', token: 't' };
    const intro = (texts: Readonly<Record<string, string>>) =>
      buildSignInPage({
        ...{ pageContext, language, mail: form, singleSignOn: undefined },
        center: centerSaying(texts),
      }).mail?.intro;
    const general = { PreferenceLoginOtpDescription: 'Say who you are.' };
    assert.equal(intro(general), 'Say who you are.');
    assert.equal(intro({ ...general, PreferenceEmailLoginOtpDescription: 'We mail you.' }), 'We mail you.');
  });
});
