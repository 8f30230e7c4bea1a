import type { IdentifierEncoding } from '../core/model/person/identifiers.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import { Problem } from '../core/model/problem.ts';

/**
 * The identifier as a header value. How a platform reads letters beyond ASCII is not known
 * (docs/platform-api.md, Identifier), so it is a setting. Each encoding is one to one: two people never share
 * a header. `percent` encodes `%` and `+`, too. Throws identifier-refused if it cannot be sent.
 */
export function headerOf(subject: SubjectId, encoding: IdentifierEncoding): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(subject)) {
    return encoding === 'percent' ? subject.replaceAll('%', '%25').replaceAll('+', '%2B') : subject;
  }
  if (
    encoding === 'refuse' ||
    !subject.isWellFormed() ||
    /[\p{Cc}]/u.test(subject) ||
    subject.trim() !== subject
  ) {
    throw new Problem('identifier-refused', { cause: new Error('an identifier that cannot be sent') });
  }
  // Headers are written as one byte for each character: here each character is one byte of UTF-8.
  if (encoding === 'utf-8') return Buffer.from(subject).toString('latin1');
  return subject.replace(/[^\x20-\x7e]+|[%+]/gu, encodeURIComponent);
}
