import type { Request } from 'express';
import { type LanguagePreferences, readAcceptLanguage } from '../i18n/language.ts';

/** What a browser asks for, as plain data; the language on record is not its to say. */
export interface RequestPreferences extends Omit<LanguagePreferences, 'subject'> {
  /** `Sec-GPC: 1`. */
  readonly globalPrivacyControl: boolean;
}

const tag = /^[a-z]{2,8}(?:[-_][a-z0-9]{1,8}){0,4}$/i;

/** A `?lang=` that is no language tag asks for nothing. */
export function readRequestPreferences(request: Request): RequestPreferences {
  const chosen = request.query['lang'];
  return {
    visit: typeof chosen === 'string' && tag.test(chosen) ? chosen : undefined,
    browser: readAcceptLanguage(request.get('accept-language')),
    globalPrivacyControl: request.get('sec-gpc') === '1',
  };
}
