import { readSubjectId, type SubjectId } from '../../src/core/model/person/subject.ts';
import type { HostedLinkPage } from '../../src/pages/every-page.ts';
import { buildSignInMail, buildStaffLinkMail } from '../../src/pages/mail/sign-in.ts';
import type { PageContext } from '../../src/pages/person/layout.ts';
import {
  buildOpenLinkPage,
  buildSessionEndingPage,
  buildStepUpPage,
  buildSwitchPage,
} from '../../src/pages/person/one-button.ts';
import {
  buildPasscodePage,
  buildSignInPage,
  type PasscodePageInput,
} from '../../src/pages/person/sign-in.ts';
import type { MailboxPage, MailPage, OneButtonPage } from '../../src/pages/person/sign-in-view.ts';
import { aCenter } from '../core/center-builder.ts';
import { pageContext as signedIn } from '../core/page-builder.ts';
import { englishLayout, openLayout, sampleToken } from './layouts.ts';

const home = '/centers/harbour-books';
const center = aCenter([], { languages: ['en', 'ar'], defaultLanguage: 'en' });
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
const english = { pageContext, center, language: 'en' };
const arabic = { ...english, language: 'ar' };
const inside = { ...english, pageContext: { ...pageContext, subject: anna } };

const byMail = { ...english, mail: form(`${home}/sign-in`), singleSignOn: undefined };
const singleSignOn = { form: form(`${home}/sign-in/start`), label: 'Harbour Books account' };

export const signIn = buildSignInPage({ ...byMail, singleSignOn });
export const signInMistaken = buildSignInPage({ ...byMail, typed: 'anna@' });
export const signInFailed = buildSignInPage({ ...byMail, mail: undefined, singleSignOn, hasFailed: true });

const sent: PasscodePageInput = {
  ...english,
  subject: anna,
  form: keyed('passcode'),
  held: undefined,
  resend: keyed('resend'),
  wait: 60,
  otherHref: `${home}/sign-in`,
  digits: 6,
};
const tried = { ...sent, held: sampleToken, wait: 0, tried: { kind: 'wrong', left: 3 } } as const;

export const passcode = buildPasscodePage(sent);
export const passcodeWrong = buildPasscodePage(tried);
/** After too many wrong ones. */
export const passcodeOver = buildPasscodePage({ ...tried, tried: { kind: 'over' } });
export const passcodeArabic = buildPasscodePage({ ...tried, ...arabic });

export const hostedLink: HostedLinkPage = {
  layout: { ...openLayout, brand: englishLayout.brand, title: 'Manage your preferences' },
  lines: ['We’ll email you a link and a code. You don’t need a password.'],
  form: form('/ui/'),
  links: [
    { href: `${home}/sign-in`, label: 'Harbour Books' },
    { href: '/centers/alster-bank/sign-in', label: 'Alster Bank' },
  ],
};
export const hostedNowhere: HostedLinkPage = { ...hostedLink, links: [] };

export const openLink = buildOpenLinkPage({ ...english, subject: anna, form: keyed('link') });

export const stepUp = buildStepUpPage({
  ...inside,
  subject: anna,
  form: keyed('fresh'),
  held: sampleToken,
  signInHref: undefined,
  backHref: home,
});

const switching = (setting: typeof inside): OneButtonPage =>
  buildSwitchPage({
    ...setting,
    by: 'link',
    subject: jonas,
    here: { subject: anna, scope: 'manage' },
    form: keyed('switch'),
    leaving: sampleToken,
    fields: [],
    backHref: home,
  });
export const switchPerson = switching(inside);
export const switchArabic = switching({ ...inside, language: 'ar' });

export const sessionEnding = buildSessionEndingPage({
  ...inside,
  continueHref: home,
  leave: form(`${home}/sign-out`),
  lookAgainAfter: 125,
});

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
