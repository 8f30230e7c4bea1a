import type { SingleSignOn } from '../../core/model/center/center-config.ts';
import type { Claims } from '../../core/model/person/open-id.ts';
import { readSubjectId, type SubjectId } from '../../core/model/person/subject.ts';
import { Problem } from '../../core/model/problem.ts';
import { centerHref } from '../../web/href.ts';
import { readRequestPreferences } from '../../web/request-preferences.ts';
import { type Call, type IdentityRouter, noteRefusal, signIn } from './context.ts';

/** The way to a center's identity provider and back. */
export function singleSignOnRoutes({ parts, get, postSignInForm }: IdentityRouter): void {
  const { singleSignOn, identifiers, clock, publicUrl, warn } = parts;

  function tripOf({ centerConfig }: Call) {
    const client = centerConfig.signIn.singleSignOn;
    if (client === undefined) throw new Problem('not-found');
    const redirectUri = new URL(centerHref(centerConfig, '/sign-in/callback'), publicUrl).href;
    return { client, redirectUri, audience: centerConfig.center };
  }

  postSignInForm('/sign-in/start', async (call) => {
    const trip = tripOf(call);
    try {
      await singleSignOn.leave(call.response, { ...trip, lang: readRequestPreferences(call.request).visit });
    } catch (fault) {
      warn('an issuer cannot be reached', fault);
      call.goTo('/sign-in', { failed: '' });
    }
  });

  get('/sign-in/callback', async (call) => {
    const trip = tripOf(call);
    const since = clock.now();
    const isEnough = (claims: Claims) => namePerson(claims, trip.client);
    const { claims, lang } = await singleSignOn.comeBack(call.request, call.response, { ...trip, isEnough });
    const subject = claims === undefined ? undefined : identifierIn(claims, trip.client);
    if (subject === undefined) {
      if (claims !== undefined) warn('single sign-on named no person', new Problem('not-signed-in'));
      noteRefusal(call, 'single-sign-on', 'nobody-named');
      return call.goTo('/sign-in', { lang, failed: '' });
    }
    identifiers.admit(subject);
    await signIn(call, { subject, scope: 'manage', channel: 'single-sign-on', since });
    call.goTo('', { lang });
  });
}

type Rule = Pick<SingleSignOn, 'claim' | 'missingEmailVerified'>;

/** True if the ID token names the person, so that the provider is not asked for more. */
function namePerson(claims: Claims, { claim }: Rule): boolean {
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
