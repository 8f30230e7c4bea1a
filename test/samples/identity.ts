import { buildSignInMail, buildStaffLinkMail } from '../../src/pages/mail/sign-in.ts';
import type {
  MailboxPage,
  MailPage,
  OneButtonPage,
  PasscodePage,
  SignInPage,
} from '../../src/pages/person/sign-in-view.ts';
import { arabicLayout, englishLayout, openLayout, sampleToken } from './layouts.ts';

const signInLayout = { ...openLayout, brand: englishLayout.brand };
const arabicDoor = { ...signInLayout, lang: 'ar', dir: 'rtl', brand: arabicLayout.brand } as const;

export const signIn: SignInPage = {
  layout: { ...signInLayout, title: 'Manage your preferences' },
  notes: [],
  mistakes: undefined,
  pageTitle: 'Manage your preferences',
  mail: {
    intro: 'We will send you a link and a passcode. No password needed.',
    form: { action: '/centers/harbour-books/sign-in', token: sampleToken },
    id: 'email',
    label: 'E-mail address',
    value: '',
    mistake: undefined,
    send: 'Send',
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
    title: 'Please check one entry',
    items: [{ href: '#email', text: 'Please enter a valid e-mail address.' }],
  },
  mail: signIn.mail && { ...signIn.mail, value: 'anna@', mistake: 'Please enter a valid e-mail address.' },
  singleSignOn: undefined,
  ways: undefined,
};

export const signInFailed: SignInPage = {
  ...signIn,
  notes: [
    {
      tone: 'problem',
      title: 'Signing in did not work. Please try again.',
      lines: [],
      receipt: undefined,
    },
  ],
  mail: undefined,
  ways: undefined,
};

export const passcode: PasscodePage = {
  layout: { ...signInLayout, title: 'Check your e-mail' },
  lines: ['If we know this address, a message is on its way. It is valid for 10 minutes.'],
  sentTo: { label: 'E-mail address', address: 'a•••@example.org' },
  mistakes: undefined,
  pageTitle: 'Check your e-mail',
  form: {
    action: `/centers/harbour-books/sign-in/passcode?k=${sampleToken}`,
    token: undefined,
    submit: 'Continue',
  },
  held: undefined,
  code: {
    id: 'code',
    label: 'Passcode',
    hint: 'The 6 digits from the message',
    mistake: undefined,
    attempts: undefined,
  },
  resend: {
    action: `/centers/harbour-books/sign-in/resend?k=${sampleToken}`,
    label: 'Send again',
    token: undefined,
  },
  wait: {
    text: 'You can request a new message in 60 seconds.',
    countdown: 'You can request a new message in {time}.',
    seconds: 60,
  },
  other: { href: '/centers/harbour-books/sign-in', label: 'Use another address' },
};

export const passcodeWrong: PasscodePage = {
  ...passcode,
  pageTitle: 'Error: Check your e-mail',
  mistakes: {
    title: 'Please check one entry',
    items: [{ href: '#code', text: 'This passcode is not right.' }],
  },
  code: { ...passcode.code, mistake: 'This passcode is not right.', attempts: '3 attempts left' },
  held: sampleToken,
  wait: undefined,
};

/** After too many wrong ones. */
export const passcodeOver: PasscodePage = {
  ...passcodeWrong,
  mistakes: {
    title: 'Please check one entry',
    items: [{ href: '#resend', text: 'This passcode is no longer valid. Please request a new one.' }],
  },
  form: undefined,
};

export const passcodeArabic: PasscodePage = {
  ...passcodeWrong,
  layout: { ...arabicDoor, title: 'تحقق من بريدك' },
  pageTitle: 'خطأ: تحقق من بريدك',
  lines: ['إذا كنا نعرف هذا العنوان فإن رسالة في طريقها إليك.'],
  code: {
    ...passcodeWrong.code,
    label: 'رمز الدخول',
    mistake: 'هذا الرمز غير صحيح.',
    attempts: 'بقيت ٣ محاولات',
  },
};

export const openLink: OneButtonPage = {
  layout: { ...signInLayout, title: 'Manage your preferences' },
  lines: [],
  about: 'a•••@example.org',
  isDone: false,
  details: undefined,
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
  layout: { ...englishLayout, place: undefined, title: 'Please confirm that it is you' },
  lines: ['This link only lets you switch things off. To do more, we will send you a new message.'],
  form: {
    action: `/centers/harbour-books/sign-in/fresh?k=${sampleToken}`,
    token: undefined,
    fields: [{ name: 'held', value: sampleToken }],
    button: 'Send me a fresh link',
  },
  links: [{ href: '/centers/harbour-books', label: 'Back to your preferences' }],
  opensOutside: true,
};

export const switchPerson: OneButtonPage = {
  ...openLink,
  layout: { ...signInLayout, title: 'You are here as somebody else', who: englishLayout.who },
  lines: ['You are here as a•••@example.org. This link is for j•••@example.org.'],
  about: undefined,
  isDone: false,
  details: undefined,
  form: {
    action: `/centers/harbour-books/sign-in/switch?k=${sampleToken}`,
    token: undefined,
    fields: [{ name: 'leaving', value: sampleToken }],
    button: 'Continue as j•••@example.org',
  },
  links: [{ href: '/centers/harbour-books', label: 'Back to your preferences' }],
};

export const switchArabic: OneButtonPage = {
  ...switchPerson,
  layout: { ...arabicDoor, title: 'أنت هنا بهوية شخص آخر', who: englishLayout.who },
  lines: ['أنت هنا بهوية \u2068a•••@example.org\u2069. هذا الرابط مخصص لـ \u2068j•••@example.org\u2069.'],
  form: switchPerson.form && {
    ...switchPerson.form,
    button: 'المتابعة بهوية \u2068j•••@example.org\u2069',
  },
};

export const sessionEnding: OneButtonPage = {
  ...openLink,
  layout: { ...signInLayout, title: 'Are you still there?', who: englishLayout.who },
  lines: ['For your safety you will be signed out soon.'],
  about: undefined,
  isDone: false,
  details: undefined,
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
