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

/**
 * What somebody typed as their address, as an identifier. Telephones begin it with a capital and nobody keeps two
 * mailboxes that differ by one: all of it is lower case.
 */
export function readTypedAddress(value: unknown): SubjectId | undefined {
  const id = readSubjectId(value);
  if (id === undefined || asMailAddress(id) === undefined) return undefined;
  return readSubjectId(id.toLowerCase());
}
