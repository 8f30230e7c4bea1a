import { createHash } from 'node:crypto';
import type { Clock } from '../ports/clock.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Value = string | number | boolean | null | readonly string[] | readonly number[];
export type Values = Readonly<Record<string, Value>>;

/** One statement, as data. A driver prepares it once for each connection. */
export interface Statement {
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

/** Every fault is `store-unavailable`. */
export interface Queries {
  all(statement: Statement, values?: Values): Promise<readonly Row[]>;
  /** The first row. */
  get(statement: Statement, values?: Values): Promise<Row | undefined>;
  /** How many rows it wrote. */
  run(statement: Statement, values?: Values): Promise<number>;
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
  /** The database's time. */
  readonly clock: Clock;
  /** Removes deleted rows from the log files, where the driver has any. */
  emptyLog(): Promise<void>;
  /** Rejects unless the database answers. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Where SQLite and PostgreSQL have different words for the same. */
export interface Dialect {
  /** A condition: `column` is in the list that is given as the value `name`. */
  isIn(column: string, name: string): string;
  /** Deletes up to `batchRows` rows with `column` < `:before`. Rows that another transaction holds stay. */
  deleteSome(table: string, column: string, only?: string): Statement;
  /** At the end of a SELECT … LIMIT in a transaction: holds its rows and skips those that another one holds. */
  readonly skipLocked: string;
  /** The function that gives the position of the second text in the first one, 0 where it is not there. */
  readonly position: string;
  /** Words of the schema: a whole number, a number that the database gives, and the end of a table. */
  readonly whole: string;
  readonly numbered: string;
  readonly tableEnd: string;
}

/** A store deletes so many rows at a time, so that other callers do not wait long. */
export const batchRows = 100;

export const reading = (sql: string): Statement => prepare(sql, true);
export const writing = (sql: string): Statement => prepare(sql, false);

/** For statements of PostgreSQL alone: the journal's. */
export function statement(sql: string): Statement {
  return prepare(sql, /^SELECT\b/.test(sql) && !/\b(nextval|set_config|advisory)\b/.test(sql));
}

/** A cast is written `::`, as everywhere. */
const named = /(?<![:\w]):([a-zA-Z]\w*)/g;

function prepare(sql: string, isRead: boolean): Statement {
  const values: string[] = [];
  const text = sql.replace(named, (_whole, name: string) => {
    if (!values.includes(name)) values.push(name);
    return `$${values.indexOf(name) + 1}`;
  });
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return { isRead, name, sql, text, values };
}

/** In the order of the statement. Throws where one is missing: an absent one is null. */
export function valuesOf({ values, text }: Statement, given: Values): Value[] {
  return values.map((name) => {
    const value = given[name];
    if (value === undefined) throw new TypeError(`no value for :${name} in ${text}`);
    if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? storable(each) : each));
    return typeof value === 'string' ? storable(value) : value;
  });
}

/** PostgreSQL stores no text with a zero in it; SQLite gets the same, so that rows can be copied. */
function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}
