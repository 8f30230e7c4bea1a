import type { Request } from 'express';
import type { Center } from '../core/model/center/center.ts';
import type { CenterConfig } from '../core/model/center/center-config.ts';
import { builtIn } from '../i18n/catalogue.ts';
import { choosePageLanguage } from '../i18n/language.ts';
import type { PageContext } from '../pages/person/layout.ts';
import type { BrandOf } from './brand-view.ts';
import { readRequestPreferences } from './request-preferences.ts';

interface About extends Pick<PageContext, 'pageHref' | 'languageHref' | 'frame' | 'hosts' | 'look'> {
  readonly centerConfig: CenterConfig | undefined;
  /** The center; undefined if it cannot be read: the page then uses the built-in texts. */
  readonly center: Center | undefined;
}

/**
 * The context of a page for a visitor who is not signed in: it shows no personal data and follows the
 * browser's language.
 */
export function openPage(brandOf: BrandOf, request: Request, { centerConfig, center, ...around }: About) {
  const preferences = readRequestPreferences(request);
  return {
    language: choosePageLanguage({ preferences, center: center ?? builtIn }),
    pageContext: { brand: brandOf(centerConfig, center?.title), ...around },
  };
}
