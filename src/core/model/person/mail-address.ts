import type { CenterConfig } from '../center/center-config.ts';
import { readSubjectId, type SubjectId } from './subject.ts';

const shape = /^[^\s@"(),:;<>[\]\\]{1,64}@[^\s@.,"(),:;<>[\]\\]+(\.[^\s@.,"(),:;<>[\]\\]+)+$/u;

/** Whether the text is one address without a name, of at most 254 characters (RFC 5321). */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && shape.test(text);
}

/** The identifier as a mail address; undefined if it is no address. */
export function asMailAddress(id: SubjectId): string | undefined {
  return isMailAddress(id) ? id : undefined;
}

/** The address for a sign-in message; undefined if the center sends none. */
export function signInAddress({ signIn }: Pick<CenterConfig, 'signIn'>, subject: SubjectId) {
  return signIn.mail ? asMailAddress(subject) : undefined;
}

/**
 * A typed address as an identifier, trimmed and in lower case: telephones begin an address with a capital and
 * end it with a blank, and no person has two mailboxes that differ by case. The sign-in message goes to this
 * result, so no visitor can sign in as another person.
 */
export function readTypedAddress(value: unknown): SubjectId | undefined {
  const id = typeof value === 'string' ? readSubjectId(value.trim()) : undefined;
  if (id === undefined || asMailAddress(id) === undefined) return undefined;
  return readSubjectId(id.toLowerCase());
}
