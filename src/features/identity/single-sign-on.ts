import { type Request, type Response, Router } from 'express';
import type { SingleSignOn } from '../../core/model/center/center-config.ts';
import type { Claims } from '../../core/model/person/open-id.ts';
import { readSubjectId, type SubjectId } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import { formBody } from '../../web/body.ts';
import { centerHref } from '../../web/href.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import { addressOf, checkSignInForm, hrefOf, type IdentityParts } from './context.ts';

/** The way to a center's identity provider and back. */
export function singleSignOnRoutes(parts: IdentityParts): Router {
  const { singleSignOn, sessions, identifiers, notes, clock, publicUrl, warn } = parts;
  const router = Router({ mergeParams: true });

  function tripOf(request: Request) {
    const centerConfig = addressOf(parts, request);
    const client = centerConfig.signIn.singleSignOn;
    if (client === undefined) throw new Problem('not-found');
    return {
      centerConfig,
      client,
      audience: centerConfig.center,
      redirectUri: new URL(centerHref(centerConfig, '/sign-in/callback'), publicUrl).href,
    };
  }

  const button = formBody({ right: 'anyone', size: 'button' });

  router.post('/:center/sign-in/start', button, async (request, response) => {
    const { centerConfig, ...trip } = tripOf(request);
    checkSignInForm(parts, centerConfig, request.body?.token);
    try {
      await singleSignOn.leave(response, { ...trip, lang: readRequestPreferences(request).visit });
    } catch (fault) {
      warn('an issuer cannot be reached', fault);
      failed(request, response);
    }
  });

  router.get('/:center/sign-in/callback', async (request, response) => {
    const { centerConfig, ...trip } = tripOf(request);
    const since = clock.now();
    const isEnough = (claims: Claims) => nameSomebody(claims, trip.client);
    const { claims, lang } = await singleSignOn.comeBack(request, response, { ...trip, isEnough });
    const subject = claims === undefined ? undefined : identifierIn(claims, trip.client);
    if (subject === undefined) {
      if (claims !== undefined) warn('single sign-on named no person', new Problem('not-signed-in'));
      notes.refused(request, { center: centerConfig.name, channel: 'single-sign-on', why: 'nobody-named' });
      return failed(request, response, lang);
    }
    await sessions.signIn(request, {
      center: centerConfig.name,
      subject: identifiers.admit(subject),
      scope: 'manage',
      channel: 'single-sign-on',
      since,
    });
    response.redirect(303, hrefOf(request, centerConfig, '', { lang }));
  });

  function failed(request: Request, response: Response, lang?: string): void {
    const centerConfig = addressOf(parts, request);
    response.redirect(303, hrefOf(request, centerConfig, '/sign-in', { lang, failed: '' }));
  }

  return router;
}

type Rule = Pick<SingleSignOn, 'claim' | 'missingEmailVerified'>;

/** Whether the ID token names the person, so that the provider is not asked for more. */
function nameSomebody(claims: Claims, { claim }: Rule): boolean {
  return claims[claim] !== undefined && (claim !== 'email' || claims['email_verified'] !== undefined);
}

/**
 * The identifier in the claims; undefined if none may be used. An unverified address proves nothing. Some
 * providers write `email_verified` as text.
 */
function identifierIn(claims: Claims, { claim, missingEmailVerified }: Rule): SubjectId | undefined {
  const { email_verified: isVerified = missingEmailVerified === 'trusted' } = claims;
  if (claim === 'email' && isVerified !== true && isVerified !== 'true') return undefined;
  return readSubjectId(claims[claim]);
}
