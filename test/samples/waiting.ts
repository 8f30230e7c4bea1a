import { catalogues } from '../../src/i18n/catalogue.ts';
import { buildWaitingPage } from '../../src/pages/person/one-button.ts';
import { aCenter } from '../core/center-builder.ts';
import { framedContext, sampleHome, sampleToken, signedInContext } from './layouts.ts';

const center = aCenter([], { languages: Object.keys(catalogues), defaultLanguage: 'en' });

/** Many people are here at once: what is shown until the record can be read. */
function waitingPage(language: string, frame: 'top' | 'embedded', waitSeconds: number) {
  return buildWaitingPage({
    pageContext: frame === 'top' ? signedInContext : framedContext,
    center,
    language,
    waitSeconds,
    leave: { action: `${sampleHome}/unsubscribe`, token: sampleToken },
  });
}

export const waitingPages = {
  waiting: (language: string) => waitingPage(language, 'top', 23),
  'waiting-long-framed': (language: string) => waitingPage(language, 'embedded', 2_400),
};
