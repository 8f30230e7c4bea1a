import { type Request, type Response, Router } from 'express';
import * as z from 'zod';
import { Problem } from '../../core/problem.ts';
import { formBody } from '../../web/body.ts';
import { readCookie } from '../../web/cookie.ts';
import { readWishes } from '../../web/wishes.ts';
import { addressOf, checkSignInForm, hrefOf, type IdentityParts } from './room.ts';

const minute = 60_000;
/** Milliseconds between leaving and coming back. */
const journey = 10 * minute;

const wayShape = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  center: z.string(),
  lang: z.string().optional(),
  at: z.number(),
});

/**
 * To the issuer and back. What must be remembered meanwhile lies sealed in a cookie of its own, Lax because the
 * issuer leads back from another site; it is good for one coming back within ten minutes.
 */
export function singleSignOnRoutes(parts: IdentityParts): Router {
  const { singleSignOn, sessions, spent, seal, clock, publicUrl, warn } = parts;
  const https = publicUrl.protocol === 'https:';
  const name = https ? '__Host-sayso-way' : 'sayso-way';
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: https } as const;
  const router = Router({ mergeParams: true });

  router.post('/:center/sign-in/start', formBody, async (request, response) => {
    const address = addressOf(parts, request);
    const settings = address.signIn.singleSignOn;
    if (settings === undefined) throw new Problem('not-found');
    checkSignInForm(parts, address, request.body?.token);
    const redirectUri = new URL(callbackPath(address.name), publicUrl).href;
    try {
      const { href, way } = await singleSignOn.start(settings, redirectUri);
      const lang = readWishes(request).visit;
      const sealed = seal.seal('way', { ...way, center: address.center, lang, at: clock.now() });
      response.cookie(name, sealed, { ...cookie, maxAge: journey });
      response.redirect(303, href);
    } catch (fault) {
      warn('an issuer cannot be reached', fault);
      failed(request, response);
    }
  });

  router.get('/:center/sign-in/callback', async (request, response) => {
    const address = addressOf(parts, request);
    const settings = address.signIn.singleSignOn;
    if (settings === undefined) throw new Problem('not-found');
    const opened = wayShape.safeParse(seal.open('way', readCookie(request, name) ?? ''));
    response.clearCookie(name, cookie);
    if (!opened.success) return failed(request, response);
    const { lang, at, center, ...way } = opened.data;
    const isDue = center === address.center && clock.now() - at <= journey;
    if (!isDue || !spent.spend('single sign-on', way.state, at + journey))
      return failed(request, response, lang);
    const url = new URL(request.originalUrl, publicUrl);
    const subject = await singleSignOn.finish(settings, url, way).catch((fault: unknown) => {
      warn('single sign-on failed', fault);
      return undefined;
    });
    if (subject === undefined) return failed(request, response, lang);
    await sessions.signIn(request, {
      center: address.name,
      subject,
      scope: 'manage',
      door: 'single-sign-on',
      since: clock.now(),
    });
    response.redirect(303, hrefOf(request, address, '', lang === undefined ? {} : { lang }));
  });

  function failed(request: Request, response: Response, lang?: string): void {
    const address = addressOf(parts, request);
    const href = hrefOf(request, address, '/sign-in', lang === undefined ? {} : { lang });
    response.redirect(303, `${href}${href.includes('?') ? '&' : '?'}failed`);
  }

  return router;
}

function callbackPath(center: string): string {
  return `/centers/${encodeURIComponent(center)}/sign-in/callback`;
}
