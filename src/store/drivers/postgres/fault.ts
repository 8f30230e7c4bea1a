import { faultCode } from '../../../core/model/fault-code.ts';
import { Problem } from '../../../core/model/problem.ts';
import { UnknownLayout } from '../layout.ts';

/** What a fault says of the database: `away`, nothing can be asked of it now; `again`, the same may go well at once. */
export type FaultKind = 'away' | 'lost' | 'again' | 'refused';

/** A fault as it may be kept as a cause: what PostgreSQL adds (`detail`, `where`) quotes rows, and is left out. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault';
  readonly code: string | undefined;
  readonly kind: FaultKind;

  constructor(message: string, { code, kind }: { code?: string | undefined; kind: FaultKind }) {
    super(message);
    this.code = code;
    this.kind = kind;
  }
}

/** feature_not_supported: a later release has added a column since the statement was prepared. Nothing was done. */
export const changedTable = '0A000';
/** read_only_sql_transaction: a connection keeps that from when it was made, also when others may write again. */
export const readOnly = '25006';
/** serialization_failure, deadlock_detected. */
const again = ['40001', '40P01', changedTable];
/** admin_shutdown, crash_shutdown, idle_in_transaction_session_timeout, idle_session_timeout: this connection only. */
const lost = ['57P01', '57P02', '25P03', '57P05'];

export function faultOf(thrown: unknown): DatabaseFault {
  if (thrown instanceof DatabaseFault) return thrown;
  const code = faultCode(thrown);
  // Class 08: the connection. PgBouncer says so of PostgreSQL behind it.
  if (code === undefined || !isOfServer(code) || code.startsWith('08'))
    return new DatabaseFault('the connection to the database is lost', { code, kind: 'lost' });
  if (again.includes(code))
    return new DatabaseFault('the database asks to try again', { code, kind: 'again' });
  if (lost.includes(code))
    return new DatabaseFault('the database ended the connection', { code, kind: 'lost' });
  return new DatabaseFault('the database refuses a statement', { code, kind: 'refused' });
}

/** Of what was thrown while a connection was made: then none can be made now. */
export function awayFault(thrown: unknown): DatabaseFault {
  if (thrown instanceof DatabaseFault) return thrown;
  return new DatabaseFault('the database cannot be reached', { code: faultCode(thrown), kind: 'away' });
}

export function unavailable(fault: unknown, answerLost = false): Problem {
  if (fault instanceof Problem) return fault;
  // What is wrong with the program says nothing of the database.
  const isProgrammers = [TypeError, RangeError, ReferenceError].some((kind) => fault instanceof kind);
  const cause = isProgrammers ? fault : faultOf(fault);
  return new Problem('store-unavailable', { cause, answerLost });
}

/** An SQLSTATE. */
function isOfServer(code: string): boolean {
  return /^[0-9][0-9A-Z]{4}$/.test(code);
}

/** What a start cannot do without, and waiting does not mend: words for an operator. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
}

const certificate =
  /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_|CERT_|ERR_TLS_CERT|HOSTNAME_MISMATCH|ERR_SSL)/;

/** What an operator reads when a connection cannot be made. Neither password nor user is ever part of it. */
export function wordOf(thrown: unknown, place: string): string {
  if (thrown instanceof Unfit || thrown instanceof UnknownLayout) return thrown.message;
  const code = faultCode(thrown) ?? '';
  const message = thrown instanceof Error ? thrown.message : '';
  if (/no encryption|SSL off/i.test(message))
    return `PostgreSQL at ${place} takes only encrypted connections from here: add sslmode=verify-full to DATABASE_URL (or require, which trusts any server that answers)`;
  if (code === '28P01' || code === '28000' || /SASL|password must be a string/i.test(message))
    return `PostgreSQL at ${place} refuses the user or the password of DATABASE_URL${suffix(code)}`;
  if (code === '3D000')
    return `PostgreSQL at ${place} has no database of the name that DATABASE_URL gives: create it, owned by its user`;
  if (code === '42501')
    return 'The user of DATABASE_URL may not make tables in its database: make it the owner of the database';
  if (code === '53300') return `PostgreSQL at ${place} has no connection left: see max_connections`;
  if (code === '57P03') return `PostgreSQL at ${place} is starting or stopping`;
  if (/does not support SSL/.test(message))
    return `PostgreSQL at ${place} offers no encryption, which sslmode in DATABASE_URL asks for`;
  if (certificate.test(code))
    return `The certificate of PostgreSQL at ${place} is not trusted (${code}): name its authority by sslrootcert in DATABASE_URL`;
  if (isOfServer(code) && !code.startsWith('08'))
    return `PostgreSQL at ${place} refuses what a start needs${suffix(code)}`;
  return `No PostgreSQL answers at ${place}, which DATABASE_URL names${suffix(code)}`;
}

function suffix(code: string): string {
  return code === '' ? '' : ` (${code})`;
}

/** What waiting cannot mend. */
export function isOfSettings(thrown: unknown): boolean {
  const code = faultCode(thrown) ?? '';
  const message = thrown instanceof Error ? thrown.message : '';
  return /^(28|3D|42)/.test(code) || certificate.test(code) || /SSL|SASL|password must/i.test(message);
}

/** query_canceled: it took longer than a statement may. */
const tookTooLong = '57014';

function causeOf(fault: unknown): DatabaseFault | undefined {
  return fault instanceof Problem && fault.cause instanceof DatabaseFault ? fault.cause : undefined;
}

/** Nothing that was asked is wrong: the database is away, held by others, or every connection is in use. */
export function isUnanswered(fault: unknown): boolean {
  const cause = causeOf(fault);
  if (cause === undefined) return false;
  const { kind, code } = cause;
  return kind === 'away' || kind === 'lost' || code === tookTooLong || code === undefined;
}

/** It answers, though not within its deadline: what waits before it may be done in time. */
export function isSlow(fault: unknown): boolean {
  const { kind, code } = causeOf(fault) ?? {};
  return code === tookTooLong || (kind === 'refused' && code === undefined);
}

/** The connection went away under a statement: whether it was carried out is not known. */
export function isLost(fault: unknown): boolean {
  return causeOf(fault)?.kind === 'lost';
}

export const hung = new DatabaseFault('the database does not answer', { kind: 'away' });

/** Rejects with `hung` when there is no answer in time; one that has come and only waits to be read is read first. */
export async function answered<T>(asked: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => setImmediate(() => setImmediate(late.reject, hung)), ms);
  return Promise.race([asked, late.promise]).finally(() => clearTimeout(timer));
}
