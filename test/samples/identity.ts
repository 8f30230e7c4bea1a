import { readSubjectId, type SubjectId } from '../../src/core/model/person/subject.ts';
import { catalogues, messagesFor } from '../../src/i18n/catalogue.ts';
import type { HostedLinkPage, MailboxPage, ProblemPage } from '../../src/pages/every-page.ts';
import type { MailPage } from '../../src/pages/mail/message.ts';
import { buildSignInMail, buildStaffLinkMail } from '../../src/pages/mail/sign-in.ts';
import type { PageContext } from '../../src/pages/person/layout.ts';
import type { OneButtonPage } from '../../src/pages/person/one-button.ts';
import {
  buildOpenLinkPage,
  buildSessionEndingPage,
  buildStepUpPage,
  buildSwitchPage,
} from '../../src/pages/person/one-button.ts';
import { buildOneClickDonePage, buildOneClickPage } from '../../src/pages/person/one-click.ts';
import { buildProblemPage, buildSignedOutPage } from '../../src/pages/person/problem.ts';
import {
  buildPasscodePage,
  buildSignInPage,
  type PasscodePageInput,
  type SignInPageInput,
} from '../../src/pages/person/sign-in.ts';
import { aCenter, aPurpose } from '../core/center-builder.ts';
import { aResult, aSubmission, words as inWords, pageContext as signedIn } from '../core/page-builder.ts';
import { englishLayout, openLayout, sampleToken } from './layouts.ts';

const said = (en: string) => inWords({ en });
const home = '/centers/harbour-books';
const center = aCenter([aPurpose('books', { name: said('New books') })], {
  languages: Object.keys(catalogues),
  defaultLanguage: 'en',
});
const anna = readSubjectId('anna@example.org') as SubjectId;
const jonas = readSubjectId('jonas@example.org') as SubjectId;
/** By an address that holds the token. */
const keyed = (path: string) => ({ action: `${home}/sign-in/${path}?k=${sampleToken}`, token: undefined });
const form = (action: string) => ({ action, token: sampleToken });

/** Nobody is signed in. */
const pageContext: PageContext = {
  ...signedIn,
  brand: englishLayout.brand,
  subject: undefined,
  signOut: undefined,
  recordHref: undefined,
  session: undefined,
};
const outside = (language: string) => ({ pageContext, center, language });
const inside = (language: string) => ({
  ...outside(language),
  pageContext: { ...pageContext, subject: anna },
});

const singleSignOn = { form: form(`${home}/sign-in/start`), label: 'Harbour Books account' };
function signIn(language: string, change: Partial<SignInPageInput> = {}) {
  const mail = form(`${home}/sign-in`);
  return buildSignInPage({ ...outside(language), mail, singleSignOn: undefined, ...change });
}

function passcode(language: string, tried?: PasscodePageInput['tried']) {
  return buildPasscodePage({
    ...outside(language),
    subject: anna,
    form: keyed('passcode'),
    held: tried && sampleToken,
    resend: keyed('resend'),
    wait: tried === undefined ? 60 : 0,
    otherHref: `${home}/sign-in`,
    digits: 6,
    tried,
  });
}
const wrong = { kind: 'wrong', left: 3 } as const;

export const hostedLink: HostedLinkPage = {
  layout: { ...openLayout, brand: englishLayout.brand, title: 'Manage your preferences' },
  lines: ['We’ll email you a link and a code. You don’t need a password.'],
  form: form('/ui/'),
  links: [
    { href: `${home}/sign-in`, label: 'Harbour Books' },
    { href: '/centers/alster-bank/sign-in', label: 'Alster Bank' },
  ],
};
const { notSignedIn, openLink } = messagesFor('en').problems;
export const hostedNowhere: HostedLinkPage = {
  ...hostedLink,
  lines: [notSignedIn.text, openLink],
  links: [],
};

function switching(language: string): OneButtonPage {
  return buildSwitchPage({
    ...inside(language),
    by: 'link',
    subject: jonas,
    here: { subject: anna, scope: 'manage' },
    form: keyed('switch'),
    leaving: sampleToken,
    fields: [],
    backHref: home,
  });
}

/** From a message, without a session. */
const oneClick = (language: string) => ({
  ...outside(language),
  oneClick: { center: center.id, subject: anna, purpose: 'books' },
  choicesHref: `${home}/sign-in`,
});

function problem(
  language: string,
  change: Partial<Parameters<typeof buildProblemPage>[0]> = {},
): ProblemPage {
  const label = (text: string) => ({ en: text });
  const footerLinks = [
    { label: label('Write to us'), href: 'mailto:help@harbour.example' },
    { label: label('+44 20 7946 0000'), href: 'tel:+442079460000' },
  ];
  return buildProblemPage({
    pageContext: { ...pageContext, brand: { ...pageContext.brand, footerLinks } },
    center,
    language,
    code: 'link-expired',
    reference: '9f2c41d07e',
    retryAfter: undefined,
    onward: { href: `${home}/sign-in`, to: 'signIn' },
    ...change,
  });
}

export const identityPages = {
  'identity/sign-in': {
    ordinary: (language: string) => signIn(language, { singleSignOn }),
    mistaken: (language: string) => signIn(language, { typed: 'anna@' }),
    failed: (language: string) => signIn(language, { mail: undefined, singleSignOn, hasFailed: true }),
  },
  'identity/passcode': {
    ordinary: (language: string) => passcode(language),
    wrong: (language: string) => passcode(language, wrong),
    /** After too many wrong ones. */
    over: (language: string) => passcode(language, { kind: 'over' }),
    arabic: () => passcode('ar', wrong),
  },
  'identity/one-button': {
    ordinary: (language: string) =>
      buildOpenLinkPage({ ...outside(language), subject: anna, form: keyed('link') }),
    'step-up': (language: string) =>
      buildStepUpPage({
        ...inside(language),
        subject: anna,
        form: keyed('fresh'),
        held: sampleToken,
        signInHref: undefined,
        backHref: home,
      }),
    'session-ending': (language: string) =>
      buildSessionEndingPage({
        ...inside(language),
        continueHref: home,
        leave: form(`${home}/sign-out`),
        lookAgainAfter: 125,
      }),
    switch: switching,
    'switch-arabic': () => switching('ar'),
    'one-click': (language: string) =>
      buildOneClickPage({ ...oneClick(language), form: form(`/u/${sampleToken}`) }),
    'one-click-done': (language: string) =>
      buildOneClickDonePage({
        ...oneClick(language),
        submission: aSubmission([aResult('books', 'off', 'saved')], { reference: 'qT7x-V0a-9LmR' }),
        undo: { ...keyed('fresh'), fields: [] },
      }),
  },
  'centers/signed-out': {
    ordinary: (language: string) => buildSignedOutPage({ ...outside(language), again: undefined }),
  },
  'errors/problem': {
    ordinary: (language: string) => problem(language),
    arabic: () => problem('ar'),
    framed: (language: string) =>
      problem(language, {
        pageContext: { ...pageContext, frame: 'embedded', hosts: ['https://shop.example'] },
        code: 'link-invalid',
      }),
  },
} as const;

function mail(language: string, brand: string): MailPage {
  return buildSignInMail({
    language,
    brand: { ...englishLayout.brand, name: brand },
    colours: undefined,
    href: 'https://preferences.example.org/centers/harbour-books/sign-in/link?k=Zm9yIHRoZSBzYW1wbGVz',
    code: '042317',
    minutes: 10,
  }).page;
}

export const mails = {
  ordinary: mail('en', 'Harbour Books'),
  arabic: mail('ar', 'مكتبة الميناء'),
  german: mail('de', 'Hafenbücher'),
  fromStaff: buildStaffLinkMail({
    language: 'en',
    brand: { ...englishLayout.brand, name: 'Harbour Books' },
    colours: undefined,
    href: 'https://preferences.example.org/centers/harbour-books?t=Zm9y.IHRoZSBz.YW1wbGVz',
    days: 7,
  }).page,
};

export const mailbox: MailboxPage = {
  layout: { ...openLayout, title: 'Mailbox of the sandbox' },
  lines: ['Nothing leaves this machine.'],
  back: { href: '/', label: 'To the start page' },
  mails: [
    {
      subject: 'Your link to your preferences at Harbour Books',
      to: 'anna@example.org',
      at: '2026-05-17 10:30:00',
      lang: 'en',
      dir: 'ltr',
      parts: [
        { text: 'Hello,\n\nThis link opens your preferences:\n\n', href: undefined },
        { text: 'http://localhost:3000/centers/x/sign-in/link?k=1', href: '/centers/x/sign-in/link?k=1' },
      ],
      htmlHref: '/sandbox/mailbox/1',
      htmlLabel: 'As a mail program shows it',
    },
  ],
};
