import type { Limits, Timeouts } from './limits.ts';

/**
 * The bulkheads, each with the deadline of its calls. A bulkhead has its own connections, cap, queue and
 * rate-limit gate.
 */
const deadlines = {
  tokens: 'token',
  schemas: 'schema',
  subjectReads: 'subjectRead',
  profiles: 'subjectRead',
  subjectWrites: 'subjectWrite',
  staff: 'staff',
} as const satisfies Partial<Readonly<Record<keyof Limits, keyof Timeouts>>>;
type BulkheadName = keyof typeof deadlines;
export const bulkheadNames = Object.keys(deadlines) as readonly BulkheadName[];

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** The scope that a call needs (docs/platform-api.md, Addresses). */
export type Scope = 'CONSENT' | 'POLICY' | 'ISSUE';

/** The operations, each with its method, bulkhead and scope. An operation has its own breaker. */
const calls = {
  token: ['POST', 'tokens', 'CONSENT'],
  'center-schema': ['GET', 'schemas', 'CONSENT'],
  'root-schema': ['GET', 'schemas', 'CONSENT'],
  'page-schema': ['GET', 'schemas', 'CONSENT'],
  'list-centers': ['GET', 'staff', 'CONSENT'],
  'list-link-tokens': ['GET', 'subjectReads', 'CONSENT'],
  'read-profile': ['GET', 'profiles', 'CONSENT'],
  'read-subject': ['GET', 'subjectReads', 'CONSENT'],
  'update-consent': ['PUT', 'subjectWrites', 'CONSENT'],
  'withdraw-all': ['DELETE', 'subjectWrites', 'CONSENT'],
  'list-notices': ['GET', 'staff', 'POLICY'],
  'find-notice-version': ['GET', 'staff', 'POLICY'],
  'list-notice-versions': ['GET', 'staff', 'POLICY'],
  'create-task': ['POST', 'staff', 'ISSUE'],
  'find-task': ['GET', 'staff', 'ISSUE'],
  'update-task': ['PUT', 'staff', 'ISSUE'],
} as const satisfies Readonly<Record<string, readonly [Method, BulkheadName, Scope]>>;

export type OperationName = keyof typeof calls;
export const operationNames = Object.keys(calls) as readonly OperationName[];

export function operationOf(name: OperationName) {
  const [method, bulkhead, scope] = calls[name];
  return { name, method, bulkhead, scope, deadline: deadlines[bulkhead] };
}
