import type { Request } from 'express';
import type { LanguagePreferences } from '../i18n/language.ts';

/** What a browser asks for. The language on record comes from elsewhere. */
interface RequestPreferences extends LanguagePreferences {
  readonly subject: undefined;
  /** `Sec-GPC: 1`. */
  readonly globalPrivacyControl: boolean;
}

/** Of a browser. */
const mostLanguages = 30;

const tag = /^[a-z]{2,8}(?:[-_][a-z0-9]{1,8}){0,4}$/i;

/** A page asks once for each of its links, so the result is kept for the request. */
const known = new WeakMap<Request, RequestPreferences>();

export function readRequestPreferences(request: Request): RequestPreferences {
  return known.getOrInsertComputed(request, read);
}

/** Ignores a `?lang=` that is no language tag. */
function read(request: Request): RequestPreferences {
  const chosen = request.query['lang'];
  return {
    subject: undefined,
    visit: typeof chosen === 'string' && tag.test(chosen) ? chosen : undefined,
    browser: request
      .acceptsLanguages()
      .filter((tag) => tag !== '*')
      .slice(0, mostLanguages),
    globalPrivacyControl: request.get('sec-gpc') === '1',
  };
}
