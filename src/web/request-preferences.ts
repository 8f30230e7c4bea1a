import type { Request } from 'express';
import { type LanguagePreferences, readAcceptLanguage } from '../i18n/language.ts';

/** What a browser asks for, as plain data; the language on record is not its to say. */
export interface RequestPreferences extends Omit<LanguagePreferences, 'subject'> {
  /** `Sec-GPC: 1`. */
  readonly globalPrivacyControl: boolean;
}

const tag = /^[a-z]{2,8}(?:[-_][a-z0-9]{1,8}){0,4}$/i;

/** A page asks for each of its addresses: the headers of a request are read once. */
const known = new WeakMap<Request, RequestPreferences>();

export function readRequestPreferences(request: Request): RequestPreferences {
  const before = known.get(request);
  if (before !== undefined) return before;
  const preferences = read(request);
  known.set(request, preferences);
  return preferences;
}

/** A `?lang=` that is no language tag asks for nothing. */
function read(request: Request): RequestPreferences {
  const chosen = request.query['lang'];
  return {
    visit: typeof chosen === 'string' && tag.test(chosen) ? chosen : undefined,
    browser: readAcceptLanguage(request.get('accept-language')),
    globalPrivacyControl: request.get('sec-gpc') === '1',
  };
}
