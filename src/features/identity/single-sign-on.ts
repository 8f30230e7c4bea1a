import type { SingleSignOn } from '../../core/model/center-config.ts';
import type { Claims } from '../../core/model/open-id.ts';
import { readSubjectId, type SubjectId } from '../../core/model/subject.ts';

type Rule = Pick<SingleSignOn, 'claim' | 'missingEmailVerified'>;

/** Whether the claims say who this is, so that nothing more need be asked. */
export function nameSomebody(claims: Claims, { claim }: Rule): boolean {
  return claims[claim] !== undefined && (claim !== 'email' || claims['email_verified'] !== undefined);
}

/**
 * The identifier that the claims name; undefined when they name none that may be used. An address that the issuer has
 * not verified says nothing about who this is. Some write it as a text.
 */
export function identifierIn(claims: Claims, { claim, missingEmailVerified }: Rule): SubjectId | undefined {
  const { email_verified: isVerified = missingEmailVerified === 'trusted' } = claims;
  if (claim === 'email' && isVerified !== true && isVerified !== 'true') return undefined;
  return readSubjectId(claims[claim]);
}
