import type { AuditEntry } from './audit-entry.ts';

export interface FailedSignIn extends Pick<AuditEntry, 'staff' | 'name' | 'does'> {
  /** Each kind has its own count. `no-role`: the organization knows the person, who has no role here. */
  readonly kind: 'stranger' | 'no-role';
  readonly about: string;
  /** The network of the client. */
  readonly from: string;
}

/**
 * Limits for lines about failed sign-ins, which must neither fill the disk nor bury the actions of staff: so
 * many lines of each kind, then one line with the number of the rest.
 */
export const failedSignInLimits = { lines: 20, withinMs: 60 * 60 * 1000 } as const;

export function failedSignInLine(failed: FailedSignIn, at: number): AuditEntry {
  const { staff, name, does, about, from } = failed;
  return { at, staff, name, does, about: `${about} (${from})`, outcome: 'refused' };
}

/** The line that counts the failed sign-ins without a line of their own. */
export function failedSignInNumber({ kind, from }: FailedSignIn, at: number, count: number): AuditEntry {
  return {
    at,
    staff: undefined,
    name: kind === 'stranger' ? 'nobody' : 'people without a role',
    does: 'tried to sign in',
    about: `${count} more within the hour (the last from ${from})`,
    outcome: 'refused',
  };
}
