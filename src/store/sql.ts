import { createHash } from 'node:crypto';
import type { Clock } from '../ports/clock.ts';
import type { KeyedHash, Seal } from '../ports/seal.ts';

/** `undefined` is NULL, here and in rows. */
export type Value = string | number | undefined | readonly string[] | readonly number[];
export type Values = Readonly<Record<string, Value>>;

/** What rows hold: columns of one type. */
export type Columns<Name extends string, Type> = Readonly<Record<Name, Type>>;

/** One statement, as data. A driver prepares it once for each connection. `Row`: what its rows hold. */
export interface Statement<Row = unknown> {
  /** Never there. */
  readonly row?: Row;
  /** Of its text: two statements of one name are the same. */
  readonly name: string;
  /** Its values are named, as in `:center`. */
  readonly sql: string;
  /** The same with numbered values, as in `$1`. */
  readonly text: string;
  /** What the numbered values are called, in their order. */
  readonly values: readonly string[];
  /** It writes nothing. */
  readonly isRead: boolean;
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
  hold(names: readonly string[], how: 'alone' | 'shared'): Promise<void>;
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
  /** Tells all processes, this one included; soon, and not for sure. SQLite has one process and tells none. */
  announce(channel: string, text: string): void;
  /** `undefined`: something may have been missed. Gives what ends it. */
  listen(channel: string, heard: (text: string | undefined) => void): () => void;
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

/** Of `bytes` a row of `rowsValue` has the text that `bytesValue` gives. */
export type ColumnType = 'text' | 'whole' | 'bytes';

/** Tables in the words of a dialect. */
export type Tables = (dialect: Dialect) => readonly string[];

/** Where SQLite and PostgreSQL have different words for the same. */
export interface Dialect {
  /** A condition: `column` is in the list that is given as the value `name`. */
  isIn(column: string, name: string): string;
  /** A condition: `column` is one of the few values that a SELECT … LIMIT gives, which is asked once. */
  isAmong(column: string, select: string): string;
  /** In a FROM: the rows of `rowsValue` that are given as the value `name`, as a table of that name; `n` counts them. */
  rows(name: string, columns: Readonly<Record<string, ColumnType>>): string;
  /** A random whole number from 0 to below the value `name`, another one for each row. */
  randomBelow(name: string): string;
  /**
   * Deletes the first rows by a column, where no other condition is given those with `by` < `:before`, at most
   * `batchRows`. Rows that another transaction holds stay.
   */
  deleteSome<Row = never>(
    table: string,
    by: string,
    how?: { readonly where?: string; readonly limit?: number; readonly returning?: string },
  ): Statement<Row>;
  /** Rows that one statement changes at most, so that others do not wait long: in SQLite the process stands still. */
  readonly mostRows: number;
  /** At the end of a SELECT … LIMIT in a transaction: holds its rows and skips those that another one holds. */
  readonly skipLocked: string;
  /** Says once more that `column` is in the list `name`, where a plan might look at all rows otherwise. */
  lookUp(column: string, name: string): string;
  /** The table of a counter, and the triggers that keep it. */
  counter(counter: Counter): string;
  /** The function that gives the position of the second text in the first one, 0 where it is not there. */
  readonly position: string;
  /** A condition of one of several writes: `column` is a subject that the first one wrote. */
  isWritten(column: string): string;
  /** In a FROM: the rows that an earlier one of several writes gives. */
  made(write: string, columns: readonly string[]): string;
  /** Statements cost next to nothing, and no other transaction writes meanwhile. */
  readonly isLocal: boolean;
  /** Words of the schema: a whole number, 0 or 1, bytes, a number that the database gives, and the end of a table. */
  readonly whole: string;
  readonly flag: string;
  readonly bytes: string;
  readonly numbered: string;
  readonly tableEnd: string;
  /** The end of a table whose rows are found by their key alone. */
  readonly keyTableEnd: string;
}

/**
 * Sums over the rows of a table, for each of some keys. All are expressions over a row `it`. Several rows of the counter
 * may be of one key: a reader adds them up, and one of them may be below 0.
 */
export interface Counter {
  readonly name: string;
  readonly table: string;
  readonly keys: Readonly<Record<string, { readonly type: 'text' | 'whole'; readonly from: string }>>;
  readonly sums: Readonly<Record<string, string>>;
  /** The largest of all that ever came. */
  readonly largest?: Readonly<Record<string, string>>;
  /** The column of a key that may change. */
  readonly changes?: string;
}

/** A store deletes so many rows at a time, so that other callers do not wait long. */
export const batchRows = 100;

export const reading = <Row = never>(sql: string): Statement<Row> => prepare(sql, true);
export const writing = <Row = never>(sql: string): Statement<Row> => prepare(sql, false);

/** A cast is written `::`, as everywhere. */
const named = /(?<![:\w]):([a-zA-Z]\w*)/g;

function prepare(sql: string, isRead: boolean): Statement<never> {
  const values: string[] = [];
  const text = sql.replace(named, (_whole, name: string) => {
    if (!values.includes(name)) values.push(name);
    return `$${values.indexOf(name) + 1}`;
  });
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return { isRead, name, sql, text, values };
}

/** In the order of the statement. Throws where one is not named. */
export function valuesOf({ values, text }: Statement, given: Values) {
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
