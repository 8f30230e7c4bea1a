import { faultCode } from './fault-code.ts';
import { Problem } from './problem.ts';

/** The part of a fault that may be logged: names, codes and stack frames, never the processed data. */
export interface LoggedFault {
  readonly name: string;
  readonly code: string | undefined;
  readonly message: string | undefined;
  /** A reason that an operator can act on: about a certificate, OpenID Connect or a mail server. */
  readonly reason?: string;
  readonly stack: readonly string[];
  readonly cause: LoggedFault | undefined;
}

/** Names of errors in the program itself. */
const programmers = new Set(['TypeError', 'RangeError', 'ReferenceError']);

/**
 * Errors whose messages are our own or the engine's. Other messages quote their input, which may be personal
 * data.
 */
const quotesNothing = new Set([...programmers, 'Problem', 'DatabaseFault', 'TimeoutError', 'AbortError']);

export function faultForLog(fault: unknown, depth = 0): LoggedFault | undefined {
  if (!(fault instanceof Error)) return undefined;
  const system = 'syscall' in fault;
  const reason = certificateReason(fault) ?? protocolReason(fault);
  return {
    name: fault.name,
    code: codeOf(fault),
    ...(reason === undefined ? {} : { reason }),
    message: system || quotesNothing.has(fault.name) ? fault.message : undefined,
    stack: fault instanceof Problem && fault.code !== 'unexpected' ? [] : frames(fault),
    cause: depth < 4 ? faultForLog(fault.cause, depth + 1) : undefined,
  };
}

/** The code of a fault. Node gives all SQLite faults one code, so SQLite's own number is added. */
function codeOf(fault: Error): string | undefined {
  const code = faultCode(fault);
  return code !== undefined && 'errcode' in fault ? `${code} ${fault.errcode}` : code;
}

/**
 * A reason about a certificate, found by Node's code. A mail library replaces that code, so OpenSSL's words
 * are searched, too.
 */
function certificateReason(fault: Error): string | undefined {
  const told = `${codeOf(fault) ?? ''} ${'command' in fault ? fault.message : ''}`;
  if (/SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET)|self[- ]signed certificate|unable to (verify|get)/.test(told))
    return 'the certificate is of an authority that is not trusted here: name its file in NODE_EXTRA_CA_CERTS';
  if (/CERT_HAS_EXPIRED|certificate has expired/.test(told)) return 'the certificate is over';
  if (/ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate/.test(told))
    return 'the certificate is of another name';
  return undefined;
}

/** A reason of codes alone: the words beside the codes may be about a person. */
function protocolReason(fault: Error): string | undefined {
  const { error, responseCode, command, response } = fault as Readonly<Record<string, unknown>> & Error;
  if (typeof error === 'string' && /^[a-z_]{1,40}$/.test(error)) return `the provider says ${error}`;
  if (typeof responseCode !== 'number') return undefined;
  const [, status] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(String(response)) ?? [];
  const at = typeof command === 'string' && /^[A-Z ]{1,20}$/.test(command) ? ` to ${command}` : '';
  return `the mail server says ${responseCode}${status === undefined ? '' : ` ${status}`}${at}`;
}

function frames(fault: Error): readonly string[] {
  const lines = (fault.stack ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => /^at .*:\d+:\d+\)?$/.test(line)).slice(0, 12);
}

/**
 * The name or code of a fault of the product itself; undefined for any other fault. Such faults are
 * statements that can never succeed (SQLSTATE 21 to 24, 26, 34, 42, and a transaction used after its end),
 * except for a missing right; the same faults in SQLite; and errors of the program. Faults in data from the
 * platform or from a customer are not ours.
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
  // The higher bits of the number only add detail.
  if (sqlite !== null) return wrongForSqlite.has(Number(sqlite[1]) & 0xff) ? code : undefined;
  // undici's fetch throws this for any network fault.
  if (!programmers.has(name) || message === 'fetch failed') return undefined;
  return code === '' ? name : `${name} ${code}`;
}

/** Result codes of SQLite: SQLITE_ERROR, _CONSTRAINT, _MISMATCH, _MISUSE, _RANGE. */
const wrongForSqlite = new Set([1, 19, 20, 21, 25]);

/** Whether an SQLSTATE stands for a statement that can never succeed. */
export function isWrongStatement(code: string): boolean {
  return /^(2[1-46]|34|42|25P0[12]|25001)/.test(code) && code !== '42501';
}
