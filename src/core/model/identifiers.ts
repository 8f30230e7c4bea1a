import { Problem } from './problem.ts';
import { identifierRule, readSubjectId, type SubjectId } from './subject.ts';

/** How the tenant takes identifiers beyond ASCII: PLATFORM_IDENTIFIER_ENCODING. */
export type IdentifierEncoding = 'refuse' | 'utf-8' | 'percent';

/**
 * Which identifiers come in. Each entrance asks here: what the tenant cannot be told would be accepted, and never
 * carried out.
 */
export interface Identifiers {
  /** undefined for what is no identifier, or none that the tenant can be told. */
  read(value: unknown): SubjectId | undefined;
  /** What `read` takes, in words. */
  readonly rule: string;
  /** The same identifier. Throws identifier-refused where the tenant cannot be told it. */
  admit(subject: SubjectId): SubjectId;
}

export function createIdentifiers(encoding: IdentifierEncoding): Identifiers {
  const isCarried = (subject: SubjectId) => encoding !== 'refuse' || /^[\x20-\x7e]*$/.test(subject);
  return {
    read(value) {
      const subject = readSubjectId(value);
      return subject !== undefined && isCarried(subject) ? subject : undefined;
    },
    rule:
      encoding === 'refuse'
        ? `${identifierRule}, of ASCII alone unless PLATFORM_IDENTIFIER_ENCODING says otherwise`
        : identifierRule,
    admit(subject) {
      if (!isCarried(subject)) throw new Problem('identifier-refused');
      return subject;
    },
  };
}
