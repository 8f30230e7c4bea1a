import type { SingleSignOn } from '../../core/model/center/center-config.ts';
import type { Claims } from '../../core/model/person/open-id.ts';
import { readSubjectId, type SubjectId } from '../../core/model/person/subject.ts';

type Rule = Pick<SingleSignOn, 'claim' | 'missingEmailVerified'>;

/** Whether the ID token names the person, so that the provider is not asked for more. */
export function nameSomebody(claims: Claims, { claim }: Rule): boolean {
  return claims[claim] !== undefined && (claim !== 'email' || claims['email_verified'] !== undefined);
}

/**
 * The identifier in the claims; undefined if none may be used. An unverified address proves nothing. Some
 * providers write `email_verified` as text.
 */
export function identifierIn(claims: Claims, { claim, missingEmailVerified }: Rule): SubjectId | undefined {
  const { email_verified: isVerified = missingEmailVerified === 'trusted' } = claims;
  if (claim === 'email' && isVerified !== true && isVerified !== 'true') return undefined;
  return readSubjectId(claims[claim]);
}
