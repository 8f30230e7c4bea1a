/**
 * The rights of a staff member. `viewer` reads, `editor` also writes, `auditor` also reads the audit log,
 * `privacy` also exports and erases all data about a person.
 */
export type Role = 'viewer' | 'editor' | 'auditor' | 'privacy';

export const everyRole: readonly Role[] = ['viewer', 'editor', 'auditor', 'privacy'];

/** A staff member who is signed in. */
export interface Member {
  /** Permanent and unique id, which names the member in the audit log. */
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Role[];
  /** Epoch milliseconds. */
  readonly since: number;
}

/** Whether the member has the right. Every role may read; each other right needs its own role. */
export function mayDo(member: Pick<Member, 'roles'>, needs: Role): boolean {
  return needs === 'viewer' ? member.roles.length > 0 : member.roles.includes(needs);
}

/**
 * The roles in a claim: a list, or words between blanks or commas. Unknown roles are dropped; letter case
 * does not count.
 */
export function readRoles(claim: unknown): readonly Role[] {
  const words = typeof claim === 'string' ? claim.split(/[\s,]+/) : Array.isArray(claim) ? claim : [];
  const given = new Set(words.filter((word) => typeof word === 'string').map((word) => word.toLowerCase()));
  return everyRole.filter((role) => given.has(role));
}
