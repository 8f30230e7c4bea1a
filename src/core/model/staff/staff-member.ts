/**
 * The rights of a staff member. `viewer` reads, `editor` also writes, `auditor` reads the audit log, too, `privacy`
 * reads, exports all about a person, and erases it.
 */
export type Role = 'viewer' | 'editor' | 'auditor' | 'privacy';

export const everyRole: readonly Role[] = ['viewer', 'editor', 'auditor', 'privacy'];

/** A staff member who is signed in. */
export interface Member {
  /** Lasting and unique; names the person in the audit log. */
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Role[];
  /** Epoch milliseconds. */
  readonly since: number;
}

/** Each role may read; only an editor writes, only an auditor reads the audit log, only `privacy` exports and erases. */
export function mayDo(member: Pick<Member, 'roles'>, needs: Role): boolean {
  return needs === 'viewer' ? member.roles.length > 0 : member.roles.includes(needs);
}

/** Roles of a claim: a list, or words between blanks or commas. Unknown ones are dropped; letter case does not count. */
export function readRoles(claim: unknown): readonly Role[] {
  const words = typeof claim === 'string' ? claim.split(/[\s,]+/) : Array.isArray(claim) ? claim : [];
  const given = new Set(words.filter((word) => typeof word === 'string').map((word) => word.toLowerCase()));
  return everyRole.filter((role) => given.has(role));
}
