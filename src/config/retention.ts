import type { Reading } from './reading.ts';

/** How long what is over is kept, in days. */
export interface RetentionSettings {
  /** What a person changed: My record and its signed copy. */
  readonly evidenceDays: number;
  /** Reasons for leaving. */
  readonly reasonDays: number;
  /** What staff did. */
  readonly auditDays: number;
}

/** EVIDENCE_DAYS, not less than the work is kept; REASON_DAYS and AUDIT_DAYS. */
export function readRetentionSettings({ read }: Reading): RetentionSettings {
  return {
    evidenceDays: read('EVIDENCE_DAYS'),
    reasonDays: read('REASON_DAYS'),
    auditDays: read('AUDIT_DAYS'),
  };
}
