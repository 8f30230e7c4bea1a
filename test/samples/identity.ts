import { readSubjectId, type SubjectId } from '../../src/core/model/person/subject.ts';
import { catalogues } from '../../src/i18n/catalogue.ts';
import { plainBrand } from '../../src/pages/layout.ts';
import { buildSignInMail, buildStaffLinkMail } from '../../src/pages/mail.ts';
import type { PageContext } from '../../src/pages/person/layout.ts';
import type { OneButtonPage } from '../../src/pages/person/one-button.ts';
import {
  buildOpenLinkPage,
  buildSessionEndingPage,
  buildStepUpPage,
  buildSwitchPage,
  buildWaitingPage,
} from '../../src/pages/person/one-button.ts';
import { buildOneClickDonePage, buildOneClickPage } from '../../src/pages/person/one-click.ts';
import {
  buildExpiredPage,
  buildHostedLinkPage,
  buildProblemPage,
  buildSignedOutPage,
  type ProblemPage,
} from '../../src/pages/person/problem.ts';
import {
  buildPasscodePage,
  buildSignInPage,
  type PasscodePageInput,
  type SignInPageInput,
} from '../../src/pages/person/sign-in.ts';
import { buildMailboxPage, type MailboxPage } from '../../src/pages/start.ts';
import { aCenter, aPurpose } from '../core/center-builder.ts';
import { aResult, aSubmission, words } from '../core/page-builder.ts';
import {
  framedContext,
  sampleHome as home,
  openContext as pageContext,
  sampleToken,
  signedInContext,
} from './layouts.ts';

const center = aCenter([aPurpose('books', { name: words({ en: 'New books' }) })], {
  languages: Object.keys(catalogues),
  defaultLanguage: 'en',
});
const anna = readSubjectId('anna@example.org') as SubjectId;
const jonas = readSubjectId('jonas@example.org') as SubjectId;
/** A form whose address holds the token. */
const keyed = (path: string) => ({ action: `${home}/sign-in/${path}?k=${sampleToken}`, token: undefined });
const form = (action: string) => ({ action, token: sampleToken });

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

const signIns = [
  { href: `${home}/sign-in`, label: 'Harbour Books' },
  { href: '/centers/alster-bank/sign-in', label: 'Alster Bank' },
];

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

/** Builds the page that waits for a turn while the product is busy. */
const waiting = (language: string, context: PageContext, waitSeconds: number) =>
  buildWaitingPage({
    pageContext: context,
    center,
    language,
    waitSeconds,
    leave: form(`${home}/unsubscribe`),
  });

/** Input of the pages behind a one-click link, which need no session. */
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
    /** The page after too many wrong passcodes. */
    over: (language: string) => passcode(language, { kind: 'over' }),
  },
  'identity/hosted-link': {
    ordinary: (language: string) =>
      buildHostedLinkPage({ pageContext, language, token: sampleToken, links: signIns }),
    'without-centers': (language: string) =>
      buildHostedLinkPage({ pageContext, language, token: sampleToken, links: [] }),
  },
  'embed/expired': {
    ordinary: (language: string) =>
      buildExpiredPage({
        ...outside(language),
        pageContext: { ...framedContext, subject: undefined },
        isPost: false,
        href: `${home}/sign-in`,
      }),
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
    'one-click': (language: string) =>
      buildOneClickPage({ ...oneClick(language), form: form(`/u/${sampleToken}`) }),
    'one-click-done': (language: string) =>
      buildOneClickDonePage({
        ...oneClick(language),
        submission: aSubmission([aResult('books', 'off', 'saved')], { reference: 'qT7x-V0a-9LmR' }),
        undo: { ...keyed('fresh'), fields: [] },
      }),
    waiting: (language: string) => waiting(language, signedInContext, 23),
    'waiting-long-framed': (language: string) => waiting(language, framedContext, 2_400),
  },
  'centers/signed-out': {
    ordinary: (language: string) => buildSignedOutPage({ ...outside(language), again: undefined }),
  },
  'errors/problem': {
    ordinary: (language: string) => problem(language),
    framed: (language: string) =>
      problem(language, {
        pageContext: { ...pageContext, frame: 'embedded', hosts: ['https://shop.example'] },
        code: 'link-invalid',
      }),
  },
} as const;

const mailOf = (language: string, brand = 'Harbour Books') => ({
  language,
  brand: { ...pageContext.brand, name: brand },
  colours: undefined,
});
const signInMail = (language: string, brand?: string) =>
  buildSignInMail({
    ...mailOf(language, brand),
    href: `https://preferences.example.org${home}/sign-in/link?k=Zm9yIHRoZSBzYW1wbGVz`,
    code: '042317',
    minutes: 10,
  });

export const mails = {
  ordinary: (language: string) => signInMail(language).page,
  arabic: () => signInMail('ar', 'مكتبة الميناء').page,
  fromStaff: (language: string) =>
    buildStaffLinkMail({
      ...mailOf(language),
      href: `https://preferences.example.org${home}?t=Zm9y.IHRoZSBz.YW1wbGVz`,
      days: 7,
    }).page,
};

export const mailbox: MailboxPage = buildMailboxPage(
  [
    {
      id: 1,
      at: Date.UTC(2026, 4, 17, 10, 30),
      to: 'anna@example.org',
      from: 'Harbour Books',
      language: 'en',
      html: '',
      ...signInMail('en'),
    },
  ],
  plainBrand('Sayso'),
);
