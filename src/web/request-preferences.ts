import type { Request } from 'express';

/** Of a browser. */
const mostLanguages = 30;

const tag = /^[a-z]{2,8}(?:[-_][a-z0-9]{1,8}){0,4}$/i;

/** A page asks once for each of its links, so the result is kept for the request. */
const known = new WeakMap<Request, ReturnType<typeof read>>();

/** What a browser asks for. The language on record comes from elsewhere. */
export function readRequestPreferences(request: Request) {
  return known.getOrInsertComputed(request, read);
}

/** Ignores a `?lang=` that is no language tag. */
function read(request: Request) {
  const chosen = request.query['lang'];
  return {
    subject: undefined,
    visit: typeof chosen === 'string' && tag.test(chosen) ? chosen : undefined,
    browser: request
      .acceptsLanguages()
      .filter((tag) => tag !== '*')
      .slice(0, mostLanguages),
    /** `Sec-GPC: 1`. */
    globalPrivacyControl: request.get('sec-gpc') === '1',
  };
}
