import type { CallPriority } from '../ports/platform.ts';
import type { OperationName } from './operations.ts';

/** Fields never hold an identifier, a token or content of an answer, except names of a schema's members. */
export interface PlatformLog {
  warn(event: string, fields: Readonly<Record<string, string | number | undefined>>): void;
}

export interface PlatformMetrics {
  /** `outcome`: `ok` or a ProblemCode. */
  call(operation: OperationName, outcome: string, ms: number): void;
  breaker(operation: OperationName, state: 'closed' | 'open' | 'half-open'): void;
  /** A call found no room in the quota: it `waited` for some, or was `refused` and not sent. */
  paced?(operation: OperationName, priority: CallPriority, outcome: 'waited' | 'refused'): void;
  /** Items of a center's schema, or of a person's record, that could not be read. */
  dropped(center: string, count: number): void;
  /** Notes that the platform lists the center. */
  listed?(center: string): void;
}
