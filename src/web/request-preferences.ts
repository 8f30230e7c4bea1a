import type { Request } from 'express';

/** The most languages that are read of a browser. */
const mostLanguages = 30;

const tag = /^[a-z]{2,8}(?:[-_][a-z0-9]{1,8}){0,4}$/i;

/** Preferences by request. They are kept, because a page reads them once for each of its links. */
const known = new WeakMap<Request, ReturnType<typeof read>>();

/** The preferences that a browser sends. The language on record comes from elsewhere. */
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
    /** True if the browser sends `Sec-GPC: 1`. */
    globalPrivacyControl: request.get('sec-gpc') === '1',
  };
}
