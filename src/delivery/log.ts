import { faultForLog } from '../core/model/logged-fault.ts';
import { codeOf } from './backoff.ts';

/** The log takes no personal data: references, codes, and faults of `faultForLog`. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * The fields for a fault. For a fault of the platform the code says enough; for one of ours the operator
 * needs the fault.
 */
export function failed(fault: unknown) {
  const code = codeOf(fault);
  const isHere = code === 'unexpected' || code === 'store-unavailable';
  return { code, fault: isHere ? faultForLog(fault) : undefined };
}
