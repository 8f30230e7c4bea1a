import { faultForLog, type LoggedFault } from '../core/model/logged-fault.ts';
import type { ProblemCode } from '../core/model/problem.ts';
import { codeOf } from './backoff.ts';

/** Never given anything personal: references, codes, and faults as `faultForLog` has them. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What the platform does is said by the code; of what goes wrong here an operator reads more. */
export function failed(fault: unknown): {
  readonly code: ProblemCode;
  readonly fault: LoggedFault | undefined;
} {
  const code = codeOf(fault);
  const isHere = code === 'unexpected' || code === 'store-unavailable';
  return { code, fault: isHere ? faultForLog(fault) : undefined };
}
