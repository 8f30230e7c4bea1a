import { faultCode } from '../../../core/model/fault-code.ts';
import { Problem } from '../../../core/model/problem.ts';
import { UnknownLayout } from '../layout.ts';

/**
 * Kinds of faults. `away`: nothing can be asked of the database now. `lost`: the connection is lost. `again`:
 * the same statement may succeed at once. `refused`: all others.
 */
export type FaultKind = 'away' | 'lost' | 'again' | 'refused';

/**
 * A fault that may be kept as a cause. It leaves out what PostgreSQL adds (`detail`, `where`) and which
 * quotes rows.
 */
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

/**
 * feature_not_supported: a later release has added a column since the statement was prepared. Nothing was
 * done.
 */
export const changedTable = '0A000';
/**
 * read_only_sql_transaction: a connection stays read-only as it was made, even when new ones may write again.
 */
export const readOnly = '25006';
/** serialization_failure, deadlock_detected. */
const againCodes = ['40001', '40P01', changedTable];
/**
 * admin_shutdown, crash_shutdown, idle_in_transaction_session_timeout, idle_session_timeout: this connection
 * only.
 */
const lostCodes = ['57P01', '57P02', '25P03', '57P05'];

export function faultOf(thrown: unknown): DatabaseFault {
  if (thrown instanceof DatabaseFault) return thrown;
  const code = faultCode(thrown);
  // Class 08 is about the connection. PgBouncer reports it for PostgreSQL behind it.
  if (code === undefined || !isOfServer(code) || code.startsWith('08'))
    return new DatabaseFault('the connection to the database is lost', { code, kind: 'lost' });
  if (againCodes.includes(code))
    return new DatabaseFault('the database asks to try again', { code, kind: 'again' });
  if (lostCodes.includes(code))
    return new DatabaseFault('the database ended the connection', { code, kind: 'lost' });
  return new DatabaseFault('the database refuses a statement', { code, kind: 'refused' });
}

/** The fault for what was thrown while a connection was made: then none can be made now. */
export function awayFault(thrown: unknown): DatabaseFault {
  if (thrown instanceof DatabaseFault) return thrown;
  return new DatabaseFault('the database cannot be reached', { code: faultCode(thrown), kind: 'away' });
}

export function unavailable(fault: unknown, answerLost = false): Problem {
  if (fault instanceof Problem) return fault;
  // A fault of the program says nothing about the database.
  const isProgrammers = [TypeError, RangeError, ReferenceError].some((kind) => fault instanceof kind);
  const cause = isProgrammers ? fault : faultOf(fault);
  return new Problem('store-unavailable', { cause, answerLost });
}

/** True for an SQLSTATE. */
function isOfServer(code: string): boolean {
  return /^[0-9][0-9A-Z]{4}$/.test(code);
}

/** A start lacks something that it needs and that waiting does not mend. The message is for an operator. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
}

const certificate =
  /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_|CERT_|ERR_TLS_CERT|HOSTNAME_MISMATCH|ERR_SSL)/;

/** The message for an operator when a connection cannot be made. It never holds the password or the user. */
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

/** True for faults of the settings, which waiting cannot mend. */
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

/**
 * True if nothing that was asked is wrong: the database is away, rows are locked, or all connections are in
 * use.
 */
export function isUnanswered(fault: unknown): boolean {
  const cause = causeOf(fault);
  if (cause === undefined) return false;
  const { kind, code } = cause;
  return kind === 'away' || kind === 'lost' || code === tookTooLong || code === undefined;
}

/**
 * True if the database works, but did not answer within the deadline, since others were before this caller.
 */
export function isSlow(fault: unknown): boolean {
  const { kind, code } = causeOf(fault) ?? {};
  return code === tookTooLong || (kind === 'refused' && code === undefined);
}

/** True if the connection was lost under a statement: it is not known whether that was carried out. */
export function isLost(fault: unknown): boolean {
  return causeOf(fault)?.kind === 'lost';
}

export const hung = new DatabaseFault('the database does not answer', { kind: 'away' });

/**
 * Rejects with `hung` if there is no answer in time. An answer that has arrived and waits to be read is read
 * first.
 */
export async function answered<T>(asked: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => setImmediate(() => setImmediate(late.reject, hung)), ms);
  return Promise.race([asked, late.promise]).finally(() => clearTimeout(timer));
}
