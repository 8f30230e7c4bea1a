import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Center } from '../../../src/core/model/center/center.ts';
import { readSubjectId } from '../../../src/core/model/person/subject.ts';
import { buildStepUpPage } from '../../../src/pages/person/one-button.ts';
import {
  buildPasscodePage,
  buildSignInPage,
  type PasscodePageInput,
  type SignInPageInput,
} from '../../../src/pages/person/sign-in.ts';
import { aCenter } from '../../core/center-builder.ts';
import { pageContext } from '../../core/page-builder.ts';

const subject = readSubjectId('anna@example.org') ?? assert.fail();
const form = { action: '/sign-in', token: 'sealed' };
const silent = aCenter([]);
const spoken: Center = aCenter([], {
  languages: ['en', 'fr'],
  translations: {
    fr: {
      IncorrectOTPErrorMessage: 'Code faux.',
      RemainingAttempts: 'Tentatives restantes',
      TimerDescription: 'Nouveau code dans',
      OtpDisclaimerText: 'Dix minutes',
      'DataElement.InvalidEmail': 'Adresse fausse.',
    },
  },
});

function passcode(center: Center, language: string, more: Partial<PasscodePageInput> = {}) {
  return buildPasscodePage({
    pageContext,
    center,
    language,
    subject,
    form,
    held: undefined,
    resend: form,
    wait: 0,
    otherHref: undefined,
    digits: 6,
    ...more,
  });
}

function signIn(center: Center, language: string, more: Partial<SignInPageInput> = {}) {
  return buildSignInPage({ pageContext, center, language, mail: form, singleSignOn: undefined, ...more });
}

suite('The sign-in page', () => {
  test('uses the words of the product if the platform has none', () => {
    const page = signIn(silent, 'en', { singleSignOn: { form, label: undefined } });
    const said = [page.layout.title, page.mail?.label, page.singleSignOn?.label, page.ways];
    const ours = ['Manage your preferences', 'Email address', 'Sign in with your account', 'Sign in with'];
    assert.deepEqual(said, ours);
  });

  test('shows the ways in that exist, and calls one the other way only beside a first', () => {
    const mail = signIn(silent, 'en');
    assert.deepEqual([mail.singleSignOn, mail.ways], [undefined, undefined]);
    const other = signIn(silent, 'en', { mail: undefined, singleSignOn: { form, label: 'Bank' } });
    assert.deepEqual([other.mail, other.ways, other.singleSignOn?.label], [undefined, undefined, 'Bank']);
  });

  test('keeps the typed text when it is no address', () => {
    const page = signIn(spoken, 'fr', { typed: 'anna@' });
    assert.deepEqual([page.mail?.value, page.mail?.mistake], ['anna@', 'Adresse fausse.']);
    assert.deepEqual(page.mistakes, [{ href: '#email', text: 'Adresse fausse.' }]);
  });
});

suite('The passcode page', () => {
  test('counts attempts and seconds in singular and plural', () => {
    const wrong = (left: number | undefined) => ({ tried: { kind: 'wrong', left } as const, wait: 48 });
    assert.equal(passcode(spoken, 'fr', wrong(3)).code.attempts, 'Tentatives restantes\u00a0: 3');
    assert.match(passcode(spoken, 'fr', wrong(3)).wait?.text ?? '', /^Nouveau code dans 48\ssecondes$/);
    assert.equal(passcode(silent, 'en', wrong(1)).code.attempts, '1 try remaining');
    assert.equal(passcode(silent, 'en', wrong(1)).wait?.text, 'You can ask for a new email in 48 seconds.');
    assert.equal(passcode(silent, 'en', wrong(undefined)).code.attempts, undefined);
    assert.equal(passcode(silent, 'en').wait, undefined);
  });

  test('says how many digits the code has, and ignores the platform’s own texts for a passcode', () => {
    assert.equal(passcode(silent, 'en').code.hint, 'The 6 digits in the email');
    assert.equal(passcode(silent, 'en', { digits: 8 }).code.hint, 'The 8 digits in the email');
    assert.equal(passcode(spoken, 'fr').code.hint, 'Les 6 chiffres de l’e-mail');
    assert.equal(passcode(spoken, 'fr', { digits: 8 }).code.hint, 'Les 8 chiffres de l’e-mail');
  });

  test('has different texts for a wrong passcode and an expired one', () => {
    assert.equal(passcode(spoken, 'fr', { tried: { kind: 'wrong', left: 2 } }).code.mistake, 'Code faux.');
    assert.match(passcode(silent, 'en', { tried: { kind: 'over' } }).code.mistake ?? '', /no longer valid/);
    assert.equal(passcode(silent, 'en').code.mistake, undefined);
    assert.deepEqual(passcode(silent, 'en').mistakes, []);
  });
});

suite('The step up', () => {
  const base = { pageContext, center: silent, language: 'en', subject, backHref: '/back' };

  test('is a message to the person if one can be sent, else another way in, else none', () => {
    const build = (mail: typeof form | undefined, signInHref: string | undefined) => {
      const page = buildStepUpPage({ ...base, form: mail, held: 'h', signInHref });
      return { ...page, hrefs: page.links.map(({ href }) => href) };
    };
    const byMail = build(form, '/in');
    assert.deepEqual(byMail.form?.fields, [{ name: 'held', value: 'h' }]);
    assert.deepEqual([byMail.about, byMail.hrefs], ['a•••@example.org', ['/back']]);
    const bySignIn = build(undefined, '/in');
    assert.deepEqual([bySignIn.form, bySignIn.hrefs], [undefined, ['/in', '/back']]);
    const none = build(undefined, undefined);
    assert.deepEqual([none.layout.title, none.hrefs], ['This isn’t possible here', ['/back']]);
  });
});
