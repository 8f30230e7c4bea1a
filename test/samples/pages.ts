import type { Pages } from '../../src/pages/every-page.ts';
import { plainBrand } from '../../src/pages/layout.ts';
import { buildPlainStartPage, buildStartPage, type ReadyMade } from '../../src/pages/start.ts';
import { builtInEnglish } from './built.ts';
import { mailbox } from './identity.ts';
import { sampleHome } from './layouts.ts';
import { receiverPages } from './receivers.ts';
import { staffContext, staffLayout, staffPages } from './staff.ts';
import { workPages } from './staff-work.ts';

/** Each page in several states; `ordinary` comes first in the gallery. */
export type Samples = {
  readonly [V in keyof Pages]: { readonly ordinary: Pages[V]; readonly [state: string]: Pages[V] };
};

const sayso = plainBrand('Sayso');
const people: readonly ReadyMade[] = [
  ['Harbour Books', 'ENHANCED', 'anna@example.org', 'en', 'has chosen a few things'],
  ['Harbour Books', 'ENHANCED', 'omar@example.org', 'ar', 'reads Arabic'],
  ['Northbank', 'MULTIPAGE', 'c-1029384', 'de', 'is new here'],
].map(([centerName = '', template = '', name = '', language = '', about = ''], at) => ({
  centerName,
  template,
  name,
  language,
  about,
  href: `${sampleHome}?t=${at}`,
  signInHref: centerName === 'Northbank' ? undefined : `${sampleHome}/sign-in`,
}));
const more = [{ href: '/health/ready', label: 'Readiness', text: 'what a load balancer asks' }];

export const samples: Samples = {
  ...builtInEnglish,
  'start/sandbox': { ordinary: buildStartPage(people, more, sayso) },
  'start/plain': { ordinary: buildPlainStartPage(sayso) },
  'start/mailbox': { ordinary: mailbox },
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
      reference: '9f2c41d07e',
      links: [{ href: '/staff', label: 'Back to the staff pages' }],
      opensOutside: false,
      contact: [],
    },
  },
};
