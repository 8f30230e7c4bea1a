import type { Pages, PlainPage, ProblemPage, StartPage } from '../../src/pages/every-page.ts';
import { builtPages, builtSamples } from './built.ts';
import {
  hostedLink,
  hostedNowhere,
  mailbox,
  mails,
  openLink,
  passcode,
  passcodeArabic,
  passcodeOver,
  passcodeWrong,
  sessionEnding,
  signIn,
  signInFailed,
  signInMistaken,
  stepUp,
  switchArabic,
  switchPerson,
} from './identity.ts';
import { arabicLayout, englishLayout, openLayout, shown } from './layouts.ts';
import { expired, oneClick, oneClickDone } from './person.ts';
import {
  arabic,
  bare,
  cards,
  embedded,
  everything,
  many,
  mistaken,
  noted,
  nothing,
  objecting,
  plainList,
  restricted,
  unsubscribing,
  unsubscribingWithReasons,
} from './preferences.ts';
import { receiverPages } from './receivers.ts';
import {
  preview,
  staffChoices,
  staffContext,
  staffForm,
  staffHome,
  staffLayout,
  staffList,
  staffQuietHome,
  staffSignIn,
  staffWork,
} from './staff.ts';
import { workPages } from './staff-work.ts';
import { verifyPages } from './verify.ts';
import { waitingPages } from './waiting.ts';

/** A page in each state worth looking at; `ordinary` comes first in the gallery. */
export type Samples = {
  readonly [V in keyof Pages]: { readonly ordinary: Pages[V]; readonly [state: string]: Pages[V] };
};

const signedOut: PlainPage = {
  layout: { ...openLayout, title: 'You’re signed out', brand: englishLayout.brand },
  lines: ['You can close this window now.'],
  links: [],
};

const problem: ProblemPage = {
  view: 'errors/problem',
  layout: { ...openLayout, title: 'This link has expired', brand: englishLayout.brand },
  lines: ['Links work for a limited time only.'],
  reference: { label: 'Reference', value: '9f2c41d07e' },
  links: [{ href: '/centers/harbour-books', label: 'Email me a new link' }],
  opensOutside: false,
  contact: {
    label: 'Need help?',
    links: [
      { label: shown('Write to us'), href: 'mailto:help@harbour.example' },
      { label: shown('+44 20 7946 0000'), href: 'tel:+442079460000' },
    ],
  },
};

const start: StartPage = {
  layout: { ...openLayout, title: 'Sayso is running' },
  lines: ['No tenant is configured, so it talks to its built-in sandbox. Open a ready-made person:'],
  centers: [
    {
      name: 'Harbour Books',
      template: 'Enhanced template',
      people: [
        {
          name: 'anna@example.org',
          about: 'has chosen a few things',
          language: { text: 'English', lang: 'en', dir: 'ltr' },
          href: '/centers/harbour-books?t=1',
        },
        {
          name: 'omar@example.org',
          about: 'reads Arabic',
          language: { text: 'العربية', lang: 'ar', dir: 'rtl' },
          href: '/centers/harbour-books?t=2',
        },
      ],
      signIn: {
        href: '/centers/harbour-books/sign-in',
        label: 'Sign in',
        text: 'As one of them does it; messages land in the mailbox below.',
      },
    },
    {
      name: 'Northbank',
      template: 'Multi Page template',
      people: [
        {
          name: 'c-1029384',
          about: 'is new here',
          language: { text: 'Deutsch', lang: 'de', dir: 'ltr' },
          href: '/centers/northbank?t=3',
        },
      ],
      signIn: undefined,
    },
  ],
  more: {
    title: 'What else is here',
    links: [{ href: '/health/ready', label: 'Readiness', text: 'what a load balancer asks' }],
  },
};

const plain: PlainPage = {
  layout: { ...openLayout, title: 'Preference centers live here' },
  lines: ['To see yours, use the link in a message that was sent to you.'],
  links: [],
};

export const samples: Samples = {
  'centers/preferences': {
    ordinary: cards,
    nothing,
    everything,
    many,
    plain: plainList,
    mistaken,
    noted,
    arabic,
    embedded,
    bare,
    objecting,
    restricted,
    dark: { ...cards, layout: { ...englishLayout, brand: { ...englishLayout.brand, scheme: 'dark' } } },
    ...builtSamples(builtPages['centers/preferences']),
  },
  'centers/result': {
    ordinary: builtPages['centers/result'].ordinary('en'),
    ...builtSamples(builtPages['centers/result']),
  },
  'centers/unsubscribe': { ordinary: unsubscribing, reasons: unsubscribingWithReasons },
  'centers/signed-out': { ordinary: signedOut },
  'start/sandbox': { ordinary: start },
  'start/plain': { ordinary: plain },
  'start/mailbox': { ordinary: mailbox },
  'identity/sign-in': { ordinary: signIn, mistaken: signInMistaken, failed: signInFailed },
  'identity/passcode': {
    ordinary: passcode,
    wrong: passcodeWrong,
    over: passcodeOver,
    arabic: passcodeArabic,
  },
  'identity/hosted-link': { ordinary: hostedLink, 'without-centers': hostedNowhere },
  'identity/one-button': {
    ordinary: openLink,
    'step-up': stepUp,
    'session-ending': sessionEnding,
    switch: switchPerson,
    'switch-arabic': switchArabic,
    'one-click': oneClick,
    'one-click-done': oneClickDone,
    ...waitingPages,
  },
  'mail/message': { ...mails, ...builtSamples(builtPages['mail/message']) },
  'embed/expired': { ordinary: expired },
  'record/verify': verifyPages,
  'record/record': {
    ordinary: builtPages['record/record'].ordinary('en'),
    ...builtSamples(builtPages['record/record']),
  },
  'staff/page': {
    ordinary: staffList,
    form: staffForm,
    home: staffHome,
    'quiet-home': staffQuietHome,
    work: staffWork,
    choices: staffChoices,
    'sign-in': staffSignIn,
    ...receiverPages(staffContext),
    ...workPages(staffContext),
  },
  'staff/problem': {
    ordinary: {
      view: 'staff/problem',
      layout: staffLayout,
      lines: ['It has had too many calls.', 'Try again in 30 seconds.'],
      reference: { label: 'Reference', value: '9f2c41d07e' },
      links: [{ href: '/staff', label: 'Back to the staff pages' }],
      opensOutside: false,
      contact: undefined,
    },
  },
  'preview/center': { ordinary: preview, ...builtSamples(builtPages['preview/center']) },
  'errors/problem': {
    ordinary: problem,
    arabic: {
      view: 'errors/problem',
      layout: { ...arabicLayout, title: 'انتهت صلاحية هذا الرابط' },
      lines: ['تعمل الروابط لوقت محدود.'],
      reference: { label: 'المرجع', value: '9f2c41d07e' },
      links: [{ href: '/centers/harbour-books', label: 'أرسلوا لي رابطًا جديدًا' }],
      opensOutside: false,
      contact: {
        label: 'هل تحتاج إلى مساعدة؟',
        links: [
          { label: { text: 'Write to us.', lang: 'en', dir: 'ltr' }, href: 'mailto:help@harbour.example' },
        ],
      },
    },
    framed: {
      ...problem,
      layout: { ...expired.layout, title: 'This link doesn’t work' },
      lines: [
        'This view couldn’t be opened. Please reload the page.',
        'For your safety, signing in opens in a new window.',
      ],
      links: [{ href: '/centers/harbour-books/sign-in', label: 'Open in a new window' }],
      opensOutside: true,
      contact: undefined,
    },
  },
};
