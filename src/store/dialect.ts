/** Of `bytes` a row of `rowsValue` has the text that `bytesValue` gives. */
export type ColumnTypes = Readonly<Record<string, 'text' | 'whole' | 'bytes'>>;

/** Tables in the words of a dialect. */
export type Tables = (dialect: Dialect) => readonly string[];

/** Where SQLite and PostgreSQL have different words for the same. */
export interface Dialect {
  /** A condition: `column` is in the list that is given as the value `name`. */
  isIn(column: string, name: string): string;
  /** A condition: `column` is one of the few values that a SELECT … LIMIT gives, which is asked once. */
  isAmong(column: string, select: string): string;
  /** In a FROM: the rows of `rowsValue` that are given as the value `name`, as a table of that name; `n` counts them. */
  rows(name: string, columns: ColumnTypes): string;
  /** A random whole number from 0 to below the value `name`, another one for each row. */
  randomBelow(name: string): string;
  /** Rows that one statement changes at most, so that others do not wait long: in SQLite the process stands still. */
  readonly mostRows: number;
  /** At the end of a SELECT … LIMIT in a transaction: holds its rows and skips those that another one holds. */
  readonly skipLocked: string;
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
  /** The column that a row has without being asked for. */
  readonly place: string;
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

/** A part of a statement. */
export type Words = (dialect: Dialect) => string;
export type Template = Parameters<typeof part>;

/** A template that holds words, or what is the same in all dialects. */
export function part(texts: TemplateStringsArray, ...words: readonly (Words | string | number)[]): Words {
  return (dialect) =>
    String.raw({ raw: texts }, ...words.map((each) => (typeof each === 'function' ? each(dialect) : each)));
}

export const isIn = (column: string, name: string) => part`${(dialect) => dialect.isIn(column, name)}`;
export const isAmong = (column: string, select: Words) =>
  part`${(dialect) => dialect.isAmong(column, select(dialect))}`;
export const rows = (name: string, columns: ColumnTypes) => part`${(dialect) => dialect.rows(name, columns)}`;
export const randomBelow = (name: string) => part`${(dialect) => dialect.randomBelow(name)}`;
export const isWritten = (column: string) => part`${(dialect) => dialect.isWritten(column)}`;
export const made = (write: string, columns: readonly string[]) =>
  part`${(dialect) => dialect.made(write, columns)}`;
export const skipLocked: Words = (dialect) => dialect.skipLocked;
export const position: Words = (dialect) => dialect.position;
