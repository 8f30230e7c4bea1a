/** How long what is over is kept, in days. */
export interface RetentionSettings {
  /** What a person changed: My record and its signed copy. */
  readonly evidenceDays: number;
  /** Reasons for leaving. */
  readonly reasonDays: number;
  /** What staff did. */
  readonly auditDays: number;
}

const longest = 36_500;

/** EVIDENCE_DAYS, not less than the work is kept; REASON_DAYS and AUDIT_DAYS. */
export function readRetentionSettings({
  setting,
  faults,
}: {
  readonly setting: (name: string) => string | undefined;
  readonly faults: string[];
}): RetentionSettings {
  const days = (name: string, least: number, otherwise: number): number => {
    const given = Number(setting(name) ?? otherwise);
    if (Number.isInteger(given) && given >= least && given <= longest) return given;
    faults.push(`${name} must be a whole number of days from ${least} to ${longest}`);
    return otherwise;
  };
  return {
    evidenceDays: days('EVIDENCE_DAYS', 30, 1_095),
    reasonDays: days('REASON_DAYS', 1, 365),
    auditDays: days('AUDIT_DAYS', 30, 1_095),
  };
}
