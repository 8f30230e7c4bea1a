import type { CenterConfig } from './center-config.ts';
import { readSubjectId, type SubjectId } from './subject.ts';

const shape = /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@.,"(),:;<>[\]\\]+(\.[^\s@.,"(),:;<>[\]\\]+)+$/u;

/** One address, without a name (RFC 5321 sizes). */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && shape.test(text);
}

/** An identifier that a message can be sent to, as it is: undefined for anything but one address. */
export function asMailAddress(id: SubjectId): string | undefined {
  return isMailAddress(id) ? id : undefined;
}

/** Where a message that lets this person in may go; undefined where the center sends none. */
export function signInAddress(
  { signIn }: Pick<CenterConfig, 'signIn'>,
  subject: SubjectId,
): string | undefined {
  return signIn.mail ? asMailAddress(subject) : undefined;
}

/**
 * What somebody typed as their address, as an identifier. Telephones begin it with a capital and end it with a blank,
 * and no person keeps two mailboxes that differ by one: blanks around it go, and all of it is lower case. A message goes
 * to what this gives, so no visitor comes in as another person by it.
 */
export function readTypedAddress(value: unknown): SubjectId | undefined {
  const id = typeof value === 'string' ? readSubjectId(value.trim()) : undefined;
  if (id === undefined || asMailAddress(id) === undefined) return undefined;
  return readSubjectId(id.toLowerCase());
}
