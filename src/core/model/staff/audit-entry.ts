/** An action of a staff member. `about`: ids and references, never a person's identifier. */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The member's lasting id; undefined without a sign-in. */
  readonly staff: string | undefined;
  readonly name: string;
  readonly does: string;
  readonly about: string | undefined;
  /** `begun`: the end of the action is not known. */
  readonly outcome: AuditOutcome;
}

/**
 * The mark of the person in an audit line. The same person always has the same mark; a reader without the
 * identifier learns nothing from it. `hash`: the keyed hash for the use `staff audit`.
 */
export function personMark(hash: string): string {
  return `person ${hash.slice(0, 12)}`;
}

export type AuditOutcome = 'begun' | 'done' | 'corrected' | 'refused' | 'failed';
