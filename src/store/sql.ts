import { hash } from 'node:crypto';
import type { Clock } from '../ports/clock.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import { type Dialect, part, skipLocked, type Template, type Words } from './dialect.ts';

/** `undefined` is NULL, here and in rows. */
export type Value = string | number | undefined | readonly string[] | readonly number[];
export type Values = Readonly<Record<string, Value>>;

/** Columns of one type in a row. */
export type Columns<Name extends string, Type> = Readonly<Record<Name, Type>>;

/** One statement, as data. `Row`: its rows. */
export interface Statement<Row = unknown> {
  /** Carries the type of rows; never set. */
  readonly row?: Row;
  /** True if the statement writes nothing. */
  readonly isRead: boolean;
  /** The text, in which values are named, as in `:center`. */
  readonly words: Words;
}

/** A statement in the SQL of a dialect. A driver prepares it once for each connection. */
export interface Prepared extends Pick<Statement, 'isRead'> {
  /** A hash of the text: two statements of one name are the same. */
  readonly name: string;
  readonly sql: string;
  /** The statement with numbered values, as in `$1`. */
  readonly text: string;
  /** The names of the numbered values, in their order. */
  readonly values: readonly string[];
}

/** One of several writes that are made together. */
export interface Write {
  /**
   * The name by which other writes of one `together` refer to its rows: see `Dialect.isWritten` and
   * `Dialect.made`.
   */
  readonly name: string;
  readonly statement: Statement;
  /** Writes of different names have values of different names. */
  readonly values: Values;
}

/** A row that the first of several writes gives. */
export interface Lead {
  readonly subject: string;
  readonly owner?: string;
}

/** Every fault is `store-unavailable`. Counts, sums and times are numbers. */
export interface Queries {
  all<Row>(statement: Statement<Row>, values?: Values): Promise<readonly Row[]>;
  /** The first row. */
  get<Row>(statement: Statement<Row>, values?: Values): Promise<Row | undefined>;
  /** Gives the number of rows that were written. */
  run(statement: Statement, values?: Values): Promise<number>;
  /**
   * Makes all writes, or none, and gives the rows of the first one. This is named `lead` and gives a column
   * `subject`; the others write only about these subjects (`Dialect.isWritten`). PostgreSQL gets one
   * statement, in which no write sees what another one writes, except for the rows that it gives.
   */
  together(writes: readonly Write[]): Promise<readonly Lead[]>;
}

/** The statements of a transaction, which awaits nothing else: with SQLite all other callers wait for it. */
export interface Transaction extends Queries {
  /**
   * Locks names until the transaction ends, so that two transactions which read and then write do not
   * overlap; those that hold a name `shared` do not wait for each other. SQLite has one writer at a time and
   * does nothing here.
   */
  hold(names: readonly string[], how?: 'shared'): Promise<void>;
}

export interface Transactions extends Queries {
  /** Writes all or nothing. A driver may run `work` again after a conflict with another transaction. */
  transaction<T>(work: (queries: Transaction) => Promise<T>): Promise<T>;
}

/** A database. Each store is written once over this interface, which has two drivers. */
export interface Sql extends Transactions {
  readonly dialect: Dialect;
  /** Uses any connection, including those that are kept for withdrawals. */
  readonly forWithdrawals: Transactions;
  /** The database's time. */
  readonly clock: Clock;
  /**
   * Sends a line to all processes, including this one, soon but without a guarantee. SQLite has one process
   * and sends nothing.
   */
  announce(text: string): void;
  /** Hears lines; `undefined` if some may have been missed. Gives the function that ends it. */
  listen(heard: (text: string | undefined) => void): () => void;
  /** Rejects unless a row can be written now, or one was written just before: for readiness. */
  proveWrite(write: Statement, values: Values): Promise<void>;
  /**
   * `isUnanswered`: the fault lies with the database, not with what was asked. `isLost`: it is not known
   * whether the statement was carried out.
   */
  isUnanswered(fault: unknown): boolean;
  isLost(fault: unknown): boolean;
  /** Removes deleted rows from log files, if the driver has any. false: another process is in the way now. */
  emptyLog(): Promise<boolean>;
  /** Rejects unless the database answers. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The parts of a store: its rows are sealed, and found by keyed hashes. */
export interface StoreParts {
  readonly sql: Sql;
  readonly seal: Seal & KeyedHash;
}

/** Rows that a store deletes at a time, so that other callers do not wait long. */
export const batchRows = 100;

/**
 * Make a statement from a template. Parts that differ between databases are in `dialect.ts`. Input is always
 * a value, and never a part of the text.
 */
export const reading = <Row = never>(...template: Template): Statement<Row> => ({
  isRead: true,
  words: part(...template),
});
export const writing = <Row = never>(...template: Template): Statement<Row> => ({
  isRead: false,
  words: part(...template),
});

/** The name of a value, as in `:center`; a cast (`::`) is none. */
const named = /(?<![:\w]):([a-zA-Z]\w*)/g;

/** Writes each statement in the SQL of a dialect, once. */
export function preparer(dialect: Dialect) {
  const known = new WeakMap<Statement, Prepared>();

  function prepare({ words, isRead }: Statement): Prepared {
    const sql = words(dialect).trim();
    const values = [...new Set(sql.matchAll(named).map(([, name = '']) => name))];
    const text = sql.replace(named, (_whole, name: string) => `$${values.indexOf(name) + 1}`);
    return { isRead, name: hash('sha256', text, 'base64url').slice(0, 22), sql, text, values };
  }
  return (statement: Statement) => known.getOrInsertComputed(statement, prepare);
}

/**
 * Deletes the first rows by a column; without another condition, those with `by` < `:before`. Rows that
 * another transaction has locked stay.
 */
export function deleteSome<Row = never>(
  table: string,
  by: string,
  { where = `${by} < :before`, limit = `${batchRows}`, returning = '' } = {},
): Statement<Row> {
  const some = part`SELECT ${({ place }) => place} FROM ${table} WHERE ${where} ORDER BY ${by} LIMIT ${limit} ${skipLocked}`;
  const given = returning && `RETURNING ${returning}`;
  return writing`
    DELETE FROM ${table} WHERE ${(dialect) => dialect.isAmong(dialect.place, some(dialect))} ${given}`;
}

/** Values in the order of the statement. Throws if one is missing. */
export function valuesOf({ values, text }: Prepared, given: Values) {
  return values.map((name) => {
    if (!(name in given)) throw new TypeError(`no value for :${name} in ${text}`);
    const value = given[name] ?? null;
    if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? storable(each) : each));
    return typeof value === 'string' ? storable(value) : value;
  });
}

/** A row of a driver, with `undefined` for NULL. */
export function plainRow(row: Readonly<Record<string, unknown>>) {
  const plain: Record<string, unknown> = {};
  for (const column in row) plain[column] = row[column] ?? undefined;
  return plain;
}

/** Rows of many columns as one value, for `Dialect.rows`. */
export function rowsValue(rows: readonly Readonly<Record<string, string | number | undefined>>[]): string {
  return JSON.stringify(rows, (_key, value) =>
    // PostgreSQL would refuse all rows because of one zero character or lone surrogate in JSON.
    typeof value === 'string' ? storable(value).toWellFormed() : value,
  );
}

/** Bytes in a row of `rowsValue`. */
export function bytesValue(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}

/** PostgreSQL stores no text with a zero character; SQLite gets the same, so that rows can be copied. */
function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}
