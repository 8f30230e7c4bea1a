/** The types of columns. A row of `rowsValue` holds `bytes` as the text that `bytesValue` gives. */
export type ColumnTypes = Readonly<Record<string, 'text' | 'whole' | 'bytes'>>;

/** The statements that make tables, in the SQL of a dialect. */
export type Tables = (dialect: Dialect) => readonly string[];

/** The SQL in which SQLite and PostgreSQL differ. */
export interface Dialect {
  /** A condition: `column` is in the list that is given as the value `name`. */
  isIn(column: string, name: string): string;
  /** A condition: `column` is one of the few values of a SELECT … LIMIT, which is evaluated once. */
  isAmong(column: string, select: string): string;
  /**
   * For FROM: a table `name` with the rows of `rowsValue` in the value `name`; its column `n` counts them.
   */
  rows(name: string, columns: ColumnTypes): string;
  /** A random whole number from 0 to below the value `name`, a new one for each row. */
  randomBelow(name: string): string;
  /** The most rows that one statement changes: others wait for it, in SQLite the whole process. */
  readonly mostRows: number;
  /** The end of a SELECT … LIMIT in a transaction: locks its rows, and skips rows that others have locked. */
  readonly skipLocked: string;
  /**
   * The same condition as `isIn`, where rows are joined by this column already: PostgreSQL might scan the table
   * without it, SQLite would scan the joined rows again for each of the list.
   */
  lookUp(column: string, name: string): string;
  /** The table of a counter, and the triggers that keep it. */
  counter(counter: Counter): string;
  /** The function that gives the position of the second text in the first one, 0 if it is not there. */
  readonly position: string;
  /** A condition in one of several writes: `column` is a subject that the first write has written. */
  isWritten(column: string): string;
  /** For FROM: the rows that an earlier one of several writes has returned. */
  made(write: string, columns: readonly string[]): string;
  /** True if statements cost almost nothing and no other transaction writes at the same time. */
  readonly isLocal: boolean;
  /** The built-in column that identifies a row. */
  readonly place: string;
  /**
   * Types of columns: a whole number, 0 or 1, bytes, a number that the database gives; and the end of a
   * table.
   */
  readonly whole: string;
  readonly flag: string;
  readonly bytes: string;
  readonly numbered: string;
  readonly tableEnd: string;
  /** The end of a table whose rows are found by their key alone. */
  readonly keyTableEnd: string;
}

/**
 * Sums over the rows of a table, by key. Keys and sums are expressions over a row `it`. A counter may have
 * several rows for one key: readers add them up, and a single one may be below 0.
 */
export interface Counter {
  readonly name: string;
  readonly table: string;
  readonly keys: Readonly<Record<string, { readonly type: 'text' | 'whole'; readonly from: string }>>;
  readonly sums: Readonly<Record<string, string>>;
  /** The largest value that any row ever had. */
  readonly largest?: Readonly<Record<string, string>>;
  /** The key column that an UPDATE may change; undefined: none. */
  readonly changes?: string;
}

/** A part of a statement, which each dialect writes in its SQL. */
export type Words = (dialect: Dialect) => string;
export type Template = Parameters<typeof part>;

/** Makes a part of a statement. It inserts other parts, and text that is the same in all dialects. */
export function part(texts: TemplateStringsArray, ...words: readonly (Words | string | number)[]): Words {
  return (dialect) =>
    String.raw({ raw: texts }, ...words.map((each) => (typeof each === 'function' ? each(dialect) : each)));
}

export const isIn = (column: string, name: string) => part`${(dialect) => dialect.isIn(column, name)}`;
export const isAmong = (column: string, select: Words) =>
  part`${(dialect) => dialect.isAmong(column, select(dialect))}`;
export const rows = (name: string, columns: ColumnTypes) => part`${(dialect) => dialect.rows(name, columns)}`;
export const randomBelow = (name: string) => part`${(dialect) => dialect.randomBelow(name)}`;
export const lookUp = (column: string, name: string) => part`${(dialect) => dialect.lookUp(column, name)}`;
export const isWritten = (column: string) => part`${(dialect) => dialect.isWritten(column)}`;
export const made = (write: string, columns: readonly string[]) =>
  part`${(dialect) => dialect.made(write, columns)}`;
export const skipLocked: Words = (dialect) => dialect.skipLocked;
export const position: Words = (dialect) => dialect.position;
