import { Problem } from '../core/model/problem.ts';

/** A fault as it may be logged. */
export interface LoggedFault {
  readonly name: string;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly stack: readonly string[];
  readonly cause: LoggedFault | undefined;
}

/** Their messages are our own or the engine's; others quote what they choked on, and that may be about a person. */
const quotesNothing = new Set([
  'Problem',
  'TypeError',
  'RangeError',
  'ReferenceError',
  'TimeoutError',
  'AbortError',
]);

export function faultForLog(fault: unknown, depth = 0): LoggedFault | undefined {
  if (!(fault instanceof Error)) return undefined;
  const system = 'syscall' in fault;
  return {
    name: fault.name,
    code: 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined,
    message: system || quotesNothing.has(fault.name) ? fault.message : undefined,
    stack: fault instanceof Problem && fault.code !== 'unexpected' ? [] : frames(fault),
    cause: depth < 4 ? faultForLog(fault.cause, depth + 1) : undefined,
  };
}

function frames(fault: Error): readonly string[] {
  const lines = (fault.stack ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => /^at .*:\d+:\d+\)?$/.test(line)).slice(0, 12);
}
