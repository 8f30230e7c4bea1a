import type { SubjectId } from '../../src/core/model/person/subject.ts';
import { readSubjectId } from '../../src/core/model/person/subject.ts';
import { plainBrand } from '../../src/pages/layout.ts';
import type { PageContext } from '../../src/pages/person/layout.ts';

export const sampleToken = 'k1.Zm9yIHRoZSBzYW1wbGVz.c2VhbGVkIGFuZCBzaWduZWQ';

export const sampleHome = '/centers/harbour-books';

/** Context of a page without a session. */
export const openContext: PageContext = {
  brand: plainBrand('Harbour Books'),
  pageHref: (page) => `${sampleHome}/${page}`,
  languageHref: (language) => `?lang=${language}`,
  frame: 'top',
};

/** Context of a page with a session. */
export const signedInContext: PageContext = {
  ...openContext,
  subject: readSubjectId('anna@example.org') as SubjectId,
  signOut: { action: `${sampleHome}/sign-out`, token: sampleToken },
  recordHref: `${sampleHome}/record`,
  everywhereHref: `${sampleHome}/devices`,
  session: {
    endsIn: 1800,
    warnBefore: 120,
    continueHref: `${sampleHome}/news`,
    endingHref: `${sampleHome}/session-ending`,
  },
};

/** Context of a frame in a customer's site: it has no cookie, so there is nothing to sign out of. */
export const framedContext: PageContext = {
  ...signedInContext,
  frame: 'embedded',
  hosts: ['https://shop.example', 'https://www.shop.example'],
  signOut: undefined,
  session: undefined,
};
