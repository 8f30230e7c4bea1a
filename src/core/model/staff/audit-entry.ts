/** What a staff member did. `about`: ids and references, never a person's identifier. */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The member's lasting id; undefined without a sign-in. */
  readonly staff: string | undefined;
  readonly name: string;
  readonly does: string;
  readonly about: string | undefined;
  /** `begun`: it is not known how it ended. */
  readonly outcome: AuditOutcome;
}

/**
 * Marks the person whom a line is about: the same person has the same mark, which tells nothing to a reader without the
 * identifier. `hash`: keyed, for the use `staff audit`.
 */
export function personMark(hash: string): string {
  return `person ${hash.slice(0, 12)}`;
}

export type AuditOutcome = 'begun' | 'done' | 'corrected' | 'refused' | 'failed';
