import { createHash } from 'node:crypto';

export type Row = Readonly<Record<string, unknown>>;
export type Value = string | number | boolean | null | readonly string[] | readonly number[];
export type Values = Readonly<Record<string, Value>>;

/** One statement, which every connection prepares once, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** It writes nothing. */
  readonly isRead: boolean;
  /** What its numbered values are called, in their order. */
  readonly values: readonly string[];
}

const named = /(?<![:\w]):([a-zA-Z]\w*)/g;

/** SQL in which values are named as in `:center`; a cast is written `::`, as everywhere. */
export function statement(sql: string): Statement {
  const values: string[] = [];
  const text = sql.replace(named, (_whole, name: string) => {
    if (!values.includes(name)) values.push(name);
    return `$${values.indexOf(name) + 1}`;
  });
  const isRead = /^SELECT\b/.test(text) && !/\b(nextval|set_config|advisory)\b/.test(text);
  return { isRead, name: createHash('sha256').update(text).digest('base64url').slice(0, 22), text, values };
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

/** PostgreSQL knows no text with a zero in it; one that is looked for is not found, as it should be. */
function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}
