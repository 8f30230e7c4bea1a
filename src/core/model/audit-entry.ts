/** What somebody of the staff did. `about`: ids and references, never a person's identifier. */
export interface AuditEntry {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The member's lasting id; undefined when nobody was signed in. */
  readonly staff: string | undefined;
  readonly name: string;
  readonly does: string;
  readonly about: string | undefined;
  /** `begun`: it is not known how it ended. */
  readonly outcome: AuditOutcome;
}

export type AuditOutcome = 'begun' | 'done' | 'corrected' | 'refused' | 'failed';
