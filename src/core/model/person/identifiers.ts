import { Problem } from '../problem.ts';
import { identifierRule, readSubjectId, type SubjectId } from './subject.ts';

/** The tenant's setting for identifiers beyond ASCII: PLATFORM_IDENTIFIER_ENCODING. */
export type IdentifierEncoding = 'refuse' | 'utf-8' | 'percent';

export type Identifiers = ReturnType<typeof createIdentifiers>;

/**
 * The check of identifiers that every entry point uses. An identifier that cannot be sent to the tenant is
 * refused: a submission for it would never be saved there.
 */
export function createIdentifiers(encoding: IdentifierEncoding) {
  const isCarried = (subject: SubjectId) => encoding !== 'refuse' || /^[\x20-\x7e]*$/.test(subject);
  return {
    /** The identifier; undefined for a text that is none, or that cannot be sent to the tenant. */
    read(value: unknown): SubjectId | undefined {
      const subject = readSubjectId(value);
      return subject !== undefined && isCarried(subject) ? subject : undefined;
    },
    /** The rule of `read`, in words. */
    rule:
      encoding === 'refuse'
        ? `${identifierRule}, of ASCII alone unless PLATFORM_IDENTIFIER_ENCODING says otherwise`
        : identifierRule,
    /** Throws identifier-refused if the identifier cannot be sent to the tenant. */
    admit(subject: SubjectId): SubjectId {
      if (!isCarried(subject)) throw new Problem('identifier-refused');
      return subject;
    },
  };
}
