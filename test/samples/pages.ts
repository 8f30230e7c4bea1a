import type { Pages, PlainPage, StartPage } from '../../src/pages/every-page.ts';
import { inEnglish } from './built.ts';
import { hostedLink, hostedNowhere, mailbox, mails } from './identity.ts';
import { englishLayout, openLayout } from './layouts.ts';
import { expired } from './person.ts';
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

/** A page in each state worth looking at; `ordinary` comes first in the gallery. */
export type Samples = {
  readonly [V in keyof Pages]: { readonly ordinary: Pages[V]; readonly [state: string]: Pages[V] };
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
    ...inEnglish('centers/preferences'),
  },
  'centers/result': inEnglish('centers/result'),
  'centers/unsubscribe': inEnglish('centers/unsubscribe'),
  'centers/signed-out': inEnglish('centers/signed-out'),
  'start/sandbox': { ordinary: start },
  'start/plain': { ordinary: plain },
  'start/mailbox': { ordinary: mailbox },
  'identity/sign-in': inEnglish('identity/sign-in'),
  'identity/passcode': inEnglish('identity/passcode'),
  'identity/hosted-link': { ordinary: hostedLink, 'without-centers': hostedNowhere },
  'identity/one-button': inEnglish('identity/one-button'),
  'mail/message': { ...mails, ...inEnglish('mail/message') },
  'embed/expired': { ordinary: expired },
  'record/verify': verifyPages,
  'record/record': inEnglish('record/record'),
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
  'preview/center': { ordinary: preview, ...inEnglish('preview/center') },
  'errors/problem': inEnglish('errors/problem'),
};
