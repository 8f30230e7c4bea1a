import type { HostedLinkPage } from '../../src/pages/every-page.ts';
import { buildSignInMail, buildStaffLinkMail } from '../../src/pages/mail/sign-in.ts';
import type { PasscodePage, SignInPage } from '../../src/pages/person/sign-in.ts';
import type { MailboxPage, MailPage, OneButtonPage } from '../../src/pages/person/sign-in-view.ts';
import { arabicLayout, englishLayout, openLayout, sampleToken } from './layouts.ts';

const signInLayout = { ...openLayout, brand: englishLayout.brand };
const arabicDoor = {
  ...signInLayout,
  lang: 'ar',
  dir: 'rtl',
  brand: arabicLayout.brand,
  messages: arabicLayout.messages,
} as const;

export const signIn: SignInPage = {
  layout: { ...signInLayout, title: 'Manage your preferences' },
  notes: [],
  mistakes: undefined,
  pageTitle: 'Manage your preferences',
  mail: {
    intro: 'We’ll email you a link and a code. You don’t need a password.',
    form: { action: '/centers/harbour-books/sign-in', token: sampleToken },
    label: 'Email address',
    value: '',
    mistake: undefined,
  },
  singleSignOn: {
    action: '/centers/harbour-books/sign-in/start',
    label: 'Harbour Books account',
    token: sampleToken,
  },
  ways: 'Sign in with',
};

export const signInMistaken: SignInPage = {
  ...signIn,
  pageTitle: 'Error: Manage your preferences',
  mistakes: {
    title: 'There is a problem',
    items: [{ href: '#email', text: 'Please enter a valid email address.' }],
  },
  mail: signIn.mail && { ...signIn.mail, value: 'anna@', mistake: 'Please enter a valid email address.' },
  singleSignOn: undefined,
  ways: undefined,
};

export const signInFailed: SignInPage = {
  ...signIn,
  notes: [
    {
      tone: 'problem',
      title: 'Signing in didn’t work. Please try again.',
      lines: [],
      receipt: undefined,
    },
  ],
  mail: undefined,
  ways: undefined,
};

export const passcode: PasscodePage = {
  layout: { ...signInLayout, title: 'Check your email' },
  sentTo: { label: 'Email address', address: 'a•••@example.org' },
  mistakes: undefined,
  pageTitle: 'Check your email',
  form: {
    action: `/centers/harbour-books/sign-in/passcode?k=${sampleToken}`,
    token: undefined,
  },
  held: undefined,
  code: {
    label: 'Code',
    hint: 'The 6 digits in the email',
    digits: 6,
    mistake: undefined,
    attempts: undefined,
  },
  resend: {
    action: `/centers/harbour-books/sign-in/resend?k=${sampleToken}`,
    label: 'Send again',
    token: undefined,
  },
  wait: {
    text: 'You can ask for a new email in 60 seconds.',
    countdown: 'You can ask for a new email in {time}.',
    seconds: 60,
  },
  otherHref: '/centers/harbour-books/sign-in',
};

export const passcodeWrong: PasscodePage = {
  ...passcode,
  pageTitle: 'Error: Check your email',
  mistakes: {
    title: 'There is a problem',
    items: [{ href: '#code', text: 'This code isn’t right.' }],
  },
  code: { ...passcode.code, mistake: 'This code isn’t right.', attempts: '3 tries remaining' },
  held: sampleToken,
  wait: undefined,
};

/** After too many wrong ones. */
export const passcodeOver: PasscodePage = {
  ...passcodeWrong,
  mistakes: {
    title: 'There is a problem',
    items: [{ href: '#resend', text: 'This code is no longer valid. Please ask for a new one.' }],
  },
  form: undefined,
};

export const passcodeArabic: PasscodePage = {
  ...passcodeWrong,
  layout: { ...arabicDoor, title: 'تحقق من بريدك' },
  pageTitle: 'خطأ: تحقق من بريدك',
  code: {
    ...passcodeWrong.code,
    label: 'رمز الدخول',
    mistake: 'هذا الرمز غير صحيح.',
    attempts: 'بقيت ٣ محاولات',
  },
};

export const hostedLink: HostedLinkPage = {
  layout: { ...signInLayout, title: 'Manage your preferences' },
  lines: ['We’ll email you a link and a code. You don’t need a password.'],
  form: { action: '/ui/', token: sampleToken },
  links: [
    { href: '/centers/harbour-books/sign-in', label: 'Harbour Books' },
    { href: '/centers/alster-bank/sign-in', label: 'Alster Bank' },
  ],
};

export const openLink: OneButtonPage = {
  layout: { ...signInLayout, title: 'Manage your preferences' },
  lines: [],
  about: 'a•••@example.org',
  isDone: false,
  numbers: undefined,
  form: {
    action: `/centers/harbour-books/sign-in/link?k=${sampleToken}`,
    token: undefined,
    fields: [],
    button: 'Open my preferences',
  },
  links: [],
  others: [],
  opensOutside: false,
  refresh: undefined,
};

export const stepUp: OneButtonPage = {
  ...openLink,
  layout: { ...englishLayout, place: undefined, title: 'Please confirm that it’s you' },
  lines: ['This link only lets you turn things off. To do more, we’ll send you a new email.'],
  form: {
    action: `/centers/harbour-books/sign-in/fresh?k=${sampleToken}`,
    token: undefined,
    fields: [{ name: 'held', value: sampleToken }],
    button: 'Email me a new link',
  },
  links: [{ href: '/centers/harbour-books', label: 'Back to your preferences' }],
  opensOutside: true,
};

export const switchPerson: OneButtonPage = {
  ...openLink,
  layout: { ...signInLayout, title: 'This link is for someone else', who: 'anna@example.org' },
  lines: ['You’re signed in as anna@example.org.'],
  about: undefined,
  isDone: false,
  numbers: undefined,
  form: {
    action: `/centers/harbour-books/sign-in/switch?k=${sampleToken}`,
    token: undefined,
    fields: [{ name: 'leaving', value: sampleToken }],
    button: 'Switch to j•••@example.org',
  },
  links: [{ href: '/centers/harbour-books', label: 'Stay as anna@example.org' }],
};

export const switchArabic: OneButtonPage = {
  ...switchPerson,
  layout: { ...arabicDoor, title: 'هذا الرابط لشخص آخر', who: 'anna@example.org' },
  lines: ['أنت مسجّل الدخول بهوية \u2068anna@example.org\u2069.'],
  form: switchPerson.form && {
    ...switchPerson.form,
    button: 'التبديل إلى \u2068j•••@example.org\u2069',
  },
  links: [{ href: '/centers/harbour-books', label: 'البقاء بهوية \u2068anna@example.org\u2069' }],
};

export const sessionEnding: OneButtonPage = {
  ...openLink,
  layout: { ...signInLayout, title: 'Are you still there?', who: englishLayout.who },
  lines: ['For your safety you’ll be signed out soon. You’ll lose changes you haven’t saved.'],
  about: undefined,
  isDone: false,
  numbers: undefined,
  form: undefined,
  links: [{ href: '/centers/harbour-books', label: 'Continue' }],
  others: [{ action: '/centers/harbour-books/sign-out', label: 'Sign out', token: sampleToken }],
  refresh: 125,
};

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
