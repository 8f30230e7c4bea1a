import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildSessionEndingPage } from '../../../src/pages/person/one-button.ts';
import { buildProblemPage } from '../../../src/pages/person/problem.ts';
import { buildResultPage, confirmedNote } from '../../../src/pages/person/result.ts';
import { buildPasscodePage, buildSignInPage } from '../../../src/pages/person/sign-in.ts';
import { buildUnsubscribePage } from '../../../src/pages/person/unsubscribe.ts';
import { honoured } from '../../../src/upstream/members/member.ts';
import { portalTexts } from '../../../src/upstream/members/texts.ts';
import { aCenter, anElement, aPurpose, recordsOf, topics } from '../../core/center-builder.ts';
import { aResult, aSubject, aSubmission, draw, words } from '../../core/page-builder.ts';
import { signedInContext as pageContext } from '../../samples/layouts.ts';
import { toHtml } from '../to-html.ts';

/** The labels that have them show another text first: test/upstream/members finds them there. */
const secondChoices =
  /\.(WelcomeMessage|PreferencesUpdated|Unsubscribed|DefaultChangePreferencesLabel|PreferenceLoginOtpDescription|Error)$/;
const keys = Object.entries(portalTexts.members).flatMap(([name, { verdict }]) =>
  verdict === honoured('').verdict && !secondChoices.test(name)
    ? name.slice('consent.Ds.Portal.'.length)
    : [],
);
const said = (key: string) => `«${key}»`;

const [page = assert.fail()] = aCenter([]).pages;
const sections = [
  {
    ...({ id: 'profile', kind: 'profile', name: words({}), description: undefined } as const),
    items: [anElement('mail', { type: 'email' }), anElement('phone', { type: 'phone' })],
  },
  {
    ...({ id: 'settings', kind: 'subscription-settings', name: words({}), description: undefined } as const),
    items: ['always', 'never', 'waits'].map((id) => aPurpose(id, { topics: topics('t') })),
  },
];
const center = aCenter([], {
  translations: { 'en-us': Object.fromEntries(keys.map((key) => [key, said(key)])) },
  pages: [{ ...page, sections }],
  reasons: { choices: [{ id: 'often', name: words({ en: 'Too often' }) }], allowOther: true },
});
const setting = { pageContext, center, language: 'en-us' };
const of = (records: string) => aSubject({ purposes: recordsOf(records) });
const subject = of('always:always-active never:hard-opt-out');
const form = { action: '/', token: 't' };

const preferences = draw(center, {
  ...{ ...setting, subject },
  mistakes: [
    { field: 'element.mail', kind: 'email' },
    { field: 'element.phone', kind: 'phone' },
  ],
  notes: [of('waits:pending'), of('waits')].map((each) => confirmedNote({ ...setting, subject: each })),
}).page;
const typed = (outcome: 'saved' | 'not-saved') =>
  aSubmission([aResult('mail', 'typed', outcome, { what: 'data-element' })]);
const results = [
  aSubmission([aResult('waits', 'on', 'saved')]),
  aSubmission([], { everything: true }),
  ...[typed('saved'), typed('not-saved')],
].map((submission) =>
  buildResultPage({
    ...{ ...setting, subject, submission, now: 0, undo: undefined, backHref: '/' },
    isReasonCut: submission.everything,
  }),
);
const passcode = {
  ...setting,
  form,
  held: undefined,
  resend: form,
  otherHref: undefined,
  subject: subject.id,
};
const problem = { ...setting, reference: 'r', retryAfter: undefined, onward: undefined };

test('Each general text of a center is on a page.', () => {
  const shown = [
    toHtml('centers/preferences', { ...preferences, form: { ...preferences.form, token: 't' } }),
    ...results.map((result) => toHtml('centers/result', result)),
    toHtml(
      'centers/unsubscribe',
      buildUnsubscribePage({ ...setting, subject: undefined, form, backHref: '/' }),
    ),
    toHtml(
      'identity/sign-in',
      buildSignInPage({ ...setting, mail: form, singleSignOn: { form, label: undefined }, typed: 'x' }),
    ),
    toHtml(
      'identity/passcode',
      buildPasscodePage({ ...passcode, digits: 6, wait: 9, tried: { kind: 'wrong', left: 2 } }),
    ),
    toHtml(
      'identity/one-button',
      buildSessionEndingPage({ ...setting, continueHref: '/', leave: form, lookAgainAfter: 9 }),
    ),
    toHtml('errors/problem', buildProblemPage({ ...problem, code: 'unexpected' })),
    toHtml('errors/problem', buildProblemPage({ ...problem, code: 'link-invalid' })),
  ].join();
  assert.equal(keys.filter((key) => !shown.includes(said(key))).join(), '');
});
