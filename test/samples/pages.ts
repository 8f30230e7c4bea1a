import type { Pages } from '../../src/pages/every-page.ts';
import { plainBrand } from '../../src/pages/layout.ts';
import { buildPlainStartPage, buildStartPage, type ReadyMade } from '../../src/pages/start.ts';
import { inEnglish } from './built.ts';
import { mailbox } from './identity.ts';
import { sampleHome } from './layouts.ts';
import { receiverPages } from './receivers.ts';
import { staffContext, staffLayout, staffPages } from './staff.ts';
import { workPages } from './staff-work.ts';

/** A page in each state worth looking at; `ordinary` comes first in the gallery. */
export type Samples = {
  readonly [V in keyof Pages]: { readonly ordinary: Pages[V]; readonly [state: string]: Pages[V] };
};

const sayso = plainBrand('Sayso');
const people: readonly ReadyMade[] = [
  ['Harbour Books', 'ENHANCED', 'anna@example.org', 'en', 'has chosen a few things'],
  ['Harbour Books', 'ENHANCED', 'omar@example.org', 'ar', 'reads Arabic'],
  ['Northbank', 'MULTIPAGE', 'c-1029384', 'de', 'is new here'],
].map(([centerName = '', template = '', name = '', language = '', about = ''], at) => ({
  ...{ centerName, template, name, language, about },
  href: `${sampleHome}?t=${at}`,
  signInHref: centerName === 'Northbank' ? undefined : `${sampleHome}/sign-in`,
}));
const more = [{ href: '/health/ready', label: 'Readiness', text: 'what a load balancer asks' }];

export const samples: Samples = {
  'centers/preferences': inEnglish('centers/preferences'),
  'centers/result': inEnglish('centers/result'),
  'centers/unsubscribe': inEnglish('centers/unsubscribe'),
  'centers/signed-out': inEnglish('centers/signed-out'),
  'start/sandbox': { ordinary: buildStartPage(people, more, sayso) },
  'start/plain': { ordinary: buildPlainStartPage(sayso) },
  'start/mailbox': { ordinary: mailbox },
  'identity/sign-in': inEnglish('identity/sign-in'),
  'identity/passcode': inEnglish('identity/passcode'),
  'identity/hosted-link': inEnglish('identity/hosted-link'),
  'identity/one-button': inEnglish('identity/one-button'),
  'mail/message': inEnglish('mail/message'),
  'embed/expired': inEnglish('embed/expired'),
  'record/verify': inEnglish('record/verify'),
  'record/record': inEnglish('record/record'),
  'staff/page': {
    ...staffPages,
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
  'preview/center': inEnglish('preview/center'),
  'errors/problem': inEnglish('errors/problem'),
};
