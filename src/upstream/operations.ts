import type { OperationName, Timeouts } from './options.ts';
import type { Scope } from './token.ts';

/** Bulkheads: each has its own connections, cap, queue and rate-limit gate. */
export const bulkheadNames = [
  'tokens',
  'schemas',
  'subjectReads',
  'profiles',
  'subjectWrites',
  'staff',
] as const;
export type BulkheadName = (typeof bulkheadNames)[number];

export interface Operation {
  readonly name: OperationName;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly bulkhead: BulkheadName;
  readonly scope: Scope;
  readonly deadline: keyof Timeouts;
  /** Reads only: a write whose answer was lost may have been carried out. */
  readonly repeat: boolean;
}

export const operations: Readonly<Record<OperationName, Operation>> = {
  token: {
    name: 'token',
    method: 'POST',
    bulkhead: 'tokens',
    scope: 'CONSENT',
    deadline: 'token',
    repeat: false,
  },
  'center-schema': read('center-schema', 'schemas', 'CONSENT', 'schema'),
  'root-schema': read('root-schema', 'schemas', 'CONSENT', 'schema'),
  'page-schema': read('page-schema', 'schemas', 'CONSENT', 'schema'),
  'list-centers': read('list-centers', 'staff', 'CONSENT', 'staff'),
  'list-link-tokens': read('list-link-tokens', 'subjectReads', 'CONSENT', 'subjectRead'),
  'read-profile': read('read-profile', 'profiles', 'CONSENT', 'subjectRead'),
  'read-subject': read('read-subject', 'subjectReads', 'CONSENT', 'subjectRead'),
  'update-consent': write('update-consent', 'PUT', 'subjectWrites', 'CONSENT', 'subjectWrite'),
  'withdraw-all': write('withdraw-all', 'DELETE', 'subjectWrites', 'CONSENT', 'subjectWrite'),
  'list-notices': read('list-notices', 'staff', 'POLICY', 'staff'),
  'find-notice-version': read('find-notice-version', 'staff', 'POLICY', 'staff'),
  'list-notice-versions': read('list-notice-versions', 'staff', 'POLICY', 'staff'),
  'create-task': write('create-task', 'POST', 'staff', 'ISSUE', 'staff'),
  'find-task': read('find-task', 'staff', 'ISSUE', 'staff'),
  'update-task': write('update-task', 'PUT', 'staff', 'ISSUE', 'staff'),
};

function read(
  name: OperationName,
  bulkhead: BulkheadName,
  scope: Scope,
  deadline: keyof Timeouts,
): Operation {
  return { name, method: 'GET', bulkhead, scope, deadline, repeat: true };
}

function write(
  name: OperationName,
  method: 'POST' | 'PUT' | 'DELETE',
  bulkhead: BulkheadName,
  scope: Scope,
  deadline: keyof Timeouts,
): Operation {
  return { name, method, bulkhead, scope, deadline, repeat: false };
}
