/** Names of all operations of the platform; faults, quotas and the log of calls use them. */
export const OPERATIONS = [
  'token',
  'read-schema',
  'read-subject',
  'update-subject',
  'withdraw-subject',
  'list-centers',
  'read-root',
  'read-page',
  'list-purposes',
  'read-purpose',
  'create-purpose',
  'version-purpose',
  'update-purpose',
  'publish-purpose',
  'retire-purpose',
  'list-custom-preferences',
  'read-custom-preference',
  'create-custom-preference',
  'list-profiles',
  'list-link-tokens',
  'list-collection-points',
  'read-collection-point-token',
  'create-receipt',
  'list-receipts',
  'list-notices',
  'read-notice',
  'list-notice-versions',
  'read-notice-text',
  'create-task',
  'read-task',
  'update-task',
] as const;

export type Operation = (typeof OPERATIONS)[number];

export const SCOPES = ['CONSENT', 'CONSENT_READ', 'POLICY', 'ISSUE', 'ISSUE_READ'] as const;

export type Scope = (typeof SCOPES)[number];

export function isScope(name: string): name is Scope {
  return SCOPES.some((scope) => scope === name);
}
