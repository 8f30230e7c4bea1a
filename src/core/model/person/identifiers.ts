import { Problem } from '../problem.ts';
import { identifierRule, readSubjectId, type SubjectId } from './subject.ts';

/** How the tenant takes identifiers beyond ASCII: PLATFORM_IDENTIFIER_ENCODING. */
export type IdentifierEncoding = 'refuse' | 'utf-8' | 'percent';

export type Identifiers = ReturnType<typeof createIdentifiers>;

/**
 * Which identifiers are accepted. Each entrance asks here: a submission for an identifier that the tenant cannot be
 * told would never be carried out.
 */
export function createIdentifiers(encoding: IdentifierEncoding) {
  const isCarried = (subject: SubjectId) => encoding !== 'refuse' || /^[\x20-\x7e]*$/.test(subject);
  return {
    /** undefined for a text that is no identifier, or cannot be told to the tenant. */
    read(value: unknown): SubjectId | undefined {
      const subject = readSubjectId(value);
      return subject !== undefined && isCarried(subject) ? subject : undefined;
    },
    /** What `read` takes, in words. */
    rule:
      encoding === 'refuse'
        ? `${identifierRule}, of ASCII alone unless PLATFORM_IDENTIFIER_ENCODING says otherwise`
        : identifierRule,
    /** Throws identifier-refused if the tenant cannot be told it. */
    admit(subject: SubjectId): SubjectId {
      if (!isCarried(subject)) throw new Problem('identifier-refused');
      return subject;
    },
  };
}
