/** Every call the platform knows, by the name that faults, quotas and the log of calls use. */
export const OPERATIONS = [
  'token',
  'read-schema',
  'read-subject',
  'update-subject',
  'withdraw-subject',
  'list-centers',
  'read-root',
  'read-page',
  'create-purpose',
  'create-custom-preference',
  'list-notices',
  'read-notice',
  'list-notice-versions',
  'create-task',
  'read-task',
  'update-task',
] as const;

export type Operation = (typeof OPERATIONS)[number];

export const SCOPES = ['CONSENT', 'CONSENT_READ', 'POLICY', 'ISSUE', 'ISSUE_READ'] as const;

export type Scope = (typeof SCOPES)[number];

export function isOperation(name: unknown): name is Operation {
  return OPERATIONS.some((operation) => operation === name);
}

export function isScope(name: string): name is Scope {
  return SCOPES.some((scope) => scope === name);
}
