import { Problem } from './problem.ts';

/** A fault as it may be logged: names, codes and places, never what was worked on. */
export interface LoggedFault {
  readonly name: string;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly stack: readonly string[];
  readonly cause: LoggedFault | undefined;
}

/** Thrown where the program is wrong. */
const programmers = new Set(['TypeError', 'RangeError', 'ReferenceError']);

/** Their messages are our own or the engine's; others quote what they choked on, and that may be about a person. */
const quotesNothing = new Set([...programmers, 'Problem', 'DatabaseFault', 'TimeoutError', 'AbortError']);

export function faultForLog(fault: unknown, depth = 0): LoggedFault | undefined {
  if (!(fault instanceof Error)) return undefined;
  const system = 'syscall' in fault;
  return {
    name: fault.name,
    code: codeOf(fault),
    message: system || quotesNothing.has(fault.name) ? fault.message : undefined,
    stack: fault instanceof Problem && fault.code !== 'unexpected' ? [] : frames(fault),
    cause: depth < 4 ? faultForLog(fault.cause, depth + 1) : undefined,
  };
}

/** SQLite's own number stands beside the code that Node gives to all of its faults. */
function codeOf(fault: Error): string | undefined {
  const code = 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;
  return code !== undefined && 'errcode' in fault ? `${code} ${fault.errcode}` : code;
}

function frames(fault: Error): readonly string[] {
  const lines = (fault.stack ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => /^at .*:\d+:\d+\)?$/.test(line)).slice(0, 12);
}

/**
 * Of a fault that is the product's own, whatever the world did: its name or code. A statement that can never go well
 * (SQLSTATE 21 to 24, 26, 34, 42 and a transaction gone on with after its end), but for a right that an operator has to
 * give; SQLite's for the same; a programmer's error. What the platform or a customer sent is theirs.
 */
export function internalErrorOf(fault: LoggedFault | undefined): string | undefined {
  if (fault === undefined) return undefined;
  const { name, code = '', message, cause } = fault;
  if (name === 'Problem') {
    if (code === 'store-unavailable') return internalErrorOf(cause);
    return code === 'unexpected' ? (internalErrorOf(cause) ?? cause?.name ?? code) : undefined;
  }
  if (name === 'DatabaseFault') return isWrongStatement(code) ? code : undefined;
  const sqlite = /^ERR_SQLITE_ERROR (\d+)$/.exec(code);
  // The rest of the number only says more.
  if (sqlite !== null) return wrongForSqlite.has(Number(sqlite[1]) & 0xff) ? code : undefined;
  // What undici's fetch throws whatever happened on the way.
  if (!programmers.has(name) || message === 'fetch failed') return undefined;
  return code === '' ? name : `${name} ${code}`;
}

/** SQLITE_ERROR, _CONSTRAINT, _MISMATCH, _MISUSE, _RANGE. */
const wrongForSqlite = new Set([1, 19, 20, 21, 25]);

/** An SQLSTATE. */
export function isWrongStatement(code: string): boolean {
  return /^(2[1-46]|34|42|25P0[12]|25001)/.test(code) && code !== '42501';
}
