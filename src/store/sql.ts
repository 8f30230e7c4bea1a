import { hash } from 'node:crypto';
import type { Clock } from '../ports/clock.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';
import { type Dialect, part, skipLocked, type Template, type Words } from './dialect.ts';

/** `undefined` is NULL, here and in rows. */
export type Value = string | number | undefined | readonly string[] | readonly number[];
export type Values = Readonly<Record<string, Value>>;

/** What rows hold: columns of one type. */
export type Columns<Name extends string, Type> = Readonly<Record<Name, Type>>;

/** One statement, as data. `Row`: what its rows hold. */
export interface Statement<Row = unknown> {
  /** Never there. */
  readonly row?: Row;
  /** It writes nothing. */
  readonly isRead: boolean;
  /** Its values are named, as in `:center`. */
  readonly words: Words;
}

/** A statement in the words of a dialect. A driver prepares it once for each connection. */
export interface Prepared extends Pick<Statement, 'isRead'> {
  /** Of its text: two statements of one name are the same. */
  readonly name: string;
  readonly sql: string;
  /** The same with numbered values, as in `$1`. */
  readonly text: string;
  /** What the numbered values are called, in their order. */
  readonly values: readonly string[];
}

/** One of several writes that are made together. */
export interface Write {
  /** Other writes of the same may refer to its rows by it: see `Dialect.isWritten` and `Dialect.made`. */
  readonly name: string;
  readonly statement: Statement;
  /** Two writes of different names have different names of values. */
  readonly values: Values;
}

/** A row of the first one of several writes. */
export interface Lead {
  readonly subject: string;
  readonly owner?: string;
}

/** Every fault is `store-unavailable`. Counts, sums and times are numbers. */
export interface Queries {
  all<Row>(statement: Statement<Row>, values?: Values): Promise<readonly Row[]>;
  /** The first row. */
  get<Row>(statement: Statement<Row>, values?: Values): Promise<Row | undefined>;
  /** How many rows it wrote. */
  run(statement: Statement, values?: Values): Promise<number>;
  /**
   * All writes, or none, and the rows of the first one, which is called `lead` and gives a column `subject`; the others
   * write of these subjects alone (`Dialect.isWritten`). One statement in PostgreSQL, so none sees what another one
   * writes, but for the rows that it gives.
   */
  together(writes: readonly Write[]): Promise<readonly Lead[]>;
}

/** What a transaction asks. It awaits nothing else: with SQLite all other callers wait for it. */
export interface Transaction extends Queries {
  /**
   * Holds names until the transaction ends, so that what reads and then writes does not meet another one. SQLite has
   * one writer at a time and does nothing here.
   */
  hold(names: readonly string[]): Promise<void>;
}

export interface Transactions extends Queries {
  /** All or nothing. A driver may run `work` again when it met another transaction. */
  transaction<T>(work: (queries: Transaction) => Promise<T>): Promise<T>;
}

/** A database. Each store is written once over it; two drivers stand behind it. */
export interface Sql extends Transactions {
  readonly dialect: Dialect;
  /** By any connection, those included that are kept for withdrawals. */
  readonly forWithdrawals: Transactions;
  /** The database's time. */
  readonly clock: Clock;
  /** Tells all processes a line, this one included; soon, and not for sure. SQLite has one process and tells none. */
  announce(text: string): void;
  /** `undefined`: something may have been missed. Gives what ends it. */
  listen(heard: (text: string | undefined) => void): () => void;
  /** Rejects unless a row can be written now, or one was written just before: for readiness. */
  proveWrite(write: Statement, values: Values): Promise<void>;
  /** Of a fault: nothing of what was asked is wrong; or whether it was carried out is not known. */
  isUnanswered(fault: unknown): boolean;
  isLost(fault: unknown): boolean;
  /** Removes deleted rows from the log files, where the driver has any. false: another process is in the way now. */
  emptyLog(): Promise<boolean>;
  /** Rejects unless the database answers. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** What a store is opened over: its rows are sealed, and found by keyed hashes. */
export interface StoreParts {
  readonly sql: Sql;
  readonly seal: Seal & KeyedHash;
}

/** A store deletes so many rows at a time, so that other callers do not wait long. */
export const batchRows = 100;

/**
 * A statement is a template: the words in it that differ between databases are of `dialect.ts`. What comes from outside
 * is a value and never stands in it.
 */
export const reading = <Row = never>(...template: Template): Statement<Row> => ({
  isRead: true,
  words: part(...template),
});
export const writing = <Row = never>(...template: Template): Statement<Row> => ({
  isRead: false,
  words: part(...template),
});

/** A cast is written `::`, as everywhere. */
const named = /(?<![:\w]):([a-zA-Z]\w*)/g;

/** What a driver asks, of each statement once. */
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
 * Deletes the first rows by a column, where no other condition is given those with `by` < `:before`. Rows that another
 * transaction holds stay.
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

/** In the order of the statement. Throws where one is not named. */
export function valuesOf({ values, text }: Prepared, given: Values) {
  return values.map((name) => {
    if (!(name in given)) throw new TypeError(`no value for :${name} in ${text}`);
    const value = given[name] ?? null;
    if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? storable(each) : each));
    return typeof value === 'string' ? storable(value) : value;
  });
}

/** What a driver gives of a row. */
export function plainRow(row: Readonly<Record<string, unknown>>) {
  const plain: Record<string, unknown> = {};
  for (const column in row) plain[column] = row[column] ?? undefined;
  return plain;
}

/** Rows of many columns as one value, for `Dialect.rows`. */
export function rowsValue(rows: readonly Readonly<Record<string, string | number | undefined>>[]): string {
  return JSON.stringify(rows, (_key, value) =>
    // JSON escapes what a value of its own may not have, and PostgreSQL would refuse all rows.
    typeof value === 'string' ? storable(value).toWellFormed() : value,
  );
}

/** Bytes in a row of `rowsValue`. */
export function bytesValue(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}

/** PostgreSQL stores no text with a zero in it; SQLite gets the same, so that rows can be copied. */
function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}
