import { readSubjectId } from '../../src/core/model/person/subject.ts';
import { catalogues } from '../../src/i18n/catalogue.ts';
import { buildWaitingPage } from '../../src/pages/person/one-button.ts';
import { aCenter } from '../core/center-builder.ts';
import { englishLayout, sampleToken } from './layouts.ts';

const center = aCenter([], { languages: Object.keys(catalogues), defaultLanguage: 'en' });

/** Many people are here at once: what is shown until the record can be read. */
function waitingPage(language: string, frame: 'top' | 'embedded', waitSeconds: number) {
  return buildWaitingPage({
    pageContext: {
      brand: englishLayout.brand,
      subject: readSubjectId('anna@example.org'),
      pageHref: () => '/centers/harbour-books/news',
      languageHref: (tag) => `?lang=${tag}`,
      recordHref: '/centers/harbour-books/record',
      frame,
      ...(frame === 'top'
        ? { signOut: { action: '/centers/harbour-books/sign-out', token: sampleToken }, session: undefined }
        : { signOut: undefined, session: undefined, hosts: ['https://shop.example'] }),
    },
    center,
    language,
    waitSeconds,
    leave: { action: '/centers/harbour-books/unsubscribe', token: sampleToken },
  });
}

export const waitingPages = {
  waiting: (language: string) => waitingPage(language, 'top', 23),
  'waiting-long-framed': (language: string) => waitingPage(language, 'embedded', 2_400),
  'waiting-arabic': () => waitingPage('ar', 'top', 420),
  'waiting-arabic-framed': () => waitingPage('ar', 'embedded', 3),
};
